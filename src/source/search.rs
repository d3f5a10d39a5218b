//! Results of a search that do not fit a page: the files with their numbers of matches.

use std::fmt::Write as _;

use indexmap::IndexMap;

use crate::commands::SEARCH;
use crate::hidden;
use crate::marks::MATCHES;

/// Most bytes of the line.
pub(super) const LONGEST: usize = 1_500;

/// The line that names the files in which a search found something, with the numbers of matches, most first; `None`
/// where the command is no search, or its output no list of matches in several files.
pub fn matches_by_file(words: &[String], printed: &[u8]) -> Option<String> {
    let mut files: IndexMap<&str, usize> = IndexMap::new();
    for line in std::str::from_utf8(printed).ok().filter(|_| SEARCH.holds_for(words))?.lines() {
        match line.split_once(':') {
            Some((path, _)) if is_path(path) => *files.entry(path).or_default() += 1,
            // A line around a match, or between two.
            _ if line.contains('-') => {}
            _ => return None,
        }
    }
    let (count, of) = (files.values().sum::<usize>(), files.len());
    files.sort_by(|_, one, _, other| other.cmp(one));
    let mut line = format!("({count}{MATCHES}{of} files: ");
    for (at, (path, count)) in files.iter().enumerate() {
        if line.len() + path.len() > LONGEST {
            let _ = write!(line, ", and {} more", of - at);
            break;
        }
        let between = if at == 0 { "" } else { ", " };
        let _ = write!(line, "{between}{path} {count}");
    }
    line.push_str(")\n");
    (of > 1).then_some(line)
}

fn is_path(text: &str) -> bool {
    let is_plain = !text.contains(char::is_whitespace) && !hidden::is_in_text(text.as_bytes());
    is_plain && text.contains(['.', '/'])
}
