//! Reports are told completely: a reader of the tests' own (`report/facts.rs`) checks every fixture, and some in every
//! wrapping.

#![expect(clippy::print_stdout, reason = "tables of what was compared, shown by --nocapture")]

mod bad_input;
mod cost;
mod ended_early;
mod facts;
mod findings;
mod forged;
mod found_by_use;
pub mod grown;
mod hostile;
mod ids;
mod lookalikes;
mod sight;
mod size;
mod wrappings;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use facts::{Fact, SPECS};
use llm_toto::pipeline::scrub;
use llm_toto::report::record::{Verdict, What};
use llm_toto::report::{self, Digest, Options};
use serde_json::json;

/// A report as it is kept, scrubbed as the pipeline does.
struct Fixture {
    family: String,
    name: String,
    text: String,
}

fn texts(directory: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_none_or(|extension| extension == "txt"));
    paths.sort();
    paths
}

fn scrubbed(path: &Path) -> String {
    let bytes = fs::read(path).unwrap();
    String::from_utf8_lossy(&scrub::scrub(&bytes)).into_owned()
}

fn fixtures() -> Vec<Fixture> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/report");
    let mut found = Vec::new();
    for family in texts(&root) {
        for path in texts(&family) {
            let name = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
            found.push(Fixture { family: name(&family), name: name(&path), text: scrubbed(&path) });
        }
    }
    assert!(found.len() > 40, "the fixtures are not where they were");
    found
}

fn digest(text: &str) -> Option<Digest> {
    digest_by(text, &[], &Options::default())
}

fn digest_by(text: &str, words: &[OsString], options: &Options<'_>) -> Option<Digest> {
    Some(report::read(&report::plain(text), words)?.digest(options))
}

fn facts_of(fixture: &Fixture) -> Vec<Fact> {
    // JSON of a runner is read as the text that it stands for.
    let text = report::plain(&fixture.text);
    let rows = SPECS.iter().filter(|spec| spec.family == fixture.family);
    rows.flat_map(|spec| facts::read(spec, &text.replace(" | ", "\n"))).collect()
}

#[test]
fn every_id_place_and_reason_is_told() {
    let mut told = BTreeMap::new();
    let mut wrong = Vec::new();
    for fixture in fixtures() {
        let facts = facts_of(&fixture);
        let Some(digest) = digest(&fixture.text) else {
            wrong.push(format!("{}: no report, {} facts", fixture.name, facts.len()));
            continue;
        };
        wrong.extend(
            facts::missing(&facts, &digest.text).iter().map(|fact| format!("{}: {fact:?}", fixture.name)),
        );
        *told.entry(fixture.family).or_insert(0) += facts.len();
    }
    println!("{told:#?}");
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(told.values().sum::<usize>() > 500 && told.values().all(|facts| *facts > 0), "{told:?}");
}

#[test]
fn as_many_failed_as_the_tool_says() {
    let mut compared = 0;
    for fixture in fixtures() {
        let text = report::plain(&fixture.text);
        let Some(report) = report::read(&text, &[]) else { continue };
        let failed = |outcome: Verdict| match fixture.family.as_str() {
            "pytest" => outcome == Verdict::Failed,
            _ => outcome.is_failure(),
        };
        let read = report
            .records()
            .filter(|record| matches!(&record.what, What::Test(test) if failed(test.outcome)));
        let read = read.count() as u64;
        for spec in SPECS.iter().filter(|spec| spec.family == fixture.family) {
            if let Some(said) = facts::failed(spec, &fixture.text).filter(|said| *said > 0) {
                // Without capturing, panics stand beside the tests.
                if fixture.name == "cargo-test-nocapture" {
                    continue;
                }
                assert_eq!(read, said, "{}", fixture.name);
                compared += 1;
            }
        }
    }
    assert!(compared > 20, "{compared}");
}

