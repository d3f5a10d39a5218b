//! The lines that a recogniser reads: without the prefix that a runner of several tools adds, one section a tool; and
//! the records found in them.

use std::ops::Range;

use super::maps::{HashSet, IndexMap};
use super::prefix;
use super::record::{Dropped, Finding, Part, PartKind, Place, Record, Said, What};
use crate::failure;

/// The reports of one tool, or of several that write alike.
pub struct Family {
    /// Only texts with one of these words are read.
    pub signs: &'static [&'static str],
    /// Lines of totals, as `findings/pattern.rs` reads them; those that no other tool writes; lines that say nothing.
    pub totals: &'static [&'static str],
    pub success: &'static [&'static str],
    pub headings: &'static [&'static str],
    /// Finds the family's records among the lines that belong to no record yet. Linear in the section's lines.
    pub read: fn(&mut Section<'_>, &Family),
}

#[derive(Clone, Copy, Debug)]
pub struct Line<'t> {
    /// Its number in the whole text, from 1.
    pub number: usize,
    /// The tool's own words, without a prefix and without a carriage return at the end.
    pub text: &'t str,
    /// The line as it came.
    pub raw: &'t str,
}

/// The lines of one tool, and their records.
#[derive(Clone, Debug, Default)]
pub struct Section<'t> {
    /// The prefix of its lines, if several tools wrote at once: `web:test`.
    pub name: &'t str,
    pub lines: Vec<Line<'t>>,
    /// In the order in which they were found; of a whole [`Report`](super::Report), in the order of their lines.
    pub records: Vec<Record<'t>>,
    /// The test runs whose totals stand in it: their lines, and whether its tests may be runs themselves.
    pub runs: Vec<(Range<usize>, bool)>,
    /// Whether no run tells its totals, as where the output was truncated: what there is of one is read as far as it
    /// goes.
    pub may_lack_totals: bool,
    /// Whether its records may be what a test printed: the text is then told as it came.
    pub is_doubtful: bool,
    /// Which lines belong to a record.
    taken: Vec<bool>,
    /// Lines of no record that stand within a test run: what tests printed is no finding.
    printed: Vec<usize>,
}

impl<'t> Section<'t> {
    pub fn new(name: &'t str, lines: Vec<Line<'t>>) -> Self {
        let taken = vec![false; lines.len()];
        Self { name, lines, taken, ..Self::default() }
    }

