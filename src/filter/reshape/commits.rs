//! `git log`: hashes of 40 digits become their first ten, an author's address stands once, a date is without its day of
//! the week and without what the date above it says, a message is indented by one blank, the bars of `--stat` keep their
//! signs.

use std::collections::{HashMap, HashSet};

use super::super::lines::{Cut, Lines};

/// Digits of a hash that stay; more than git itself abbreviates to.
const HASH: usize = 10;
/// A hash in full.
const FULL_HASH: usize = 40;

/// Shortens what a log repeats or spells out.
pub fn shorten(lines: &mut Lines<'_>) {
    let full: HashSet<&[u8]> = lines.iter().filter_map(hash).collect();
    let short: HashSet<&[u8]> = full.iter().map(|hash| &hash[..HASH]).collect();
    let unique = full.len() == short.len();
    // One commit has no mark above it that would say it.
    let mut dates = (unique && full.len() > 1).then(Dates::default);
    let mut shortened = 0;
    let mut first = None;
    let mut addresses: HashMap<Vec<u8>, Vec<u8>> = HashMap::new();
    let mut in_commit = false;
    let mut cuts = Vec::new();
    let mut author = Vec::new();
    for at in 0..lines.len() {
        let line = lines.get(at);
        let mut out = None;
        if let Some(hash) = hash(line) {
            in_commit = true;
            if unique {
                let rest = &line[COMMIT.len() + hash.len()..];
                out = Some([COMMIT, &hash[..HASH], rest].concat());
                shortened += 1;
                first.get_or_insert(at);
            }
        } else if in_commit {
            if line.starts_with(b"Author:") {
                if line == author.as_slice() {
                    cuts.push(Cut { start: at, end: at + 1, mark: None });
                } else {
                    author = line.to_vec();
                }
            }
            let date = dates.as_mut().and_then(|dates| dates.of(line));
            out = date
                .or_else(|| person(line, &mut addresses))
                .or_else(|| message(line))
                .or_else(|| stat(line));
        }
        if let Some(out) = out.filter(|out| out != lines.get(at)) {
            lines.set(at, out);
        }
    }
    cuts.extend(same_twice(lines));
    cuts.sort_by_key(|cut| cut.start);
    if let Some(first) = first.filter(|_| shortened > 1) {
        let mark = format!(
            "… {shortened} commits: hashes by their first {HASH} digits, an address once, an author, a year and a time \
             zone where they are others than above, a committer where it is not the author"
        );
        cuts.insert(0, Cut { start: first, end: first, mark: Some(mark) });
        lines.leave_out(shortened);
    }
    lines.cut(cuts);
}

/// The bars of `--stat` by their signs, in any output.
pub fn bars(lines: &mut Lines<'_>) {
    for at in 0..lines.len() {
        if let Some(out) = stat(lines.get(at)).filter(|out| out != lines.get(at)) {
            lines.set(at, out);
        }
    }
}

/// `Commit:` and `CommitDate:` (`--format=fuller`) that say what `Author:` and `AuthorDate:` said.
fn same_twice(lines: &Lines<'_>) -> Vec<Cut> {
    let value = |at: usize, key: &[u8]| lines.get(at).strip_prefix(key).map(<[u8]>::trim_ascii);
    let is_same = |at: &usize| {
        let pair = |author: &[u8], commit: &[u8]| {
            value(at - 2, author).is_some() && value(at - 2, author) == value(*at, commit)
        };
        pair(b"Author:", b"Commit:") || pair(b"AuthorDate:", b"CommitDate:")
    };
    (2..lines.len()).filter(is_same).map(|at| Cut { start: at, end: at + 1, mark: None }).collect()
}

const COMMIT: &[u8] = b"commit ";

/// The hash in `commit 096fffdb…`.
fn hash(line: &[u8]) -> Option<&[u8]> {
    let hash = line.strip_prefix(COMMIT)?.get(..FULL_HASH)?;
    let ends = line.get(COMMIT.len() + FULL_HASH).is_none_or(|byte| *byte == b' ');
    (ends && hash.iter().all(u8::is_ascii_hexdigit)).then_some(hash)
}

const KEYS: [&[u8]; 5] = [b"Author:", b"Commit:", b"AuthorDate:", b"CommitDate:", b"Date:"];

/// What the last date said.
#[derive(Default)]
struct Dates {
    year: Vec<u8>,
    zone: Vec<u8>,
}

