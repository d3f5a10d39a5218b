//! Paths with values, written so that what they have in common is said once: `spec={a=1 b.c=2}`.

use super::paths::{Paths, Step};
use super::scalar::write_key;
use crate::document::Document;

/// Paths below a row with their values, already written. Filled and emptied row by row, so that no row allocates.
#[derive(Default)]
pub struct Entries {
    steps: Vec<Step>,
    values: Vec<u8>,
    all: Vec<Entry>,
}

/// One path and its value, as ranges of `steps` and `values`.
#[derive(Clone, Copy)]
struct Entry {
    /// The rank of its path.
    rank: u32,
    steps: (u32, u32),
    value: (u32, u32),
}

impl Entries {
    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.steps.clear();
        self.values.clear();
        self.all.clear();
    }

    /// Adds the entry of `path`, unless `write` says that there is no value after all.
    pub fn add(&mut self, paths: &Paths, path: u32, write: impl FnOnce(&mut Vec<u8>) -> bool) -> bool {
        let start = self.values.len() as u32;
        if !write(&mut self.values) {
            self.values.truncate(start as usize);
            return false;
        }
        let first = self.steps.len() as u32;
        paths.add_steps(path, &mut self.steps);
        self.all.push(Entry {
            rank: paths.get(path).rank,
            steps: (first, self.steps.len() as u32),
            value: (start, self.values.len() as u32),
        });
        true
    }

    /// Appends the entries as pairs, one for each distinct first step. `before` is called for each pair with the offset
    /// at which it begins, to separate it from the one before.
    pub fn write_pairs(
        &mut self,
        document: &Document<'_>,
        out: &mut Vec<u8>,
        mut before: impl FnMut(&mut Vec<u8>, usize),
    ) {
        self.all.sort_by_key(|entry| entry.rank);
        for group in self.all.chunk_by(|a, b| self.steps(a)[0] == self.steps(b)[0]) {
            let from = out.len();
            self.write_group(document, group, 0, out);
            before(out, from);
        }
    }

    fn steps(&self, entry: &Entry) -> &[Step] {
        &self.steps[entry.steps.0 as usize..entry.steps.1 as usize]
    }

    fn value(&self, entry: &Entry) -> &[u8] {
        &self.values[entry.value.0 as usize..entry.value.1 as usize]
    }

    /// Writes entries that share the step at `depth`. Recursion is bounded by the depth of paths.
    fn write_group(&self, document: &Document<'_>, group: &[Entry], depth: usize, out: &mut Vec<u8>) {
        let step = self.steps(&group[0])[depth];
        write_step(document, step, out);
        if let [only] = group {
            for &step in &self.steps(only)[depth + 1..] {
                out.push(b'.');
                write_step(document, step, out);
            }
            out.push(b'=');
            out.extend_from_slice(self.value(only));
            return;
        }
        let next = |entry: &Entry| self.steps(entry).get(depth + 1).copied();
        if group.iter().all(|entry| next(entry).is_some() && next(entry) == next(&group[0])) {
            out.push(b'.');
            return self.write_group(document, group, depth + 1, out);
        }
        out.extend_from_slice(b"={");
        let mut separate = false;
        for group in group.chunk_by(|a, b| next(a) == next(b)) {
            if std::mem::replace(&mut separate, true) {
                out.push(b' ');
            }
            self.write_group(document, group, depth + 1, out);
        }
        out.push(b'}');
    }
}

/// Appends a whole dotted path.
pub fn write_path(document: &Document<'_>, paths: &Paths, path: u32, out: &mut Vec<u8>) {
    let mut steps = Vec::new();
    paths.add_steps(path, &mut steps);
    for (at, step) in steps.into_iter().enumerate() {
        if at > 0 {
            out.push(b'.');
        }
        write_step(document, step, out);
    }
}

/// Appends one step of a path.
fn write_step(document: &Document<'_>, step: Step, out: &mut Vec<u8>) {
    match step {
        Step::Key(key) => write_key(out, document.key(key)),
        Step::Index(index) => out.extend_from_slice(index.to_string().as_bytes()),
    }
}
