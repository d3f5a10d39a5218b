//! Lays one vocabulary out as the tables that `vocabulary.rs` probes.

use std::collections::HashMap;

use super::layout::{self, ID_BITS, ID_BYTES, LONGEST_TOKEN, MEDIUM, SHORT};
use super::perfect_hash::PerfectHash;
use super::published::Vocabulary;
use super::reach::{self, Merge};

/// Writes the tables of a vocabulary as `cl100k.<table>` through `write`.
pub fn write(vocabulary: &Vocabulary, write: &impl Fn(&str, &[u8])) {
    assert!(vocabulary.len() < 1 << ID_BITS, "a token's id needs more than {ID_BITS} bits");
    let write = |table: &str, bytes: &[u8]| write(&format!("cl100k.{table}"), bytes);
    let ids: HashMap<&[u8], u32> = vocabulary.iter().map(Vec::as_slice).zip(0..).collect();
    for number in (0..1000).flat_map(|number| [1, 2, 3].map(|width| format!("{number:0width$}"))) {
        assert!(ids.contains_key(number.as_bytes()), "{number} is no token");
    }
    write("reach", reach::of(vocabulary, &merges(vocabulary, &ids)).to_string().as_bytes());

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

/// The merge that makes each token of two bytes or more.
///
/// A token is made of its own bytes alone, merged in their own order. Its last merge is therefore that of its bytes
/// encoded by themselves, whatever surrounds them.
fn merges(vocabulary: &Vocabulary, ids: &HashMap<&[u8], u32>) -> Vec<Merge> {
    let merge = |(token, bytes): (u32, &Vec<u8>)| {
        let seam = last_seam(bytes, ids).unwrap_or_else(|| panic!("token {token} is unreachable"));
        let (left, right) = (ids[&bytes[..seam]], ids[&bytes[seam..]]);
        assert!(left < token && right < token, "token {token} ranks before its own parts");
        Merge { left, right, token }
    };
    (0..).zip(vocabulary).filter(|(_, bytes)| bytes.len() > 1).map(merge).collect()
}

/// Encodes a token's bytes until two parts are left, and returns where they meet. `None` if the merges end
/// earlier: then no text encodes to this token.
fn last_seam(token: &[u8], ids: &HashMap<&[u8], u32>) -> Option<usize> {
    let mut seams: Vec<usize> = (0..=token.len()).collect();
    while seams.len() > 3 {
        let merge = |at: usize| ids.get(&token[seams[at]..seams[at + 2]]);
        let (_, lowest) = (0..seams.len() - 2).filter_map(|at| Some((merge(at)?, at))).min()?;
        seams.remove(lowest + 1);
    }
    Some(seams[1])
}
