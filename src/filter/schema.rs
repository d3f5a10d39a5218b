//! A filter file as it stands: its keys, and errors that name line, column and the nearest valid key.

use serde::Deserialize;
use thiserror::Error;
use toml::Spanned;

/// A regular expression (the regex crate's syntax) and where it stands.
pub type Pattern = Spanned<String>;

/// A filter file. docs/filters.md explains every key.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of its own")]
pub struct FilterFile {
    /// The commands that it is for.
    pub command: OneOrMany,
    /// What it does, for `toto filter ls`.
    pub description: String,
    /// Lines that match one of these are dropped.
    pub skip: Vec<Pattern>,
    /// Only lines that match one of these stay.
    pub keep: Vec<Pattern>,
    /// Lines that become a count.
    pub fold: Vec<Fold>,
    /// Consecutive equal lines become one.
    pub dedup: bool,
    /// Runs of empty lines become one.
    pub collapse_empty_lines: bool,
    /// Empty lines are dropped.
    pub strip_empty_lines: bool,
    /// Blanks around lines are dropped.
    pub trim_lines: bool,
    /// Accepted for the sake of older filters: terminal control is always taken out.
    pub strip_ansi: bool,
    /// Lines are cut behind this many characters, with a mark.
    pub truncate_lines_at: Option<usize>,
    /// The output is the answer itself: nothing is folded beyond what this file says.
    pub verbatim: bool,
    /// Devices for outputs of a known form, in this order.
    pub reshape: Vec<super::reshape::Device>,
    /// What holds for exit status 0 only.
    pub on_success: Branch,
    /// What holds for every other exit status, and an unknown one.
    pub on_failure: Branch,
    /// The filter's own tests.
    pub test: Vec<Test>,
}

/// Rules for one way of ending.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Branch {
    /// As the file's `skip`.
    pub skip: Vec<Pattern>,
    /// As the file's `keep`.
    pub keep: Vec<Pattern>,
    /// As the file's `fold`.
    pub fold: Vec<Fold>,
    /// Only the first lines stay.
    pub head: Option<usize>,
    /// Only the last lines stay.
    pub tail: Option<usize>,
}

/// Lines that become a count: `… 212 passing tests`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fold {
    /// Which lines.
    #[serde(rename = "match")]
    pub pattern: Pattern,
    /// What they are, in words, in the plural.
    #[serde(rename = "as")]
    pub what: String,
    /// One count for the whole output in place of one a run of lines.
    #[serde(default)]
    pub together: bool,
    /// After a failure, too, a matching line goes that holds a word like "error": it is known to say nothing of it.
    #[serde(default)]
    pub harmless: bool,
}

/// One of a filter's tests.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Test {
    /// What it shows.
    pub name: String,
    /// The tool's output.
    pub inline: Option<String>,
    /// A file that holds the tool's output, relative to the filter's.
    pub fixture: Option<String>,
    /// The tool's exit status.
    pub exit_code: i32,
    /// What must hold.
    pub expect: Vec<Expect>,
}

/// What must hold of an output.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    /// It is this.
    pub equals: Option<String>,
    /// This stands in it.
    pub contains: Option<String>,
    /// This does not.
    pub not_contains: Option<String>,
    /// It begins so.
    pub starts_with: Option<String>,
    /// It ends so.
    pub ends_with: Option<String>,
    /// It matches this regular expression.
    pub matches: Option<Pattern>,
    /// It does not.
    pub not_matches: Option<Pattern>,
    /// It has this many lines that are not empty.
    pub line_count: Option<usize>,
}

/// A string, or a list of strings.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "OneOrManyText")]
pub struct OneOrMany(pub Vec<String>);

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrManyText {
    One(String),
    Many(Vec<String>),
}

impl From<OneOrManyText> for OneOrMany {
    fn from(text: OneOrManyText) -> Self {
        match text {
            OneOrManyText::One(command) => Self(vec![command]),
            OneOrManyText::Many(commands) => Self(commands),
        }
    }
}

/// What is wrong with a filter file, and where.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{line}:{column}: {message}")]
pub struct Mistake {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// In one line.
    pub message: String,
}

impl Mistake {
    /// A mistake at a byte of `text`.
    pub fn at(text: &str, byte: usize, message: impl Into<String>) -> Self {
        let before = text.get(..byte).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let message = message.into().split_whitespace().collect::<Vec<_>>().join(" ");
        Self { line: before.matches('\n').count() + 1, column: before[start..].chars().count() + 1, message }
    }
}

/// Parses a filter file.
///
/// # Errors
/// The first mistake: TOML that does not parse, an unknown key, a wrong type.
pub fn parse(text: &str) -> Result<FilterFile, Mistake> {
    toml::from_str(text).map_err(|error| {
        let message = with_nearest(error.message());
        Mistake::at(text, error.span().map_or(0, |span| span.start), message)
    })
}

/// serde's message for an unknown key, with the nearest valid key in place of all of them.
fn with_nearest(message: &str) -> String {
    let mut quoted = message.split('`').skip(1).step_by(2);
    if !message.starts_with("unknown field") {
        return message.to_owned();
    }
    let Some(key) = quoted.next() else { return message.to_owned() };
    let nearest = quoted.min_by_key(|valid| distance(key, valid));
    match nearest {
        Some(valid) if distance(key, valid) <= valid.len() / 2 => {
            format!("unknown key `{key}`; did you mean `{valid}`?")
        }
        _ => format!("unknown key `{key}`"),
    }
}

/// Levenshtein's distance, in characters.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_is_named_with_its_place() {
        for (text, expected) in [
            ("command = \"a\"\nskp = []\n", "2:1: unknown key `skp`; did you mean `skip`?"),
            (
                "command = \"a\"\n[[fold]]\nmatch = \"x\"\nas = \"y\"\nzzzzzz = 1\n",
                "5:1: unknown key `zzzzzz`",
            ),
            ("command = \"a\"\n[on_sucess]\n", "2:2: unknown key `on_sucess`; did you mean `on_success`?"),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), expected);
        }
        let error = parse("command = \"a\"\nskip = 1\n").unwrap_err().to_string();
        assert!(error.starts_with("2:8: ") && error.contains("sequence"), "{error}");
    }
}
