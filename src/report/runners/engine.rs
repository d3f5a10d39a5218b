//! One reader for the runners whose reports are headings with what stands below: each runner is a table of patterns.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use regex::{Captures, Regex, RegexSet};

use super::super::record::{Dropped, Kind, Outcome, Part, Place, Said, Test, Total, What, counts};
use super::super::section::{Records, Section, indent};

/// A longer line is nobody's sign.
const LONGEST: usize = 2000;

/// What a line is that a pattern fits. Groups of the pattern: `id`, `file`, `line`, `col`, `why`, `n`;
/// `key` is the name under which the test began, `sure` what nobody else writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// The heading of a failure, with what stands below.
    Fail(Outcome),
    /// A failure on one line: told where nothing tells it at length.
    Brief(Outcome),
    /// A test that was not run (`why`).
    Skip,
    /// A test that passed, or `n` of them.
    Pass,
    /// A file, a class, a package whose tests passed.
    PassGroup,
    /// A test that passed, with what stands further in below.
    PassBlock,
    /// Totals.
    Total,
    /// A total that stays where it stands.
    Sum,
    /// Nothing about a result; proves nothing either.
    Heading,
    /// What other lines tell.
    Repeated,
    /// Names the `file` (`line`, `col`) of the failures that follow.
    File,
    /// Says what the headings that follow are.
    Now(Outcome),
    /// The headings that follow are no failures (risky tests): they stay lines.
    Aside,
    /// A test begins, or goes on: what follows up to the next sign is its output.
    Begin,
    /// Output that no failure owns.
    Log,
    /// Ends what stands below a failure, and is not the family's.
    End,
}

/// How far what stands below a heading reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// To the next line that a pattern fits.
    Sign,
    /// As long as lines are blank or further in than the heading, and no pattern fits; from a line on that begins with
    /// one of these words, to the next sign.
    Indent(&'static [&'static str]),
}

/// Reads what stands below a heading into the test.
pub type Below = for<'t> fn(&Section<'t>, Range<usize>, &mut Test<'t>);

/// A runner as it is written down.
pub struct Table {
    /// Patterns, tried in their order.
    pub rules: &'static [(Act, &'static str)],
    /// Where what stands below a heading ends.
    pub until: Until,
    /// Its reader.
    pub below: Below,
}

/// A runner with its patterns compiled.
pub struct Runner {
    set: RegexSet,
    rules: Vec<(Act, Regex)>,
    table: &'static Table,
}

impl Runner {
    /// Compiles a table; `None` where a pattern is none, which a test of every table keeps from happening.
    pub fn new(table: &'static Table) -> Option<Self> {
        let set = RegexSet::new(table.rules.iter().map(|(_, pattern)| pattern)).ok()?;
        let compile = |(act, pattern): &(Act, &str)| Some((*act, Regex::new(pattern).ok()?));
        let rules = table.rules.iter().map(compile).collect::<Option<_>>()?;
        Some(Self { set, rules, table })
    }

    /// The first rule that fits a line.
    fn rule<'t>(&self, line: &'t str) -> Option<(Act, Captures<'t>)> {
        if line.is_empty() || line.len() > LONGEST {
            return None;
        }
        let at = self.set.matches(line).into_iter().next()?;
        let (act, pattern) = &self.rules[at];
        Some((*act, pattern.captures(line)?))
    }

    fn act(&self, line: &str) -> Option<Act> {
        if line.is_empty() || line.len() > LONGEST {
            return None;
        }
        self.set.matches(line).into_iter().next().map(|at| self.rules[at].0)
    }

    /// Reads a section. Without a failure or totals nothing is a report: a tick in front of a line proves nothing.
    pub fn read<'t>(&self, section: &Section<'t>, records: &mut Records<'t>) {
        let mut found = Found::default();
        let mut at = 0;
        while at < section.lines.len() {
            let line = section.text(at).trim_end();
            let rule = if records.is_free(at) { self.rule(line) } else { None };
            let Some((act, groups)) = rule else {
                at += 1;
                continue;
            };
            let has_more = matches!(act, Act::Fail(_) | Act::Begin | Act::Log | Act::PassBlock);
            let end = if has_more { self.end(section, records, at, act) } else { at + 1 };
            found.add(section, at..end, act, &groups, self.table.below);
            at = end;
        }
        found.finish(section, records);
    }

    /// The line behind what stands below a heading, blank lines and rules at its end taken off.
    fn end(&self, section: &Section<'_>, records: &Records<'_>, at: usize, act: Act) -> usize {
        let depth = indent(section.text(at));
        let mut end = at + 1;
        let mut until = if act == Act::Begin { Until::Sign } else { self.table.until };
        for next in at + 1..section.lines.len() {
            let line = section.text(next).trim_end();
            let is_out = match until {
                Until::Indent(opening) if opening.iter().any(|word| line.starts_with(word)) => {
                    until = Until::Sign;
                    false
                }
                Until::Indent(_) => !line.is_empty() && indent(line) <= depth,
                Until::Sign => false,
            };
            if is_out || !records.is_free(next) || self.act(line).is_some() {
                break;
            }
            if !line.is_empty() {
                end = next + 1;
            }
        }
        end
    }
}

