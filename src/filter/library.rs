//! The library's filters, by command; their index is generated at build time.

use std::io::Read as _;

use flate2::read::DeflateDecoder;

use crate::commands::{base_name, matches};

/// A filter of the library: its rules and, separately, its tests (both TOML).
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The file's name without its extension.
    pub name: &'static str,
    /// The rules, which are parsed when a tool is run.
    pub rules: &'static str,
    tests: &'static [u8],
}

impl Source {
    /// The file's `[[test]]` tables.
    ///
    /// # Panics
    /// Never: the build packed them.
    pub fn tests(&self) -> String {
        let mut text = String::new();
        DeflateDecoder::new(self.tests).read_to_string(&mut text).expect("packed by the build");
        text
    }

    /// The whole file.
    pub fn text(&self) -> String {
        format!("{}{}", self.rules, self.tests())
    }
}

/// The words of a command behind the tool's name, and the index of its filter in `FILTERS`.
type Entry = (&'static [&'static str], usize);

// FILTERS: every filter of the library, by name; INDEX: the entries of each tool.
include!(concat!(env!("OUT_DIR"), "/filters.rs"));

/// The commands of each filter of the library, sorted: `("git status", "git-status")`.
pub fn commands() -> Vec<(String, &'static str)> {
    let entries = INDEX.iter().flat_map(|(tool, entries)| entries.iter().map(move |entry| (tool, entry)));
    let mut commands: Vec<_> = entries
        .map(|(tool, (words, number))| ([&[*tool], *words].concat().join(" "), FILTERS[*number].name))
        .collect();
    commands.sort_unstable();
    commands
}

/// Whether the library has a filter for this tool.
pub fn is_known(tool: &str) -> bool {
    INDEX.binary_search_by_key(&tool, |(name, _)| name).is_ok()
}

/// The entry of the library's filter for a command.
fn entry(words: &[String]) -> Option<&'static Entry> {
    let tool = base_name(words.first()?);
    let at = INDEX.binary_search_by_key(&tool, |(name, _)| name).ok()?;
    INDEX[at].1.iter().find(|(pattern, _)| matches(pattern, words))
}

/// Number of positional words that the library's filter for a command names, up to its first `*`.
pub fn known_words(words: &[String]) -> usize {
    let pattern = entry(words).map_or(&[][..], |(pattern, _)| pattern);
    pattern.iter().filter(|word| !word.starts_with('-')).take_while(|word| **word != "*").count()
}

/// The library's filter for a command.
pub fn find_source(words: &[String]) -> Option<&'static Source> {
    entry(words).map(|(_, number)| &FILTERS[*number])
}
