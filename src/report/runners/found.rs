//! What the lines of a runner say, gathered sign by sign: failures, skipped tests, totals, and what is dropped.

use std::ops::Range;

use super::super::maps::{HashMap, HashSet};
use super::super::record::{Dropped, Part, PartKind, Place, Record, Test, Total, Verdict, What};
use super::super::section::Section;
use super::super::table::Groups;
use super::engine::{Above, Below, Rule, Runner};
use super::reckoning::{self, Failure, Stated, agree};
use super::rule::{Act, Counted};

/// Whose output a line is, where a sign tells that a test began and another that it ended.
#[derive(Default)]
enum Within<'t> {
    /// No test has begun so.
    #[default]
    Never,
    /// The test of this name; the first line of its output.
    Test(&'t str, usize),
    /// No test's.
    Between,
    /// A test ended that had ended before, or never began.
    Unclear,
}

#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own; none excludes another")]
pub struct Found<'t> {
    tests: Vec<Failure<'t>>,
    /// Tests that a single line tells, each with that line.
    briefs: Vec<Failure<'t>>,
    totals: Vec<Stated<'t>>,
    /// Numbers of tests that were to be run, each with its line.
    planned: Vec<(usize, u64)>,
    /// Numbers of failures that follow, each with its row of the table.
    listed: Vec<(usize, u64)>,
    /// The last number in front of a heading, where the runner numbers its failures: 0 where a list of them begins.
    number: u64,
    /// Number of other records in front of the last first line of totals.
    before_totals: Option<usize>,
    /// Whether a number is not the next one, or only failures stand between two first lines of totals: one of them is
    /// not the runner's.
    is_broken: bool,
    /// Skipped tests, logs and lines that are dropped.
    others: Vec<Record<'t>>,
    /// The suite that has begun.
    suite: Option<String>,
    /// The class of the failures that follow, whose headings may lack it.
    class: &'t str,
    /// Whether a suite had no total of its own. Suites are then not named: the lines that name them come by another
    /// stream, which may be in front of or behind all totals.
    is_unsure: bool,
    place: Option<Place<'t>>,
    /// The lines between the last sign and this one, where failures have their text there; else none.
    pub above: Range<usize>,
    now: Option<Verdict>,
    is_aside: bool,
    /// Names of the skipped tests in front of a list that may name them again.
    again: HashSet<String>,
    is_certain: bool,
    /// Output of the tests that have begun and not ended, by test name.
    open: HashMap<&'t str, Vec<Range<usize>>>,
    within: Within<'t>,
    /// The lines by which tests and classes began that have not ended: the runner may have died in one.
    begun: HashMap<&'t str, usize>,
    /// The lines of plans, the results that they announce, and the results.
    plans: Vec<usize>,
    announced: u64,
    results: u64,
}

impl<'t> Found<'t> {
    pub fn add(
        &mut self,
        section: &Section<'t>,
        lines: Range<usize>,
        rule: &Rule,
        line: &'t str,
        below: Below,
    ) {
        // The name of a test that passed is asked for where output may be its own.
        let is_named =
            !self.open.is_empty() || !self.begun.is_empty() || !matches!(self.within, Within::Never);
        let is_asked = is_named || rule.act != Act::Pass || rule.pattern.contains("(?P<n>");
        let groups = &if is_asked { rule.groups(line) } else { Groups::default() };
        let at = lines.start;
        self.is_certain |= groups.get("sure").is_some();
        // A group `key` is the name under which the test began.
        let name = groups.get("key").map_or_else(|| groups.of("id"), str::trim);
        if matches!(rule.act, Act::Fail(_) | Act::Pass | Act::Skip) {
            self.ends(at);
        }
        if matches!(rule.act, Act::Fail(_) | Act::Pass | Act::PassBlock | Act::Skip) {
            self.results += u64::from(!line.starts_with(' '));
        }
        self.ended(rule.act, name, groups.of("of"));
        let why = match rule.act {
            Act::Fail(_) if self.is_aside => return,
            Act::Fail(outcome) => return self.fail(section, lines, outcome, groups, name, below),
            Act::Brief(outcome) => {
                let test = self.test(section, at, outcome, groups);
                let file = test.place.map_or("", |place| place.file);
                return self.briefs.push(Failure { lines, test, file });
            }
            Act::Skip => return self.skip(section, lines, groups, name),
            Act::Aside => return (self.is_aside, self.number) = (true, 0),
            Act::Log => {
                let (title, said) = (line.trim(), section.block(at + 1..lines.end));
                let what = What::Log(Part { kind: PartKind::Captured, title, said });
                return self.others.push(Record::new(lines, what));
            }
            Act::Total(counted) => return self.total(section, at, rule.number, counted),
            Act::Listed => {
                self.listed.push((rule.number, groups.of("n").parse().unwrap_or(u64::MAX)));
                Dropped::Heading
            }
            Act::Planned => {
                self.planned.push((at, groups.of("n").parse().unwrap_or(u64::MAX)));
                Dropped::Heading
            }
            Act::End => return,
            Act::Pass => {
                self.open.remove(name);
                Dropped::Passing(groups.of("n").parse().unwrap_or(1))
            }
            Act::PassGroup => Dropped::PassingGroup,
            Act::PassBlock => {
                self.drop_lines(at + 1..lines.end, Dropped::Heading);
                if groups.get("key").is_some() { self.begin(name, lines) } else { Dropped::Passing(1) }
            }
            Act::Begin => {
                self.begin(name, lines);
                return self.started(name, at);
            }
            Act::Started => return self.started(name, at),
            Act::Plan => {
                self.announced = self.announced.saturating_add(groups.of("n").parse().unwrap_or(u64::MAX));
                return self.plans.push(at);
            }
            Act::Open => {
                self.within = Within::Test(name, at + 1);
                Dropped::Heading
            }
            Act::Now(outcome) => {
                (self.now, self.is_aside, self.number) = (Some(outcome), false, 0);
                Dropped::Heading
            }
            Act::Suite => {
                let (name, of) = (groups.of("id"), groups.of("of"));
                let name = if of.is_empty() { name.to_owned() } else { format!("{name} of {of}") };
                self.is_unsure |= self.suite.replace(name).is_some();
                Dropped::Heading
            }
            Act::File => {
                self.place = groups.place();
                Dropped::Heading
            }
            Act::Again => {
                let named = self.others.iter().filter_map(|record| match &record.what {
                    What::Test(test) => Some(test.id.clone()),
                    _ => None,
                });
                self.again.extend(named);
                Dropped::Heading
            }
            Act::Heading => Dropped::Heading,
            Act::Repeated => {
                self.class = groups.of("of");
                Dropped::Repeated
            }
        };
        self.drop_lines(at..at + 1, why);
    }

