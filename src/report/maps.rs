//! Maps and sets with a fast hash.

use std::collections;

use foldhash::fast::RandomState;

pub type HashMap<K, V> = collections::HashMap<K, V, RandomState>;
pub type HashSet<K> = collections::HashSet<K, RandomState>;
/// In the order of insertion.
pub type IndexMap<K, V> = indexmap::IndexMap<K, V, RandomState>;
