//! The build script's part of the tokenizer: writes the tables that `vocabulary.rs` and `unicode.rs` include.
//!
//! Everything is taken from pinned build dependencies: the vocabulary from `tiktoken-rs`, and the Unicode classes from
//! `regex-syntax`, whose tables `tiktoken-rs`'s own regular expressions use. What the counter takes for granted of the
//! vocabulary, tests/unit/tokens/vocabulary.rs holds. CONTRIBUTING.md tells how to follow a new version.

use std::path::Path;

use layout::{Class, ID_BITS, ID_BYTES, LONGEST_TOKEN, MEDIUM, SHORT};
use regex_syntax::hir::{self, HirKind};

#[expect(dead_code, reason = "the tables hold the classes of scalars, not of a text's end")]
#[path = "layout.rs"]
mod layout;

/// Writes all tables into `out_dir`.
///
/// # Panics
/// Panics, and so fails the build, if the vocabulary does not fit the tables.
pub fn generate(out_dir: &Path) {
    let write = |name: &str, bytes: &[u8]| {
        let path = out_dir.join(name);
        std::fs::write(&path, bytes)
            .unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
    };
    let encoding = tiktoken_rs::cl100k_base().expect("tiktoken-rs carries cl100k_base");
    // Ids from 0 up to the first gap; the special tokens (`<|endoftext|>`, …) lie beyond it.
    let vocabulary: Vec<Vec<u8>> = (0..).map_while(|id| encoding.decode_bytes(&[id]).ok()).collect();
    write_vocabulary(&vocabulary, &write);
    write_classes(&write);
}

/// Writes the tables of a vocabulary, the bytes of each token in the order of ids, as `cl100k.<table>` through `write`.
fn write_vocabulary(vocabulary: &[Vec<u8>], write: &impl Fn(&str, &[u8])) {
    assert!(vocabulary.len() < 1 << ID_BITS, "a token's id needs more than {ID_BITS} bits");
    let write = |table: &str, bytes: &[u8]| write(&format!("cl100k.{table}"), bytes);
    let (mut short, mut medium, mut long) = (Vec::new(), Vec::new(), Vec::new());
    for (id, token) in (0..).zip(vocabulary).filter(|(_, token)| token.len() > 1) {
        if SHORT.contains(&token.len())
            && let Some(key) = layout::short_key(token)
        {
            short.push((layout::hash_one(key), [key], id));
        } else if MEDIUM.contains(&token.len())
            && let Some(key) = layout::medium_key(token)
        {
            medium.push((layout::hash_two(key), key, id));
        } else {
            long.push((token.as_slice(), id));
        }
    }
    write_hash(&short, |table, bytes| write(&format!("short.{table}"), bytes));
    write_hash(&medium, |table, bytes| write(&format!("medium.{table}"), bytes));
    write_long(&long, &write);
}

