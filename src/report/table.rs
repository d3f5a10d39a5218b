//! Tables of patterns, as families have them: what a line is, by the first pattern that fits it.

use once_cell::sync::OnceCell;
use regex::{Captures, Regex};
use regex_automata::{Anchored, Input, meta};

use super::record::Place;

/// Most bytes of a line that a pattern may fit.
const LONGEST: usize = 2000;

/// A table; `A` says what a line is.
pub struct Table<A> {
    /// All patterns as one automaton, which finds the first that fits a line.
    first: meta::Regex,
    pub rules: Vec<Rule<A>>,
}

pub struct Rule<A> {
    pub number: usize,
    pub act: A,
    pub pattern: &'static str,
    has_groups: bool,
    /// Compiled when groups are asked for.
    compiled: OnceCell<Option<Regex>>,
}

impl<A: Copy> Table<A> {
    /// Compiles the patterns; `None` if one is invalid, which the build rules out.
    pub fn new(rows: &[(A, &'static str)]) -> Option<Self> {
        let patterns: Vec<_> = rows.iter().map(|(_, pattern)| *pattern).collect();
        // Only the number of the pattern that fits is asked for: engines for groups need not be built.
        let config = meta::Config::new().onepass(false).backtrack(false).dfa(false);
        let first = meta::Builder::new().configure(config).build_many(&patterns).ok()?;
        let rule = |(number, (act, pattern)): (usize, &(A, &'static str))| Rule {
            number,
            act: *act,
            pattern,
            has_groups: pattern.contains("(?P<"),
            compiled: OnceCell::new(),
        };
        Some(Self { first, rules: rows.iter().enumerate().map(rule).collect() })
    }

    /// The first rule that fits a line.
    pub fn rule(&self, line: &str) -> Option<&Rule<A>> {
        if line.len() > LONGEST {
            return None;
        }
        let found = self.first.search_half(&Input::new(line).anchored(Anchored::Yes))?;
        self.rules.get(found.pattern().as_usize())
    }
}

impl<A> Rule<A> {
    /// The groups in a line that the pattern fits.
    pub fn groups<'t>(&self, line: &'t str) -> Groups<'t> {
        let compiled = || self.compiled.get_or_init(|| Regex::new(self.pattern).ok()).as_ref();
        Groups(self.has_groups.then(compiled).flatten().and_then(|regex| regex.captures(line)))
    }
}

/// The text of each group of a pattern in a line.
#[derive(Default)]
pub struct Groups<'t>(Option<Captures<'t>>);

impl<'t> Groups<'t> {
    /// The text of a group as it stands.
    pub fn get(&self, name: &str) -> Option<&'t str> {
        self.0.as_ref()?.name(name).map(|group| group.as_str())
    }

    /// The text of a group, trimmed; empty if the pattern has no such group.
    pub fn of(&self, name: &str) -> &'t str {
        self.get(name).unwrap_or("").trim()
    }

    /// The place that the groups name.
    pub fn place(&self) -> Option<Place<'t>> {
        self.place_in(Place::of_file(""))
    }

    /// The same; in this file, or line, where they name none. Blanks for a column stand in front of it.
    pub fn place_in(&self, place: Place<'t>) -> Option<Place<'t>> {
        let file = self.get("file").map_or(place.file, str::trim);
        let line = self.get("line").map_or(place.line, |line| line.parse().unwrap_or(0));
        let column = self.get("col").and_then(|column| match column.trim_start() {
            "" => u32::try_from(column.len() + 1).ok(),
            column => column.parse().ok(),
        });
        (!file.is_empty()).then_some(Place { file, line, column })
    }
}
