//! References to lines that stood above in the same order.

use std::hash::BuildHasher as _;
use std::iter::Peekable;
use std::ops::Range;
use std::slice::Iter;

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::drawn::Tree;
use super::template::MARK;
use super::unit::{Unit, about_lines};

/// Fewest lines that come again, the first of them included.
const FEWEST: usize = 5;
/// Tokens that a reference must save.
const LEAST_SAVED: usize = 40;

/// Lines that stood above, and the reference in place of all of them but the first.
pub(super) struct Again {
    lines: Range<usize>,
    text: String,
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Number of blanks by which the second line is indented more.
fn deeper(above: &Unit<'_>, below: &Unit<'_>) -> isize {
    indent(below.text) as isize - indent(above.text) as isize
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
            at = again.lines.end;
            found.push(again);
        } else {
            seen.entry(key).or_insert(at as u32);
            at += 1;
        }
    }
    found
}

/// The lines from `start` on that are those from `source` on but for their indentation.
fn matched(units: &[Unit<'_>], source: usize, start: usize) -> Option<Again> {
    let deeper_by = deeper(&units[source], &units[start]);
    let is_same = |(above, below): &(&Unit<'_>, &Unit<'_>)| {
        above.times == 1
            && below.times == 1
            && above.text.trim_start_matches(' ') == below.text.trim_start_matches(' ')
            && (above.text.is_empty() && below.text.is_empty()
                || deeper(above, below) == deeper_by && !above.text.is_empty())
    };
    let length = units[source..start].iter().zip(&units[start..]).take_while(is_same).count();
    if length < FEWEST {
        return None;
    }
    // The first line is written out, so that a reader finds the place above.
    if about_lines(&units[start + 1..start + length]) < 16 + LEAST_SAVED {
        return None;
    }
    let first = units[source].first;
    let how = match deeper_by {
        0 => String::new(),
        1.. => format!(", {deeper_by} deeper"),
        _ => format!(", {} less deep", -deeper_by),
    };
    let text = format!("{MARK}lines {}..{} again{how}", first + 2, first + length);
    Some(Again { lines: start..start + length, text })
}

/// The lines with references in place of lines that come again. `found` gives the references from the first of these
/// lines on.
pub(super) fn replace<'a>(
    units: &[Unit<'a>],
    within: Range<usize>,
    found: &mut Peekable<Iter<'a, Again>>,
) -> Vec<Unit<'a>> {
    let mut out = Vec::with_capacity(within.len());
    let mut at = within.start;
    while at < within.end {
        out.push(units[at]);
        at += 1;
        if let Some(Again { lines, text }) = found.next_if(|again| again.lines.start + 1 == at) {
            out.push(Unit {
                text,
                times: lines.len() - 1,
                first: units[at - 1].first + 1,
                is_reference: true,
            });
            at = lines.end;
        }
    }
    out
}