    /// Adds a failure, with the text above and below its heading and what its test printed before.
    fn fail(
        &mut self,
        section: &Section<'t>,
        lines: Range<usize>,
        outcome: Verdict,
        groups: &Groups<'t>,
        name: &str,
        below: Below,
    ) {
        let at = lines.start;
        if let Some(number) = groups.get("nth") {
            self.number += 1;
            self.is_broken |= number.parse() != Ok(self.number);
        }
        let mut test = self.test(section, at, self.now.unwrap_or(outcome), groups);
        if !(self.class.is_empty() || test.id == self.class || test.id.contains('.')) {
            test.id = format!("{}.{}", self.class, test.id);
        }
        let file = test.place.map_or("", |place| groups.get("counted").unwrap_or(place.file));
        let mut above = self.printed(name);
        above.extend(Some(self.above.clone()).filter(|above| !above.is_empty()));
        for lines in above.iter().cloned() {
            below(section, lines, &mut test);
        }
        if above.is_empty() || lines.len() > 1 {
            below(section, at + 1..lines.end, &mut test);
        }
        let lines = self.above.start..lines.end;
        if groups.get("alike").is_some() {
            self.give_reason(at, &test);
        }
        self.tests.push(Failure { lines, test, file });
    }

    fn skip(&mut self, section: &Section<'t>, lines: Range<usize>, groups: &Groups<'t>, name: &str) {
        let mut test = self.test(section, lines.start, Verdict::Skipped, groups);
        if self.again.contains(&test.id) {
            return self.drop_lines(lines, Dropped::Repeated);
        }
        let printed = self.printed(name).into_iter();
        test.why.extend(printed.map(|lines| Part::new(PartKind::Reason, section.block(lines))));
        self.others.push(Record::new(lines, test));
    }

    /// Gives the headings directly above the line `at` their reason, which stands below the last of them alone.
    fn give_reason(&mut self, at: usize, test: &Test<'t>) {
        let mut next = at;
        for above in self.tests.iter_mut().rev() {
            if above.lines != (next - 1..next) || !above.test.why.is_empty() {
                break;
            }
            // Without a frame the place is that of the heading.
            above.test.place = test.place.filter(|place| place.line > 0).or(above.test.place);
            above.test.why.clone_from(&test.why);
            next -= 1;
        }
    }

    fn total(&mut self, section: &Section<'t>, at: usize, rule: usize, counted: Counted) {
        if counted == Counted::Opening && !self.is_certain {
            let others = self.others.len();
            let before = self.before_totals.replace(others);
            // Failures behind the first line of other totals are those of another run.
            let is_another = before.is_some() && !self.tests.is_empty();
            (self.number, self.is_broken) = (0, is_another || before == Some(others));
            self.tests.clear();
            self.totals.clear();
        }
        let mut suite = self.suite.take().unwrap_or_default();
        if counted == Counted::Above
            && let Some((name, _)) = section.text(at.wrapping_sub(1)).trim_end().split_once(" | ")
        {
            name.trim_end().clone_into(&mut suite);
            if let Some(failure) = self.tests.pop_if(|failure| failure.lines.end == at) {
                self.drop_lines(failure.lines, Dropped::Heading);
            }
        }
        let said = section.quote(at, section.text(at).trim());
        let named = |text: &'t str| text.split(':').next();
        if counted == Counted::Last
            && let Some(old) = self.totals.iter().position(|old| named(old.said.text) == named(said.text))
        {
            let old = self.totals.remove(old).at;
            self.drop_lines(old..old + 1, Dropped::Heading);
        }
        self.totals.push(Stated { at, suite, said, counted, rule });
    }

