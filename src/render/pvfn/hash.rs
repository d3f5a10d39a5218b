//! Hashes that stand for values: seeded in each process, so that no input can be made to collide.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::LazyLock;

use foldhash::quality::{FoldHasher, RandomState};

use super::scalar::estimate;
use crate::document::{Document, Id};

/// A map with the same guarantee.
pub type Map<K, V> = HashMap<K, V, foldhash::fast::RandomState>;

static SEED: LazyLock<RandomState> = LazyLock::new(RandomState::default);

/// A hasher: equal values get equal hashes as long as the process lives.
pub fn hasher() -> FoldHasher<'static> {
    SEED.build_hasher()
}

/// A hash of the value, and about how many tokens it takes.
pub fn weigh(document: &Document<'_>, id: Id) -> (u64, u32) {
    let mut hasher = hasher();
    document.kind(id).hash(&mut hasher);
    if document.is_scalar(id) {
        let text = document.span(id);
        text.hash(&mut hasher);
        let quoted = text.is_empty() || memchr::memchr(b' ', text.as_bytes()).is_some();
        return (hasher.finish(), estimate(text) + u32::from(quoted));
    }
    let mut tokens = 2;
    for node in id + 1..document.end(id) {
        (document.kind(node), document.key_id(node)).hash(&mut hasher);
        (document.end(node) - node).hash(&mut hasher);
        if document.is_scalar(node) {
            document.span(node).hash(&mut hasher);
            tokens += estimate(document.span(node));
        }
        tokens += document.key_id(node).map_or(1, |key| estimate(document.key(key)) + 1);
    }
    (hasher.finish(), tokens)
}
