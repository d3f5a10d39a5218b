//! Lists and objects that occur more than once: written the first time with an anchor, then referred to.

use std::collections::HashSet;
use std::hash::Hasher;

use foldhash::fast::RandomState;
use foldhash::quality::FoldHasher;
use indexmap::IndexMap;

use super::aliases::worth_together;
use super::hash::{Map, add_node, hasher};
use super::marks::{ANCHOR, REFERENCE, write_mark};
use super::scalar::estimate;
use crate::document::{Document, Id};

/// Fewest tokens for which a reference is worth looking back for, or asking again what it stands for.
const FEWEST_TOKENS: u32 = 60;
/// Tokens of `(as &12)`.
const TOKENS_OF_REFERENCE: i64 = 4;

/// Largest output that is written a second time if its anchors save little, in bytes.
const LARGE: usize = 256 << 10;

/// The containers of a document that have equals; by default of one in which repetition does not matter.
#[derive(Default)]
pub struct Repeats {
    /// In the order of the document, in which nearly all are visited.
    all: Vec<Repeated>,
    /// The place of the last one that was looked for.
    at: usize,
    /// Anchors given so far, by hash, in the order in which they were given.
    pub seen: IndexMap<u64, u32, RandomState>,
    /// Nothing gets a mark: a row says what stands in it instead of a default.
    pub paused: bool,
}

/// A container that has equals: its hash, itself, and about how many tokens it takes.
type Repeated = (u64, Id, u32);

struct Open {
    id: Id,
    end: Id,
    hasher: FoldHasher<'static>,
    tokens: u32,
}

impl Repeats {
    /// Finds the containers that repeat, in one pass.
    pub fn of(document: &Document<'_>) -> Self {
        let mut all: Vec<Repeated> = Vec::new();
        let mut open: Vec<Open> = Vec::new();
        let keys = (0..document.key_count() as u32).map(|key| estimate(document.key(key)));
        let keys: Vec<u32> = keys.collect();
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
                let key = document.key_id(id).map_or(0, |key| keys[key as usize] + 1);
                let value = if scalar { estimate(document.span(id)) } else { 2 };
                parent.tokens = parent.tokens.saturating_add(key + value);
            }
            if !scalar {
                let mut hasher = hasher();
                hasher.write_u8(document.kind(id) as u8);
                open.push(Open { id, end: document.end(id), hasher, tokens: 1 });
            }
        }
        all.sort_unstable();
        let groups = all.chunk_by(|a, b| a.0 == b.0).filter(|equal| equal.len() > 1);
        let again: HashSet<u64, RandomState> = groups.map(|equal| equal[0].0).collect();
        all.retain(|(hash, ..)| again.contains(hash));
        all.shrink_to_fit();
        all.sort_unstable_by_key(|&(_, id, _)| id);
        Self { all, ..Self::default() }
    }

    /// A container that has equals, looked for near the last one first.
    fn find(&mut self, id: Id) -> Option<Repeated> {
        let all = &self.all;
        if self.paused {
            return None;
        }
        let mut near = self.at..all.len().min(self.at + 8);
        let is_place = |at: &usize| all[*at].1 >= id && (*at == 0 || all[*at - 1].1 < id);
        self.at = near.find(is_place).unwrap_or_else(|| all.partition_point(|&(_, one, _)| one < id));
        all.get(self.at).copied().filter(|&(_, one, _)| one == id)
    }

    /// The anchor of a container that has equals, and whether this is the first of them, which is remembered.
    pub fn visit(&mut self, id: Id) -> Option<(u32, bool)> {
        let (hash, ..) = self.find(id)?;
        let seen = self.seen.len();
        let anchor = *self.seen.entry(hash).or_insert(id);
        Some((anchor, self.seen.len() > seen))
    }

    /// Appends the mark of a container on its line, if it repeats; returns whether the mark stands for all of it.
    pub fn write_mark(&mut self, id: Id, out: &mut Vec<u8>) -> bool {
        let Some((anchor, is_first)) = self.visit(id) else { return false };
        write_mark(out, if is_first { ANCHOR } else { REFERENCE }, anchor);
        !is_first
    }

    /// Whether anchors save enough in a text of so many bytes, by how often each was referred to, or the text is too
    /// large to be written again; if not, forgets all containers.
    pub fn are_worthy(&mut self, references: &Map<u32, i64>, bytes: usize) -> bool {
        if references.is_empty() || bytes > LARGE {
            return true;
        }
        let saved = references.iter().filter_map(|(id, count)| {
            let (.., tokens) = self.find(*id)?;
            Some(count * (i64::from(tokens) - TOKENS_OF_REFERENCE))
        });
        let worthy = saved.sum::<i64>() >= worth_together(bytes);
        if !worthy {
            *self = Self::default();
        }
        worthy
    }
}