/// A test as a line alone tells it.
struct Brief<'t> {
    at: usize,
    test: Test<'t>,
}

#[derive(Default)]
struct Found<'t> {
    tests: Vec<(Range<usize>, Test<'t>)>,
    briefs: Vec<Brief<'t>>,
    skipped: Vec<Brief<'t>>,
    totals: Vec<usize>,
    dropped: Vec<(usize, Dropped)>,
    logs: Vec<Range<usize>>,
    place: Option<Place<'t>>,
    now: Option<Outcome>,
    is_aside: bool,
    is_certain: bool,
    /// Output of the tests that have begun and not ended, by name.
    open: HashMap<&'t str, Vec<Range<usize>>>,
}

impl<'t> Found<'t> {
    fn add(
        &mut self,
        section: &Section<'t>,
        lines: Range<usize>,
        act: Act,
        groups: &Captures<'t>,
        below: Below,
    ) {
        let of = |name| groups.name(name).map_or("", |found| found.as_str().trim());
        let at = lines.start;
        // A group `key` is the name under which the test began.
        let name = groups.name("key").or(groups.name("id")).map_or("", |found| found.as_str().trim());
        match act {
            Act::Fail(_) if self.is_aside => {}
            Act::Fail(outcome) => {
                let mut test = self.test(section, at, self.now.unwrap_or(outcome), groups);
                let above = self.open.remove(name).unwrap_or_default();
                for lines in &above {
                    below(section, lines.clone(), &mut test);
                    self.dropped.extend(lines.clone().map(|at| (at, Dropped::Repeated)));
                }
                if above.is_empty() || lines.len() > 1 {
                    below(section, at + 1..lines.end, &mut test);
                }
                self.tests.push((lines, test));
            }
            Act::Brief(outcome) => {
                let test = self.test(section, at, outcome, groups);
                self.briefs.push(Brief { at, test });
            }
            Act::Skip => {
                let mut test = self.test(section, at, Outcome::Skipped, groups);
                for lines in self.open.remove(name).unwrap_or_default() {
                    test.why.push(Part::new(Kind::Reason, section.block(lines.clone())));
                    self.dropped.extend(lines.map(|at| (at, Dropped::Repeated)));
                }
                self.skipped.push(Brief { at, test });
            }
            Act::Pass => {
                self.open.remove(name);
                self.dropped.push((at, Dropped::Passing(of("n").parse().unwrap_or(1))));
            }
            Act::PassGroup => {
                self.is_certain |= groups.name("sure").is_some();
                self.dropped.push((at, Dropped::PassingGroup));
            }
            Act::PassBlock => {
                self.dropped.push((at, Dropped::Passing(1)));
                self.dropped.extend((at + 1..lines.end).map(|at| (at, Dropped::Heading)));
            }
            Act::Begin => {
                self.dropped.push((at, Dropped::Heading));
                if lines.len() > 1 {
                    self.open.entry(name).or_default().push(at + 1..lines.end);
                }
            }
            Act::Now(outcome) => {
                (self.now, self.is_aside) = (Some(outcome), false);
                self.dropped.push((at, Dropped::Heading));
            }
            Act::Aside => self.is_aside = true,
            Act::Log => self.logs.push(lines),
            Act::Sum => self.is_certain = true,
            Act::Total => self.totals.push(at),
            Act::Heading => self.dropped.push((at, Dropped::Heading)),
            Act::Repeated => self.dropped.push((at, Dropped::Repeated)),
            Act::File => {
                self.place = place(groups);
                self.dropped.push((at, Dropped::Heading));
            }
            Act::End => {}
        }
    }

