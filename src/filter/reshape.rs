//! Devices for what git prints, whose lines are content and get no known form. A filter names them
//! (`reshape = ["commits"]`). `git log`: a commit's header leaves out what headers above it say already: author,
//! address, year, time zone. Hashes, messages and the bars of `--stat` stay.

use std::collections::HashMap;

use once_cell::sync::Lazy;
use regex::bytes::Regex;
use serde::Deserialize;

use super::lines::{Cut, Lines, is_mark};
use super::pattern::ours;

/// A shorter way to write what git prints.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Device {
    /// `git log`: what a commit shares with commits above is stated once.
    Commits,
}

/// Runs devices in the order given.
pub fn run(devices: &[Device], lines: &mut Lines<'_>) {
    for device in devices {
        match device {
            Device::Commits => shorten(lines),
        }
    }
}

/// `commit 096fffdb…`, perhaps with ` (HEAD -> main)` behind a full hash: SHA-1, SHA-256.
static COMMIT: Lazy<Regex> = Lazy::new(|| ours("^commit (?:[[:xdigit:]]{40}|[[:xdigit:]]{64})(?: |$)"));
/// The text of the mark behind the number of commits.
const SHARED: &str = " commits in full, but: an address once; an author, a year and a time zone where they are others \
                      than above; a committer where it is not the author";

/// Takes out of the commits' headers what headers above them say.
fn shorten(lines: &mut Lines<'_>) {
    let starts: Vec<usize> = (0..lines.len()).filter(|at| COMMIT.is_match(lines.get(*at))).collect();
    // A single commit gets no mark, so nothing may be left out of it. A log with the mark was shortened before.
    if starts.len() < 2 || lines.iter().any(|line| is_mark(line) && line.ends_with(SHARED.as_bytes())) {
        return;
    }
    let mut cuts =
        vec![Cut { start: starts[0], end: starts[0], mark: Some(format!("… {}{SHARED}", starts.len())) }];
    let mut above = Above::default();
    for start in starts {
        let end = start + (start..lines.len()).take_while(|at| !lines.get(*at).is_empty()).count();
        cuts.extend(same_twice(lines, start, end));
        for at in start..end {
            let line = lines.get(at);
            if line.starts_with(b"Author:") && line == above.author.as_slice() {
                cuts.push(Cut::line(at));
                continue;
            }
            if line.starts_with(b"Author:") {
                above.author = line.to_vec();
            }
            if let Some(out) = above.shorter(line) {
                lines.set(at, out);
            }
        }
    }
    cuts.sort_unstable_by_key(|cut| (cut.start, cut.end));
    lines.cut(cuts);
}

/// Cuts of `Commit:` and `CommitDate:` (`--format=fuller`) that repeat `Author:` and `AuthorDate:`.
fn same_twice(lines: &Lines<'_>, start: usize, end: usize) -> Vec<Cut> {
    let value = |at: usize, key: &[u8]| lines.get(at).strip_prefix(key).map(<[u8]>::trim_ascii);
    let is_same = |at: &usize| {
        let pair = |author: &[u8], commit: &[u8]| {
            value(at - 2, author).is_some() && value(at - 2, author) == value(*at, commit)
        };
        pair(b"Author:", b"Commit:") || pair(b"AuthorDate:", b"CommitDate:")
    };
    (start + 2..end).filter(is_same).map(Cut::line).collect()
}

const KEYS: [&[u8]; 5] = [b"Author:", b"Commit:", b"AuthorDate:", b"CommitDate:", b"Date:"];

/// The values that the headers above have stated.
#[derive(Default)]
struct Above {
    author: Vec<u8>,
    /// The last `name <address>` of each name.
    addresses: HashMap<Vec<u8>, Vec<u8>>,
    year: Vec<u8>,
    zone: Vec<u8>,
}

impl Above {
    /// A line of a header with one blank behind its key, and without what the lines above say.
    fn shorter(&mut self, line: &[u8]) -> Option<Vec<u8>> {
        let key = KEYS.into_iter().find(|key| line.starts_with(key))?;
        let value = line[key.len()..].trim_ascii();
        let shown = if key.ends_with(b"Date:") { self.date(value)? } else { self.person(value).to_vec() };
        Some([key, b" ", &shown].concat())
    }

    /// `Wed Apr 20 10:03:36 2022 -0400` with year and zone only where they differ from those above.
    fn date(&mut self, value: &[u8]) -> Option<Vec<u8>> {
        let words = value.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let words: Vec<&[u8]> = words.collect();
        let [weekday, month, day, time, year, zone] = words[..] else { return None };
        let is_number = |word: &[u8]| word.iter().all(u8::is_ascii_digit);
        if !is_number(day) || !is_number(year) || !time.contains(&b':') || !b"+-".contains(&zone[0]) {
            return None;
        }
        let mut shown = vec![weekday, month, day, time];
        shown.extend((year != self.year).then_some(year));
        shown.extend((zone != self.zone).then_some(zone));
        (self.year, self.zone) = (year.to_vec(), zone.to_vec());
        Some(shown.join(&b' '))
    }

    /// `A U Thor <a@b>`, with the address only where it differs from the name's last one.
    fn person<'v>(&mut self, value: &'v [u8]) -> &'v [u8] {
        let name = memchr::memmem::find(value, b" <").map_or(value, |at| &value[..at]);
        let known = self.addresses.insert(name.to_vec(), value.to_vec());
        if known.is_some_and(|known| known == value) { name } else { value }
    }
}
