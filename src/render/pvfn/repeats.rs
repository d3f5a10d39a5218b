//! Lists and objects that occur more than once: written the first time with an anchor, then referred to.

use std::collections::HashSet;
use std::hash::Hasher;

use foldhash::quality::FoldHasher;

use super::aliases::{WORTH, worth_together};
use super::hash::{Map, add_node, hasher};
use super::marks::{ANCHOR, REFERENCE, write_mark};
use crate::document::{Document, Id};

/// Fewest tokens for which a reference is worth a second look.
const FEWEST_TOKENS: u32 = 10;
/// Tokens of `(as &12)`.
const TOKENS_OF_REFERENCE: i64 = 4;

/// Largest output that is written a second time if its anchors save little, in bytes.
const LARGE: usize = 256 << 10;

/// The containers of a document that have equals; by default of one in which repetition does not matter.
#[derive(Default)]
pub struct Repeats {
    /// In the order of the document, in which the containers are visited.
    hashes: Vec<Repeated>,
    /// Where the search for the last container visited ended in `hashes`.
    at: usize,
    /// Anchors given so far, by hash.
    seen: Map<u64, u32>,
    /// Hashes in the order they were seen, so that some can be taken back.
    log: Vec<u64>,
}

/// A container that has equals: its hash, itself, and about how many tokens it takes.
type Repeated = (u64, Id, u32);

/// How a container is written.
pub enum Repeat {
    /// It has no equal.
    Single,
    /// It is the first of its kind, with this anchor.
    First(u32),
    /// It is equal to the container with this anchor.
    Again(u32),
}

struct Open {
    id: Id,
    end: Id,
    hasher: FoldHasher<'static>,
    /// Estimated tokens.
    tokens: u32,
}

impl Repeats {
    /// Finds the containers that repeat, in one pass.
    pub fn of(document: &Document<'_>) -> Self {
        let mut all: Vec<Repeated> = Vec::new();
        let mut open: Vec<Open> = Vec::new();
        for id in document.root()..=document.node_count() as Id {
            while let Some(done) = open.pop_if(|open| open.end <= id) {
                let hash = done.hasher.finish();
                if done.tokens >= FEWEST_TOKENS {
                    all.push((hash, done.id, done.tokens));
                }
                if let Some(parent) = open.last_mut() {
                    parent.hasher.write_u64(hash);
                    parent.tokens = parent.tokens.saturating_add(done.tokens);
                }
            }
            if id as usize == document.node_count() {
                break;
            }
            let scalar = document.is_scalar(id);
            if let Some(parent) = open.last_mut() {
                add_node(&mut parent.hasher, document, id);
                let bytes = document.key_id(id).map_or(0, |key| document.key(key).len())
                    + if scalar { document.span_len(id) } else { 0 };
                parent.tokens = parent.tokens.saturating_add(bytes as u32 / 4 + 2);
            }
            if !scalar {
                let mut hasher = hasher();
                hasher.write_u8(document.kind(id) as u8);
                open.push(Open { id, end: document.end(id), hasher, tokens: 1 });
            }
        }
        drop_rare(&mut all);
        all.sort_unstable();
        keep_groups(&mut all);
        all.sort_unstable_by_key(|&(_, id, _)| id);
        Self { hashes: all, ..Self::default() }
    }

    /// Whether a container repeats; the first time is remembered.
    pub fn visit(&mut self, id: Id) -> Repeat {
        let Some(hash) = self.hash_of(id) else { return Repeat::Single };
        if let Some(&anchor) = self.seen.get(&hash) {
            return Repeat::Again(anchor);
        }
        self.seen.insert(hash, id);
        self.log.push(hash);
        Repeat::First(id)
    }