    fn test(&self, section: &Section<'t>, at: usize, outcome: Outcome, groups: &Captures<'t>) -> Test<'t> {
        let of = |name| groups.name(name).map_or("", |found| found.as_str().trim());
        let place = place(groups).or(self.place);
        let why = of("why");
        let said = Said { number: section.said(at).number, text: why };
        let why = if why.is_empty() { Vec::new() } else { vec![Part::new(Kind::Reason, vec![said])] };
        Test { id: of("id").to_owned(), outcome, place, why }
    }

    fn finish(self, section: &Section<'t>, records: &mut Records<'t>) {
        if self.tests.is_empty() && self.totals.is_empty() && !self.is_certain {
            return;
        }
        let told = Told::of(records, self.tests);
        for Brief { at, test } in self.briefs {
            if told.has(&test.id) {
                records.drop_lines(at..at + 1, Dropped::Repeated);
            } else {
                records.add(at..at + 1, What::Test(test));
            }
        }
        for Brief { at, test } in self.skipped {
            records.add(at..at + 1, What::Test(test));
        }
        for at in self.totals {
            let said = section.quote(at, section.text(at).trim());
            let total = Total { counts: counts(said.text), said: vec![said] };
            records.add(at..at + 1, What::Total(total));
        }
        for lines in self.logs {
            let log = Part {
                kind: Kind::Captured,
                title: section.text(lines.start).trim(),
                said: section.block(lines.start + 1..lines.end),
            };
            records.add(lines, What::Log(log));
        }
        for (at, why) in self.dropped {
            records.drop_lines(at..at + 1, why);
        }
    }
}

/// The place that a pattern's groups name.
fn place<'t>(groups: &Captures<'t>) -> Option<Place<'t>> {
    let of = |name| groups.name(name).map_or("", |found| found.as_str().trim());
    let (file, line, column) = (of("file"), of("line").parse().unwrap_or(0), of("col").parse().ok());
    (!file.is_empty()).then_some(Place { file, line, column })
}

/// The names of the failures that were told at length.
struct Told(HashSet<String>);

impl Told {
    /// Adds the failures to the records, each once: runners that repeat all of them at the end say the same of each. Of
    /// two that say the same the one with a place is told.
    fn of<'t>(records: &mut Records<'t>, tests: Vec<(Range<usize>, Test<'t>)>) -> Self {
        let mut names = HashSet::new();
        let mut first: HashMap<(String, String), usize> = HashMap::new();
        let mut is_repeated = vec![false; tests.len()];
        let mut ids = HashSet::new();
        for (at, (_, test)) in tests.iter().enumerate() {
            let reason = test.why.iter().filter(|part| part.kind == Kind::Reason).flat_map(|part| &part.said);
            let reason: String = reason.map(|said| said.text.trim()).collect();
            if test.why.is_empty() && !ids.insert(test.id.as_str()) {
                is_repeated[at] = true;
                continue;
            }
            ids.insert(test.id.as_str());
            match first.entry((test.id.clone(), reason)) {
                std::collections::hash_map::Entry::Vacant(entry) => {
                    entry.insert(at);
                }
                std::collections::hash_map::Entry::Occupied(mut entry) => {
                    let earlier = *entry.get();
                    let has_place = |at: usize| tests[at].1.place.is_some();
                    if tests[earlier]
                        .1
                        .place
                        .is_some_and(|place| test.place.is_some_and(|other| place.file != other.file))
                    {
                        continue;
                    }
                    let worse = if has_place(at) && !has_place(earlier) { entry.insert(at) } else { at };
                    is_repeated[worse] = true;
                }
            }
        }
        for ((lines, test), is_repeated) in tests.into_iter().zip(is_repeated) {
            for name in names_of(&test.id) {
                names.insert(name.to_owned());
            }
            if is_repeated {
                records.drop_lines(lines, Dropped::Repeated);
            } else {
                records.add(lines, What::Test(test));
            }
        }
        Self(names)
    }

    /// Whether a failure of this name was told, as far as a line of progress or of a summary says its name.
    fn has(&self, id: &str) -> bool {
        names_of(id).any(|name| self.0.contains(name))
    }
}

/// A name, and its last part: what a line of progress calls a test (`cart › deep`, `com.example.AppTest.t7`).
fn names_of(id: &str) -> impl Iterator<Item = &str> {
    let last = [" › ", " > ", "$ "].iter().filter_map(|mark| id.rfind(mark).map(|at| &id[at + mark.len()..]));
    let path = id
        .rfind('.')
        .and_then(|at| id[..at].rfind('.'))
        .map(|at| &id[at + 1..])
        .filter(|_| !id.contains(' '));
    let behind = id.split_once(' ').map(|(_, rest)| rest).filter(|rest| rest.contains("::"));
    std::iter::once(id).chain(last).chain(path).chain(behind)
}
