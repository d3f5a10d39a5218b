//! Paths with values, written so that what they have in common is said once: `spec={a=1 b.c=2}`.

use super::paths::{Paths, Step};
use super::scalar::write_key;
use crate::document::Document;

/// A path below a row and its value, already written.
pub struct Entry {
    steps: Vec<Step>,
    value: Vec<u8>,
}

impl Entry {
    /// The entry of `path`.
    pub fn new(paths: &Paths, path: u32, value: Vec<u8>) -> Self {
        Self { steps: paths.steps(path), value }
    }
}

/// The entries as pairs, one text for each first step that they do not share.
pub fn pairs(document: &Document<'_>, entries: &[Entry]) -> Vec<Vec<u8>> {
    let entries: Vec<&Entry> = entries.iter().collect();
    let mut all = Vec::new();
    for group in entries.chunk_by(|a, b| a.steps[0] == b.steps[0]) {
        let mut out = Vec::new();
        write_group(document, group, 0, &mut out);
        all.push(out);
    }
    all
}

/// Writes entries that share the step at `depth`. Recursion is bounded by the depth of paths.
fn write_group(document: &Document<'_>, group: &[&Entry], depth: usize, out: &mut Vec<u8>) {
    write_step(document, group[0].steps[depth], out);
    if let [only] = group {
        for &step in &only.steps[depth + 1..] {
            out.push(b'.');
            write_step(document, step, out);
        }
        out.push(b'=');
        out.extend_from_slice(&only.value);
        return;
    }
    let next = |entry: &Entry| entry.steps.get(depth + 1).copied();
    if group.iter().all(|entry| next(entry).is_some() && next(entry) == next(group[0])) {
        out.push(b'.');
        return write_group(document, group, depth + 1, out);
    }
    // A path may have a value of its own beside paths below it (`a=- a.b=1`).
    let own = group.iter().filter(|entry| entry.steps.len() == depth + 1);
    for (at, entry) in own.clone().enumerate() {
        out.extend_from_slice(if at == 0 { b"=" } else { b" " });
        out.extend_from_slice(&entry.value);
    }
    let below: Vec<&Entry> = group.iter().copied().filter(|entry| entry.steps.len() > depth + 1).collect();
    if own.count() > 0 {
        if below.is_empty() {
            return;
        }
        out.push(b' ');
        write_step(document, group[0].steps[depth], out);
    }
    out.extend_from_slice(b"={");
    let mut separate = false;
    for group in below.chunk_by(|a, b| a.steps[depth + 1] == b.steps[depth + 1]) {
        if std::mem::replace(&mut separate, true) {
            out.push(b' ');
        }
        write_group(document, group, depth + 1, out);
    }
    out.push(b'}');
}

/// Appends a whole dotted path.
pub fn write_path(document: &Document<'_>, paths: &Paths, path: u32, out: &mut Vec<u8>) {
    for (at, step) in paths.steps(path).into_iter().enumerate() {
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
