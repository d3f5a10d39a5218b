//! The keys of a document, each kept once and known by its number.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::RandomState;
use hashbrown::HashTable;

/// The text that a document was read from, what does not stand in it (keys that had escapes, replaced strings), and its
/// distinct keys.
#[derive(Debug, Default)]
pub struct Texts<'a> {
    source: &'a str,
    /// Its spans begin behind the end of the source.
    added: String,
    /// In the order in which they came, eight bytes each.
    keys: Vec<(u32, u32)>,
}

impl Texts<'_> {
    #[inline]
    pub fn get(&self, (start, stop): (u32, u32)) -> &str {
        let (start, stop) = (start as usize, stop as usize);
        match start.checked_sub(self.source.len()) {
            None => &self.source[start..stop],
            Some(start) => &self.added[start..stop - self.source.len()],
        }
    }

    /// Adds a text and returns its span.
    pub fn add(&mut self, text: &str) -> (u32, u32) {
        let start = self.source.len() + self.added.len();
        self.added.push_str(text);
        (start as u32, (start + text.len()) as u32)
    }

    /// A key by its number.
    #[inline]
    pub fn key(&self, key: u32) -> &str {
        self.get(self.keys[key as usize])
    }

    pub fn key_count(&self) -> usize {
        self.keys.len()
    }
}

/// Finds the number of a key. The hash is seeded in each process, so that no input can be made to collide.
#[derive(Default)]
pub struct Interner<'a> {
    pub(super) texts: Texts<'a>,
    /// Hashes and numbers of keys. The hash stands beside the number so that growing looks at no text, and
    /// comparing only at those with the same hash.
    table: HashTable<(u32, u32)>,
    hasher: RandomState,
}

impl<'a> Interner<'a> {
    /// An interner without keys. The source must be shorter than 2 GiB.
    pub fn new(source: &'a str) -> Self {
        Self { texts: Texts { source, ..Texts::default() }, ..Self::default() }
    }

    /// The number of the key that stands at `start..stop` of the source.
    pub fn plain(&mut self, start: usize, stop: usize) -> u32 {
        let source = self.texts.source;
        self.find(&source[start..stop], |_| (start as u32, stop as u32))
    }

    /// The number of a key that does not stand in the source as it is.
    pub fn decoded(&mut self, text: &str) -> u32 {
        self.find(text, |texts| texts.add(text))
    }

    fn find(&mut self, text: &str, add: impl FnOnce(&mut Texts<'a>) -> (u32, u32)) -> u32 {
        let mut hasher = self.hasher.build_hasher();
        hasher.write(text.as_bytes());
        let hash = hasher.finish() as u32;
        let found =
            self.table.find(spread(hash), |&(other, key)| other == hash && self.texts.key(key) == text);
        if let Some(&(_, key)) = found {
            return key;
        }
        let key = self.texts.key_count() as u32;
        let span = add(&mut self.texts);
        self.texts.keys.push(span);
        self.table.insert_unique(spread(hash), (hash, key), |&(hash, _)| spread(hash));
        key
    }
}

/// The hash in the lowest and in the highest bits, which are those that a table looks at.
fn spread(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}