    /// Ends the test that began by a sign, if tests do.
    fn ends(&mut self, at: usize) {
        self.within = match std::mem::take(&mut self.within) {
            Within::Never => Within::Never,
            Within::Between | Within::Unclear => Within::Unclear,
            Within::Test(name, from) => {
                if from < at {
                    self.open.entry(name).or_default().push(from..at);
                }
                Within::Between
            }
        };
    }

    /// Keeps the lines below a heading for the failure of this name.
    fn begin(&mut self, name: &'t str, lines: Range<usize>) -> Dropped {
        if lines.len() > 1 {
            self.open.entry(name).or_default().push(lines.start + 1..lines.end);
        }
        Dropped::Heading
    }

    /// Notes the line by which a test or class begins; of one that goes on, the last.
    fn started(&mut self, name: &'t str, at: usize) {
        if let Some(before) = self.begun.insert(name, at) {
            self.drop_lines(before..before + 1, Dropped::Heading);
        }
    }

    /// Drops the line by which a test or class began that has ended; all of them where the end of a class names none, and
    /// where the runner sums up.
    fn ended(&mut self, act: Act, name: &'t str, of: &'t str) {
        let is_result = matches!(act, Act::Fail(_) | Act::Pass | Act::Skip | Act::Repeated);
        let is_nameless = matches!(act, Act::Pass | Act::Repeated) && name.is_empty() && of.is_empty();
        let ended: Vec<usize> = if is_nameless || matches!(act, Act::Total(_)) {
            std::mem::take(&mut self.begun).into_values().collect()
        } else if is_result {
            [name, of].into_iter().filter_map(|name| self.begun.remove(name)).collect()
        } else {
            return;
        };
        for at in ended {
            self.drop_lines(at..at + 1, Dropped::Heading);
        }
    }

    fn drop_lines(&mut self, lines: Range<usize>, why: Dropped) {
        self.others.push(Record::new(lines, What::Dropped(why)));
    }

    /// Takes the output of a test that has ended; it is told with the test.
    fn printed(&mut self, name: &str) -> Vec<Range<usize>> {
        let printed = self.open.remove(name).unwrap_or_default();
        for lines in &printed {
            self.drop_lines(lines.clone(), Dropped::Repeated);
        }
        printed
    }

    fn test(&self, section: &Section<'t>, at: usize, outcome: Verdict, groups: &Groups<'t>) -> Test<'t> {
        let place = groups.place().or(self.place);
        let id = groups.get("of").map_or_else(String::new, |class| format!("{class}.")) + groups.of("id");
        Test { id, outcome, place, why: section.reason(at, groups.of("why")) }
    }

    /// Whether a rule is meant: within a test, only the sign that this test ended; behind the number of failures that
    /// follow, no line of progress.
    pub fn takes(&self, rule: &Rule, line: &str) -> bool {
        if !self.listed.is_empty() && matches!(rule.act, Act::Pass | Act::PassGroup | Act::Brief(_)) {
            return false;
        }
        let Within::Test(open, _) = self.within else { return true };
        matches!(rule.act, Act::Fail(_) | Act::Pass | Act::Skip) && {
            let groups = rule.groups(line);
            groups.get("key").map_or_else(|| groups.of("id"), str::trim) == open
        }
    }

    pub fn finish(mut self, section: &mut Section<'t>, runner: &Runner) {
        let is_whole = !self.totals.is_empty() || self.is_certain;
        // No line tells that the test ended: whose words follow, nobody can say.
        section.is_doubtful |= self.is_broken || matches!(self.within, Within::Test(..) | Within::Unclear);
        if !(is_whole || section.may_lack_totals && !self.tests.is_empty()) {
            return;
        }
        let first = section.records.len();
        if self.results >= self.announced {
            for at in std::mem::take(&mut self.plans) {
                self.drop_lines(at..at + 1, Dropped::Heading);
            }
        }
        let has_failed = !self.tests.is_empty();
        let told = reckoning::add(section, self.tests, self.briefs);
        let is_counted = runner.is_counted && !self.totals.is_empty();
        let is_sure = agree(&mut self.totals, &self.planned, &self.listed, &told);
        section.is_doubtful |= is_counted && !is_sure;
        let has_suites = (self.totals.len() > 1 || has_failed) && !self.is_unsure;
        for Stated { at, suite, said, .. } in self.totals {
            let suite = if has_suites { suite } else { String::new() };
            section.add(at..at + 1, Total { suite, ..Total::of(vec![said]) });
        }
        for Record { lines, what, .. } in self.others {
            if let What::Dropped(why) = what {
                section.drop_lines(lines, why);
            } else {
                section.add(lines, what);
            }
        }
        if runner.above == Above::Titles {
            section.drop_titles(first);
        }
        if is_whole {
            section.end_run(first, is_counted, runner.is_host);
        }
    }
}
