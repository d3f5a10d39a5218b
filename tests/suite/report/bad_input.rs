//! Bad input: reports that are cut, mixed or coloured, or have totals that do not fit. Records are told as records and
//! the rest as lines; no count is wrong, and no record is invented.

use std::collections::BTreeSet;
use std::path::Path;

use llm_toto::report::record::What;
use llm_toto::report::{self, Options, Report};

use super::findings::oracle;
use super::{digest, fixtures, scrub_text, scrubbed, texts};

/// A text smaller than this, in bytes, is cut at every line; a larger one at about [`CUTS`] lines.
const SMALL: usize = 4000;
const CUTS: usize = 25;

/// Every fixture, of runners and of linters: name and text. Events (`go test -json`) are left out: they are read as
/// another text.
pub fn outputs() -> Vec<(String, String)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/findings");
    let name = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let runners = fixtures().into_iter().map(|fixture| (fixture.name, fixture.text));
    let linters = texts(&directory).into_iter().map(|path| (name(&path), scrubbed(&path)));
    runners.chain(linters).filter(|(_, text)| !report::is_events(text)).collect()
}

fn read(text: &str) -> Option<Report<'_>> {
    report::read(text, &[])
}

/// Faults in the digest of a text: a missing line that is in no record, a line in two records, or a name or place that
/// the text does not have.
fn wrong(text: &str) -> Vec<String> {
    let Some(report) = read(text) else { return Vec::new() };
    let told = report.digest(&Options::default()).text;
    // A line that looks like the digest's own is quoted.
    let told = told.lines().flat_map(|line| [line.trim(), line.trim().trim_start_matches("│ ")]);
    let told: BTreeSet<&str> = told.collect();
    let lines: Vec<&str> = text.lines().collect();
    let mut is_kept = vec![true; lines.len()];
    let mut wrong = Vec::new();
    for record in report.records() {
        for at in record.lines.clone() {
            if !std::mem::replace(&mut is_kept[at], false) {
                wrong.push(format!("line {} is in two records", at + 1));
            }
        }
        let (names, place): (Vec<&str>, _) = match &record.what {
            What::Test(test) => (test.id.split([':', ' ', '›', '>', '.', '#']).collect(), test.place),
            What::Finding(finding) => (vec![finding.code, finding.word], finding.place),
            _ => continue,
        };
        let all = names.into_iter().chain(place.map(|place| place.file));
        wrong.extend(all.filter(|name| !text.contains(name)).map(|name| format!("nobody said {name}")));
        if let Some(place) = place.filter(|place| place.line > 0 && !text.contains(&place.line.to_string())) {
            wrong.push(format!("nobody said {place:?}"));
        }
    }
    let is_rule = |line: &str| line.chars().all(|c| c.is_whitespace() || "-=_─━═".contains(c));
    let kept = lines.iter().zip(is_kept).filter(|(line, is_kept)| *is_kept && !is_rule(line));
    wrong.extend(
        kept.filter(|(line, _)| !told.contains(line.trim())).map(|(line, _)| format!("lost: {line}")),
    );
    wrong
}

#[test]
fn a_report_cut_at_any_line_is_told_as_far_as_it_goes() {
    let (mut cuts, mut faults) = (0, Vec::new());
    for (name, text) in outputs() {
        let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
        let step = if text.len() < SMALL { 1 } else { ends.len().div_ceil(CUTS) };
        let whole = read(&text).map_or(0, |report| report.failures());
        for at in ends.iter().step_by(step) {
            cuts += 1;
            let cut = &text[..*at];
            faults.extend(wrong(cut).into_iter().map(|wrong| format!("{name} {at}: {wrong}")));
            // Panics beside the tests are a run's once its totals are there.
            if name == "cargo-test-nocapture" {
                continue;
            }
            // A failure whose details are cut off may stand alone here, under its name in a list of failures.
            let failures = read(cut).map_or(0, |report| report.failures());
            if failures > whole + 1 {
                faults.push(format!("{name} {at}: {failures} failures of {whole}"));
            }
        }
    }
    assert!(cuts > 2000, "{cuts}");
    assert!(faults.is_empty(), "{} of {cuts}: {:#?}", faults.len(), &faults[..faults.len().min(20)]);
}

/// Two texts mixed line by line, as `make -j` mixes the outputs of two jobs.
fn mixed(one: &str, other: &str) -> String {
    let (mut one, mut other) = (one.lines(), other.lines());
    let mut mixed = String::new();
    loop {
        let (first, second) = (one.next(), other.next());
        if first.or(second).is_none() {
            return mixed;
        }
        first.into_iter().chain(second).for_each(|line| mixed += &format!("{line}\n"));
    }
}

#[test]
fn two_mixed_reports_lose_no_line_and_invent_nothing() {
    let outputs = outputs();
    let mut faults = Vec::new();
    for (at, (name, text)) in outputs.iter().enumerate() {
        for by in [1, 17] {
            let (other, second) = &outputs[(at + by) % outputs.len()];
            let text = mixed(text, second);
            faults.extend(wrong(&text).into_iter().map(|wrong| format!("{name} and {other}: {wrong}")));
        }
    }
    assert!(faults.is_empty(), "{}: {:#?}", faults.len(), &faults[..faults.len().min(20)]);
}

