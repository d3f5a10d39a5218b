//! Failures that a runner tells more than once: at length, in a list at the end, in a line of progress.

use std::collections::hash_map::Entry;
use std::ops::Range;

use super::super::record::{Dropped, Kind, Outcome, Test};
use super::super::section::Section;
use super::super::{HashMap, HashSet};

/// The failures that were added to the records.
pub struct Told<'t> {
    /// Outcome and file of each.
    pub failures: Vec<(Outcome, &'t str)>,
    /// Number of failures at length that are not told because another one says the same.
    pub repeated: usize,
}

/// A failure and its lines.
type Failure<'t> = (Range<usize>, Test<'t>);

/// Adds failures to the records, each once: a runner that repeats all of them at the end says the same of each. Of two
/// that say the same, the one with a place is told. A failure that a single line tells (`briefs`) is told only if no
/// other failure has its name.
pub fn add<'t>(section: &mut Section<'t>, tests: Vec<Failure<'t>>, briefs: Vec<Failure<'t>>) -> Told<'t> {
    let mut is_told = repeated(&tests);
    let repeated = is_told.iter().filter(|is_told| **is_told).count();
    let asked = if briefs.is_empty() { &[] } else { tests.as_slice() };
    let names: HashSet<&str> = asked.iter().flat_map(|(_, test)| names_of(&test.id)).collect();
    is_told.extend(briefs.iter().map(|(_, test)| names_of(&test.id).any(|name| names.contains(name))));
    let mut told = Told { repeated, failures: Vec::new() };
    for ((lines, test), is_told) in tests.into_iter().chain(briefs).zip(is_told) {
        if is_told {
            section.drop_lines(lines, Dropped::Repeated);
        } else {
            told.failures.push((test.outcome, test.place.map_or("", |place| place.file)));
            section.add(lines, test);
        }
    }
    told
}

/// For each failure, whether another one tells the same in its place.
fn repeated(tests: &[Failure<'_>]) -> Vec<bool> {
    let mut first = HashMap::default();
    let mut is_repeated = vec![false; tests.len()];
    let mut ids: HashMap<(&str, Outcome), usize> = HashMap::default();
    let place = |at: usize| tests[at].1.place;
    let begins = |at: usize| tests[at].1.said(&[Kind::Reason]).next();
    for (at, (lines, test)) in tests.iter().enumerate() {
        let earlier = *ids.entry((&test.id, test.outcome)).or_insert(at);
        let is_listed = lines.len() == 1 && begins(at) == begins(earlier);
        if earlier < at && (test.why.is_empty() || is_listed) {
            is_repeated[at] = true;
            continue;
        }
        let reason = test.said(&[Kind::Reason]).map(str::trim).filter(|text| !text.is_empty());
        match first.entry((&test.id, test.outcome, reason.collect::<Vec<_>>())) {
            Entry::Vacant(entry) => {
                entry.insert(at);
            }
            Entry::Occupied(mut entry) => {
                let earlier = *entry.get();
                let files = place(earlier).zip(place(at)).map(|(one, other)| (one.file, other.file));
                if files.is_some_and(|(one, other)| one != other) {
                    continue;
                }
                let is_better = place(at).is_some() && place(earlier).is_none();
                let worse = if is_better { entry.insert(at) } else { at };
                is_repeated[worse] = true;
            }
        }
    }
    is_repeated
}

/// A test's name, and its last parts, by which a line of progress calls it (`cart › deep`, `com.example.AppTest.t7`).
fn names_of(id: &str) -> impl Iterator<Item = &str> {
    let marks: &[&str] = if id.contains(' ') { &[" › ", " > ", "$ "] } else { &[] };
    let last = marks.iter().filter_map(|mark| id.rfind(mark).map(|at| &id[at + mark.len()..]));
    let dot = id.rfind('.').and_then(|at| id[..at].rfind('.')).filter(|_| !id.contains(' '));
    let path = dot.map(|at| &id[at + 1..]);
    let behind = id.split_once(' ').map(|(_, rest)| rest).filter(|rest| rest.contains("::"));
    std::iter::once(id).chain(last).chain(path).chain(behind)
}
