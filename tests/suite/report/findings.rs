//! Reports of compilers, type checkers and linters: complete, small, true; checked by an oracle that reads the raw
//! text.

#[path = "findings_oracle.rs"]
pub mod oracle;

use std::path::Path;

use llm_toto::pipeline::scrub::scrub;
use llm_toto::report::record::What;
use llm_toto::report::{self, Options};
use llm_toto::tokens;

/// The real outputs of the repository, and those of the corpus where it is present: name and scrubbed text.
pub fn outputs() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = std::env::var_os("TOTO_CORPUS").map_or(root.join("../shared/corpus/dev/text"), Into::into);
    let mut outputs = Vec::new();
    for directory in [root.join("tests/fixtures/findings"), corpus] {
        let Ok(entries) = std::fs::read_dir(directory) else { continue };
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "txt")) {
            let text = scrub(&std::fs::read(path).unwrap()).into_owned();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            outputs.push((name, String::from_utf8_lossy(&text).into_owned()));
        }
    }
    outputs
}

fn digest(text: &str) -> Option<String> {
    super::digest_by(text, &[], &Options::default()).map(|digest| digest.text)
}

/// A fixture that the oracle does not read would check nothing.
#[test]
fn every_fixture_with_findings_has_an_expression() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/findings");
    let is_fixture = |name: &str| root.join(format!("{name}.txt")).exists();
    let is_clean = |name: &str| ["clean", "valid", "configured"].iter().any(|word| name.ends_with(word));
    let unread = |(name, text): &(String, String)| {
        is_fixture(name) && !is_clean(name) && oracle::read(name, text).is_none()
    };
    let unread: Vec<_> = outputs().into_iter().filter(unread).map(|(name, _)| name).collect();
    assert!(unread.is_empty(), "{unread:?}");
}

