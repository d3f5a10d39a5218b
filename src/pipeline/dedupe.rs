//! Level `max`: scalars that were seen before go, the first one wins.

use std::collections::HashSet;

use super::omitted::Omitted;
use crate::document::{Document, Id, Kind};

enum Task {
    Visit(Id),
    /// Forget the scalars seen since the matching `Enter`.
    Leave,
    Enter,
}

/// Marks repeated scalars and epoch-millisecond stamps, and counts them.
///
/// Scoping: each element of a list knows the scalars of its parents, not those of its siblings; in an object scalars
/// and nested objects come first, then lists, whatever the order of the keys. Nulls and empty strings are left to the
/// sieve.
pub fn repeated(document: &Document<'_>) -> (Vec<bool>, Omitted) {
    let mut dropped = vec![false; document.node_count()];
    let mut omitted = Omitted::default();
    let mut seen: HashSet<(Kind, &str)> = HashSet::new();
    let mut log: Vec<(Kind, &str)> = Vec::new();
    let mut marks = Vec::new();
    let mut tasks = vec![Task::Visit(document.root())];
    let mut later = Vec::new();
    while let Some(task) = tasks.pop() {
        let id = match task {
            Task::Visit(id) => id,
            Task::Enter => {
                marks.push(log.len());
                continue;
            }
            Task::Leave => {
                for value in log.drain(marks.pop().unwrap_or(0)..) {
                    seen.remove(&value);
                }
                continue;
            }
        };
        match document.kind(id) {
            Kind::Array => {
                later.extend(document.children(id));
                for child in later.drain(..).rev() {
                    tasks.extend([Task::Leave, Task::Visit(child), Task::Enter]);
                }
            }
            Kind::Object => {
                let list = |id: &Id| document.kind(*id) == Kind::Array;
                later.extend(document.children(id).filter(|child| !list(child)));
                later.extend(document.children(id).filter(list));
                tasks.extend(later.drain(..).rev().map(Task::Visit));
            }
            Kind::Null => {}
            _ if document.span(id).is_empty() => {}
            Kind::Number if is_epoch_stamp(document, id) => {
                dropped[id as usize] = true;
                omitted.timestamps += 1;
            }
            kind => {
                let value = (kind, document.span(id));
                if seen.insert(value) {
                    log.push(value);
                } else {
                    dropped[id as usize] = true;
                    omitted.duplicates += 1;
                }
            }
        }
    }
    (dropped, omitted)
}

/// 2001-01-01 to 2100-01-01 in milliseconds.
const EPOCH_MS: std::ops::Range<u64> = 978_307_200_000..4_102_444_800_000;
const TIME_WORDS: &str = "time date stamp created updated modified expir since until started ended epoch";

/// Whether a number is a time: by its value and by its key. A byte count or a snowflake id is not.
fn is_epoch_stamp(document: &Document<'_>, id: Id) -> bool {
    let Some(key) = document.key_id(id) else { return false };
    let in_range = document.span(id).parse().is_ok_and(|value| EPOCH_MS.contains(&value));
    in_range && {
        let key = document.key(key);
        let lower = key.to_ascii_lowercase();
        TIME_WORDS.split(' ').any(|word| lower.contains(word)) || key.ends_with("At") || key.ends_with("_at")
    }
}
