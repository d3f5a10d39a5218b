//! The fewer the failures, the fuller: what a reader would fetch next is told as the tool printed it, as far as it fits.

use std::collections::HashSet;

use foldhash::fast::RandomState;

use super::super::record::{self, Kind};
use super::page::Detail;
use super::part::{Item, Part};
use crate::tokens;

/// The parts that are told whole, by their addresses.
pub type Whole = HashSet<*const record::Part<'static>, RandomState>;

/// The kinds that are told whole, the most useful first.
const KINDS: [Kind; 4] = [Kind::Body, Kind::Excerpt, Kind::Captured, Kind::Values];
/// A part that does not fit is passed over; after so many, no other is looked at.
const MOST_MISSES: usize = 20;
/// A line has a newline and its indentation.
const PER_LINE: usize = 2;
/// Bytes of a token, at most, in a text that is worth counting.
pub const LONGEST_TOKEN: usize = 16;

/// The parts of each group's first failure that `room` tokens hold beside what is told by `detail`.
pub fn fill(parts: &[Part<'_, '_>], detail: &Detail, mut room: usize) -> Whole {
    let (mut whole, mut misses) = (Whole::default(), 0);
    let firsts = || {
        let items = parts.iter().flat_map(|part| &part.items);
        items.filter_map(|(_, item)| if let Item::Tests(group) = item { group.first() } else { None })
    };
    for kind in KINDS {
        let told = match kind {
            Kind::Captured => detail.captured,
            Kind::Values => detail.values,
            _ => 0,
        };
        let is_cut = |part: &&record::Part<'_>| part.kind == kind && part.said.len() > told + 1;
        for part in firsts().flat_map(|test| test.why.iter().filter(is_cut)) {
            let cost = cost(part, room);
            match room.checked_sub(cost.unwrap_or(usize::MAX)) {
                Some(rest) => {
                    room = rest;
                    whole.insert(address(part));
                }
                None => misses += 1,
            }
            if misses > MOST_MISSES {
                return whole;
            }
        }
    }
    whole
}

/// A part's identity as long as its report lives.
pub fn address(part: &record::Part<'_>) -> *const record::Part<'static> {
    std::ptr::from_ref(part).cast()
}

/// Tokens of a part told whole; `None` if it is evidently too long.
fn cost(part: &record::Part<'_>, room: usize) -> Option<usize> {
    let bytes: usize = part.said.iter().map(|said| said.text.len()).sum();
    let count = |text: &str| tokens::count(text.as_bytes()) + PER_LINE;
    (bytes <= room.saturating_mul(LONGEST_TOKEN)).then(|| part.said.iter().map(|said| count(said.text)).sum())
}
