//! Text filters: the honesty checks over every fixture of the library and of the corpus, and hard inputs.

use std::cmp::Reverse;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use llm_toto::commands::as_text;
use llm_toto::custom::{Call, checks, schema, testing};
use llm_toto::filter::library;
use llm_toto::hidden;
use llm_toto::pipeline::{Compressed, Keys, Options, Shape, compress, visible};
use rustix::time::ClockId;
use serde_json::Value;

use crate::harness::{Sandbox, call_words, corpus, run, side_by_side, words};
use crate::processor::least;

const RECALL: &str = "toto show k7q2x";

fn filtered(text: &[u8], words: &[OsString], exit: i32) -> Compressed {
    let call = Call { words, exit: Some(exit), ..Call::default() };
    compress(text, &Options { recall: RECALL, call, ..Options::default() })
}

/// An output is changed only where that saves forty tokens and a tenth.
fn is_worth_it(report: &Compressed) -> bool {
    let saved = report.original_tokens.saturating_sub(report.output_tokens);
    report.estimated || saved >= 40 && saved * 10 >= report.original_tokens
}

/// Everything that a filtered output is held to; an empty list where it holds.
fn dishonesties(text: &[u8], words: &[OsString], exit: i32) -> Vec<String> {
    let report = filtered(text, words, exit);
    if report.shape != Shape::Text {
        let changed = report.output != text && !is_worth_it(&report);
        return changed.then(|| "changed for a pittance".into()).into_iter().collect();
    }
    let scrubbed = visible::own(llm_toto::pipeline::scrub::scrub(text));
    // Where colours tell words apart, they stay.
    let coloured = if report.output.contains(&0x1b) { visible::coloured(text) } else { (&b""[..]).into() };
    let known = [&scrubbed, &b"\n"[..], &coloured].concat();
    // It ends as the text ends.
    let note = report.omitted.note(RECALL, &Keys::default());
    let ended = report.output.strip_suffix(b"\n").unwrap_or(&report.output);
    let output = ended.strip_suffix(note.trim_end().as_bytes()).unwrap_or(&report.output);
    let mut found = checks::violations(&known, output, exit, checks::Author::Library);
    if report.omitted.lines > 0 && output.len() == report.output.len() {
        found.push("what is left out is not said".into());
    }
    // What a terminal obeys is written out, which may cost tokens, but no more than that.
    let written = visible::output(text);
    let most = if hidden::is_in_text(text) { llm_toto::tokens::count(&written) } else { 0 };
    if report.output_tokens > report.original_tokens.max(most) {
        found.push(format!("{} tokens of {}", report.output_tokens, report.original_tokens));
    }
    if report.output != text && report.output != *written && !is_worth_it(&report) {
        found.push(format!("changed for {} tokens of {}", report.output_tokens, report.original_tokens));
    }
    // What became smaller by its notation alone says the same; marks in what a tool printed are quoted.
    let again = filtered(&report.output, words, exit);
    if again.shape != Shape::Forms && again.filter.is_some() && again.output != report.output {
        found.push("twice is not once".into());
    }
    found
}

