//! The reader for runners whose reports are headings with text below them: each runner is a table of patterns.

use std::ops::Range;

use super::super::record::Test;
use super::super::section::{Section, indent};
use super::super::table::{self, Table};
use super::found::Found;
use super::rule::{Act, Counted};

pub type Rule = table::Rule<Act>;

/// How far the text below a heading reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// To the next line that a pattern fits.
    Sign,
    /// As long as lines are blank or indented more than the heading, and no pattern fits. From a line on that begins
    /// with one of these words, to the next sign.
    Indent(&'static [&'static str]),
    /// To the first line that begins with none of these words.
    Unlike(&'static [&'static str]),
    /// As long as lines are blank or indented more than the heading, whatever pattern fits: they may be of a difference.
    Deeper,
}

/// What stands above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Above {
    Nothing,
    /// The titles of suites, above their tests, which are indented more.
    Titles,
    /// The text of a failure, above its heading.
    Reasons,
}

/// Reads the lines below a heading into the test.
pub type Below = for<'t> fn(&Section<'t>, Range<usize>, &mut Test<'t>);

pub struct Runner {
    table: Table<Act>,
    until: Until,
    below: Below,
    /// Whether its totals count failures: none is told that they do not count.
    pub is_counted: bool,
    /// Whether its tests may be runs themselves.
    pub is_host: bool,
    pub above: Above,
}

/// The line that was looked up last, and its rule: the line behind a block is looked up twice.
type Asked<'r> = Option<(usize, Option<&'r Rule>)>;

impl Runner {
    /// Compiles a table; `None` if a pattern is invalid, which the build rules out.
    pub fn new(rules: &[(Act, &'static str)], until: Until, below: Below, above: Above) -> Option<Self> {
        let totals = |holds: fn(Counted) -> bool| {
            rules.iter().any(|(act, _)| matches!(act, Act::Total(counted) if holds(*counted)))
        };
        let is_counted =
            totals(|of| !matches!(of, Counted::Nothing | Counted::Above | Counted::Last | Counted::Opening));
        let is_host = totals(|of| matches!(of, Counted::Programs(_)));
        Some(Self { table: Table::new(rules)?, until, below, is_counted, is_host, above })
    }

    /// The first rule that fits a line.
    fn rule<'r>(
        &'r self,
        section: &Section<'_>,
        at: usize,
        line: &str,
        asked: &mut Asked<'r>,
    ) -> Option<&'r Rule> {
        if line.is_empty() {
            return None;
        }
        if asked.is_none_or(|(last, _)| last != at) {
            *asked = Some((at, self.table.rule(line).filter(|rule| is_stacked(section, at, rule))));
        }
        asked.and_then(|(_, rule)| rule)
    }

    /// Reads a section. Without a failure or a total nothing is recorded: a tick in front of a line proves nothing.
    pub fn read(&self, section: &mut Section<'_>) {
        let mut found = Found::default();
        let mut asked = None;
        let (mut at, mut last) = (0, 0);
        while at < section.lines.len() {
            let line = section.text(at).trim_end();
            let is_free = section.is_free(at);
            let rule = if is_free { self.rule(section, at, line, &mut asked) } else { None };
            let Some(rule) = rule.filter(|rule| found.takes(rule, line)) else {
                at += 1;
                last = if is_free { last } else { at };
                continue;
            };
            let has_more = matches!(rule.act, Act::Fail(_) | Act::Begin | Act::Log | Act::PassBlock);
            let end = match barred(section, at, rule) {
                Some(end) => end,
                None if has_more => self.end(section, at, rule.act, &mut asked),
                None => at + 1,
            };
            let has_reason = self.above == Above::Reasons;
            found.above = if has_reason { section.skip_blank(last).min(at)..at } else { at..at };
            found.add(section, at..end, rule, line, self.below);
            (at, last) = (end, end);
        }
        found.finish(section, self);
    }

    /// The line behind the text below a heading, without blank lines at its end.
    fn end<'r>(&'r self, section: &Section<'_>, at: usize, act: Act, asked: &mut Asked<'r>) -> usize {
        let depth = indent(section.text(at));
        let mut end = at + 1;
        let mut until = match self.until {
            _ if act == Act::Begin => Until::Sign,
            Until::Indent(opening) if opening.iter().any(|word| section.text(at).starts_with(word)) => {
                Until::Sign
            }
            until => until,
        };
        for next in at + 1..section.lines.len() {
            let line = section.text(next).trim_end();
            let is_out = match until {
                Until::Indent(opening) if opening.iter().any(|word| line.starts_with(word)) => {
                    until = Until::Sign;
                    false
                }
                Until::Indent(_) | Until::Deeper => !line.is_empty() && indent(line) <= depth,
                Until::Unlike(words) => !words.iter().any(|word| line.starts_with(word)),
                Until::Sign => false,
            };
            let mut is_sign = || until != Until::Deeper && self.rule(section, next, line, asked).is_some();
            if is_out || !section.is_free(next) || is_sign() {
                break;
            }
            if !line.is_empty() {
                end = next + 1;
            }
        }
        end
    }
}

/// Whether the stack of a goroutine follows, where only that proves a heading to be the runner's.
fn is_stacked(section: &Section<'_>, at: usize, rule: &Rule) -> bool {
    const LONGEST: usize = 12;
    let end = (at + 1 + LONGEST).min(section.lines.len());
    let is_stack = |line: &str| line.starts_with("goroutine ");
    !rule.pattern.contains("(?P<stacked>") || section.find(at + 1, end, is_stack) < end
}

/// The line behind the text of a heading whose text stands between two rules.
fn barred(section: &Section<'_>, at: usize, rule: &Rule) -> Option<usize> {
    let bar = section.text(at + 1);
    let is_barred = rule.pattern.contains("(?P<barred>") && bar.starts_with("---");
    let end = is_barred.then(|| section.find(at + 2, section.lines.len(), |line| line == bar))?;
    (end < section.lines.len()).then_some(end + 1)
}
