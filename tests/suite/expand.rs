//! `toto expand` as a command: what it reads, and what it says of what it cannot read.

use serde_json::{Value, json};

use crate::harness::{Sandbox, run, run_with};

const ROWS: &str =
    "[{\"id\": 1, \"name\": \"07\"}, {\"id\": 2, \"name\": \"web x\"}, {\"id\": 3, \"name\": \"\"}]";

/// `toto --format FORMAT` of ROWS.
fn written(sandbox: &Sandbox, format: &str) -> Vec<u8> {
    run_with(&mut sandbox.toto(["--format", format, "--level", "lossless"]), ROWS.as_bytes()).ok().out
}

#[test]
fn either_notation_is_read_from_a_file_standard_input_or_a_dash() {
    let sandbox = Sandbox::new();
    for (format, begin) in [("pvfn", "["), ("schema-yaml", "schema: [id, name]\ndata:\n")] {
        let text = written(&sandbox, format);
        assert!(text.starts_with(begin.as_bytes()), "{}", String::from_utf8_lossy(&text));
        let file = sandbox.home_file("rows", &text);
        let of_file = run(sandbox.toto(["expand"]).arg(&file)).ok().out;
        assert_eq!(
            serde_json::from_slice::<Value>(&of_file).unwrap(),
            serde_json::from_str::<Value>(ROWS).unwrap()
        );
        assert_eq!(run_with(&mut sandbox.toto(["expand"]), &text).ok().out, of_file);
        assert_eq!(run_with(&mut sandbox.toto(["expand", "-"]), &text).ok().out, of_file);
    }
}

#[test]
fn numbers_keep_their_text_and_a_stream_stays_one() {
    let text = "ndjson[2]{a b}:\n 1.10 1e400\n 12345678901234567890123 -\n";
    let out = run_with(&mut Sandbox::new().toto(["expand"]), text.as_bytes()).ok().out();
    assert_eq!(out, "{\"a\":1.10,\"b\":1e400}\n{\"a\":12345678901234567890123}\n");
}

/// Output was once refused if the host had put its receipt behind it, as README.md shows.
#[test]
fn receipts_and_notes_behind_any_notation_are_passed_over() {
    let sandbox = Sandbox::new();
    let receipt = "[toto] Original: 58 tok | Compressed: 8 tok | Saved: 50 (86.2%) | Shape: PVFN\n";
    let note = "(5 null/empty left out: toto show k7q2x)\n";
    for (text, json) in [
        ("a=1\n", "{\"a\":1}\n"),
        ("schema: [a]\ndata:\n- [1]\n- [2]\n", "[{\"a\":1},{\"a\":2}]\n"),
        ("\"x\"\n", "\"x\"\n"),
        ("{\"a\":1}\n", "{\"a\":1}\n"),
        ("src/a.rs\n1:x\n2:y\n", "src/a.rs:1:x\nsrc/a.rs:2:y\n"),
    ] {
        for behind in [String::new(), receipt.into(), note.into(), format!("{note}{receipt}")] {
            let outcome = run_with(&mut sandbox.toto(["expand"]), format!("{text}{behind}").as_bytes()).ok();
            assert_eq!(outcome.out(), json, "{text}{behind}");
        }
    }
}

#[test]
fn what_cannot_be_read_is_one_line_with_line_and_column_and_status_2() {
    let sandbox = Sandbox::new();
    for (text, place, what) in [
        (&b"a=1 b\n"[..], "1:6", "'=' expected"),
        (b"a=1\nb:\n c=1\n  d=2\n", "4:3", "indented unlike"),
        (b"a[2]{x y}:\n 1 2\n 3\n", "3:3", "2 cells expected"),
        (b"a[3]{x}:\n 1\n 2\n", "1:1", "3 elements announced, 2 found"),
        (b"a=1\nb={c=1\n", "2:7", ""),
        (b"\xc3\xa9=1 x=(as &7)\n", "1:7", "there is no &7"),
        (b"a=(b)\n", "1:3", "\"(as &1)\" expected"),
        (b"a=\"open\n", "1:3", "a string without its closing quote"),
        (b"schema: [a, b]\ndata:\n- [1, 2]\n- [1]\n", "4:1", "2 values expected, 1 found"),
        (b"", "1:1", "there is no document"),
        (b"total 3\nrows[3]{NAME AGE}:\n a 1d\n b 2d\n", "4:2", "3 rows announced, 2 found"),
        (b"a=1\nb=\xff\n", "2:3", "not UTF-8"),
    ] {
        let outcome =
            run_with(&mut sandbox.toto(["expand", "-"]), if text.is_empty() { b"\n" } else { text }).exits(2);
        let err = outcome.err();
        assert!(err.starts_with(&format!("toto: standard input:{place}: ")) && err.contains(what), "{err}");
        assert_eq!((err.lines().count(), outcome.out().as_str()), (1, ""), "{err}");
    }
    let file = sandbox.home_file("bad", "a=1 b\n");
    let outcome = run(sandbox.toto(["expand"]).arg(&file)).exits(2);
    assert!(outcome.err().starts_with(&format!("toto: {}:1:6: ", file.display())), "{}", outcome.err());
    let outcome = run(&mut sandbox.toto(["expand", "nowhere"])).exits(2);
    assert!(outcome.err().starts_with("toto: failed to open file `nowhere`"), "{}", outcome.err());
}

#[test]
fn a_saved_original_is_shown_and_not_expanded() {
    let sandbox = Sandbox::new();
    let input = json!({ "a": null, "b": [], "c": {}, "d": "", "e": null, "g": [null, ""], "h": {"i": null}, "j": null, "f": "x".repeat(80) }).to_string();
    let out = run_with(&mut sandbox.toto(["--format", "pvfn"]), input.as_bytes()).ok().out();
    let id = out.split("toto show ").nth(1).unwrap().split(')').next().unwrap();
    let outcome = run(&mut sandbox.toto(["expand", id])).exits(2);
    assert_eq!(
        outcome.err(),
        format!("toto: {id} is a saved original, as its tool printed it: toto show {id}\n")
    );
}

/// A table that a tool printed is text, also where no column is the rest of a line; a document's `rows` is quoted.
#[test]
fn a_printed_table_comes_back_as_lines_and_a_documents_rows_as_rows() {
    let sandbox = Sandbox::new();
    let table = "rows[2]{NAME READY ACTIVE}:\n job-1 true 0\n job-2 [ok] 010\n";
    let out = run_with(&mut sandbox.toto(["expand"]), table.as_bytes()).ok().out();
    assert_eq!(
        out.lines().map(|line| line.split_whitespace().collect()).collect::<Vec<Vec<_>>>(),
        [["NAME", "READY", "ACTIVE"], ["job-1", "true", "0"], ["job-2", "[ok]", "010"]]
    );
    let document = format!("\"{table}").replacen("rows", "rows\"", 1).replace("[ok]", "\"[ok]\"");
    let out = run_with(&mut sandbox.toto(["expand"]), document.as_bytes()).ok().out();
    assert_eq!(
        out,
        "{\"rows\":[{\"NAME\":\"job-1\",\"READY\":true,\"ACTIVE\":0},{\"NAME\":\"job-2\",\"READY\":\"[ok]\",\"ACTIVE\":\"010\"}]}\n"
    );
}
