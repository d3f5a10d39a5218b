//! Reports of compilers, type checkers and linters: complete, small, true; held by an oracle that reads the raw text.

#[path = "findings_oracle.rs"]
mod oracle;

use std::path::Path;

use llm_toto::pipeline::scrub::scrub;
use llm_toto::report::{self, Hint, Options};
use llm_toto::tokens;

/// The real outputs of the repository, and those of the corpus where it is present: name and scrubbed text.
fn outputs() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = std::env::var_os("TOTO_CORPUS").map_or(root.join("../shared/corpus/dev/text"), Into::into);
    let mut outputs = Vec::new();
    for directory in [root.join("tests/fixtures/report/findings"), corpus] {
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
    report::digest(text, &Hint::default(), &Options::default()).map(|digest| digest.text)
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
