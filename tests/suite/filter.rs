//! Text filters: the honesty checks over every fixture of the library and of the corpus, and hard inputs.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use llm_toto::filter::{Call, honesty, library, schema, testing};
use llm_toto::pipeline::{Options, Report, Shape, compress};
use serde_json::Value;

const RECALL: &str = "toto show k7q2x";

fn filtered(text: &[u8], words: &[OsString], exit: i32) -> Report {
    let call = Call { words, exit: Some(exit), ..Call::default() };
    compress(text, &Options { recall: RECALL, call, ..Options::default() })
}

/// Everything that a filtered output is held to; an empty list where it holds.
fn dishonesties(text: &[u8], words: &[OsString], exit: i32) -> Vec<String> {
    let report = filtered(text, words, exit);
    if report.shape != Shape::Text {
        return vec![]; // structured, or untouched
    }
    let scrubbed = llm_toto::pipeline::scrub::scrub(text);
    let note = format!("({} left out: {RECALL})\n", report.omitted);
    let output = report.output.strip_suffix(note.as_bytes()).unwrap_or(&report.output);
    let mut found = honesty::violations(&scrubbed, output, exit);
    if report.omitted.lines > 0 && output.len() == report.output.len() {
        found.push("what is left out is not said".into());
    }
    if report.output_tokens > report.original_tokens {
        found.push(format!("{} tokens of {}", report.output_tokens, report.original_tokens));
    }
    if filtered(&report.output, words, exit).output != report.output {
        found.push("twice is not once".into());
    }
    found
}

#[test]
fn every_filter_of_the_library_is_sound_and_passes_its_own_tests() {
    let mut wrong = Vec::new();
    for source in library::filters() {
        let text = format!("{}{}", source.rules, source.tests);
        let file = schema::parse(&text).unwrap_or_else(|mistake| panic!("{}.toml:{mistake}", source.name));
        testing::check(&file, &text).unwrap_or_else(|mistake| panic!("{}.toml:{mistake}", source.name));
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/filters");
        let outcomes = testing::run(&file, &text, &directory).unwrap();
        assert!(!outcomes.is_empty(), "{}.toml has no tests", source.name);
        let command = &file.command.0[0];
        for outcome in outcomes {
            let dishonest = dishonesties(&outcome.input, &library::words(command), outcome.exit_code);
            if !outcome.failures.is_empty() || !dishonest.is_empty() {
                let output = String::from_utf8_lossy(&outcome.output).into_owned();
                wrong.push((source.name, outcome.name, outcome.failures, dishonest, output));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The corpus is not part of the repository: where it is not there, the library's own tests are what is held.
#[test]
fn the_corpus_is_filtered_honestly() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus/dev/text");
    let corpus = std::env::var_os("TOTO_CORPUS").map_or(corpus, Into::into);
    let Ok(entries) = fs::read_dir(&corpus) else { return };
    let mut wrong = Vec::new();
    for entry in entries {
        let path = entry.unwrap().path();
        let Some(name) = path.to_str().and_then(|path| path.strip_suffix(".meta.json")) else { continue };
        let meta: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let text = fs::read(format!("{name}.txt")).unwrap();
        if text.len() > 400_000 {
            continue; // the families' table runs over these; a debug build is slow
        }
        let words: Vec<OsString> = meta["argv"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|word| Some(OsString::from(word.as_str()?)))
            .collect();
        let exit = meta["exit_code"].as_i64().unwrap_or(0) as i32;
        let found = dishonesties(&text, &words, exit);
        if !found.is_empty() {
            let name = Path::new(name).file_name().unwrap().to_owned();
            wrong.push((name, exit, found.len(), found.into_iter().take(4).collect::<Vec<_>>()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn hard_inputs_come_out_right() {
    for text in ["", "\n", "\n\n\n", "a", "\u{feff}a\n"] {
        for exit in [0, 1] {
            let report = filtered(text.as_bytes(), &library::words("cargo test"), exit);
            assert_eq!(report.output, text.as_bytes(), "{text:?}");
        }
    }
    let bytes: Vec<u8> = (0..40_000_u32).map(|n| (n * 7 % 251) as u8 | 1).collect();
    let report = filtered(&bytes, &library::words("make"), 0);
    assert!(report.output_tokens <= report.original_tokens);
}

#[test]
fn time_grows_with_the_input_and_no_faster() {
    let time = |text: &[u8]| {
        let start = Instant::now();
        let call = Call { exit: Some(0), ..Call::default() };
        std::hint::black_box(llm_toto::filter::apply(text, &call));
        start.elapsed()
    };
    let distinct = |count: u32| -> Vec<u8> {
        (0..count)
            .flat_map(|n| {
                format!("handled request {n} of a line that is {:x}\n", n.wrapping_mul(2_654_435_761))
                    .into_bytes()
            })
            .collect()
    };
    for input in
        [distinct(200_000), b"a".repeat(10_000_000), b"ab1 ".repeat(2_000_000), b"x\n".repeat(1_000_000)]
    {
        assert!(time(&input) < Duration::from_secs(20), "{} bytes", input.len());
    }
}

#[test]
#[expect(clippy::format_collect, reason = "a test's text")]
fn what_is_left_out_is_counted_and_named() {
    let log: String =
        (0..200).map(|n| format!("12:00:{:02} handled the request of client {n}\n", n % 60)).collect();
    let report = filtered(log.as_bytes(), &library::words("myserver"), 0);
    let text = String::from_utf8(report.output).unwrap();
    assert_eq!(
        text,
        format!(
            "12:00:00 handled the request of client 0\n… 199 more lines like this\n(199 lines left out: {RECALL})\n"
        )
    );
    assert!(report.output_tokens * 10 < report.original_tokens);
}