    /// Appends the mark of a container on its line, if it repeats; returns whether the mark stands for all of it.
    pub fn write_mark(&mut self, id: Id, out: &mut Vec<u8>) -> bool {
        let repeat = self.visit(id);
        match repeat {
            Repeat::Single => {}
            Repeat::First(anchor) => write_mark(out, ANCHOR, anchor),
            Repeat::Again(anchor) => write_mark(out, REFERENCE, anchor),
        }
        matches!(repeat, Repeat::Again(_))
    }

    /// Keeps the containers whose anchors save enough in a text of so many bytes, by how often each was referred to,
    /// and forgets all visits. Changes nothing and returns `true` if all that were referred to save enough, or if the
    /// text is too large to be written again.
    pub fn keep_worthy(&mut self, references: &Map<u32, i64>, bytes: usize) -> bool {
        if references.is_empty() || bytes > LARGE {
            return true;
        }
        let mut worthy = HashSet::new();
        let mut together = 0;
        for (hash, id, tokens) in &self.hashes {
            let saved =
                references.get(id).map_or(0, |count| count * (i64::from(*tokens) - TOKENS_OF_REFERENCE));
            if saved >= WORTH {
                worthy.insert(*hash);
                together += saved;
            }
        }
        if together < worth_together(bytes) {
            worthy.clear();
        }
        if worthy.len() == references.len() {
            return true;
        }
        let mut hashes = std::mem::take(self).hashes;
        hashes.retain(|(hash, ..)| worthy.contains(hash));
        self.hashes = hashes;
        false
    }

    /// Searches from where the last container was found, in steps that double: the next one is near.
    fn hash_of(&mut self, id: Id) -> Option<u64> {
        let is_behind_last = self.at.checked_sub(1).is_none_or(|last| self.hashes[last].1 < id);
        if is_behind_last && self.hashes.get(self.at).is_none_or(|&(_, next, _)| next > id) {
            return None;
        }
        let is_before = |at: usize| self.hashes.get(at).is_some_and(|&(_, one, _)| one < id);
        let mut from = if is_before(self.at) { self.at } else { 0 };
        let mut step = 1;
        while is_before(from + step) {
            from += step;
            step *= 2;
        }
        let end = self.hashes.len().min(from + step + 1);
        let found = self.hashes[from.min(end)..end].binary_search_by_key(&id, |&(_, one, _)| one);
        self.at = from + found.unwrap_or_else(|at| at);
        found.ok().map(|at| self.hashes[from + at].0)
    }

    /// A mark for [`Self::forget`].
    pub fn mark(&self) -> usize {
        self.log.len()
    }

    /// Forgets the containers seen since `mark`: they were not written after all.
    pub fn forget(&mut self, mark: usize) {
        for hash in self.log.drain(mark..) {
            self.seen.remove(&hash);
        }
    }
}

/// Drops most containers that come once, without sorting, by one bit for each of several hashes.
fn drop_rare(all: &mut Vec<Repeated>) {
    let bits = (all.len() * 8).next_power_of_two().max(64);
    let place = |hash: u64| (hash as usize % bits / 64, 1u64 << (hash % 64));
    let (mut once, mut again) = (vec![0; bits / 64], vec![0; bits / 64]);
    for &(hash, ..) in all.iter() {
        let (word, bit) = place(hash);
        again[word] |= once[word] & bit;
        once[word] |= bit;
    }
    all.retain(|&(hash, ..)| {
        let (word, bit) = place(hash);
        again[word] & bit != 0
    });
}

/// Of containers sorted by hash, keeps the groups that an anchor could be worth.
fn keep_groups(all: &mut Vec<Repeated>) {
    let (mut from, mut kept) = (0, 0);
    while from < all.len() {
        let equal = all[from..].iter().take_while(|(hash, ..)| *hash == all[from].0).count();
        if (equal as i64 - 1) * i64::from(all[from].2) >= WORTH {
            all.copy_within(from..from + equal, kept);
            kept += equal;
        }
        from += equal;
    }
    all.truncate(kept);
    all.shrink_to_fit();
}
