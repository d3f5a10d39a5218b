//! Hashes that stand for values: seeded in each process, so that no input can be made to collide.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};
use std::sync::LazyLock;

use foldhash::quality::{FoldHasher, RandomState};

use super::scalar::estimate;
use crate::document::{Document, Id};

/// A map whose hashes are seeded in the same way.
pub type Map<K, V> = HashMap<K, V, foldhash::fast::RandomState>;

static SEED: LazyLock<RandomState> = LazyLock::new(RandomState::default);

/// A hasher: equal values get equal hashes as long as the process lives.
pub fn hasher() -> FoldHasher<'static> {
    SEED.build_hasher()
}

/// Adds the kind of a node and its key, and the text of a scalar.
#[inline]
pub fn add_node(hasher: &mut FoldHasher<'static>, document: &Document<'_>, id: Id) {
    let key = document.key_id(id).map_or(0, |key| u64::from(key) + 1);
    hasher.write_u64(key << 8 | document.kind(id) as u64);
    if document.is_scalar(id) {
        hasher.write(document.span(id).as_bytes());
    }
}

/// A hash of the value, and about how many tokens it takes.
pub fn weigh(document: &Document<'_>, id: Id) -> (u64, u32) {
    let mut hasher = hasher();
    hasher.write_u8(document.kind(id) as u8);
    if document.is_scalar(id) {
        let text = document.span(id);
        hasher.write(text.as_bytes());
        let quoted = text.is_empty() || memchr::memchr(b' ', text.as_bytes()).is_some();
        return (hasher.finish(), estimate(text) + u32::from(quoted));
    }
    let mut tokens = 2;
    for node in id + 1..document.end(id) {
        add_node(&mut hasher, document, node);
        if document.is_scalar(node) {
            tokens += estimate(document.span(node));
        } else {
            hasher.write_u32(document.end(node) - node);
        }
        tokens += document.key_id(node).map_or(1, |key| estimate(document.key(key)) + 1);
    }
    (hasher.finish(), tokens)
}
