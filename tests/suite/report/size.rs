//! How many of a report's tokens its digest needs.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use llm_toto::tokens;

use super::facts::{self, SPECS};
use super::{digest, fixtures, scrubbed, texts};

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
    // Fixtures are short and hold every kind of failure: the corpus has the acceptance.
    for (family, shares) in &shares {
        assert!(shares.iter().all(|share| *share <= 1.0), "{family}: {shares:?}");
    }
}

/// Acceptance on the corpus beside the repository, where that is there.
#[test]
fn the_corpus_is_told_in_a_third() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus/dev/text");
    let families = [
        ("pytest", "pytest-"),
        ("cargo", "cargo-test-"),
        ("go", "go-test-"),
        ("jest", "npm-test-"),
        ("surefire", "mvn-"),
        ("ctest", "ctest"),
        ("trace", "python-"),
        ("trace", "node-"),
        ("trace", "cargo-run-panic"),
    ];
    if !corpus.is_dir() {
        return;
    }
    let mut failing: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut passing: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (family, prefix) in families {
        for path in texts(&corpus) {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            if !name.starts_with(prefix) {
                continue;
            }
            let text = scrubbed(&path);
            let Some(share) = share(&text) else { continue };
            let meta = fs::read_to_string(path.with_extension("meta.json")).unwrap();
            let meta: serde_json::Value = serde_json::from_str(&meta).unwrap();
            println!("{name:40} {share:.3}");
            let kind = if meta["exit_code"] == 0 { &mut passing } else { &mut failing };
            kind.entry(family).or_default().push(share);
            let digest = digest(&text).unwrap();
            for spec in SPECS.iter().filter(|spec| spec.family == family) {
                let facts = facts::read(spec, &text);
                wrong.extend(
                    facts::missing(&facts, &digest.text).iter().map(|fact| format!("{name}: {fact:?}")),
                );
            }
        }
    }
    let median = |shares: &mut Vec<f64>| {
        shares.sort_by(f64::total_cmp);
        shares[shares.len() / 2]
    };
    for (kind, families) in [("failing", &mut failing), ("passing", &mut passing)] {
        for (family, shares) in families.iter_mut() {
            println!("{kind} {family:12} {:.3} of {}", median(shares), shares.len());
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(failing.values_mut().all(|shares| median(shares) <= 0.5), "{failing:?}");
}
