//! References to lines that stood above in the same order.

use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::drawn::Tree;
use super::template::MARK;
use super::unit::{Unit, about_lines};

/// Fewest lines that come again, the first of them included.
const FEWEST: usize = 5;
/// Tokens that a reference must save.
const LEAST_SAVED: usize = 40;

/// Lines `start..end` are the lines from `source` on, indented by `deeper` blanks more (fewer, if negative).
pub(super) struct Again {
    pub(super) start: usize,
    pub(super) end: usize,
    source: usize,
    deeper: isize,
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Whether two lines are the same but for `deeper` more blanks in front of the second.
fn same(above: &Unit<'_>, below: &Unit<'_>, deeper: isize) -> bool {
    above.times == 1
        && below.times == 1
        && above.text.trim_start_matches(' ') == below.text.trim_start_matches(' ')
        && (above.text.is_empty() && below.text.is_empty()
            || indent(below.text) as isize - indent(above.text) as isize == deeper && !above.text.is_empty())
}

/// Finds all lines that come again outside the trees, in order and without overlap.
pub(super) fn find(units: &[Unit<'_>], trees: &[Tree]) -> Vec<Again> {
    let mut found = Vec::new();
    if units.len() < 2 * FEWEST {
        return found;
    }
    let mut seen: HashMap<u64, u32, FixedState> = HashMap::default();
    // The same in every process: what is written does not depend on chance.
    let state = FixedState::default();
    let hashes: Vec<u64> =
        units.iter().map(|unit| state.hash_one(unit.text.trim_start_matches(' '))).collect();
    let window = |at: usize| {
        let mix = |all: u64, hash: &u64| all.rotate_left(7).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ hash;
        hashes[at..at + FEWEST].iter().fold(0, mix)
    };
    let mut trees = trees.iter().peekable();
    let mut at = 0;
    while at + FEWEST <= units.len() {
        if trees.peek().is_some_and(|tree| at >= tree.lines.end) {
            trees.next();
        }
        let tree = trees.peek().map_or(units.len()..units.len(), |tree| tree.lines.clone());
        let key = window(at);
        let source = seen.get(&key).map(|&source| source as usize).filter(|_| !tree.contains(&at));
        if let Some(again) = source.and_then(|source| matched(&units[..tree.start.max(at)], source, at)) {
            // The windows of these lines are known from the place where they first stood.
            at = again.end;
            found.push(again);
        } else {
            seen.entry(key).or_insert(at as u32);
            at += 1;
        }
    }
    found
}

fn matched(units: &[Unit<'_>], source: usize, start: usize) -> Option<Again> {
    let deeper = indent(units[start].text) as isize - indent(units[source].text) as isize;
    let mut length = 0;
    while start + length < units.len()
        && source + length < start
        && same(&units[source + length], &units[start + length], deeper)
    {
        length += 1;
    }
    if length < FEWEST {
        return None;
    }
    // The first line is written out, so that a reader finds the place above.
    let saved = about_lines(&units[start + 1..start + length]);
    (saved >= 16 + LEAST_SAVED).then_some(Again { start, end: start + length, source, deeper })
}

impl Again {
    /// The reference, which stands for all lines but the first.
    pub(super) fn describe(&self, units: &[Unit<'_>]) -> String {
        let first = units[self.source].first;
        let lines = format!("{MARK}lines {}..{} again", first + 2, first + self.end - self.start);
        match self.deeper {
            0 => lines,
            deeper if deeper > 0 => format!("{lines}, {deeper} deeper"),
            deeper => format!("{lines}, {} less deep", -deeper),
        }
    }
}

/// The lines with references in place of lines that come again, and the new index of each old line.
///
/// The first line that comes again is written out, so that a reader finds the place above.
pub(super) fn replace<'a>(units: &[Unit<'a>], found: &'a [(Again, String)]) -> (Vec<Unit<'a>>, Vec<usize>) {
    let mut out = Vec::with_capacity(units.len());
    let mut places = Vec::with_capacity(units.len() + 1);
    let mut next = found.iter().peekable();
    let mut at = 0;
    while at < units.len() {
        places.push(out.len());
        out.push(units[at]);
        if let Some((again, text)) = next.next_if(|(again, _)| again.start == at) {
            let times = again.end - again.start - 1;
            places.extend(std::iter::repeat_n(out.len(), times));
            out.push(Unit { text, times, first: units[at].first + 1, is_reference: true });
            at = again.end;
        } else {
            at += 1;
        }
    }
    places.push(out.len());
    (out, places)
}