/// The digest with each change that must not go unseen: a line less, a count changed, two places exchanged.
fn changed(digest: &str) -> Vec<(&'static str, String)> {
    let lines: Vec<_> = digest.lines().collect();
    let heads: Vec<_> = (0..lines.len())
        .filter(|at| ["FAILED ", "ERROR "].iter().any(|word| lines[*at].starts_with(word)))
        .collect();
    let joined = |lines: &[&str]| lines.join("\n");
    let mut changes = Vec::new();
    let is_alone = |at: &&usize| {
        // A file that cannot be loaded has no test's name in the raw text.
        let is_named = !lines[**at].ends_with(':') && !lines[**at].ends_with("failed to run");
        is_named && lines.iter().filter(|line| line.starts_with(lines[**at])).count() == 1
    };
    if let Some(&at) = heads.iter().rfind(is_alone) {
        let mut less = lines.clone();
        less.remove(at);
        changes.push(("a failure less", joined(&less)));
    }
    // Where two suites have the same totals, either line tells them.
    let is_once = |at: &usize| {
        let said = &lines[*at][lines[*at].find("test result: ").unwrap_or(0)..];
        lines.iter().filter(|line| line.contains(said)).count() == 1
    };
    let total = (0..lines.len()).find(is_once).unwrap_or(0);
    let counts = lines[total].replace(|c: char| c.is_ascii_digit(), "7");
    // Totals come first. Otherwise the line is a compiler's: it has a place and no count.
    if counts != lines[total]
        && heads.first().is_none_or(|head| *head > total)
        && !lines[total].contains(".go:")
    {
        let mut other = lines.clone();
        other[total] = &counts;
        changes.push(("a count changed", joined(&other)));
    }
    let placed = |at: usize| {
        lines[at].split(' ').nth(1).filter(|place| place.contains(':') && !lines[at].ends_with(':'))
    };
    let pair = heads.windows(2).find_map(|pair| {
        let (one, two) = (placed(pair[0])?, placed(pair[1])?);
        (one != two && !lines[pair[0]].contains(two)).then_some((pair[0], pair[1], one, two))
    });
    if let Some((first, second, one, two)) = pair {
        let (swapped, back) = (lines[first].replacen(one, two, 1), lines[second].replacen(two, one, 1));
        let mut other = lines.clone();
        (other[first], other[second]) = (&swapped, &back);
        changes.push(("two places exchanged", joined(&other)));
    }
    changes
}

#[test]
fn a_changed_digest_is_caught() {
    let (mut seen, mut unseen) = (BTreeMap::new(), Vec::new());
    // `--tb=line` and `--tb=no` do not pair names and places; with `--nocapture` a panic's own line has both.
    let is_paired =
        |name: &str| !["pass", "tb-line", "tb-no", "nocapture"].iter().any(|part| name.contains(part));
    for fixture in fixtures().into_iter().filter(|fixture| is_paired(&fixture.name)) {
        let facts = facts_of(&fixture);
        let Some(digest) = digest(&fixture.text).filter(|_| facts.len() > 3) else { continue };
        for (change, text) in changed(&digest.text) {
            if facts::missing(&facts, &text).is_empty() {
                unseen.push(format!("{}: {change}", fixture.name));
            } else {
                *seen.entry(change).or_insert(0) += 1;
            }
        }
    }
    println!("{seen:?} unseen {unseen:#?}");
    assert!(seen.len() == 3 && seen.values().all(|count| *count >= 10), "{seen:?}");
    assert!(unseen.is_empty(), "{unseen:#?}");
}