/// Writes a perfect hash table of keys' hashes, keys, of `N` words each, and ids. The words of an empty slot are 0.
fn write_hash<const N: usize>(entries: &[(u64, [u64; N], u32)], write: impl Fn(&str, &[u8])) {
    let hashes: Vec<u64> = entries.iter().map(|&(hash, ..)| hash).collect();
    let PerfectHash { pilots, slots } = PerfectHash::of(&hashes);
    let entry = |slot: &Option<usize>| slot.map_or((0, [0; N], 0), |entry| entries[entry]);
    let keys = slots.iter().flat_map(|slot| entry(slot).1);
    write("pilots", &pilots.into_iter().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    write("keys", &keys.flat_map(u64::to_le_bytes).collect::<Vec<_>>());
    write("ids", &slots.iter().flat_map(|slot| id_bytes(entry(slot).2)).collect::<Vec<_>>());
}

/// Average number of keys per bucket: more saves pilots and costs build time.
const BUCKET_SIZE: f64 = 3.5;
/// Share of the slots that hold a key: more saves space and costs build time.
const LOAD: f64 = 0.97;

/// A perfect hash function for a fixed set of keys: hash and displace with one pilot per bucket.
///
/// Belazzougui, Botelho, Dietzfelbinger: "Hash, displace, and compress" (ESA 2009); the pilots are those of Pibiri
/// and Trani, "`PTHash`: Revisiting FCH Minimal Perfect Hashing" (SIGIR 2021).
struct PerfectHash {
    pilots: Vec<u16>,
    /// The index of the key in each slot; `None` is an empty slot.
    slots: Vec<Option<usize>>,
}

impl PerfectHash {
    /// Places keys, given by their hashes, so that no two share a slot.
    fn of(hashes: &[u64]) -> Self {
        let bucket_count = (hashes.len() as f64 / BUCKET_SIZE).ceil() as usize;
        let mut buckets = vec![Vec::new(); bucket_count];
        for (key, &hash) in hashes.iter().enumerate() {
            buckets[layout::bucket(hash, bucket_count)].push(key);
        }
        let mut fullest_first: Vec<usize> = (0..bucket_count).collect();
        fullest_first.sort_by_key(|&bucket| std::cmp::Reverse(buckets[bucket].len()));

        let slot_count = (hashes.len() as f64 / LOAD).ceil() as usize;
        let mut placed = Self { pilots: vec![0; bucket_count], slots: vec![None; slot_count] };
        for bucket in fullest_first {
            placed.pilots[bucket] = placed.place(&buckets[bucket], hashes);
        }
        placed
    }

    /// Finds a pilot that sends all keys of a bucket to free slots, takes the slots and returns the pilot. There is
    /// none where two keys have one hash, or the load is too high.
    fn place(&mut self, keys: &[usize], hashes: &[u64]) -> u16 {
        let mut targets = Vec::with_capacity(keys.len());
        for pilot in 0..=u16::MAX {
            targets.clear();
            for &key in keys {
                let target = layout::slot(hashes[key], pilot, self.slots.len());
                if self.slots[target].is_some() || targets.contains(&target) {
                    break;
                }
                targets.push(target);
            }
            if targets.len() == keys.len() {
                for (&key, &target) in keys.iter().zip(&targets) {
                    self.slots[target] = Some(key);
                }
                return pilot;
            }
        }
        panic!("no pilot places a bucket of {} keys", keys.len());
    }
}

/// Writes the long tokens, a few thousand, as an open-addressing index into their bytes, which are laid end to end. An
/// entry is `(offset + 1) << 8 | length`; 0 is empty.
fn write_long(tokens: &[(&[u8], u32)], write: &impl Fn(&str, &[u8])) {
    let mask = (tokens.len() * 2).next_power_of_two() - 1;
    let (mut index, mut ids) = (vec![0_u32; mask + 1], vec![0; mask + 1]);
    let mut bytes = Vec::new();
    for &(token, id) in tokens {
        assert!((8..=LONGEST_TOKEN).contains(&token.len()), "a token of {} bytes has no place", token.len());
        let mut slot = layout::long_home(token, mask);
        while index[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        index[slot] = (bytes.len() as u32 + 1) << 8 | token.len() as u32;
        ids[slot] = id;
        bytes.extend_from_slice(token);
    }
    assert!(bytes.len() < 1 << 24, "an offset into the long tokens needs more than 24 bits");
    write("long.index", &index.into_iter().flat_map(u32::to_le_bytes).collect::<Vec<_>>());
    write("long.ids", &ids.into_iter().flat_map(id_bytes).collect::<Vec<_>>());
    write("long.bytes", &bytes);
}

fn id_bytes(id: u32) -> [u8; ID_BYTES] {
    let [a, b, c, _] = id.to_le_bytes();
    [a, b, c]
}

/// The pattern of each class. A scalar in none is a symbol; line breaks, listed last, are not spaces.
const PATTERNS: [(&str, Class); 4] =
    [(r"\p{L}", Class::Letter), (r"\p{N}", Class::Number), (r"\s", Class::Space), (r"[\r\n]", Class::Break)];
const SCALARS: usize = 0x11_0000;
const BLOCK: usize = 256;

/// Writes the classes as `unicode.index` (one block number per byte) and `unicode.blocks` through `write`.
fn write_classes(write: &impl Fn(&str, &[u8])) {
    let mut classes = vec![Class::Symbol as u8; SCALARS];
    for (pattern, class) in PATTERNS {
        let parsed = regex_syntax::parse(pattern).expect("a valid pattern");
        let HirKind::Class(hir::Class::Unicode(of_class)) = parsed.kind() else {
            panic!("{pattern} is not one class")
        };
        for range in of_class.ranges() {
            classes[range.start() as usize..=range.end() as usize].fill(class as u8);
        }
    }
    let mut blocks: Vec<Vec<u8>> = Vec::new();
    let mut index = Vec::new();
    for block in classes.chunks(BLOCK) {
        let packed: Vec<u8> = block.chunks(2).map(|pair| pair[0] | pair[1] << 4).collect();
        let number = blocks.iter().position(|known| *known == packed).unwrap_or_else(|| {
            blocks.push(packed);
            blocks.len() - 1
        });
        index.push(u8::try_from(number).expect("at most 256 distinct blocks"));
    }
    write("unicode.index", &index);
    write("unicode.blocks", &blocks.concat());
}
