//! What the levels leave out of a document: nulls, empties and opaque base64 at `standard`; repeated scalars
//! and millisecond stamps at `max`.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use indexmap::IndexSet;

use super::model::{Keys, Omitted};
use crate::config::Level;
use crate::document::{Document, Id, Kind};
use crate::filter::generic::{LONGEST_BASE64, is_opaque};

/// Fewest nulls and empties that are worth the line which says that they were left out.
const FEWEST_EMPTIES: usize = 5;

/// Removes what the level allows; returns the counts, and adds the keys of what is null or empty. Where the call asks
/// for the document's form, nulls and empties stay at `standard`: they were asked for, too.
pub fn sift(document: &mut Document<'_>, level: Level, asks_for_form: bool, keys: &mut Keys) -> Omitted {
    let dropped = match level {
        Level::Lossless => return Omitted::default(),
        Level::Standard if asks_for_form => {
            return Omitted { base64: shorten_base64(document), ..Omitted::default() };
        }
        Level::Standard => vec![false; document.node_count()],
        Level::Max => repeated(document),
    };
    let base64 = shorten_base64(document);
    Omitted { base64, ..sieve(document, &dropped, level == Level::Max, base64 > 0, keys) }
}

/// Removes members that are null or empty, and the members marked in `dropped`; returns the counts.
///
/// Nothing with keys or elements goes: an object of nothing but empty members keeps them, for its keys are facts, and a
/// list keeps its elements. Where `deep`, also the containers go that become empty, except a list's elements if
/// anything is left in it. The answer itself stays: the root, and a list directly below it. Unless something else is
/// left out `already`, a few nulls and empties stay where they are: to say that they are gone would cost more.
fn sieve(
    document: &mut Document<'_>,
    dropped: &[bool],
    deep: bool,
    already: bool,
    keys: &mut Keys,
) -> Omitted {
    let root = document.root();
    let mut goes = dropped.to_vec();
    for id in (root..document.node_count() as Id).rev() {
        let all_empty = document.children(id).all(|child| goes[child as usize]);
        if all_empty && !deep && document.kind(id) == Kind::Object {
            document.children(id).for_each(|child| goes[child as usize] = false);
        }
        goes[id as usize] |= is_empty(document, id, || all_empty && (deep || document.is_childless(id)));
    }
    for top in document.documents() {
        for id in document.children(top) {
            goes[id as usize] &= document.kind(id) != Kind::Array;
        }
        goes[top as usize] = false;
    }
    let mut omitted = Omitted::default();
    let mut of_keys: HashMap<u32, usize, RandomState> = HashMap::default();
    let mut gone_until = 0;
    for (id, goes) in (0..).zip(&mut goes) {
        *goes &= document.key_id(id).is_some();
        gone_until = if *goes { document.end(id).max(gone_until) } else { gone_until };
        if dropped[id as usize] && id < gone_until {
            let is_stamp = document.kind(id) == Kind::Number && is_epoch_stamp(document, id);
            *(if is_stamp { &mut omitted.timestamps } else { &mut omitted.duplicates }) += 1;
        } else if *goes && is_empty(document, id, || document.is_childless(id)) {
            omitted.empties += 1;
            if let Some(key) = document.key_id(id) {
                *of_keys.entry(key).or_default() += 1;
            }
        }
    }
    if !already && omitted.duplicates + omitted.timestamps == 0 && omitted.empties < FEWEST_EMPTIES {
        return Omitted::default();
    }
    for (key, count) in of_keys {
        *keys.0.entry(document.key(key).to_owned()).or_default() += count;
    }
    document.retain(&goes.iter().map(|goes| !goes).collect::<Vec<_>>());
    omitted
}

/// Whether a value is null, an empty string, or a container of which `holds_nothing` is true.
fn is_empty(document: &Document<'_>, id: Id, holds_nothing: impl FnOnce() -> bool) -> bool {
    match document.kind(id) {
        Kind::Null => true,
        Kind::Plain => document.span_len(id) == 0,
        Kind::Array | Kind::Object => holds_nothing(),
        _ => false,
    }
}

/// Replaces long base64 strings (the standard alphabet or the URL-safe one, `=`, line breaks) by `<base64 N chars>` and
/// returns their number.
fn shorten_base64(document: &mut Document<'_>) -> usize {
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/-_=\n\r".contains(byte);
    let mut found = 0;
    for id in document.root()..document.node_count() as Id {
        if document.span_len(id) <= LONGEST_BASE64 || !document.is_string(id) {
            continue;
        }
        let text = document.text(id);
        if text.as_bytes().iter().all(is_base64) && is_opaque(text.as_bytes()) {
            let note = format!("<base64 {} chars>", text.len());
            document.replace_string(id, &note);
            found += 1;
        }
    }
    found
}

enum Task {
    Visit(Id),
    /// Forget the scalars seen since there were this many.
    Forget(usize),
}

/// Marks scalars that were seen before (the first one wins) and epoch-millisecond stamps.
///
/// Scoping: each element of a list knows the scalars of its parents, not those of its siblings; in an object scalars
/// and nested objects come first, then lists, whatever the order of the keys. Nulls and empty strings are left to
/// [`sieve`].
fn repeated(document: &Document<'_>) -> Vec<bool> {
    let mut dropped = vec![false; document.node_count()];
    let mut seen: IndexSet<(Kind, &str)> = IndexSet::new();
    let mut tasks = vec![Task::Visit(document.root())];
    while let Some(task) = tasks.pop() {
        let id = match task {
            Task::Visit(id) => id,
            Task::Forget(count) => {
                // Not by `truncate`, whose time depends on how large the set has ever been.
                while seen.len() > count {
                    seen.pop();
                }
                continue;
            }
        };
        let first = tasks.len();
        match document.kind(id) {
            Kind::Array => {
                let element = |child| [Task::Visit(child), Task::Forget(seen.len())];
                tasks.extend(document.children(id).flat_map(element));
            }
            Kind::Object => {
                let is_list = |id: &Id| document.kind(*id) == Kind::Array;
                tasks.extend(document.children(id).filter(|child| !is_list(child)).map(Task::Visit));
                tasks.extend(document.children(id).filter(is_list).map(Task::Visit));
            }
            Kind::Null => {}
            _ if document.span(id).is_empty() => {}
            Kind::Number if is_epoch_stamp(document, id) => dropped[id as usize] = true,
            kind => dropped[id as usize] = !seen.insert((kind, document.span(id))),
        }
        tasks[first..].reverse();
    }
    dropped
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