#[test]
fn every_finding_of_every_output_is_told() {
    let mut held = 0;
    let mut wrong = Vec::new();
    for (name, text) in outputs() {
        let Some(read) = oracle::read(&name, &text) else { continue };
        assert!(!read.facts.is_empty(), "the oracle reads nothing of {name}");
        held += 1;
        let missing = oracle::missing(&read, &digest(&text).unwrap_or_default());
        if let Some(first) = missing.first() {
            wrong.push(format!(
                "{name}: {} of {} missing, first {first}",
                missing.len(),
                read.facts.len() + read.lines.len()
            ));
        }
    }
    assert!(held >= 50, "{held} outputs");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Tokens of each family's outputs and of their digests, as a table: `cargo test … -- --nocapture`.
#[test]
fn no_digest_is_longer_than_its_output() {
    let mut table = Vec::new();
    for (name, text) in outputs() {
        if oracle::read(&name, &text).is_none() {
            continue;
        }
        let digest = digest(&text).unwrap_or_default();
        let (before, after) = (tokens::count(text.as_bytes()), tokens::count(digest.as_bytes()));
        assert!(after <= before, "{name}: {after} of {before} tokens");
        table.push((name, before, after, after * 100 / before));
    }
    for (name, before, after, share) in table {
        println!("{name:32} {before:7} {after:7} {share:3} %");
    }
}

#[test]
fn counts_are_the_tools_own() {
    let mut held = 0;
    for (name, text) in outputs() {
        let digest = digest(&text).unwrap_or_default();
        let wrong = oracle::miscounted(&digest);
        assert!(wrong.is_empty(), "{name}: {}", wrong.join("\n"));
        let (Some(read), Some(stated)) = (oracle::read(&name, &text), oracle::stated(&name, &text)) else {
            continue;
        };
        held += 1;
        assert_eq!(read.facts.len(), stated, "{name}: what the oracle reads is not what the tool counts");
        assert_eq!(oracle::told(&digest).len(), stated, "{name}: {digest}");
    }
    assert!(held >= 20, "{held} outputs");
}

/// Digests in which a place is dropped, or a line, a count, a file or a message is changed: each fault is seen.
#[test]
fn a_changed_digest_is_caught() {
    let mut caught = 0;
    for (name, text) in outputs().into_iter().filter(|(_, text)| text.len() < 30_000) {
        let Some(read) = oracle::read(&name, &text) else { continue };
        let digest = digest(&text).unwrap_or_default();
        let is_wrong = |digest: &str| {
            !oracle::missing(&read, digest).is_empty() || !oracle::miscounted(digest).is_empty()
        };
        assert!(!is_wrong(&digest), "{name}");
        for mutant in mutants(&digest, &read) {
            assert!(is_wrong(&mutant), "{name}: nobody sees that\n{digest}\nbecame\n{mutant}");
            caught += 1;
        }
    }
    assert!(caught > 500, "{caught} mutants");
}

/// Digests with one fault each, at the places of the first facts.
fn mutants(digest: &str, read: &oracle::Read) -> Vec<String> {
    let lines: Vec<&str> = digest.lines().collect();
    let with = |at: usize, line: Option<String>| {
        let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        match line {
            Some(line) => lines[at] = line,
            None => drop(lines.remove(at)),
        }
        lines.join("\n")
    };
    let mut mutants = Vec::new();
    for fact in read.facts.iter().take(12) {
        let place = if fact.line == 0 { fact.file.clone() } else { format!("{}:{}", fact.file, fact.line) };
        // Alone, in a group, or below its file's name.
        let row = format!("  {}:", fact.line);
        let is_place = |line: &&str| {
            let is_alone = line.starts_with(&place) && oracle::squeeze(line).contains(&fact.message);
            let is_note = line.contains(": note: ");
            is_alone || line.strip_prefix("  ").is_some_and(|line| line.starts_with(&place) && !is_note)
        };
        let is_row = |line: &&str| line.starts_with(&row) && oracle::squeeze(line).contains(&fact.message);
        let Some(at) = lines.iter().position(is_place) else {
            mutants.extend(lines.iter().position(is_row).map(|at| with(at, None)));
            continue;
        };
        mutants.push(with(at, None));
        mutants.push(with(at, Some(lines[at].replacen(&fact.file, "another/file.x", 1))));
        if fact.line > 0 {
            let other = format!("{}:{}", fact.file, fact.line + 7919);
            mutants.push(with(at, Some(lines[at].replacen(&place, &other, 1))));
        }
    }
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.contains("× ")) {
        let (count, rest) = line.split_once('×').unwrap();
        let count: usize = count.trim().parse().unwrap_or(0);
        mutants.push(with(at, Some(format!("{}×{rest}", count + 1))));
        mutants.push(with(at, Some(format!("{count}× something else: {}", count + 1))));
    }
    mutants
}

#[test]
fn passing_reports_are_their_totals() {
    let outputs = outputs();
    let is_passing =
        |name: &str| name.ends_with("-clean") || matches!(name, "terraform-valid" | "cmake-configured");
    let passing: Vec<_> = outputs.iter().filter(|(name, _)| is_passing(name)).collect();
    assert!(passing.len() > 10, "{passing:?}");
    for (name, text) in passing {
        let digest = digest(text).unwrap_or_else(|| panic!("{name} is no report"));
        assert!(oracle::told(&digest).is_empty(), "{name}: {digest}");
        let said = text
            .lines()
            .map(str::trim)
            .rfind(|line| line.contains(|c: char| c.is_ascii_digit()) || line.contains('!'))
            .unwrap();
        assert!(
            digest.contains(said) || name == "cmake-configured" || name == "bandit-clean",
            "{name} lost {said}: {digest}"
        );
    }
}

