//! The cost of a report grows as the report does, on hostile texts, too.

use std::collections::BTreeMap;
use std::time::Duration;

use llm_toto::report::{self, Options};
use rustix::time::ClockId;

use super::bad_input;
use super::grown::grown;
use crate::processor::least;

/// `count` findings, with a thousand different names of variables.
fn findings(count: usize) -> String {
    (0..count)
        .map(|at| {
            format!(
                "src/file{}.c:{}:{}: warning: unused variable 'v{}'\n",
                at / 100,
                at % 100 + 1,
                at % 40,
                at % 1000
            )
        })
        .collect()
}

fn biome_heads_without_a_message(count: usize) -> String {
    "  a lint/x ━\n".repeat(count)
}

fn quotes_that_nothing_closes(count: usize) -> String {
    format!("src/a.c:1:1: error: {}\n", "‘a ".repeat(count))
}

fn sentences_in_a_box_of_terraform(count: usize) -> String {
    let lines: String = (0..count).map(|at| format!("│ so many words, and the number {at}\n")).collect();
    format!("╷\n│ Error: x\n│\n{lines}╵\n")
}

#[test]
fn cost_is_linear() {
    let hostile: &[fn(usize) -> String] = &[
        findings,
        |count| "FAILED a\n___ x ___\n".repeat(count),
        |count| format!("=== FAILURES ===\n{}", "E  x\n".repeat(count)),
        |count| format!("{}\nRan 1 test in 0.1s\n", "FAIL: a\n".repeat(count)),
        |count| format!("test result: FAILED. \n{}", "---- a stdout ----\n".repeat(count)),
        |count| "Traceback (most recent call last):\n".repeat(count),
        |count| format!("Test Suites: 1\n{}", "  ● a › b\n    at x (a.js:1:2)\n".repeat(count)),
        |count| "panic: x\n".repeat(count),
        |count| format!("test cases: 3\n{}", "a.cc:5: FAILED:\n".repeat(count)),
        |count| format!("TAP version 13\n{}", "not ok 1 - a\n  ---\n".repeat(count)),
        biome_heads_without_a_message,
        quotes_that_nothing_closes,
        sentences_in_a_box_of_terraform,
    ];
    for (at, make) in hostile.iter().enumerate() {
        assert_linear(&at.to_string(), &make(8000), &make(64_000));
    }
}

/// Real reports of every family, grown in the number of their records.
#[test]
fn cost_of_every_family_is_linear() {
    let mut families = BTreeMap::new();
    for (name, text) in bad_input::outputs() {
        let family = name.split('-').next().unwrap_or_default().to_owned();
        let longest: &mut (String, String) = families.entry(family).or_default();
        if text.len() > longest.1.len() {
            *longest = (name, text);
        }
    }
    let mut held = 0;
    for (name, text) in families.values() {
        if let Some((small, large)) = grown(text, 200).zip(grown(text, 1600)) {
            assert_linear(name, &small, &large);
            held += 1;
        }
    }
    assert!(held > 40, "{held} families");
}

/// Eight times the input takes eight times as long, not sixty-four; a busy machine gets some tries.
fn assert_linear(name: &str, small: &str, large: &str) {
    let options = Options { most: 24_000, ..Options::default() };
    let took = |text: &str| least(ClockId::ThreadCPUTime, 2, || super::digest_by(text, &[], &options));
    let is_linear = || took(large) < took(small) * 24 + Duration::from_millis(20);
    assert!((0..3).any(|_| is_linear()), "{name}: {:?} became {:?}", took(small), took(large));
}

#[test]
fn a_hundred_thousand_findings_are_all_counted() {
    let text = findings(100_000);
    let options = Options { most: 24_000, ..Options::default() };
    let report = report::read(&text, &[]).unwrap();
    assert_eq!(report.records().count(), 100_000);
    let digest = report.digest(&options);
    assert!(digest.text.len() <= 24_000 && !digest.complete);
    assert!(digest.text.contains("100× "), "{}", &digest.text[..400]);
}
