//! Lists and objects that occur more than once: written the first time with an anchor, then referred to.

use std::hash::{Hash, Hasher};

use foldhash::quality::FoldHasher;

use super::hash::{Map, hasher};
use super::scalar::estimate;
use crate::document::{Document, Id};

/// Fewest tokens for which a reference is worth a second look.
const FEWEST_TOKENS: u32 = 6;

/// The containers of a document that have equals.
pub struct Repeats {
    hashes: Map<Id, u64>,
    /// Anchors given so far, by hash.
    seen: Map<u64, u32>,
    /// Hashes in the order they were seen, for taking some back.
    log: Vec<u64>,
}

/// What to write for a container.
pub enum Repeat {
    /// It is like no other.
    Single,
    /// It is the first of its kind, with this anchor.
    First(u32),
    /// It is the same as the one with this anchor.
    Again(u32),
}

struct Open {
    id: Id,
    end: Id,
    hasher: FoldHasher<'static>,
    /// Estimated tokens, as far as they matter.
    tokens: u32,
}

impl Repeats {
    /// For a document in which repetition does not matter.
    pub fn none() -> Self {
        Self { hashes: Map::default(), seen: Map::default(), log: Vec::new() }
    }

    /// Finds what repeats, in one pass.
    pub fn of(document: &Document<'_>) -> Self {
        let mut all: Vec<(u64, Id)> = Vec::new();
        let mut open: Vec<Open> = Vec::new();
        for id in document.root()..=document.len() as Id {
            while let Some(done) = open.pop_if(|open| open.end <= id) {
                let hash = done.hasher.finish();
                if done.tokens >= FEWEST_TOKENS {
                    all.push((hash, done.id));
                }
                if let Some(parent) = open.last_mut() {
                    hash.hash(&mut parent.hasher);
                    parent.tokens += done.tokens;
                }
            }
            if id as usize == document.len() {
                break;
            }
            let key = document.key_id(id);
            let scalar = document.is_scalar(id);
            if let Some(parent) = open.last_mut() {
                key.hash(&mut parent.hasher);
                if scalar {
                    (document.kind(id), document.span(id)).hash(&mut parent.hasher);
                }
                if parent.tokens < FEWEST_TOKENS {
                    parent.tokens += key.map_or(1, |key| estimate(document.key(key)) + 1);
                    parent.tokens += if scalar { estimate(document.span(id)) } else { 0 };
                }
            }
            if !scalar {
                let mut hasher = hasher();
                document.kind(id).hash(&mut hasher);
                open.push(Open { id, end: document.end(id), hasher, tokens: 1 });
            }
        }
        all.sort_unstable();
        let equal = all.chunk_by(|a, b| a.0 == b.0).filter(|equal| equal.len() > 1);
        let hashes = equal.flatten().map(|&(hash, id)| (id, hash)).collect();
        Self { hashes, seen: Map::default(), log: Vec::new() }
    }

    /// Whether a container repeats; the first time is remembered.
    pub fn visit(&mut self, id: Id) -> Repeat {
        let Some(&hash) = self.hashes.get(&id) else { return Repeat::Single };
        if let Some(&anchor) = self.seen.get(&hash) {
            return Repeat::Again(anchor);
        }
        self.seen.insert(hash, id);
        self.log.push(hash);
        Repeat::First(id)
    }

    /// A mark to come back to.
    pub fn mark(&self) -> usize {
        self.log.len()
    }

    /// Forgets what was seen since `mark`: it was not written after all.
    pub fn forget(&mut self, mark: usize) {
        for hash in self.log.drain(mark..) {
            self.seen.remove(&hash);
        }
    }
}