/// A text with other line ends, with words around it, or followed by another report: every finding is told as before.
#[test]
fn findings_are_read_in_bad_clothes() {
    const NAMES: &[&str] = &[
        "rustc-build",
        "tsc",
        "eslint-stylish",
        "ruff-full",
        "mypy-pretty",
        "gcc",
        "javac",
        "go-build",
        "rubocop",
        "yamllint",
        "bandit",
        "shellcheck",
    ];
    let outputs = outputs();
    let (_, other) = outputs.iter().find(|(name, _)| name == "hadolint-old").unwrap();
    for (name, text) in outputs.iter().filter(|(name, _)| NAMES.contains(&name.as_str())) {
        let read = oracle::read(name, text).unwrap();
        let windows = text.replace('\n', "\r\n");
        let around = format!("$ run\nsome words before: 12\n\n{text}\nand words behind\n");
        let twice = format!("{text}\n{other}");
        for clothed in [windows, around, twice] {
            let digest = digest(&clothed).unwrap_or_default();
            let missing = oracle::missing(&read, &digest);
            assert!(missing.is_empty(), "{name}: {}\n{digest}", missing.join("\n"));
        }
    }
}

/// A report that is cut anywhere has no wrong count and at most one finding more than the whole, and nothing panics.
#[test]
fn a_report_that_is_cut_tells_no_more_than_it_says() {
    for (name, text) in outputs().into_iter().filter(|(_, text)| text.len() < 6_000) {
        let Some(whole) = oracle::read(&name, &text) else { continue };
        for part in 1..12 {
            let cut = (0..=text.len() * part / 12).rev().find(|at| text.is_char_boundary(*at)).unwrap();
            let cut = text[..cut].rfind('\n').unwrap_or(0);
            let digest = digest(&text[..cut]).unwrap_or_default();
            assert!(oracle::miscounted(&digest).is_empty(), "{name}, {cut}: {digest}");
            let most = whole.facts.len();
            assert!(
                oracle::stated(&name, &text).is_none() || oracle::told(&digest).len() <= most + 1,
                "{name}, {cut}"
            );
        }
    }
}

#[test]
fn a_line_of_source_that_ends_like_a_head_is_of_the_finding_above() {
    let text = "src/a.ts:2:1 lint/style/useConst ━━━━━━━━\n\n  × Use const.\n\n    1 │ // ━━━━━━━━\n  \
                > 2 │ let a = 1;\n\n  i It is never written.\n";
    let report = report::read(text, &[]).unwrap();
    let records: Vec<_> = report.records().collect();
    let [record] = &records[..] else { panic!("{records:?}") };
    let What::Finding(finding) = &record.what else { panic!("{record:?}") };
    assert_eq!((finding.source[0].text, finding.notes[0].text), ("let a = 1;", "It is never written."));
}

/// An agent that mended clippy's findings asked for the whole: the words below a span, and what a help suggests, were gone.
#[test]
fn what_mends_a_warning_is_told() {
    let text = "warning: manual arithmetic check found\n   --> src/lib.rs:116:25\n    |\n116 |           let min = if i > range {\n    |  ___________________^\n117 | |             i - range\n118 | |         } else {\n119 | |             0\n120 | |         };\n    | |_________^ help: replace it with: `i.saturating_sub(range)`\n    |\n    = note: `#[warn(clippy::implicit_saturating_sub)]` on by default\n\nwarning: the following explicit lifetimes could be elided: 'a\n   --> src/lib.rs:168:6\n    |\n168 | impl<'a, 'b> Into for &'a Text<'b> {\n    |      ^^               ^^\n    |\n    = note: `#[warn(clippy::needless_lifetimes)]` on by default\nhelp: elide the lifetimes\n    |\n168 - impl<'a, 'b> Into for &'a Text<'b> {\n168 + impl<'b> Into for &Text<'b> {\n    |\n\n";
    let told = digest(text).unwrap();
    for line in [
        "  116:25 warning implicit_saturating_sub: manual arithmetic check found: help: replace it with: `i.saturating_sub(range)`",
        "                i - range",
        "  168:6 warning needless_lifetimes: the following explicit lifetimes could be elided: 'a",
        "    help: elide the lifetimes",
        "    + impl<'b> Into for &Text<'b> {",
    ] {
        assert!(told.lines().any(|found| found == line), "{line}\n{told}");
    }
}