#[test]
fn recognised_in_every_wrapping() {
    let wrapped: Vec<_> = fixtures()
        .into_iter()
        .filter(|fixture| {
            ["pytest-tb-auto", "cargo-test", "jest", "go-test", "minitest", "rspec"].contains(&&*fixture.name)
        })
        .collect();
    assert!(wrapped.len() == 6 && wrappings::WRAPPINGS.len() >= 20);
    let mut wrong = Vec::new();
    for (name, wrap) in wrappings::WRAPPINGS {
        for fixture in &wrapped {
            let (facts, text) = (facts_of(fixture), wrap(&fixture.text));
            let plain = digest(&fixture.text).unwrap();
            match digest(&scrub_text(&text)) {
                Some(digest) if digest.failures == plain.failures => {
                    let missing = facts::missing(&facts, &digest.text);
                    wrong.extend(missing.iter().map(|fact| format!("{name}, {}: {fact:?}", fixture.name)));
                }
                Some(digest) => wrong.push(format!("{name}, {}: {} failures", fixture.name, digest.failures)),
                None => wrong.push(format!("{name}, {}: no report", fixture.name)),
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn scrub_text(text: &str) -> String {
    String::from_utf8_lossy(&scrub::scrub(text.as_bytes())).into_owned()
}

#[test]
fn a_digest_keeps_within_its_room_and_says_what_is_left() {
    let runners = fixtures().into_iter().map(|fixture| (fixture.name, fixture.text));
    for (name, text) in runners.chain(findings::outputs()) {
        let Some(whole) = digest(&text) else { continue };
        for most in [300, 800, 2000, 6000, 24_000] {
            let options = Options { most, recall: "toto show k7q2x", ..Options::default() };
            let digest = digest_by(&text, &[], &options).unwrap();
            assert!(digest.text.len() <= most, "{name} {most}: {}", digest.text.len());
            assert_eq!(digest.failures, whole.failures, "{name}");
            // Warnings are numbered, too: what a mark names can be asked for.
            if let Some((_, asked)) = digest.text.rsplit_once(" --failures ") {
                let last = asked.trim_end().rsplit(':').next();
                assert_eq!(last, Some(&*whole.failures.to_string()), "{name}: {asked}");
            }
            let says = digest.text.contains("… ");
            assert!(digest.complete || says || digest.text.is_empty(), "{name} {most}\n{}", digest.text);
        }
    }
}

#[test]
fn failures_are_asked_for_by_their_numbers() {
    let fixture = fixtures().into_iter().find(|fixture| fixture.name == "pytest-tb-auto").unwrap();
    let whole = digest(&fixture.text).unwrap();
    let told = |range: std::ops::Range<usize>| {
        let options = Options { failures: Some(range), ..Options::default() };
        digest_by(&fixture.text, &[], &options).unwrap().text
    };
    let all: String = (0..whole.failures).map(|at| told(at..at + 1)).collect();
    let heads = |text: &str| {
        text.lines().filter(|line| line.starts_with("FAILED ") || line.starts_with("ERROR ")).count()
    };
    // The last number is that of a warning.
    assert_eq!((heads(&all), whole.failures), (13, 14));
    assert_eq!(told(0..whole.failures), all);
    assert_eq!(told(1000..1005), "");
}

/// A family whose patterns match nothing would go unnoticed: each has a fixture of its name.
#[test]
fn every_family_has_a_fixture() {
    let outputs = texts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/findings"));
    let linters = outputs.iter().map(|path| format!("{} ", path.file_stem().unwrap().to_str().unwrap()));
    let text: String =
        fixtures().iter().map(|fixture| format!("{} ", fixture.family)).chain(linters).collect();
    let words = |name: &str| match name {
        "node --test" | "TAP" => "node".to_owned(),
        "googletest" => "gtest".to_owned(),
        "cargo nextest" => "nextest".to_owned(),
        "stack trace" => "trace".to_owned(),
        "linker" => "link".to_owned(),
        "unformatted" => "prettier".to_owned(),
        "learned" => "learned-".to_owned(),
        name => name.split([' ', ',']).next().unwrap_or(name).to_lowercase(),
    };
    let tables: [toml::Table; 2] = ["runners", "linters"].map(|name| {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/report/{name}.toml"));
        fs::read_to_string(file).unwrap().parse().unwrap()
    });
    let families = tables.iter().flat_map(|table| table["family"].as_array().unwrap());
    let names: Vec<_> = families.map(|family| family["name"].as_str().unwrap()).collect();
    let without: Vec<_> = names.iter().filter(|name| !text.contains(&words(name))).collect();
    assert!(without.is_empty(), "{without:?}");
    assert!(names.len() > 22);
}

#[test]
fn what_a_perl_test_expects_to_fail_is_no_failure() {
    let text = "t/b.t .. \n1..2\nok 1 - adds\nnot ok 2 - later # TODO not yet\n#   Failed (TODO) test 'later'\n#   at t/b.t line 3.\n#          got: '1'\n#     expected: '2'\nok\nAll tests successful.\nFiles=1, Tests=2,  0 wallclock secs ( 0.00 usr  0.00 sys +  0.01 cusr  0.01 csys =  0.02 CPU)\nResult: PASS\n";
    let digest = digest(text).unwrap();
    assert_eq!(digest.failures, 0, "{}", digest.text);
    assert!(
        digest.text.ends_with("failed as expected:\n  t/b.t:3 later: got: '1' expected: '2'\n"),
        "{}",
        digest.text
    );
}

/// An agent took the line of those that only hold other tests for all that failed.
#[test]
fn of_go_s_tests_those_that_say_why_are_told() {
    let text = "--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/b (0.00s)\n        a_test.go:7: 1, not 2\n--- FAIL: TestC (0.00s)\nFAIL\nFAIL\tshop\t0.03s\nFAIL\n";
    let told = digest(text).unwrap();
    assert_eq!(told.text, "FAILED a_test.go:7 TestA/b\n  1, not 2\nFAILED TestC\nFAIL\tshop\t0.03s\n");
}

/// nyc prints its summary behind mocha's last failure, of which it was taken for a part.
#[test]
fn a_summary_of_coverage_is_no_part_of_a_failure() {
    let summary = "=============================== Coverage summary ===============================\nLines        : 99.92% ( 2428/2430 )\n";
    let text = format!(
        "\n\n  3 passing (2ms)\n  1 failing\n\n  1) Shop\n       adds:\n     Error: 3 is not 4\n      at Context.<anonymous> (test/a.js:9:9)\n\n\n\n{summary}"
    );
    let told = digest(&text).unwrap().text;
    assert!(told.ends_with(&format!("\n  Error: 3 is not 4\n{summary}")), "{told}");
}

/// `***Failed` says no more than the failure does.
#[test]
fn a_reason_is_more_than_that_a_test_failed() {
    let of = |how: &str| {
        digest(&format!("Test project /b\n    Start 1: a\n1/1 Test #1: a .....{how}    0.00 sec\n\n0% tests passed, 1 tests failed out of 1\n")).unwrap().text
    };
    assert!(of("***Failed").ends_with("FAILED a\n"), "{}", of("***Failed"));
    assert!(of("***Timeout").ends_with("FAILED a\n  Timeout\n"), "{}", of("***Timeout"));
    let why = "Required regular expression not found. Regex=[ok]";
    assert!(of(&format!("***Failed  {why}")).ends_with(&format!("FAILED a\n  Failed  {why}\n")));
}

#[test]
fn what_was_asked_for_as_a_text_is_no_report() {
    let fixture = fixtures().into_iter().find(|fixture| fixture.name == "pytest-tb-auto").unwrap();
    let words = ["cat", "build.log"].map(Into::into);
    assert!(digest_by(&fixture.text, &words, &Options::default()).is_none());
    assert!(digest("src/a.rs\nsrc/b.rs\n\n  ✓ done\nok\n").is_none());
    assert!(digest("").is_none());
}

/// Where failures had one reason in a helper, an agent asked again where each test stands. `cargo test` names a suite
/// on another line than its totals: three agents took one suite for the other.
#[test]
fn totals_name_their_suite_and_failures_their_own_line() {
    let fixture = fixtures().into_iter().find(|fixture| fixture.name == "cargo-test-suites").unwrap();
    let told = digest(&fixture.text).unwrap().text;
    for line in [
        "unittests src/lib.rs of shop: test result: ok. 1 passed; 0 failed;",
        "unittests src/main.rs of shop: test result: ok. 1 passed; 0 failed;",
        "tests/orders.rs: test result: FAILED. 1 passed; 2 failed;",
        "Doc-tests shop: test result: FAILED. 1 passed; 1 failed;",
        "FAILED 2 at tests/orders.rs:2:5, same message: chalk at ./tests/orders.rs:12:5; paper at ./tests/orders.rs:7:5",
        "FAILED src/lib.rs - price (line 9)",
        "  panicked, in lines of the example:",
        "    src/lib.rs:5:1",
    ] {
        assert!(told.lines().any(|told| told.starts_with(line)), "{line}\n{told}");
    }
    // The names come on standard error, which may be read before all results or after them: nobody can say then which
    // result is whose.
    let is_name = |line: &&str| line.starts_with("     Running ") || line.starts_with("   Doc-tests ");
    let (names, results): (Vec<_>, Vec<_>) = fixture.text.lines().partition(is_name);
    for apart in [[names.clone(), results.clone()].concat(), [results, names].concat()] {
        let told = digest(&apart.join("\n")).unwrap().text;
        assert!(told.starts_with("test result: ok. 1 passed;") && !told.contains(": test result"), "{told}");
    }
}

/// As tox 4 and nox 2026 print it: the environments run one after another, and what is said of all comes last.
#[test]
fn each_environment_of_tox_and_nox_is_a_run() {
    let fixture = fixtures().into_iter().find(|fixture| fixture.name == "pytest-tb-auto").unwrap();
    let (facts, text) = (facts_of(&fixture), fixture.text.trim_end());
    let tox = |name| {
        format!("{name}: commands[0]> pytest\n{text}\n{name}: exit 1 (0.61 seconds) /w> pytest pid=7\n")
    };
    let sum = "  a: FAIL code 1 (0.71=setup[0.09]+cmd[0.61] seconds)\n  b: FAIL code 1 (0.7 seconds)\n  evaluation failed :( (1.90 seconds)\n";
    let nox =
        |name| format!("nox > Running session {name}\nnox > pytest\n{text}\nnox > Session {name} failed.\n");
    let ran = "nox > Ran 2 sessions in a second:\nnox > * a: failed\nnox > * b: failed\n";
    let whole = digest(&fixture.text).unwrap().failures;
    for (text, sum) in [(tox("a") + &tox("b") + sum, sum), (nox("a") + &nox("b") + ran, ran)] {
        let told = digest(&text).unwrap();
        assert_eq!((told.failures, facts::missing(&facts, &told.text)), (2 * whole, Vec::new()));
        let (first, second) = told.text.split_once("\nb:\n").unwrap();
        assert!(first.starts_with("a:\n") && second.ends_with(sum), "{}", told.text);
        // Without the end of theirs it is one text with two runs, of which one may be printed by a test of the other.
        let is_read = digest(text.strip_suffix(sum).unwrap()).is_some();
        assert!(!is_read || sum == ran, "{text}");
    }
}

/// `error: could not compile` sums up the errors above it; read before them, it explains nothing.
#[test]
fn what_sums_up_errors_stands_behind_them() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/findings/rustc-build.txt");
    let text = scrubbed(&path);
    let told = digest(&text).unwrap().text;
    let at = |words: &str| told.find(words).unwrap_or_else(|| panic!("{words}\n{told}"));
    assert!(at("error E0046: ") < at("error: could not compile `shop` (lib) due to 5 previous errors"));
    // If only a part has room, the line that sums up comes first, and is not lost.
    let options = Options { most: 500, ..Options::default() };
    let part = digest_by(&text, &[], &options).unwrap();
    assert!(!part.complete && part.text.contains("error: could not compile `shop`"), "{}", part.text);
    // make gives up behind what failed.
    let gave_up = "make: *** [Makefile:8: a.o] Error 1\n";
    let told = digest(&format!(
        "gcc -c a.c\na.c:3:5: error: 'x' undeclared\n    3 |     x = 1;\n      |     ^\n{gave_up}"
    ));
    assert!(told.unwrap().text.ends_with(gave_up));
}

#[test]
fn a_strict_test_that_passed_is_named_with_its_reason() {
    let text = "=== FAILURES ===\n___ test_x ___\n[XPASS(strict)] mended\n=== 1 failed in 0.01s ===\n";
    let test = &report::read(text, &[]).unwrap().to_json()["tests"][0];
    let why = json!({"kind": "reason", "title": "", "text": "[XPASS(strict)] mended"});
    assert_eq!((&test["id"], &test["why"][0]), (&json!("test_x"), &why));
}