/// Of tools with one line per finding, every finding is there when make mixes their outputs.
#[test]
fn findings_of_two_mixed_reports_are_all_told() {
    const NAMES: &[&str] = &[
        "eslint-unix",
        "eslint-compact",
        "flake8",
        "mypy",
        "ruff-concise",
        "rustc-short",
        "yamllint-parsable",
        "hadolint",
        "shellcheck-gcc",
        "go-vet",
    ];
    let outputs = outputs();
    let text = |name: &str| outputs.iter().find(|(known, _)| known == name).map(|(_, text)| text).unwrap();
    for (at, one) in NAMES.iter().enumerate() {
        let other = NAMES[(at + 1) % NAMES.len()];
        let told = digest(&mixed(text(one), text(other))).unwrap().text;
        for name in [one, other] {
            let missing = oracle::missing(&oracle::read(name, text(name)).unwrap(), &told);
            assert!(missing.is_empty(), "{name} in {one} and {other}: {missing:#?}\n{told}");
        }
        assert!(oracle::miscounted(&told).is_empty(), "{told}");
    }
}

#[test]
fn colours_and_line_ends_change_nothing() {
    for (name, text) in outputs() {
        let Some(plain) = digest(&text) else { continue };
        let coloured = |line: &str| {
            let words: Vec<_> = line.split(' ').map(|word| format!("\x1b[1;31m{word}\x1b[0m")).collect();
            format!("\x1b[K{}\x1b[m", words.join(" "))
        };
        let colours: String = text.lines().map(|line| coloured(line) + "\n").collect();
        for clothed in [colours, text.replace('\n', "\r\n")] {
            let told = digest(&scrub_text(&clothed)).unwrap_or_else(|| panic!("{name} is no report"));
            assert_eq!(told.text, plain.text, "{name}");
        }
    }
}

/// A runner that counts other failures than were read did not write all that looks like its own: the text stays as it
/// came. A linter may count findings that it does not show: its totals are told as it gave them.
#[test]
fn totals_that_do_not_fit_are_the_tools_own_or_leave_the_text_as_it_came() {
    let (mut held, mut left) = (0, 0);
    for (name, text) in outputs() {
        let Some(report) = read(&text) else { continue };
        for record in report.records() {
            let What::Total(total) = &record.what else { continue };
            let said = total.said[0].text;
            let other = said.replace(|c: char| c.is_ascii_digit(), "7");
            // The tests that passed are read from the total of a run without failures: another number is another
            // outcome.
            if other == said || text.matches(said).count() != 1 || report.failures() == 0 {
                continue;
            }
            let changed = text.replacen(said, &other, 1);
            let Some(told) = digest(&changed) else {
                let is_run = report.records().any(|record| matches!(record.what, What::Test(_)));
                assert!(is_run, "{name}: {other}");
                left += 1;
                continue;
            };
            assert!(told.text.contains(&other), "{name}: {other}\n{}", told.text);
            assert_eq!(told.failures, report.digest(&Options::default()).failures, "{name}: {other}");
            held += 1;
        }
    }
    assert!(held > 30 && left > 30, "{held} totals told, {left} texts left");
}

#[test]
fn names_with_blanks_and_colons_are_whole() {
    for (text, place) in [
        ("my dir/a b.c:3:5: error: expected ';' before '}' token\n", "my dir/a b.c:3:5 "),
        ("C:\\a b\\x.c:3:1: warning: unused variable 'n' [-Wunused-variable]\n", "C:\\a b\\x.c:3:1 "),
        ("src/my file.ts(3,5): error TS2304: Cannot find name 'x'.\n", "src/my file.ts:3:5 "),
        ("src/a b/X.java:3: error: ';' expected\n    int n\n         ^\n1 error\n", "src/a b/X.java:3 "),
        ("# x/my pkg\n./my pkg/a.go:3:4: undefined: y\n", "./my pkg/a.go:3:4 "),
        (
            "error[E0425]: cannot find value `x`\n  --> my src/a b.rs:3:5\n   |\n3 |     x\n   |     ^\n",
            "my src/a b.rs:3:5 ",
        ),
        (
            "my app/a.py:3: error: Incompatible types  [assignment]\nFound 1 error in 1 file (checked 1 source file)\n",
            "my app/a.py:3 ",
        ),
        ("std: a/x.c:3:5: error: expected expression\n", "x.c:3:5"),
        (
            "Traceback (most recent call last):\n  File \"/a b/c:d.py\", line 3, in <module>\n    f()\nValueError: x: y\n",
            "/a b/c:d.py",
        ),
        (
            "---- orders::a: b stdout ----\nthread 'x' panicked at tests/my orders.rs:2:5:\nno: never\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored\n",
            "tests/my orders.rs:2:5 orders::a: b",
        ),
        (
            "FAILED tests/my dir/a.py::test_x[a b: c] - assert 1 == 2\n=== 1 failed in 0.10s ===\n",
            "test_x[a b: c]",
        ),
    ] {
        let told = digest(text).map_or_else(|| text.to_owned(), |digest| digest.text);
        assert!(told.contains(place), "{place}\n{told}");
        assert!(wrong(text).is_empty(), "{text}: {:?}", wrong(text));
    }
}