    /// The text of a line; empty behind the last line.
    pub fn text(&self, at: usize) -> &'t str {
        self.lines.get(at).map_or("", |line| line.text)
    }

    /// A part of a line's text, with the line's number.
    pub fn quote(&self, at: usize, text: &'t str) -> Said<'t> {
        Said { number: self.lines.get(at).map_or(0, |line| line.number), text }
    }

    /// A line's text, with its number.
    pub fn said(&self, at: usize) -> Said<'t> {
        self.quote(at, self.text(at))
    }

    /// A part of a line's text as a test's reason; none if it is empty.
    pub fn reason(&self, at: usize, text: &'t str) -> Vec<Part<'t>> {
        let said = (!text.is_empty()).then(|| self.quote(at, text));
        said.map(|said| Part::new(PartKind::Reason, vec![said])).into_iter().collect()
    }

    /// Lines with their numbers, less their common indentation and blank lines at both ends.
    pub fn block(&self, lines: Range<usize>) -> Vec<Said<'t>> {
        let mut said: Vec<_> = lines.map(|at| self.said(at)).collect();
        dedent(&mut said);
        said
    }

    /// The first line from `at` on that is not blank, or the end.
    pub fn skip_blank(&self, at: usize) -> usize {
        self.find(at, self.lines.len(), |line| !line.trim().is_empty())
    }

    /// The first line from `at` on, and before `end`, for which `holds` is true; else `end`.
    pub fn find(&self, at: usize, end: usize, holds: impl Fn(&str) -> bool) -> usize {
        (at..end).find(|at| holds(self.text(*at))).unwrap_or(end)
    }

    /// The first line from `at` on that belongs to a record, or for which `holds` is false.
    pub fn while_free(&self, at: usize, mut holds: impl FnMut(usize) -> bool) -> usize {
        let end = self.lines.len().max(at);
        (at..end).find(|at| !self.is_free(*at) || !holds(*at)).unwrap_or(end)
    }

    /// Whether a line belongs to no record yet.
    pub fn is_free(&self, at: usize) -> bool {
        self.taken.get(at) == Some(&false)
    }

    /// Adds a record of these lines. If one of them belongs to a record already, adds nothing and returns false.
    pub fn add(&mut self, lines: Range<usize>, what: impl Into<What<'t>>) -> bool {
        let Some(taken) = self.taken.get_mut(lines.clone()) else { return false };
        if lines.is_empty() || taken.contains(&true) {
            return false;
        }
        taken.fill(true);
        let mut record = Record::new(lines, what);
        if let What::Finding(finding) = &mut record.what
            && let Some(place) = &mut finding.place
        {
            // With a blank it might read as a line of ours.
            let bare = place.file.trim_start_matches("./");
            let is_bare = bare.starts_with(char::is_alphanumeric) && !bare.contains(' ');
            place.file = if is_bare { bare } else { place.file };
        }
        self.records.push(record);
        true
    }

    /// Drops those of the lines that belong to no record yet: they say nothing of their own. Lines right behind others
    /// of their kind join the record of these.
    pub fn drop_lines(&mut self, lines: Range<usize>, why: Dropped) {
        for at in lines {
            if let Some(Record { lines, what: What::Dropped(last), .. }) = self.records.last_mut()
                && lines.end == at
                && self.taken.get(at) == Some(&false)
                && let Some(both) = last.joined(why)
            {
                (*last, lines.end, self.taken[at]) = (both, at + 1, true);
            } else {
                self.add(at..at + 1, What::Dropped(why));
            }
        }
    }

    /// Drops the lines for which `holds` is true and that belong to no record yet.
    pub fn drop_headings(&mut self, holds: impl Fn(&str) -> bool) {
        for at in 0..self.lines.len() {
            if self.is_free(at) && holds(self.text(at)) {
                self.drop_lines(at..at + 1, Dropped::Heading);
            }
        }
    }

    /// Drops the titles of suites: lines of no record with a line below that is indented two more and is a title, too, or
    /// of one of the records from index `first` on; and those between rules with the place below them, where a failure
    /// follows, which has both. A line that tells of a failure is no title.
    pub fn drop_titles(&mut self, first: usize) {
        let mut holds = vec![false; self.lines.len() + 1];
        for record in &self.records[first..] {
            holds[record.lines.start] = true;
        }
        let is_test = |record: &&Record<'_>| matches!(record.what, What::Test(_));
        let tests: HashSet<usize> =
            self.records[first..].iter().filter(is_test).map(|record| record.lines.start).collect();
        let mut next = self.lines.len();
        for at in (0..self.lines.len()).rev() {
            if self.text(at).trim().is_empty() {
                continue;
            }
            let depth = indent(self.text(at));
            let is_title = depth > 0 && holds[next] && indent(self.text(next)) == depth + 2;
            if is_title && self.is_free(at) && !failure::tells(self.text(at)) {
                holds[at] = true;
                self.drop_lines(at..at + 1, Dropped::Heading);
            }
            next = at;
            // A rule of dots stands between the place and the failure.
            if is_long_rule(self.text(at))
                && Place::whole(self.text(at + 1)).is_some()
                && tests.contains(&self.skip_blank(at + 3))
                && let Some(upper) =
                    (at.saturating_sub(HIGHEST_TITLE)..at).rfind(|at| is_long_rule(self.text(*at)))
            {
                self.drop_lines(upper..at + 2, Dropped::Heading);
            }
            // doctest's (C++): a place, suite and test case between a rule and a blank line.
            let end = self.title_end(at);
            if end > at + 1 && tests.contains(&self.skip_blank(end)) {
                self.drop_lines(at..end, Dropped::Heading);
            }
        }
    }

    /// The end of doctest's title that begins with the rule at `at`; `at` itself where none does.
    pub fn title_end(&self, at: usize) -> usize {
        let place = is_rule_of(b'=', self.text(at))
            .then(|| self.text(at + 1).strip_suffix(':'))
            .flatten()
            .and_then(Place::whole);
        let is_below = |end: &usize| self.text(*end).trim().is_empty();
        place.map_or(at, |_| (at + 2..at + HIGHEST_TITLE).find(is_below).unwrap_or(at))
    }

    /// Calls `read` for every line that belongs to no record yet; `read` returns the line behind the record that it
    /// added. Returns whether records were added.
    pub fn each_free(&mut self, mut read: impl FnMut(&mut Self, usize) -> Option<usize>) -> bool {
        let (mut at, before) = (0, self.records.len());
        while at < self.lines.len() {
            let end = if self.is_free(at) { read(self, at) } else { None };
            at = end.unwrap_or(at + 1);
        }
        self.records.len() > before
    }

    /// Adds each finding that `read` returns for a line of no record, with the line behind the finding. Returns whether
    /// records were added.
    pub fn each_finding(
        &mut self,
        mut read: impl FnMut(&Self, usize) -> Option<(Finding<'t>, usize)>,
    ) -> bool {
        self.each_free(|section, at| {
            let (finding, end) = read(section, at)?;
            section.add(at..end, finding);
            Some(end)
        })
    }

    /// Ends a run whose records begin at index `first`; `is_counted` keeps what stands between them from the families
    /// that follow.
    pub fn end_run(&mut self, first: usize, is_counted: bool, is_host: bool) {
        let span = |holds: fn(&What<'_>) -> bool| {
            let lines =
                self.records[first..].iter().filter(|record| holds(&record.what)).map(|record| &record.lines);
            let start = lines.clone().map(|lines| lines.start).min().unwrap_or(0);
            start..lines.map(|lines| lines.end).max().unwrap_or(0)
        };
        self.runs.push((span(|what| !matches!(what, What::Dropped(_))), is_host));
        if is_counted {
            let lines = span(|_| true);
            self.printed.extend(lines.filter(|at| !std::mem::replace(&mut self.taken[*at], true)));
        }
    }

    /// Gives back what was shut: lines of no record.
    pub fn open(&mut self) {
        for at in self.printed.drain(..) {
            self.taken[at] = false;
        }
    }

    /// Drops what stands below a dropped repeat and in a test's reason, too: a list of failures may have whole messages.
    pub fn drop_repeats(&mut self) {
        let repeats = self.records.iter().filter(|record| record.what == What::Dropped(Dropped::Repeated));
        let ends: Vec<usize> = repeats.map(|record| record.lines.end).collect();
        if ends.is_empty() {
            return;
        }
        let tests = self.records.iter().filter_map(|record| match &record.what {
            What::Test(test) => Some(test),
            _ => None,
        });
        let reasons: HashSet<&str> = tests
            .flat_map(|test| &test.why)
            .flat_map(|part| &part.said)
            .map(|said| said.text.trim())
            .collect();
        for at in ends {
            let is_said = |line: &str| line.is_empty() || reasons.contains(line);
            let end = self.while_free(at, |at| is_said(self.text(at).trim()));
            self.drop_lines(at..end, Dropped::Repeated);
        }
    }

    /// The lines of no record.
    pub fn kept(&self) -> impl Iterator<Item = usize> {
        (0..self.lines.len()).filter(|at| self.is_free(*at))
    }
}

