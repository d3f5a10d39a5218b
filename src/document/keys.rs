//! The keys of a document, each kept once and known by its number.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::RandomState;
use hashbrown::HashTable;

/// Distinct keys in the order in which they came, eight bytes each.
#[derive(Debug, Default)]
pub struct Keys<'a> {
    source: &'a str,
    /// Keys that had escapes; their spans begin behind the end of the source.
    decoded: String,
    spans: Vec<(u32, u32)>,
}

impl Keys<'_> {
    /// A key's text by its number.
    #[inline]
    pub fn get(&self, key: u32) -> &str {
        let (start, stop) = self.spans[key as usize];
        let (start, stop) = (start as usize, stop as usize);
        match start.checked_sub(self.source.len()) {
            None => &self.source[start..stop],
            Some(start) => &self.decoded[start..stop - self.source.len()],
        }
    }

    /// Bytes of a key.
    #[inline]
    pub fn size(&self, key: u32) -> usize {
        let (start, stop) = self.spans[key as usize];
        (stop - start) as usize
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.spans.len()
    }
}

/// Distinct keys that get an entry in the table: so many stay in a processor's cache.
const EARLY: usize = 1 << 15;
/// Late keys that are compared at a time, about, and the most such parts, for each is written to at once.
const PART: usize = 1 << 12;
const MOST_PART_BITS: u32 = 11;

/// Finds the number of a key. The hash is seeded in each process, so that no input can be made to collide.
///
/// The first keys are known by a table. What comes when that is full is late: it gets a number of its own each
/// time, and [`Interner::settle`] finds out which are the same, in an order that stays in the cache.
pub struct Interner<'a> {
    keys: Keys<'a>,
    /// Early keys by their hashes, which stand beside them: to compare or to grow, no text has to be looked at.
    table: HashTable<(u32, u32)>,
    hasher: RandomState,
    /// The hashes of late keys.
    late: Vec<u32>,
}

impl<'a> Interner<'a> {
    /// Without keys yet. The source must be shorter than 2 GiB.
    pub fn new(source: &'a str) -> Self {
        let keys = Keys { source, ..Keys::default() };
        Self { keys, table: HashTable::new(), hasher: RandomState::default(), late: Vec::new() }
    }

    /// The keys so far.
    pub fn keys(&self) -> &Keys<'a> {
        &self.keys
    }

    /// All keys.
    pub fn into_keys(self) -> Keys<'a> {
        self.keys
    }

    /// The number of the key that stands at `start..stop` of the source, and whether it is new.
    pub fn plain(&mut self, start: usize, stop: usize) -> (u32, Age) {
        let source = self.keys.source;
        self.find(&source[start..stop], |_| (start as u32, stop as u32))
    }

    /// The number of a key that does not stand in the source as it is, and whether it is new.
    pub fn decoded(&mut self, text: &str) -> (u32, Age) {
        self.find(text, |keys| {
            let start = keys.source.len() + keys.decoded.len();
            keys.decoded.push_str(text);
            (start as u32, (start + text.len()) as u32)
        })
    }

    fn find(&mut self, text: &str, add: impl FnOnce(&mut Keys<'a>) -> (u32, u32)) -> (u32, Age) {
        let mut hasher = self.hasher.build_hasher();
        hasher.write(text.as_bytes());
        let hash = hasher.finish() as u32;
        let found =
            self.table.find(spread(hash), |&(other, key)| other == hash && self.keys.get(key) == text);
        if let Some(&(_, key)) = found {
            return (key, Age::Known);
        }
        let key = self.keys.len() as u32;
        let span = add(&mut self.keys);
        self.keys.spans.push(span);
        if self.table.len() == EARLY {
            self.late.push(hash);
            return (key, Age::Late);
        }
        self.table.insert_unique(spread(hash), (hash, key), |&(hash, _)| spread(hash));
        (key, Age::New)
    }

    /// Gives late keys that are the same one number, that of the first, and closes the gaps which that leaves:
    /// the new numbers of all late keys, unless each is the only one of its kind and keeps its own.
    pub fn settle(&mut self) -> Option<Renumbered> {
        let early = self.table.len();
        let mut numbers = self.firsts()?;
        let mut kept = early;
        for late in 0..numbers.len() {
            let first = numbers[late] as usize;
            numbers[late] = if first == late { kept as u32 } else { numbers[first] };
            if first == late {
                self.keys.spans[kept] = self.keys.spans[early + late];
                kept += 1;
            }
        }
        self.keys.spans.truncate(kept);
        Some(Renumbered { early: early as u32, numbers })
    }

    /// The first late key that is the same as each, if there are two such at all.
    ///
    /// Those that may be the same are brought together by their hashes' highest bits: in one table of all, each
    /// look-up would be a miss.
    fn firsts(&mut self) -> Option<Vec<u32>> {
        let late = std::mem::take(&mut self.late);
        let bits = (late.len() / PART).checked_ilog2().map_or(0, |bits| (bits + 1).min(MOST_PART_BITS));
        let part = |hash: u32| (u64::from(hash) << bits >> u32::BITS) as usize;
        let mut ends = vec![0; 1 << bits];
        late.iter().for_each(|&hash| ends[part(hash)] += 1);
        let mut end = 0;
        for place in &mut ends {
            end += std::mem::replace(place, end);
        }
        let mut parted = vec![(0, 0); late.len()];
        for (key, &hash) in late.iter().enumerate() {
            let place = &mut ends[part(hash)];
            parted[*place] = (hash, key as u32);
            *place += 1;
        }
        let mut firsts = None;
        let (mut start, mut slots) = (0, Vec::new());
        for end in ends {
            self.compare(&parted[start..end], &mut slots, |key, first| {
                let firsts = firsts.get_or_insert_with(|| (0..late.len() as u32).collect::<Vec<_>>());
                firsts[key as usize] = first;
            });
            start = end;
        }
        firsts
    }

    /// Calls `same` with each key and the first one before it that is the same, among hashes with late keys.
    fn compare(&self, part: &[(u32, u32)], slots: &mut Vec<u32>, mut same: impl FnMut(u32, u32)) {
        let early = self.table.len() as u32;
        let text = |key: u32| self.keys.get(early + key);
        let mask = (part.len() * 2).next_power_of_two() - 1;
        slots.clear();
        slots.resize(mask + 1, 0);
        for (at, &(hash, key)) in part.iter().enumerate() {
            let mut slot = hash as usize & mask;
            loop {
                let Some(first) = slots[slot].checked_sub(1) else {
                    slots[slot] = at as u32 + 1;
                    break;
                };
                let (other, first) = part[first as usize];
                if other == hash && text(first) == text(key) {
                    same(key, first);
                    break;
                }
                slot = (slot + 1) & mask;
            }
        }
    }
}

/// What is known of a key when it is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Age {
    /// It came before.
    Known,
    /// It comes for the first time.
    New,
    /// There are too many to tell yet.
    Late,
}

/// New numbers of late keys.
pub struct Renumbered {
    early: u32,
    numbers: Vec<u32>,
}

impl Renumbered {
    /// The first number that was given to a late key.
    pub fn early(&self) -> u32 {
        self.early
    }

    /// The new number of a key.
    pub fn number(&self, key: u32) -> u32 {
        key.checked_sub(self.early).map_or(key, |late| self.numbers[late as usize])
    }
}

/// A table looks at the lowest and at the highest bits of a hash.
fn spread(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}
