//! Promise 3 behind a viewer: window and words have no more tokens than the command alone would have been given or,
//! where the window has more already, the window and one line.

use std::fs;
use std::path::{Path, PathBuf};

use llm_toto::tokens::count;

use super::stage::Stage;
use super::viewers::play;
use crate::harness::{corpus, files_below, side_by_side};
use crate::report::grown::grown;

const WINDOWS: [&str; 6] = ["tail -1", "tail -40", "head -5", "tail -n +3", "grep -v like-it", "cat"];
/// Most tokens of the words.
const MOST: usize = 1_000;
/// Tokens by which a text may differ when it is counted in parts.
const SEAMS: usize = 2;
/// Files that are played where nobody asks for all.
const FEW: usize = 10;
/// Most bytes of such a file.
const SHORT: u64 = 60_000;
/// Records of reports that are made for the test.
const RECORDS: [usize; 4] = [3, 12, 60, 300];

/// Texts that tools print: of this repository, reports of it grown to many records in `made`, and what lies beside it
/// where that is there.
fn texts(made: &Path) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = ["report", "findings", "facts"].map(|name| root.join("tests/fixtures").join(name));
    let beside = [root.join("../shared/wild")];
    let beside = beside.into_iter().filter(|directory| directory.is_dir()).chain(corpus("dev/text"));
    let all = own.iter().cloned().chain(beside);
    let mut files: Vec<_> = all.flat_map(|directory| files_below(&directory)).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    files.sort();
    let reports = files.iter().filter(|path| path.starts_with(&own[0])).enumerate();
    let grown: Vec<_> = reports.filter_map(|(number, path)| grow(path, number, made)).collect();
    files.extend(grown);
    files
}

/// A report grown to some number of records, in a file of its own.
fn grow(report: &Path, number: usize, made: &Path) -> Option<PathBuf> {
    let text = grown(&String::from_utf8_lossy(&fs::read(report).ok()?), RECORDS[number % RECORDS.len()])?;
    let file = made.join(format!("grown-{number}.txt"));
    fs::write(&file, text).unwrap();
    Some(file)
}

/// Complaints about one text in every window.
fn play_text(stage: &Stage, (number, path): (usize, PathBuf)) -> Vec<String> {
    let mut complaints = Vec::new();
    let status = [1, 101][number % 2];
    let tool = format!("prints '{}' {status} 2>&1", path.display());
    let session = |of: usize| format!("export TOTO_RECEIPT=off TOTO_SESSION=s{number}-{status}-{of};");
    let alone =
        count(play(stage, "one_pipe", "bash", &format!("{} {tool}; true", session(9)), true).as_bytes());
    for (at, viewer) in WINDOWS.iter().enumerate() {
        let got = play(stage, "one_pipe", "bash", &format!("{} {tool} | {viewer}; true", session(at)), true);
        let (window, words) = got.split_at(got.rfind("[toto] prints: exit status").unwrap_or(got.len()));
        let line = words.lines().next().unwrap_or_default();
        let most = alone.max(count(window.as_bytes()) + count(line.as_bytes())) + SEAMS;
        if count(words.as_bytes()) > MOST || !words.is_empty() && count(got.as_bytes()) > most {
            let all = count(got.as_bytes());
            complaints.push(format!("{tool} | {viewer}: {all} tokens, alone {alone}\n{words}"));
        }
    }
    complaints
}

/// `TOTO_CASES=all` plays every text.
#[test]
fn what_is_said_behind_a_window_is_never_more_than_the_command_alone_would_have_said() {
    let stage = Stage::new();
    stage.sandbox.tool("prints", "cat \"$1\"; exit $2");
    stage.sandbox.link("prints");
    let is_all = std::env::var_os("TOTO_CASES").is_some();
    let mut texts = texts(&stage.sandbox.temporary());
    texts.retain(|path| is_all || path.metadata().is_ok_and(|file| file.len() < SHORT));
    let step = if is_all { 1 } else { texts.len() / FEW };
    let some: Vec<_> = texts.into_iter().enumerate().step_by(step).collect();
    assert!(some.len() >= FEW);
    let complaints = side_by_side(some, |text| play_text(&stage, text)).concat();
    assert!(complaints.is_empty(), "{} wrong:\n{}", complaints.len(), complaints.join("\n"));
}
