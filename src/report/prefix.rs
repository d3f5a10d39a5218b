//! Prefixes that every line of a text has: names of packages (`turbo`, `pnpm -r`, `docker compose`), times of a CI.
//!
//! Stripped once here, so that no family has to know them.

use once_cell::sync::Lazy;
use regex::bytes::{Regex, RegexBuilder};

use super::maps::HashSet;
use super::words::{LEVELS, PREFIXES};

/// Number of lines that decide whether a text has a prefix.
const SAMPLE: usize = 400;
/// Most different names of packages; a text with more has none.
const MOST_NAMES: usize = 64;
/// Bytes at the start of a line in which a prefix is looked for: prefixes are short.
const LONGEST: usize = 120;

static COMPILED: Lazy<Vec<Regex>> = Lazy::new(|| {
    // By bytes: with the characters of all scripts the patterns would take ten times as long to compile as to use.
    let by_bytes =
        |pattern: &str| RegexBuilder::new(&pattern.replace(r"\w", r"\w\x80-\xFF")).unicode(false).build();
    PREFIXES.iter().filter_map(|pattern| by_bytes(pattern).ok()).collect()
});

/// The name in the prefixes of a line, or "", and the text behind them. The prefixes stand outermost first; those that
/// the line lacks, and what follows them, are not stripped.
pub fn strip<'t>(prefixes: &[&Regex], line: &'t str) -> (&'t str, &'t str) {
    let mut found = ("", line);
    for pattern in prefixes {
        let Some((name, rest)) = strip_one(pattern, found.1) else { break };
        found = (if name.is_empty() { found.0 } else { name }, rest);
    }
    found
}

fn strip_one<'t>(pattern: &Regex, line: &'t str) -> Option<(&'t str, &'t str)> {
    let end = (0..=LONGEST.min(line.len())).rev().find(|end| line.is_char_boundary(*end))?;
    let found = pattern.captures(&line.as_bytes()[..end])?;
    let name = found.name("name").map_or("", |name| &line[name.range()]);
    let is_level = LEVELS.iter().any(|level| name.eq_ignore_ascii_case(level));
    (!is_level && !is_file(name)).then(|| (name, &line[found.get(0).map_or(0, |whole| whole.end())..]))
}

/// Whether a name is a file's (`src/a.ts`), as linters write it in front of findings, or a program's (`/usr/bin/ld`), and
/// so no package's.
fn is_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or("");
    path.starts_with('/')
        || name.rsplit_once('.').is_some_and(|(stem, extension)| {
            !stem.is_empty()
                && (1..=4).contains(&extension.len())
                && extension.bytes().all(|byte| byte.is_ascii_alphabetic())
        })
}

/// The prefixes that nearly all lines of a text have: none, one, or a second one behind the first.
pub fn find(text: &str) -> Vec<&'static Regex> {
    let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let mut sample: Vec<&str> = lines.take(SAMPLE).collect();
    let mut found = Vec::new();
    while found.len() < 2 {
        let Some(pattern) = COMPILED.iter().find(|pattern| is_common(pattern, &sample)) else { break };
        sample = sample.iter().filter_map(|line| strip_one(pattern, line)).map(|(_, rest)| rest).collect();
        found.push(pattern);
    }
    found
}

/// Whether at least three in four lines have the prefix, with names that occur again and again.
fn is_common(pattern: &Regex, sample: &[&str]) -> bool {
    let names: Vec<_> =
        sample.iter().filter_map(|line| strip_one(pattern, line)).map(|(name, _)| name).collect();
    let different = names.iter().collect::<HashSet<_>>().len();
    let count = names.len();
    count >= 3 && count * 4 >= sample.len() * 3 && different <= MOST_NAMES && different * 3 <= count
}
