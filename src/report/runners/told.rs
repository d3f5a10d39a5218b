//! Failures that a runner tells more than once: at length, in a list at the end, in a line of progress.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use foldhash::fast::RandomState;

use super::super::record::{Dropped, Kind, Test};
use super::super::section::Section;

/// Adds failures to the records, each once: a runner that repeats all of them at the end says the same of each. Of two
/// that say the same, the one with a place is told. A failure that a single line tells (`briefs`) is told only if no
/// other failure has its name.
pub fn add<'t>(
    section: &mut Section<'t>,
    tests: Vec<(Range<usize>, Test<'t>)>,
    briefs: Vec<(usize, Test<'t>)>,
) {
    let is_repeated = repeated(&tests);
    let asked = if briefs.is_empty() { &[] } else { tests.as_slice() };
    let mut names: HashSet<&str, RandomState> = HashSet::default();
    names.reserve(asked.len());
    names.extend(asked.iter().flat_map(|(_, test)| names_of(&test.id)));
    let is_told: Vec<bool> =
        briefs.iter().map(|(_, test)| names_of(&test.id).any(|name| names.contains(name))).collect();
    let briefs = briefs.into_iter().map(|(at, test)| (at..at + 1, test));
    for ((lines, test), is_told) in tests.into_iter().zip(is_repeated).chain(briefs.zip(is_told)) {
        if is_told {
            section.drop_lines(lines, Dropped::Repeated);
        } else {
            section.add(lines, test);
        }
    }
}

/// For each failure, whether another one tells the same in its place.
fn repeated(tests: &[(Range<usize>, Test<'_>)]) -> Vec<bool> {
    let mut first = HashMap::with_capacity_and_hasher(tests.len(), RandomState::default());
    let mut is_repeated = vec![false; tests.len()];
    let mut ids: HashSet<&str, RandomState> =
        HashSet::with_capacity_and_hasher(tests.len(), RandomState::default());
    let place = |at: usize| tests[at].1.place;
    for (at, (_, test)) in tests.iter().enumerate() {
        let is_new = ids.insert(&test.id);
        if test.why.is_empty() && !is_new {
            is_repeated[at] = true;
            continue;
        }
        let reason = test.said(&[Kind::Reason]).map(str::trim).filter(|text| !text.is_empty());
        match first.entry((&test.id, reason.collect::<Vec<_>>())) {
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
    let path = id
        .rfind('.')
        .and_then(|at| id[..at].rfind('.'))
        .map(|at| &id[at + 1..])
        .filter(|_| !id.contains(' '));
    let behind = id.split_once(' ').map(|(_, rest)| rest).filter(|rest| rest.contains("::"));
    std::iter::once(id).chain(last).chain(path).chain(behind)
}
