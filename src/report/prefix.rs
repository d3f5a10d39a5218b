//! Prefixes that every line of a text has: names of packages (`turbo`, `pnpm -r`, `docker compose`), times of a CI.
//!
//! Stripped once here, so that no family has to know them.

use std::collections::HashSet;

use once_cell::sync::Lazy;
use regex::Regex;

/// Number of lines that decide whether a text has a prefix.
const SAMPLE: usize = 400;
/// Most different names of packages; a text with more has none.
const MOST_NAMES: usize = 64;
/// Bytes at the start of a line in which a prefix is looked for: prefixes are short.
const LONGEST: usize = 120;

/// Names that are a level or a result, not a tool's.
const LEVELS: &[&str] = &[
    "error", "warning", "warn", "info", "debug", "note", "fatal", "trace", "help", "fail", "failed", "pass",
    "passed", "ok", "skip", "success", "e", "w", "hint", "notice",
];

/// Prefixes by their writer. The group `name` names the tool; lines whose prefix has no such group are a single tool's.
///
/// turbo 2: `web:test: `; pnpm -r: `packages/web test: `; docker compose: `web-1  | `; yarn workspaces foreach:
/// `[web]: `; concurrently and lerna: `[web] `, `web: `; nx: as turbo; `BuildKit`: `#12 1.204 `; GitHub's log files
/// begin with an ISO time, those of `gh run view --log` with job and step, too; GitLab's and Jenkins' times stand in
/// brackets.
const PREFIXES: &[&str] = &[
    r"^(?:[^\t]{1,80}\t[^\t]{1,80}\t)\u{feff}?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z ?",
    r"^\u{feff}?\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]?(?: \d\d[OE][ +]?|(?: ?\| ?| |$))",
    r"^\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?(?: |$)",
    r"^(?P<name>#\d+) \d+\.\d+(?: |$)",
    r"^(?P<name>[\w./-]+)[ ]*\| ?",
    r"^(?P<name>[\w@./-]* [\w:.-]+)(?:: |:$|\$ )",
    r"^(?P<name>[@\w./-]+[:#][A-Za-z][\w:.-]*)(?:: |:$)",
    r"^\[(?P<name>[@\w./:-]+)\](?::? |:?$)",
    r"^(?P<name>@?[\w./-]*[a-z][\w./-]*)(?:: |:$)",
];
static COMPILED: Lazy<Vec<Regex>> = Lazy::new(|| {
    // With the letters and digits of all scripts the patterns would take ten times as long to compile as to use.
    let plain =
        |pattern: &str| pattern.replace(r"\d", "[0-9]").replace(r"\w", r"[0-9A-Za-z_\u{80}-\u{10FFFF}]");
    PREFIXES.iter().filter_map(|pattern| Regex::new(&plain(pattern)).ok()).collect()
});

/// The prefixes of a text, outermost first.
pub struct Prefix(Vec<&'static Regex>);

impl Prefix {
    /// The name in a line's prefix and the text behind the prefix; `None` if the line has no such prefix.
    pub fn strip<'t>(&self, line: &'t str) -> Option<(&'t str, &'t str)> {
        let mut found = None;
        for pattern in &self.0 {
            let (name, rest) = found.unwrap_or(("", line));
            match strip(pattern, rest) {
                Some((inner, behind)) => found = Some((if inner.is_empty() { name } else { inner }, behind)),
                None => break,
            }
        }
        found
    }
}

fn strip<'t>(pattern: &Regex, line: &'t str) -> Option<(&'t str, &'t str)> {
    let end = (0..=LONGEST.min(line.len())).rev().find(|end| line.is_char_boundary(*end))?;
    let found = pattern.captures(&line[..end])?;
    let name = found.name("name").map_or("", |name| name.as_str());
    let is_level = LEVELS.iter().any(|level| name.eq_ignore_ascii_case(level));
    (!is_level && !is_file(name)).then(|| (name, &line[found.get(0).map_or(0, |whole| whole.end())..]))
}

/// Whether a name is a file's (`src/a.ts`), as linters write it in front of findings, and so no tool's.
fn is_file(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or("");
    name.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty()
            && (1..=4).contains(&extension.len())
            && extension.bytes().all(|byte| byte.is_ascii_alphabetic())
    })
}

/// The prefixes that nearly all lines have: one, and perhaps a second one behind it.
pub fn find(text: &str) -> Option<Prefix> {
    let mut sample: Vec<&str> =
        text.lines().map(str::trim_end).filter(|line| !line.is_empty()).take(SAMPLE).collect();
    let mut found = Vec::new();
    while found.len() < 2 {
        let Some(pattern) = COMPILED.iter().find(|pattern| is_common(pattern, &sample)) else { break };
        sample = sample.iter().filter_map(|line| strip(pattern, line)).map(|(_, rest)| rest).collect();
        found.push(pattern);
    }
    (!found.is_empty()).then_some(Prefix(found))
}

/// Whether at least three in four lines have the prefix, with names that occur again and again.
fn is_common(pattern: &Regex, sample: &[&str]) -> bool {
    let mut names = HashSet::new();
    let mut count = 0;
    for line in sample {
        if let Some((name, _)) = strip(pattern, line) {
            count += 1;
            names.insert(name);
        }
    }
    count >= 3 && count * 4 >= sample.len() * 3 && names.len() <= MOST_NAMES && names.len() * 3 <= count
}