#[test]
fn every_filter_of_the_library_is_sound_and_passes_its_own_tests() {
    let mut wrong = Vec::new();
    for source in library::FILTERS {
        let text = source.text();
        let file = schema::parse(&text).unwrap_or_else(|mistake| panic!("{}.toml:{mistake}", source.name));
        assert!(file.run.is_none() && file.step.is_empty(), "{}.toml runs a command", source.name);
        let mistakes = testing::check_all(&text, Path::new("")).1;
        assert!(mistakes.is_empty(), "{}.toml: {mistakes:?}", source.name);
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/filters");
        let path = directory.join(source.name).with_extension("toml");
        let written = fs::read_to_string(path).unwrap();
        // The commands of a column of the table stand in front.
        let packed = if written.contains("\ncommand = ") { &text } else { text.split_once('\n').unwrap().1 };
        assert_eq!(packed, written, "{} is packed whole", source.name);
        let outcomes = testing::run(&file, &text, &directory).unwrap();
        assert!(!outcomes.is_empty(), "{}.toml has no tests", source.name);
        let command = &file.command.0[0];
        for outcome in outcomes {
            // The engine of users' filters, which tests run on, and the library's say the same.
            let of_library = llm_toto::filter::apply(
                &outcome.input,
                &as_text(&call_words(command)),
                outcome.exit_code == 0,
            );
            let of_library = of_library.map_or(outcome.input.clone(), |filtered| filtered.text);
            let [library, tests] = [&of_library, &outcome.output].map(|text| String::from_utf8_lossy(text));
            assert_eq!(library, tests, "{}: {}", source.name, outcome.name);
            let dishonest = dishonesties(&outcome.input, &call_words(command), outcome.exit_code);
            if !outcome.failures.is_empty() || !dishonest.is_empty() {
                let output = String::from_utf8_lossy(&outcome.output).into_owned();
                wrong.push((source.name, outcome.name, outcome.failures, dishonest, output));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What is wrong with what becomes of one output of the corpus; `None` where nothing is.
fn dishonest_sample(meta: &Path) -> Option<String> {
    let facts: Value = serde_json::from_slice(&fs::read(meta).unwrap()).unwrap();
    let name = meta.to_str()?.strip_suffix(".meta.json")?;
    let text = fs::read(format!("{name}.txt")).unwrap();
    let words = facts["argv"].as_array().into_iter().flatten();
    let words: Vec<OsString> = words.filter_map(|word| Some(OsString::from(word.as_str()?))).collect();
    let exit = facts["exit_code"].as_i64().unwrap_or(0) as i32;
    let found = dishonesties(&text, &words, exit);
    let first = found.iter().take(4).collect::<Vec<_>>();
    (!found.is_empty()).then(|| format!("{name}, exit status {exit}: {} things, {first:#?}", found.len()))
}

/// Where the corpus is not there, the library's own tests are what is held.
#[test]
fn the_corpus_is_filtered_honestly() {
    let Some(corpus) = corpus("dev/text") else { return };
    let mut samples: Vec<PathBuf> =
        fs::read_dir(&corpus).unwrap().map(|entry| entry.unwrap().path()).collect();
    samples.retain(|path| path.to_str().is_some_and(|path| path.ends_with(".meta.json")));
    // The largest first, so that no thread is left alone with it in the end.
    samples.sort_by_key(|path| {
        Reverse(fs::metadata(path.to_str().unwrap().replace(".meta.json", ".txt")).unwrap().len())
    });
    let wrong = side_by_side(&samples, |sample| dishonest_sample(sample));
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn hard_inputs_come_out_right() {
    for text in ["", "\n", "\n\n\n", "a", "\u{feff}a\n"] {
        for exit in [0, 1] {
            let report = filtered(text.as_bytes(), &call_words("cargo test"), exit);
            assert_eq!(report.output, text.as_bytes(), "{text:?}");
        }
    }
    let bytes: Vec<u8> = (0..40_000_u32).map(|n| (n * 7 % 251) as u8 | 1).collect();
    let report = filtered(&bytes, &call_words("make"), 0);
    assert!(report.output_tokens <= report.original_tokens);
}

#[test]
fn time_grows_with_the_input_and_no_faster() {
    // The processor's time, and a ratio: the machine may be busy.
    let time = |text: &[u8]| least(ClockId::ThreadCPUTime, 1, || llm_toto::filter::apply(text, &[], true));
    let distinct = |count: u32| -> Vec<u8> {
        (0..count)
            .flat_map(|n| {
                format!("handled request {n} of a line that is {:x}\n", n.wrapping_mul(2_654_435_761))
                    .into_bytes()
            })
            .collect()
    };
    let inputs: [&dyn Fn(usize) -> Vec<u8>; 4] = [
        &|size| distinct(size as u32 * 5_000),
        &|size| b"a".repeat(size * 250_000),
        &|size| b"ab1 ".repeat(size * 50_000),
        &|size| b"x\n".repeat(size * 25_000),
    ];
    for (number, input) in inputs.iter().enumerate() {
        let (small, large) = (time(&input(2)), time(&input(16)));
        assert!(large < small * 24 + Duration::from_millis(50), "input {number}: {small:?}, then {large:?}");
    }
}

#[test]
#[expect(clippy::format_collect, reason = "a test's text")]
fn what_is_left_out_is_counted_and_named() {
    let log: String =
        (0..200).map(|n| format!("   Compiling {} v1.0.0\n", words(n).replace(' ', "-"))).collect();
    let report = filtered(log.as_bytes(), &call_words("cargo build"), 0);
    let text = String::from_utf8(report.output).unwrap();
    assert_eq!(
        text,
        format!(
            "… 200 dependencies built or checked\n(200 lines that are counted above left out: {RECALL})\n"
        )
    );
    assert!(report.output_tokens * 10 < report.original_tokens);
}

const FILTER: &str = r#"command = "mytool build"
skip = ['^Loading ']

[[fold]]
match = '^Compiled '
as = "compiled files"

[[test]]
name = "files become a count, warnings stay"
inline = """
Loading plugins
Compiled a.x
Compiled b.x
warning: b.x is old
"""
[[test.expect]]
equals = """… 2 compiled files
warning: b.x is old
"""
"#;

#[test]
fn the_first_filter_of_the_page_passes_its_test_and_is_used() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/filters.md")).unwrap();
    let plain = |text: &str| {
        text.lines()
            .map(|line| line.split("  #").next().unwrap().trim_end().to_owned() + "\n")
            .collect::<String>()
    };
    assert!(plain(&page).contains(FILTER), "docs/filters.md shows another first filter");

    let sandbox = Sandbox::new();
    let file = sandbox.home_file(".config/toto/filters/mytool-build.toml", FILTER);
    let tested = run(sandbox.toto(["filter", "test"]).arg(&file)).ok();
    assert!(tested.out().starts_with("ok   "), "{}", tested.out());

    sandbox.tool(
        "mytool",
        "echo Loading plugins; for f in a b c d e f g h i j k l m n; do echo Compiled the/source/file/$f.x; done; \
         echo 'warning: b.x is old'",
    );
    let out = run(&mut sandbox.toto(["run", "--", "mytool", "-v", "build"])).ok().out();
    assert!(
        out.starts_with("… 14 compiled files\nwarning: b.x is old\n(1 line, 14 lines that are counted above left out: toto show "),
        "{out}"
    );
    let id = out.trim_end().rsplit([' ', ')']).find(|word| !word.is_empty()).unwrap().to_owned();
    let whole = run(&mut sandbox.toto(["show", &id])).ok().out();
    assert_eq!(whole.lines().count(), 16, "{whole}");
}

#[test]
fn a_mistake_in_a_filter_is_named_with_its_place() {
    let sandbox = Sandbox::new();
    let file = sandbox.home_file("f.toml", FILTER.replace("skip", "skp"));
    let outcome = run(sandbox.toto(["filter", "check"]).arg(&file)).exits(1);
    assert!(
        outcome.err().ends_with("f.toml:2:1: unknown key `skp`; did you mean `skip`?\n"),
        "{}",
        outcome.err()
    );
    let file = sandbox.home_file("g.toml", FILTER.replace("'^Loading '", "'('"));
    let outcome = run(sandbox.toto(["filter", "check"]).arg(&file)).exits(1);
    assert!(outcome.err().contains("g.toml:2:9: `(`: unclosed group"), "{}", outcome.err());
}

#[test]
fn a_test_that_fails_says_what_does_not_hold() {
    let sandbox = Sandbox::new();
    let file = sandbox.home_file("f.toml", FILTER.replace("… 2 compiled", "… 3 compiled"));
    let outcome = run(sandbox.toto(["filter", "test"]).arg(&file)).exits(1);
    assert!(
        outcome.out().contains("FAIL") && outcome.out().contains("the output is not"),
        "{}",
        outcome.out()
    );
}

#[test]
fn the_library_is_listed_shown_and_verified() {
    let sandbox = Sandbox::new();
    let listed = run(&mut sandbox.toto(["filter", "ls"])).ok().out();
    assert!(listed.lines().any(|line| line.split_whitespace().eq(["git", "status", "git"])), "{listed}");
    assert!(listed.lines().count() >= 80, "{listed}");
    let shown = run(&mut sandbox.toto(["filter", "show", "git", "-C", "/x", "status"])).ok().out();
    assert!(shown.starts_with("# git\n"), "{shown}");
    let verified = run(&mut sandbox.toto(["filter", "verify"])).ok().out();
    assert!(
        verified.lines().count() >= 20 && verified.lines().all(|line| line.starts_with("ok   ")),
        "{verified}"
    );
}
