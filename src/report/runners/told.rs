//! Failures that a runner tells more than once: at length, in a list at the end, in a line of progress.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use foldhash::fast::RandomState;

use super::super::record::{Dropped, Kind, Test, What};
use super::super::section::Records;

/// The names of the failures that were told at length.
pub struct Told(HashSet<String, RandomState>);

impl Told {
    /// Adds the failures to the records, each once: runners that repeat all of them at the end say the same of each. Of
    /// two that say the same the one with a place is told. The names are gathered where they are `asked` for.
    pub fn of<'t>(records: &mut Records<'t>, tests: Vec<(Range<usize>, Test<'t>)>, asked: bool) -> Self {
        let mut names = HashSet::default();
        let is_repeated = repeated(&tests);
        for ((lines, test), is_repeated) in tests.into_iter().zip(is_repeated) {
            if asked {
                names.extend(names_of(&test.id).map(str::to_owned));
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
    pub fn has(&self, id: &str) -> bool {
        names_of(id).any(|name| self.0.contains(name))
    }
}

/// Of each failure, whether another one says the same.
fn repeated(tests: &[(Range<usize>, Test<'_>)]) -> Vec<bool> {
    let mut first: HashMap<(&str, Vec<&str>), usize, RandomState> = HashMap::default();
    let mut is_repeated = vec![false; tests.len()];
    let mut ids: HashSet<&str, RandomState> = HashSet::default();
    let place = |at: usize| tests[at].1.place;
    for (at, (_, test)) in tests.iter().enumerate() {
        let is_new = ids.insert(&test.id);
        if test.why.is_empty() && !is_new {
            is_repeated[at] = true;
            continue;
        }
        let reason = test.why.iter().filter(|part| part.kind == Kind::Reason).flat_map(|part| &part.said);
        let reason = reason.map(|said| said.text.trim()).filter(|text| !text.is_empty()).collect();
        match first.entry((&test.id, reason)) {
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
