//! The properties of the fuzz targets (`tests/parsers.rs`), on texts put together out of pieces that mean something. So the
//! targets hold wherever the suite runs, with no fuzzer and no nightly compiler; `PROPTEST_CASES=100000` plays longer.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestRunner};

#[path = "../parsers.rs"]
mod properties;

use properties::PROPERTIES;

/// Pieces of the texts that each property is about.
const PIECES: [(&str, &[&str]); 5] = [
    (
        "filters",
        &[
            "command = \"x\"\n",
            "skip = ['^a']\n",
            "keep = ['b$']\n",
            "[on_success]\n",
            "[[on_success.fold]]\n",
            "match = 'a+'\n",
            "as = \"lines\"\n",
            "together = true\n",
            "output = \"{a} {b.count}\"\n",
            "[[section]]\n",
            "enter = '^<'\n",
            "exit = '^>'\n",
            "collect_as = \"s\"\n",
            "[extract]\n",
            "pattern = '(\\d+)'\n",
            "max_lines = 3\n",
            "[on_failure]\n",
            "tail = 2\n",
            "head = 1\n",
            "[[test]]\n",
            "name = \"t\"\n",
            "inline = '''\na\n'''\n",
            "description = 1\n",
            "[fallback]\n",
            "\0",
            "a 1\n",
            "error: b\n",
            "<\n",
            ">\n",
            "aaaa\n",
            "é\t\n",
        ],
    ),
    (
        "settings",
        &[
            "level = \"max\"\n",
            "level = 1\n",
            "format = \"pvfn\"\n",
            "receipt = \"off\"\n",
            "[overflow]\n",
            "mode = \"reject\"\n",
            "threshold = 10\n",
            "[tools.aws]\n",
            "[passthrough]\n",
            "kubectl = [\"logs\"]\n",
            "[store]\n",
            "days = 0\n",
            "mebibytes = -1\n",
            "[ledger]\n",
            "enabled = false\n",
            "price = 1e400\n",
            "keywords = [\"a\", \"é\"]\n",
            "# note\n",
            "slow_after = 99999999999999999999\n",
            "x",
            "=",
            "\"",
            "[",
            "\n",
        ],
    ),
    (
        "shell",
        &[
            "aws",
            " ",
            "git",
            " status",
            "\t",
            "'",
            "\"",
            "\\",
            "\n",
            "|",
            "||",
            "&&",
            "&",
            ";",
            "2>&1",
            ">",
            "<",
            "<<EOF\n",
            "EOF",
            "$(",
            ")",
            "`",
            "${",
            "}",
            "$x",
            "#",
            "toto shim --",
            " -- ",
            "*",
            "~",
            "é",
            "(",
            "{",
            "!",
            "[[",
            "]]",
            "A=b ",
            "$'",
            "\r",
        ],
    ),
    (
        "foreign",
        &[
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"hooks\"",
            "\"SessionStart\"",
            "\"shell\"",
            "\"set\"",
            "1",
            "null",
            "\"a\"",
            " ",
            "\n",
            "\r\n",
            "\t",
            "// c\n",
            "/* c */",
            "\u{feff}",
            "[hooks]\n",
            "[[hooks.SessionStart]]\n",
            "[shell]\n",
            "[shell.set]\n",
            "set = { A = \"b\" }\n",
            "set.A = 'x'\n",
            "BASH_ENV = ''\n",
            "hooks = {}\n",
            "hooks = []\n",
            "a = 1\n",
            "# n\n",
            "~/.toto/hook",
        ],
    ),
    (
        "outputs",
        &[
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"a\"",
            "\"b\"",
            "1.10",
            "null",
            "true",
            "\n",
            "\n---\n",
            "a: 1\n",
            "- x\n",
            "  b: [y]\n",
            "&x ",
            "*x",
            "| \n  text\n",
            "warning: x\n",
            "\u{1b}[31m",
            "\r",
            "\u{9b}",
            "é",
            "\0",
            "====\n",
            "error\n",
            "schema: [a]\n",
            "data:\n",
            "{\"a\": [1, 2], \"b\": {\"c\": \"d\"}}\n",
            "[{\"a\": 1}, {\"a\": 2}]\n",
            "\"\\ud800\"",
            "1e999",
            "NaN",
        ],
    ),
];

fn texts(name: &str) -> impl Strategy<Value = Vec<u8>> {
    let (_, pieces) = PIECES.iter().find(|(of, _)| *of == name).expect("each has its pieces");
    let piece = prop_oneof![
        12 => select(*pieces).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 1..4),
        1 => "[ -~]{1,6}".prop_map(String::into_bytes),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

#[test]
fn whatever_the_bytes() {
    for (name, property) in PROPERTIES {
        let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
        let held = runner.run(&texts(name), |text| {
            let wrong = property(&text);
            prop_assert!(wrong.is_none(), "{}", wrong.unwrap_or_default());
            Ok(())
        });
        held.unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

#[test]
fn every_property_has_its_fuzz_target() {
    let manifest = include_str!("../fuzz/Cargo.toml");
    for (name, _) in PROPERTIES {
        assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")), "{name}");
        let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(format!("tests/fuzz/fuzz_targets/{name}.rs"));
        let source = std::fs::read_to_string(&source).unwrap();
        let function = if name == "foreign" { "foreign_files" } else { name };
        assert!(source.contains(&format!("parsers::{function}(data)")), "{name}");
    }
}
