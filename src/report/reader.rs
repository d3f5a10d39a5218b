//! Reads a text as a report: a single pass says which families to ask, and these find the records in its sections.

use std::ffi::OsString;
use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use once_cell::sync::Lazy;

use crate::commands::{CONTENT, PAYLOAD, QUOTES, REPORT, as_text, unwrap};

use super::record::{Dropped, Record, Severity, What};
use super::section::{self, Family, Section};
use super::{findings, runners};

/// A text, read as a report.
#[derive(Debug)]
pub struct Report<'t> {
    pub(super) sections: Vec<Section<'t>>,
}

/// The families in the order in which they are asked: the first that reads a line owns it. Test runners come first,
/// since what a test printed is the test's; forms that say least about themselves (`path:line:col: message`, stack
/// traces) come last.
fn families() -> impl Iterator<Item = &'static Family> {
    runners::FAMILIES.iter().chain(findings::FAMILIES)
}

/// An automaton of all signs, and the index of each sign's family.
type Signs = (AhoCorasick, Vec<usize>);

/// Bytes from which a text is long. The automaton that reads a long text fastest takes longer to build than a short
/// text takes to read.
const LONG: usize = 1 << 20;
static OF_SHORT: Lazy<Option<Signs>> = Lazy::new(|| signs(AhoCorasickKind::ContiguousNFA));
static OF_LONG: Lazy<Option<Signs>> = Lazy::new(|| signs(AhoCorasickKind::DFA));

fn signs(kind: AhoCorasickKind) -> Option<Signs> {
    let signs =
        families().enumerate().flat_map(|(at, family)| family.signs.iter().map(move |sign| (*sign, at)));
    let (patterns, families): (Vec<&str>, _) = signs.unzip();
    Some((AhoCorasick::builder().kind(Some(kind)).build(patterns).ok()?, families))
}

/// The families whose signs stand in a text: runners, and all others.
fn in_question(text: &str) -> [Vec<&'static Family>; 2] {
    let mut asked = vec![false; families().count()];
    if let Some((automaton, of)) = if text.len() < LONG { &*OF_SHORT } else { &*OF_LONG } {
        let mut missing = asked.len();
        for found in automaton.find_overlapping_iter(text) {
            missing -= usize::from(!std::mem::replace(&mut asked[of[found.pattern().as_usize()]], true));
            if missing == 0 {
                break;
            }
        }
    }
    let of = |from, count| {
        families().zip(&asked).skip(from).take(count).filter(|(_, asked)| **asked).map(|(family, _)| family)
    };
    let runners = runners::FAMILIES.len();
    [of(0, runners).collect(), of(runners, usize::MAX).collect()]
}

/// Whether the words call a program that shows somebody's text.
fn shows_a_text(words: &[OsString]) -> bool {
    let words = as_text(words);
    let words = unwrap(&words);
    let is_text = || [&CONTENT, &PAYLOAD, &QUOTES].iter().any(|column| column.holds_for(words));
    !REPORT.holds_for(words) && is_text()
}

/// Reads a text that was scrubbed of terminal control and made [`plain`](super::plain). `None` if there is no record in
/// it, if its records may be what a test printed, or if the output of the command (`words`: the tool's name, then its
/// arguments; none where it is not known) is itself what was asked for, as with `cat`.
pub fn read<'t>(text: &'t str, words: &[OsString]) -> Option<Report<'t>> {
    let report = recognised(text, words)?;
    let is_silent =
        |record: &Record<'_>| matches!(record.what, What::Dropped(Dropped::Heading | Dropped::Repeated));
    let is_told = !report.records().all(is_silent);
    (is_told && !report.sections.iter().any(|section| section.is_doubtful)).then_some(report)
}

/// Whether the totals of a report stand in a text, which may lack what they count.
pub fn has_totals(text: &str, words: &[OsString]) -> bool {
    let is_total = |record: &Record<'_>| matches!(record.what, What::Total(_));
    recognised(text, words).is_some_and(|report| report.records().any(is_total))
}

fn recognised<'t>(text: &'t str, words: &[OsString]) -> Option<Report<'t>> {
    if shows_a_text(words) {
        return None;
    }
    let [runners, others] = in_question(text);
    if runners.is_empty() && others.is_empty() {
        return None;
    }
    let mut sections = section::sections(text);
    for section in &mut sections {
        let ask = |families: &[&Family], section: &mut Section<'t>| {
            for family in families {
                (family.read)(section, family);
            }
        };
        ask(&runners, section);
        // A run that tells its totals owns its lines before any that lacks them, as the end of an output that was cut.
        if section.runs.is_empty() {
            section.may_lack_totals = true;
            ask(&runners, section);
        }
        ask(&others, section);
        section.is_doubtful |= runners.len() > 1 && !is_one_run(section, &runners);
        // npx tells of a later npm below what its tool found.
        section.drop_headings(|line| line.starts_with("npm notice"));
        section.open();
        section.drop_repeats();
        section.records.sort_by_key(|record| record.lines.start);
    }
    Some(Report { sections })
}

/// Whether there is one test run, or one whose tests are runs themselves (ctest, nextest): of two runs one may be what a
/// test of the other printed. Each family reads by itself, since what is printed may also hide the lines around it.
fn is_one_run(section: &Section<'_>, runners: &[&Family]) -> bool {
    let runs = runners.iter().flat_map(|family| {
        let mut own = Section::new(section.name, section.lines.clone());
        (family.read)(&mut own, family);
        own.runs
    });
    let (hosts, mut others): (Vec<_>, Vec<_>) = runs.partition(|(_, is_host)| *is_host);
    others.sort_by_key(|(lines, _)| lines.start);
    match hosts.as_slice() {
        [] => others.len() < 2,
        [(host, _)] => {
            let is_in = |lines: &Range<usize>| host.start <= lines.start && lines.end <= host.end;
            others.iter().all(|(lines, _)| is_in(lines))
                && others.is_sorted_by(|(one, _), (next, _)| one.end <= next.start)
        }
        _ => false,
    }
}

impl<'t> Report<'t> {
    /// Tests that failed or could not be run, and findings that are errors.
    pub fn failures(&self) -> usize {
        let is_failure = |record: &&Record<'_>| match &record.what {
            What::Test(test) => test.outcome.is_failure(),
            What::Finding(finding) => finding.severity == Severity::Error,
            _ => false,
        };
        self.records().filter(is_failure).count()
    }

    /// All records, section by section, in the order of their lines.
    pub fn records(&self) -> impl Iterator<Item = &Record<'t>> {
        self.sections.iter().flat_map(|section| &section.records)
    }
}
