//! Lays one vocabulary out as the tables that `vocabulary.rs` probes.

use std::collections::HashMap;

use super::layout::{self, ID_BITS, LONGEST_TOKEN, MEDIUM, SHORT};
use super::perfect_hash::PerfectHash;
use super::published::Vocabulary;
use super::reach::{self, Merge};

/// No token has this id: an empty entry.
const NO_TOKEN: u32 = u32::MAX;

/// Writes the tables of a vocabulary as `<name>.<table>` through `write`.
pub fn write(vocabulary: &Vocabulary, name: &str, write: &impl Fn(&str, &[u8])) {
    let ids: HashMap<&[u8], u32> = vocabulary.iter().map(Vec::as_slice).zip(0..).collect();
    assert!(vocabulary.len() < 1 << ID_BITS, "{name}: a token id needs more than {ID_BITS} bits");
    let write = |table: &str, bytes: &[u8]| write(&format!("{name}.{table}"), bytes);

    let byte_ids: Vec<u32> = (0..=u8::MAX).map(|byte| ids[&[byte][..]]).collect();
    write("byte_ids", &little_endian(byte_ids, u32::to_le_bytes));
    let byte_pairs = (0..=u16::MAX).map(|pair| ids.get(&pair.to_be_bytes()[..]).copied().unwrap_or(NO_TOKEN));
    write("byte_pairs", &little_endian(byte_pairs, u32::to_le_bytes));
    write_members(vocabulary, &write);
    write_pairs(vocabulary, &ids, name, &write);
}

/// Tables of whole tokens, by length: is this piece a token?
fn write_members(vocabulary: &Vocabulary, write: &impl Fn(&str, &[u8])) {
    let (mut short, mut medium, mut long) = (Vec::new(), Vec::new(), Vec::new());
    for token in vocabulary.iter().filter(|token| token.len() > 1) {
        let (short_key, medium_key) = (
            SHORT.contains(&token.len()).then(|| layout::short_key(token)).flatten(),
            MEDIUM.contains(&token.len()).then(|| layout::medium_key(token)).flatten(),
        );
        match (short_key, medium_key) {
            (Some(key), _) => short.push(key),
            (_, Some(key)) => medium.push(key),
            _ => long.push(token.as_slice()),
        }
    }
    let hash = PerfectHash::of(&short.iter().map(|&key| layout::hash_one(key)).collect::<Vec<_>>());
    write("short.pilots", &little_endian(hash.pilots, u16::to_le_bytes));
    let slots = hash.slots.into_iter().map(|key| key.map_or(0, |key| short[key]));
    write("short.slots", &little_endian(slots, u64::to_le_bytes));

    let hash = PerfectHash::of(&medium.iter().map(|&key| layout::hash_two(key)).collect::<Vec<_>>());
    write("medium.pilots", &little_endian(hash.pilots, u16::to_le_bytes));
    let slots = hash.slots.into_iter().flat_map(|key| key.map_or([0, 0], |key| medium[key].into()));
    write("medium.slots", &little_endian(slots, u64::to_le_bytes));

    write_long(&long, write);
}

/// Long tokens, a few thousand, are an open-addressing index into their bytes laid end to end.
/// An entry is `(offset + 1) << 8 | length`; 0 is empty.
fn write_long(tokens: &[&[u8]], write: &impl Fn(&str, &[u8])) {
    let mask = (tokens.len() * 2).next_power_of_two() - 1;
    let mut index = vec![0_u32; mask + 1];
    let mut bytes = Vec::new();
    for token in tokens {
        assert!((8..=LONGEST_TOKEN).contains(&token.len()), "a token of {} bytes has no place", token.len());
        let mut entry = layout::long_home(token, mask);
        while index[entry] != 0 {
            entry = (entry + 1) & mask;
        }
        index[entry] = (bytes.len() as u32 + 1) << 8 | token.len() as u32;
        bytes.extend_from_slice(token);
    }
    assert!(bytes.len() < 1 << 24, "an offset into the long tokens needs more than 24 bits");
    write("long.index", &little_endian(index, u32::to_le_bytes));
    write("long.bytes", &bytes);
}

/// Table of merges: the token that two adjacent tokens become.
///
/// The reference implementation looks the joined *bytes* up, and so knows many pairs for one token. Only one of
/// them comes about: a token is merged from what its own bytes have become, in their own order of merges, so the
/// pair is the last merge in the encoding of the token's bytes by themselves.
fn write_pairs(vocabulary: &Vocabulary, ids: &HashMap<&[u8], u32>, name: &str, write: &impl Fn(&str, &[u8])) {
    let merges: Vec<Merge> = (0..)
        .zip(vocabulary)
        .filter(|(_, token)| token.len() > 1)
        .map(|(token, bytes)| {
            let seam =
                last_seam(bytes, ids).unwrap_or_else(|| panic!("{name}: token {token} is unreachable"));
            let (left, right) = (ids[&bytes[..seam]], ids[&bytes[seam..]]);
            assert!(left < token && right < token, "{name}: token {token} ranks before its own parts");
            Merge { left, right, token }
        })
        .collect();
    write("reach", reach::of(vocabulary, &merges).to_string().as_bytes());

    let keys: Vec<u64> = merges.iter().map(|merge| layout::pair_key(merge.left, merge.right)).collect();
    let hash = PerfectHash::of(&keys.iter().map(|&key| layout::hash_one(key)).collect::<Vec<_>>());
    write("pairs.pilots", &little_endian(hash.pilots, u16::to_le_bytes));
    let entry = |merge: usize| keys[merge] << ID_BITS | u64::from(merges[merge].token);
    let slots = hash.slots.into_iter().map(|merge| merge.map_or(u64::MAX, entry));
    write("pairs.slots", &little_endian(slots, u64::to_le_bytes));
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

/// Numbers as little-endian bytes, end to end.
fn little_endian<T, const N: usize>(
    numbers: impl IntoIterator<Item = T>,
    bytes: fn(T) -> [u8; N],
) -> Vec<u8> {
    numbers.into_iter().flat_map(bytes).collect()
}
