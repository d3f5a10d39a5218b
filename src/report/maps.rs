//! Maps and sets with a fast hash.

use std::collections;
use std::hash::Hash;

use foldhash::fast::RandomState;

pub type HashMap<K, V> = collections::HashMap<K, V, RandomState>;
pub type HashSet<K> = collections::HashSet<K, RandomState>;
/// In the order of insertion.
pub type IndexMap<K, V> = indexmap::IndexMap<K, V, RandomState>;

/// Groups items by key, in the order of each group's first item, with one look-up an item.
pub fn by<K: Eq + Hash, T>(items: impl Iterator<Item = (K, T)>) -> impl Iterator<Item = Vec<T>> {
    let mut groups: IndexMap<K, Vec<T>> = IndexMap::default();
    for (key, item) in items {
        groups.entry(key).or_default().push(item);
    }
    groups.into_values()
}