impl Dates {
    /// `Date:   Wed Apr 20 10:03:36 2022 -0400`: the first as it is, then month, day and time, and year and zone where they
    /// are others than above.
    fn of(&mut self, line: &[u8]) -> Option<Vec<u8>> {
        let key = KEYS.into_iter().find(|key| key.ends_with(b"Date:") && line.starts_with(key))?;
        let words: Vec<&[u8]> =
            line[key.len()..].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
        let [_, month, day, time, year, zone] = words[..] else { return None };
        let is_number = |word: &[u8]| word.iter().all(u8::is_ascii_digit);
        let is_date = is_number(day) && is_number(year) && time.contains(&b':') && b"+-".contains(&zone[0]);
        let is_first = self.year.is_empty();
        let mut shown = vec![key, month, day, time];
        shown.extend((year != self.year).then_some(year));
        shown.extend((zone != self.zone).then_some(zone));
        (self.year, self.zone) = (year.to_vec(), zone.to_vec());
        (is_date && !is_first).then(|| shown.join(&b' '))
    }
}

/// `Author:     A U Thor <a@b>`: one blank, and the address where it is new for the name.
fn person(line: &[u8], addresses: &mut HashMap<Vec<u8>, Vec<u8>>) -> Option<Vec<u8>> {
    let key = KEYS.into_iter().find(|key| line.starts_with(key))?;
    let value = line[key.len()..].trim_ascii();
    let mut shown = value;
    if !key.ends_with(b"Date:")
        && let Some(at) = memchr::memmem::find(value, b" <")
    {
        let known = addresses.insert(value[..at].to_vec(), value.to_vec());
        if known.is_some_and(|known| known == value) {
            shown = &value[..at];
        }
    }
    Some([key, b" ", shown].concat())
}

/// A line of a message is indented by four blanks; what is more of them is the message's own.
fn message(line: &[u8]) -> Option<Vec<u8>> {
    line.strip_prefix(b"    ").map(|text| [b" ", text].concat())
}

/// ` src/a.rs | 78 ++++----` with one sign of each kind.
fn stat(line: &[u8]) -> Option<Vec<u8>> {
    let body = line.strip_prefix(b" ")?;
    let bar = memchr::memmem::rfind(body, b" | ")?;
    let (path, rest) = (body[..bar].trim_ascii_end(), body[bar + 3..].trim_ascii());
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let signs = rest[digits..].trim_ascii();
    if digits == 0 || !signs.iter().all(|byte| matches!(byte, b'+' | b'-')) {
        return None;
    }
    let mut out = [b" ", path, b" | ", &rest[..digits]].concat();
    if !signs.is_empty() {
        out.push(b' ');
        out.extend(b"+-".iter().filter(|sign| signs.contains(sign)));
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_says_each_thing_once() {
        let commit = |n: u8, date: &str| {
            format!(
                "commit {n}96fffdb79807d34b99985b38df0a3df7f6a86c7\nAuthor: A Thor <a@b.c>\nDate:   {date}\n\n    \
                 why\n        code\n\n docs/a.md     | 78 ++++++---\n 1 file changed\n\n"
            )
        };
        let text = commit(1, "Wed Apr 20 10:03:36 2022 -0400")
            + &commit(2, "Tue Apr 19 09:00:00 2022 -0400")
            + &commit(3, "Fri Dec 31 09:00:00 2021 -0500");
        let mut lines = Lines::new(text.as_bytes());
        shorten(&mut lines);
        let out = String::from_utf8(lines.finish(text.as_bytes()).unwrap().text).unwrap();
        let rest = "\n\n why\n     code\n\n docs/a.md | 78 +-\n 1 file changed\n\n";
        assert_eq!(
            out,
            format!(
                "… 3 commits: hashes by their first 10 digits, an address once, an author, a year and a time zone where \
                 they are others than above, a committer where it is not the author\ncommit 196fffdb79\n\
                 Author: A Thor <a@b.c>\nDate: Wed Apr 20 10:03:36 2022 -0400{rest}\
                 commit 296fffdb79\nDate: Apr 19 09:00:00{rest}\
                 commit 396fffdb79\nDate: Dec 31 09:00:00 2021 -0500{rest}"
            )
        );
        let mut again = Lines::new(out.as_bytes());
        shorten(&mut again);
        assert_eq!(again.finish(out.as_bytes()), None);
    }
}
