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
            return Err(Fault::DuplicateKey);
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
mod tests {
    use super::super::keys::EARLY;
    use crate::document::{Document, Id, Layout, scan};

    /// An object with early keys, then the objects.
    fn beyond_early(objects: &[String]) -> String {
        let early: Vec<String> = (0..EARLY).map(|key| format!("\"early {key}\":0")).collect();
        format!("[{{{}}},{}]", early.join(","), objects.join(","))
    }

    /// The keys behind the early ones, in order.
    fn late<'d>(document: &'d Document<'_>) -> Vec<&'d str> {
        let keys = (0..document.node_count() as Id).filter_map(|id| document.key_id(id)).skip(EARLY);
        keys.map(|key| document.key(key)).collect()
    }

    #[test]
    fn late_keys_that_are_the_same_get_one_number() {
        let keys: Vec<String> = (0..40_000).map(|row| format!("k{}", row * 7 % 30_011)).collect();
        let rows: Vec<String> = keys.iter().map(|key| format!("{{\"{key}\":1}}")).collect();
        let text = beyond_early(&rows);
        let Layout::Document(document) = scan(&text) else { panic!("a document") };
        assert_eq!(document.key_count(), EARLY + 30_011);
        assert_eq!(late(&document), keys);
    }

    #[test]
    fn late_keys_with_escapes_are_the_same_as_without() {
        let rows = ["{\"a\\u0062\":1,\"c\":2}", "{\"c\":3,\"ab\":4,\"early 5\":5}"].map(String::from);
        let text = beyond_early(&rows);
        let Layout::Document(document) = scan(&text) else { panic!("a document") };
        assert_eq!(document.key_count(), EARLY + 2);
        assert_eq!(late(&document), ["ab", "c", "c", "ab", "early 5"]);
    }

    #[test]
    fn a_late_key_twice_in_an_object_is_found() {
        for (objects, twice) in [
            ("{\"x\":1,\"y\":{\"x\":2}},{\"x\":3}", false),
            ("{\"x\":1,\"y\":{\"x\":2},\"x\":3}", true),
            ("{\"x\":{\"x\":1,\"early 1\":2,\"\\u0078\":3}}", true),
            ("{\"early 1\":1,\"x\":{\"early 1\":2,\"x\":3}},{\"early 1\":1,\"x\":2,\"early 1\":3}", true),
        ] {
            let text = beyond_early(&[objects.to_owned()]);
            assert_eq!(matches!(scan(&text), Layout::Text), twice, "{objects}");
        }
    }
}
