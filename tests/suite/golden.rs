//! What an agent reads of the commonest calls, byte for byte, a file a call in `golden/`: a reviewer sees in a
//! difference of these files what agents will see. `TOTO_GOLDEN=write cargo test --test suite golden::` writes them anew.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;
use serde::Deserialize;

use crate::harness::{Sandbox, run, side_by_side};

/// `golden/calls.toml`.
#[derive(Deserialize)]
struct Calls {
    call: Vec<Call>,
}

/// A command, and what the fake tool prints for it.
#[derive(Deserialize)]
struct Call {
    name: String,
    command: String,
    prints: PathBuf,
    #[serde(default)]
    exit: i32,
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/golden")
}

fn calls() -> Vec<Call> {
    let text = fs::read_to_string(directory().join("calls.toml")).unwrap();
    toml::from_str::<Calls>(&text).unwrap().call
}

impl Call {
    /// What an agent reads: standard output, then standard error. Ids of saved outputs are random, and with them a few
    /// tokens of the receipt.
    fn answer(&self) -> String {
        let sandbox = Sandbox::new();
        let output = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(&self.prints);
        let mut words = self.command.split(' ');
        let tool = words.next().unwrap();
        sandbox.tool(tool, &format!("cat '{}'\nexit {}", output.display(), self.exit));
        sandbox.link(tool);
        let outcome = run(sandbox.command(tool).args(words).env("TOTO", "on")).exits(self.exit);
        let mut answer = format!("{}{}", outcome.out(), outcome.err());
        for (random, fixed) in [
            (r"toto show [0-9a-z]{5}\b", "toto show ID"),
            (r"\| Compressed: .* \| Shape", "| Compressed: … | Shape"),
        ] {
            answer = Regex::new(random).unwrap().replace_all(&answer, fixed).into_owned();
        }
        answer
    }

    fn file(&self) -> PathBuf {
        directory().join(format!("{}.txt", self.name))
    }
}

#[test]
fn the_commonest_calls_read_as_they_did() {
    let is_written = std::env::var_os("TOTO_GOLDEN").is_some_and(|word| word == "write");
    let differing = |call: Call| {
        let answer = call.answer();
        if is_written {
            fs::write(call.file(), &answer).unwrap();
        }
        let kept = fs::read_to_string(call.file()).unwrap_or_default();
        (answer != kept).then(|| {
            let difference = similar::TextDiff::from_lines(&kept, &answer);
            format!("{}:\n{}", call.name, difference.unified_diff().context_radius(1))
        })
    };
    let found: Vec<String> = side_by_side(calls(), differing).into_iter().flatten().collect();
    assert!(found.is_empty(), "TOTO_GOLDEN=write accepts this:\n{}", found.join("\n"));
}

#[test]
fn every_kept_answer_is_of_a_call() {
    let named: BTreeSet<PathBuf> = calls().iter().map(Call::file).collect();
    let kept = fs::read_dir(directory()).unwrap().map(|entry| entry.unwrap().path());
    let kept: BTreeSet<PathBuf> =
        kept.filter(|path| path.extension().is_some_and(|kind| kind == "txt")).collect();
    assert_eq!(kept, named);
}