/// Most lines of a title between rules, and one more.
pub const HIGHEST_TITLE: usize = 24;

/// Whether a line is a rule of Catch2's, above or below a title.
pub fn is_long_rule(line: &str) -> bool {
    is_rule_of(b'-', line)
}

fn is_rule_of(stroke: u8, line: &str) -> bool {
    line.len() >= 70 && line.bytes().all(|byte| byte == stroke)
}

/// Removes the indentation that all lines have, blanks behind them, and blank lines at both ends.
pub fn dedent(said: &mut Vec<Said<'_>>) {
    let filled = |line: &Said<'_>| !line.text.trim().is_empty();
    said.truncate(said.iter().rposition(filled).map_or(0, |last| last + 1));
    said.drain(..said.iter().position(filled).unwrap_or(0));
    let indent = said.iter().filter(|line| filled(line)).map(|line| indent(line.text)).min().unwrap_or(0);
    for line in said {
        line.text = line.text.get(indent..).unwrap_or("").trim_end();
    }
}

/// The parts that have lines, each as [`Section::block`] leaves it.
pub fn parts<'t>(all: impl IntoIterator<Item = (PartKind, Vec<Said<'t>>)>) -> impl Iterator<Item = Part<'t>> {
    let part = |(kind, mut said)| {
        dedent(&mut said);
        Part::new(kind, said)
    };
    all.into_iter().map(part).filter(|part| !part.said.is_empty())
}

