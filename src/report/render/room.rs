//! The fewer the failures, the fuller: what a reader would fetch next is told as the tool printed it, as far as it fits.

use super::super::maps::HashSet;
use super::super::record::{self, PartKind, Said, Test};
use super::contents::{Contents, Item};
use super::draft::{Detail, Whole, address};
use super::reason;
use crate::tokens;

/// The kinds that are told whole, the most useful first.
const KINDS: [PartKind; 5] =
    [PartKind::Reason, PartKind::Body, PartKind::Excerpt, PartKind::Captured, PartKind::Values];
/// A part that does not fit is passed over; after so many, no other is looked at.
const MOST_MISSES: usize = 20;
/// Lines of so many bytes are brackets, which any code has.
const BRACKETS: usize = 3;
/// A line has a newline and its indentation.
const PER_LINE: usize = 2;
/// Bytes of a part that is looked at, at most.
const MOST_BYTES: usize = 1 << 16;
/// Bytes of a token, at most, in a text that is worth counting.
pub const LONGEST_TOKEN: usize = 16;

/// The parts of each group's first failure that `room` tokens hold beside what is told by `detail`.
pub fn fill(parts: &[Contents<'_, '_>], detail: &Detail, mut room: usize) -> Whole {
    let (mut whole, mut misses) = (Whole::default(), 0);
    let mut seen: HashSet<_> = HashSet::default();
    let firsts = || {
        let items = parts.iter().flat_map(|part| &part.items);
        items.filter_map(|(_, item)| if let Item::Tests(group) = item { group.first() } else { None })
    };
    for kind in KINDS {
        let told = match kind {
            PartKind::Reason => detail.reason,
            PartKind::Captured => detail.captured,
            PartKind::Values => detail.values,
            _ => 0,
        };
        let tests = firsts().flat_map(|test| test.why.iter().map(move |part| (*test, part)));
        for (test, part) in tests.filter(|(_, part)| part.kind == kind && part.said.len() > told + 1) {
            // Tests with other parameters have one body, tests beside one another nearly the same excerpt.
            let is_code = matches!(kind, PartKind::Body | PartKind::Excerpt);
            let trimmed = part.said.iter().map(|said| said.text.trim_matches([' ', '>']));
            let lines = || trimmed.clone().filter(|line| line.len() > BRACKETS);
            let is_seen = || lines().filter(|line| seen.contains(line)).count() * 2 > lines().count();
            if is_code && is_seen() || kind == PartKind::Body && !reason::says_more(test, part) {
                continue;
            }
            match cost(test, part, told).and_then(|cost| room.checked_sub(cost)) {
                Some(rest) => {
                    room = rest;
                    seen.extend(lines().filter(|_| is_code));
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

/// Tokens that a part told whole takes beside what is told already; `None` if it is evidently too long.
fn cost(test: &Test<'_>, part: &record::Part<'_>, told: usize) -> Option<usize> {
    let rest = match part.kind {
        PartKind::Captured => part.said[told..].to_vec(),
        PartKind::Reason => reason::lines(test, part).into_iter().skip(told).collect(),
        PartKind::Values => part.said.clone(),
        _ => reason::lines(test, part),
    };
    // The statement at fault is told in any case.
    let sources = test.why.iter().filter(|part| part.kind == PartKind::Source);
    let known: HashSet<_> = sources.flat_map(|part| &part.said).map(|said| said.number).collect();
    let bytes: usize = rest.iter().map(|said| said.text.len()).sum();
    let count = |said: &Said<'_>| {
        let own = if known.contains(&said.number) { 0 } else { tokens::count(said.text.trim().as_bytes()) };
        own + PER_LINE
    };
    (bytes <= MOST_BYTES).then(|| rest.iter().map(count).sum())
}
