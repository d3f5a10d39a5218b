//! Paths with values, written so that what they have in common is said once: `spec={a=1 b.c=2}`.

use std::ops::Range;

use super::paths::{Paths, Step};
use super::scalar::{write_key, write_name};
use crate::document::Document;

/// Paths below a row with their values, already written. Filled and emptied row by row, so that no row allocates.
#[derive(Default)]
pub struct Entries {
    values: Vec<u8>,
    /// Each path, and where its value stands in `values`.
    all: Vec<Entry>,
}

type Entry = (u32, Range<usize>);

impl Entries {
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Adds the entry of `path`, unless `write` says that there is no value after all.
    pub fn add(&mut self, path: u32, write: impl FnOnce(&mut Vec<u8>) -> bool) -> bool {
        let start = self.values.len();
        let is_value = write(&mut self.values);
        if is_value {
            self.all.push((path, start..self.values.len()));
        } else {
            self.values.truncate(start);
        }
        is_value
    }

    /// Appends the entries as pairs, one for each distinct first step, and removes them. `before` is called for each
    /// pair with the offset at which it begins, to separate it from the one before.
    pub fn write_pairs(
        &mut self,
        document: &Document<'_>,
        paths: &Paths,
        out: &mut Vec<u8>,
        mut before: impl FnMut(&mut Vec<u8>, usize),
    ) {
        self.all.sort_by_key(|(path, _)| paths.get(*path).rank);
        for group in self.all.chunk_by(|a, b| paths.start_of(a.0, 1) == paths.start_of(b.0, 1)) {
            let from = out.len();
            self.write_group(document, paths, paths.start_of(group[0].0, 1), group, out);
            before(out, from);
        }
        self.values.clear();
        self.all.clear();
    }

    /// Writes entries at the path `at` or below. Recursion is bounded by the depth of paths.
    fn write_group(
        &self,
        document: &Document<'_>,
        paths: &Paths,
        at: u32,
        group: &[Entry],
        out: &mut Vec<u8>,
    ) {
        write_step(document, paths, at, out);
        let next = |entry: &Entry| paths.start_of(entry.0, paths.get(at).depth + 1);
        let (first, last) = (next(&group[0]), next(&group[group.len() - 1]));
        if first != at && first == last {
            out.push(b'.');
            return self.write_group(document, paths, first, group, out);
        }
        out.push(b'=');
        if let [(_, value)] = group {
            return out.extend_from_slice(&self.values[value.clone()]);
        }
        let mut separator = b'{';
        for group in group.chunk_by(|a, b| next(a) == next(b)) {
            out.push(separator);
            separator = b' ';
            self.write_group(document, paths, next(&group[0]), group, out);
        }
        out.push(b'}');
    }
}

/// Appends a whole dotted path. Recursion is bounded by the depth of paths.
pub fn write_path(document: &Document<'_>, paths: &Paths, path: u32, out: &mut Vec<u8>) {
    let parent = paths.get(path).parent;
    if parent != 0 {
        write_path(document, paths, parent, out);
        out.push(b'.');
    }
    write_step(document, paths, path, out);
}

/// Appends the last step of a path.
fn write_step(document: &Document<'_>, paths: &Paths, path: u32, out: &mut Vec<u8>) {
    match paths.get(path).step {
        Step::Row => {}
        Step::Key(key) if paths.are_texts => write_name(out, document.key(key)),
        Step::Key(key) => write_key(out, document.key(key)),
        Step::Index(index) => out.extend_from_slice(index.to_string().as_bytes()),
    }
}
