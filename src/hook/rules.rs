//! The user's own rules: `rewrites.toml` beside the configuration.
//!
//! Patterns consist of words, as the command does, and never split a word, so that its quoting stays whole.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use fs_err as fs;
use serde::Deserialize;

use super::lexer::{Kind, tokens};
use super::line::{Simple, value};
use crate::mistake::{self, Mistake};
use crate::sys::files::if_there;
use crate::{env, glob};

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// Commands that begin with these words are left alone; a word may hold `*`.
    pub skip: Vec<String>,
    /// Filters behind a pipe are taken off (`src/hook/filters.rs` says which).
    pub strip_filters: bool,
    /// `2>&1` is taken off.
    pub strip_merge: bool,
    /// The rules, in order; the first that matches is applied.
    #[serde(rename = "rule")]
    pub rules: Vec<Rule>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The words that a command begins with: literally, with `*` in them, or `{1}` to `{9}` for any word.
    #[serde(rename = "match")]
    pub pattern: String,
    /// The text to run: `{toto}` is the front of a rewritten command, `{0}` the command, `{rest}` what follows the
    /// matched words. Default: `{toto} {0}`.
    pub replace: Option<String>,
}

/// The path of the rules; None without a home directory.
pub fn path() -> Option<PathBuf> {
    env::xdg_dir(env::XDG_CONFIG_HOME, ".config", "toto/rewrites.toml")
}

/// The rules in force; none where there is no file.
pub fn load() -> anyhow::Result<Rules> {
    let Some(path) = path() else { return Ok(Rules::default()) };
    let text = if_there(fs::read_to_string(&path))?;
    text.map_or_else(|| Ok(Rules::default()), |text| parse(&text, &path))
}

/// Parses rules; `path` is for error messages. The error is the first mistake.
pub fn parse(text: &str, path: &Path) -> anyhow::Result<Rules> {
    let wrong = |mistake: Mistake| anyhow!("{}:{mistake}", path.display());
    let rules: Rules = mistake::parse(text, false).map_err(wrong)?;
    let skips = rules.skip.iter().map(|skip| (skip, pattern_fault(skip, false)));
    let patterns = rules.rules.iter().map(|rule| (&rule.pattern, rule.fault()));
    let Some((written, problem)) =
        skips.chain(patterns).find_map(|(written, problem)| Some((written, problem?)))
    else {
        return Ok(rules);
    };
    let is_quoted = |(at, _): &(usize, &str)| text[..*at].ends_with(['\'', '"']);
    let place = text.match_indices(written.as_str()).find(is_quoted).map_or(0, |(at, _)| at);
    Err(wrong(Mistake::at(text, place, problem)))
}

impl Rules {
    /// The first rule that matches the command, and the text that it puts in the command's place.
    pub fn apply(&self, command: &Simple<'_>, toto: &str) -> Option<(&Rule, String)> {
        self.rules.iter().find_map(|rule| {
            let words = matched(&rule.pattern, command)?;
            Some((rule, rule.fill(command, words, toto)))
        })
    }
}

impl Rule {
    fn fault(&self) -> Option<String> {
        pattern_fault(&self.pattern, true).or_else(|| {
            let template = self.replace.as_deref()?;
            tokens(template)
                .into_iter()
                .find_map(|token| {
                    let text = &template[token.at];
                    if token.kind == Kind::Unread {
                        return Some(format!("{text:?} cannot be read for certain; put it into a script"));
                    }
                    let hole = HOLES.iter().find(|hole| text.contains(*hole))?;
                    if *hole != text {
                        return Some(format!("{hole} must stand by itself, without quotes, in {text:?}"));
                    }
                    let is_known = HOLES[..3].contains(hole)
                        || self.pattern.split_whitespace().any(|word| word == *hole);
                    (!is_known).then(|| format!("{hole} is not in match"))
                })
                .map(|fault| format!("replace: {fault}"))
        })
    }

    /// The template, its holes filled with pieces of the line, byte for byte.
    fn fill(&self, command: &Simple<'_>, matched: usize, toto: &str) -> String {
        let template = self.replace.as_deref().unwrap_or("{toto} {0}");
        let pattern: Vec<&str> = self.pattern.split_whitespace().collect();
        let rest = command.words.get(matched).map_or("", |first| &command.line[first.start..command.end()]);
        tokens(template)
            .into_iter()
            .map(|token| match &template[token.at] {
                "{toto}" => toto,
                "{0}" => command.text(),
                "{rest}" => rest,
                text => match pattern.iter().position(|word| *word == text && HOLES.contains(word)) {
                    Some(index) => command.word(index),
                    None => text,
                },
            })
            .collect()
    }
}

const HOLES: [&str; 12] =
    ["{toto}", "{rest}", "{0}", "{1}", "{2}", "{3}", "{4}", "{5}", "{6}", "{7}", "{8}", "{9}"];

fn pattern_fault(pattern: &str, with_holes: bool) -> Option<String> {
    let mut words = pattern.split_whitespace();
    let Some(first) = words.next() else { return Some("an empty pattern matches every command".into()) };
    if first.starts_with('{') || first.starts_with('*') {
        return Some(format!("{pattern:?} must begin with the name of a command"));
    }
    let mut seen = Vec::new();
    words.find_map(|word| {
        let is_hole = word.starts_with('{') && word.ends_with('}');
        let number = HOLES[3..].contains(&word);
        if is_hole && !(number && with_holes) {
            return Some(format!("{word} cannot stand in a pattern here"));
        }
        if number && seen.contains(&word) {
            return Some(format!("{word} stands twice in {pattern:?}"));
        }
        seen.push(word);
        None
    })
}

/// How many words of the command the pattern covers; None where it does not match.
pub fn matched(pattern: &str, command: &Simple<'_>) -> Option<usize> {
    let mut count = 0;
    for wanted in pattern.split_whitespace() {
        let written = &command.line[command.words.get(count)?.clone()];
        if !HOLES[3..].contains(&wanted) && !glob::matches(wanted, value(written)?.as_bytes()) {
            return None;
        }
        count += 1;
    }
    Some(count)
}
