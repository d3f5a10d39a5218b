//! Late keys, which come after the first tens of thousands: equal ones are found when all are read.

use super::fault::Fault;
use super::keys::Keys;
use super::tree::{KEY_BITS, Kind, NO_KEY, Node};

/// Gives equal late keys one number, that of the first, in `keys` and in `nodes`. `hashes` are those of the late keys,
/// which come last. If all late keys differ, each keeps its number. Fails if an object has one of them twice.
pub fn settle(keys: &mut Keys<'_>, hashes: &[u32], nodes: &mut [Node]) -> Result<(), Fault> {
    let early = keys.len() - hashes.len();
    let Some(mut numbers) = firsts(keys, hashes) else { return Ok(()) };
    let mut kept = early;
    for late in 0..numbers.len() {
        let first = numbers[late] as usize;
        numbers[late] = if first == late { kept as u32 } else { numbers[first] };
        if first == late {
            keys.spans[kept] = keys.spans[early + late];
            kept += 1;
        }
    }
    keys.spans.truncate(kept);
    for node in nodes.iter_mut() {
        let key = node.tag & NO_KEY;
        if key != NO_KEY && key as usize >= early {
            node.tag = node.tag & !NO_KEY | numbers[key as usize - early];
        }
    }
    let mut owners = vec![0; kept - early];
    let mut objects = (0..nodes.len() as u32)
        .filter(|object| nodes[*object as usize].tag >> KEY_BITS == Kind::Object as u32);
    objects.try_for_each(|object| check_duplicates(nodes, object, early, &mut owners))
}

/// Fails if an object has one of some keys twice: those whose numbers begin at `first`. Each has an entry in `owners`,
/// the object that had it last.
#[inline]
pub fn check_duplicates(nodes: &[Node], object: u32, first: usize, owners: &mut [u32]) -> Result<(), Fault> {
    let mut child = object + 1;
    while child < nodes[object as usize].end {
        let node = nodes[child as usize];
        let owner = ((node.tag & NO_KEY) as usize).checked_sub(first).and_then(|key| owners.get_mut(key));
        if owner.is_some_and(|owner| std::mem::replace(owner, object) == object) {
            return Err(Fault::Refused);
        }
        child = node.end;
    }
    Ok(())
}

/// For each late key the first one that is equal to it; `None` if all differ. Keys that may be equal are brought
/// together by their hashes: in one table of all keys, each look-up would miss the cache.
fn firsts(keys: &Keys<'_>, hashes: &[u32]) -> Option<Vec<u32>> {
    let early = (keys.len() - hashes.len()) as u32;
    let text = |late: u32| keys.get(early + late);
    let mut order: Vec<u64> =
        hashes.iter().zip(0..).map(|(&hash, late)| u64::from(hash) << 32 | late).collect();
    order.sort_unstable();
    let mut firsts = None;
    for alike in order.chunk_by(|one, other| one >> 32 == other >> 32).filter(|alike| alike.len() > 1) {
        let mut different: Vec<u32> = Vec::new();
        for late in alike.iter().map(|&entry| entry as u32) {
            let Some(&first) = different.iter().find(|&&first| text(first) == text(late)) else {
                different.push(late);
                continue;
            };
            let firsts = firsts.get_or_insert_with(|| (0..hashes.len() as u32).collect::<Vec<_>>());
            firsts[late as usize] = first;
        }
    }
    firsts
}

#[cfg(test)]
#[path = "../../tests/unit/document/late.rs"]
mod tests;