/// Number of blanks and tabs at the start.
pub fn indent(text: &str) -> usize {
    text.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// The sections of a text, in the order of their first lines.
pub fn sections(text: &str) -> Vec<Section<'_>> {
    let lines = text.lines().enumerate().map(|(at, raw)| {
        let text = raw.trim_end_matches('\r');
        Line { number: at + 1, text, raw }
    });
    let prefixes = prefix::find(text);
    if prefixes.is_empty() {
        let mut all = Vec::with_capacity(memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1);
        all.extend(lines);
        return environments(all);
    }
    let mut sections: IndexMap<&str, Vec<Line<'_>>> = IndexMap::default();
    for line in lines {
        let (name, text) = prefix::strip(&prefixes, line.text);
        sections.entry(name).or_default().push(Line { text, ..line });
    }
    sections.into_iter().map(|(name, lines)| Section::new(name, lines)).collect()
}

/// How tox ends, and how nox's own lines begin.
const TOX: [&str; 2] = ["  evaluation failed :(", "  congratulations :)"];
const NOX: &str = "nox > ";

/// The environments of tox or nox, which run one after another, each a section, and what is said of all of them; where
/// a text does not end as theirs do, all of it is one section.
fn environments(mut lines: Vec<Line<'_>>) -> Vec<Section<'_>> {
    let last = lines.iter().rfind(|line| !line.text.is_empty()).map_or("", |line| line.text);
    let is_tox = TOX.iter().any(|end| last.starts_with(end));
    if !is_tox && !last.starts_with(NOX) {
        return hooks(lines);
    }
    let is_sum = |line: &Line<'_>| {
        let (name, result) = line.text.split_once(": ").unwrap_or_default();
        let is_result = ["OK", "FAIL", "SKIP", "IGNORED"].iter().any(|word| result.starts_with(word));
        name.starts_with("  ") && is_result || TOX.iter().any(|end| line.text.starts_with(end))
    };
    let tail = lines.iter().rposition(|line| !line.text.is_empty() && !is_sum(line)).map_or(0, |at| at + 1);
    let end = if is_tox { lines.split_off(tail) } else { Vec::new() };
    let mut sections = Vec::new();
    let (mut name, mut own) = ("", Vec::new());
    for line in lines {
        if let Some(next) = environment(line.text).filter(|next| *next != name) {
            sections.push(Section::new(name, std::mem::take(&mut own)));
            name = next;
        }
        own.push(line);
    }
    sections.extend([Section::new(name, own), Section::new("", end)]);
    sections.retain(|section| !section.lines.is_empty());
    sections
}

/// How pre-commit's lines begin below the heading of a hook.
const HOOK: [&str; 4] =
    ["- hook id: ", "- exit code: ", "- duration: ", "- files were modified by this hook"];

/// The output of each of pre-commit's hooks, and the headings between, which so stay in front of what is theirs; all of
/// another text.
fn hooks(lines: Vec<Line<'_>>) -> Vec<Section<'_>> {
    if !lines.iter().any(|line| line.text.starts_with(HOOK[0])) {
        return vec![Section::new("", lines)];
    }
    let is_heading = |line: &str| {
        let result = ["Passed", "Failed", "Skipped"].iter().find_map(|result| line.strip_suffix(result));
        result.is_some_and(|hook| hook.contains("...") && hook.ends_with(['.', ')']))
    };
    let is_of_hook =
        |line: &Line<'_>| is_heading(line.text) || HOOK.iter().any(|start| line.text.starts_with(start));
    let parts = lines.chunk_by(|one, next| is_of_hook(one) == is_of_hook(next));
    parts.map(|part| Section::new("", part.to_vec())).collect()
}

/// The environment that a line of tox or nox begins or goes on with; none where nox sums up.
fn environment(line: &str) -> Option<&str> {
    match line.strip_prefix(NOX) {
        Some(own) if own.starts_with("Ran ") => Some(""),
        Some(own) => own.strip_prefix("Running session "),
        None => line.split_once(": commands[").map(|(name, _)| name).filter(|name| !name.contains(' ')),
    }
}
