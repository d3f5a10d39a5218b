//! The share of a report's tokens that its digest needs.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use llm_toto::report;
use llm_toto::report::record::What;
use llm_toto::tokens;

use super::facts::{self, SPECS};
use super::{digest, fixtures, scrubbed, texts};

/// A family, the prefixes of its outputs' names, and the largest share of tokens that its failing reports may need.
type Family = (&'static str, &'static [&'static str], f64);

/// docs/reports.md says why some need more than a third.
const FAMILIES: &[Family] = &[
    ("pytest", &["pytest-"], 0.35),
    ("cargo", &["cargo-test-"], 0.35),
    ("rustc", &["cargo-build-", "cargo-check"], 0.35),
    ("go", &["go-test-"], 0.41),
    ("go build", &["go-build-"], 0.85),
    ("jest", &["npm-test-"], 0.35),
    ("surefire", &["mvn-"], 0.35),
    ("ctest", &["ctest"], 0.35),
    ("trace", &["python-", "node-", "cargo-run-panic"], 0.35),
    ("gcc", &["gxx-", "make-errors", "make-warnings"], 0.35),
    ("tsc", &["tsc-"], 0.35),
    ("ruff", &["ruff-check"], 0.35),
    // Its messages are short, and each place has a column, which stays.
    ("pylint", &["pylint"], 0.37),
    ("mypy", &["mypy-"], 0.35),
    ("yamllint", &["yamllint"], 0.35),
    ("javac", &["javac-"], 0.40),
    ("prettier", &["prettier-check"], 0.60),
    ("terraform", &["terraform-plan-error"], 0.80),
];
/// Largest share of tokens that a passing report may need.
const PASSING: f64 = 0.10;
/// Tokens of a tool's own line of totals, which may be all that it prints.
const LINE: f64 = 40.0;
/// Largest output that is read here, in bytes. The tests of findings read larger ones.
const LARGE: u64 = 1 << 20;

/// The share of its tokens that a digest needs.
fn share(text: &str) -> Option<f64> {
    let digest = digest(text)?;
    Some(tokens::count(digest.text.as_bytes()) as f64 / tokens::count(text.as_bytes()) as f64)
}

#[test]
fn digests_are_small() {
    let mut shares: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for fixture in fixtures() {
        if let Some(share) = share(&fixture.text) {
            let kind = if fixture.name.contains("pass") { "passing" } else { "failing" };
            shares.entry(format!("{kind} {}", fixture.family)).or_default().push(share);
        }
    }
    for (family, shares) in &mut shares {
        shares.sort_by(f64::total_cmp);
        println!("{family:24} {:.2}  of {}", shares[shares.len() / 2], shares.len());
    }
    // Fixtures are short and hold every kind of failure: the shares that are accepted are measured on the corpus.
    for (family, shares) in &shares {
        assert!(shares.iter().all(|share| *share <= 1.0), "{family}: {shares:?}");
    }
}

/// Acceptance on the corpus beside the repository, where there is one: the median share of a family's failing reports,
/// and that of its passing reports. The prefix of its name gives an output's family.
#[test]
fn the_corpus_is_told_in_a_third() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus/dev/text");
    if !corpus.is_dir() {
        return;
    }
    let (mut shares, mut wrong) = (BTreeMap::<_, Vec<f64>>::new(), Vec::new());
    for path in texts(&corpus) {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let of = |(_, starts, _): &&Family| starts.iter().any(|start| name.starts_with(start));
        let Some((family, _, most)) = FAMILIES.iter().find(of) else { continue };
        let asked_for_content = ["-cov", "-durations"].iter().any(|end| name.ends_with(end));
        let is_large = fs::metadata(&path).unwrap().len() > LARGE;
        let text = scrubbed(&path);
        let Some(share) = (!asked_for_content && !is_large).then(|| share(&text)).flatten() else { continue };
        println!("{name:40} {share:.3}");
        let passes = is_passing(&text);
        let most = if passes { PASSING } else { *most };
        shares.entry((passes, *family, (most * 100.0).round() as u64)).or_default().push(share);
        let told = digest(&text).unwrap();
        for spec in SPECS.iter().filter(|spec| spec.family == *family) {
            let facts = facts::read(spec, &text);
            wrong.extend(facts::missing(&facts, &told.text).iter().map(|fact| format!("{name}: {fact:?}")));
        }
    }
    for ((passes, family, most), shares) in &mut shares {
        shares.sort_by(f64::total_cmp);
        // The median; of an even number of shares, the smaller one in the middle.
        let median = shares[(shares.len() - 1) / 2];
        println!(
            "{} {family:12} {median:.3} of {}",
            if *passes { "passing" } else { "failing" },
            shares.len()
        );
        if median * 100.0 > *most as f64 {
            wrong.push(format!("{family}: {median:.3}, and not {most} hundredths at most"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(shares.len() >= 20, "{}", shares.len());
}

/// A report without a failure or a finding is told as its tool's totals.
#[test]
fn what_passes_is_a_tenth_or_a_line() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/findings");
    let mut held = 0;
    for path in texts(&directory) {
        let text = scrubbed(&path);
        let Some(told) = digest(&text).filter(|_| is_passing(&text)) else { continue };
        held += 1;
        let most = (tokens::count(text.as_bytes()) as f64 * PASSING).max(LINE);
        let count = tokens::count(told.text.as_bytes());
        assert!(count as f64 <= most, "{}: {count} tokens\n{}", path.display(), told.text);
    }
    assert!(held >= 8, "{held}");
}

fn is_passing(text: &str) -> bool {
    let plain = report::plain(text);
    let report = report::read(&plain, &[]).unwrap();
    !report.records().any(|record| match &record.what {
        What::Finding(_) => true,
        What::Test(test) => test.outcome.is_failure(),
        _ => false,
    })
}
