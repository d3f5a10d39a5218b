//! Trees by indentation (`npm explain`): a line whose whole subtree was shown under the same line above keeps the
//! line, and the subtree becomes `… 12 lines as under it above`.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::super::lines::{Cut, Lines, is_mark};

/// Smaller subtrees stay, in lines and in bytes.
const FEWEST: usize = 2;
const FEWEST_BYTES: usize = 60;

/// Folds repeated subtrees.
pub fn fold(lines: &mut Lines<'_>) {
    let nodes = nodes(lines);
    let mut shown: HashMap<&[u8], usize> = HashMap::new();
    let mut cuts = Vec::new();
    let mut at = 0;
    while at < nodes.len() {
        let node = &nodes[at];
        let name = lines.get(at).trim_ascii();
        let as_above = shown
            .get(name)
            .is_some_and(|from| nodes[*from].hash == node.hash && is_same(lines, *from, at, node.size));
        let bytes =
            || (at + 1..at + node.size).map(|at| lines.get(at).len()).take(FEWEST_BYTES).sum::<usize>();
        if as_above && node.size > FEWEST && bytes() >= FEWEST_BYTES {
            let indent = " ".repeat(indentation(lines.get(at + 1)));
            let mark = format!("{indent}… {} lines as under it above", node.size - 1);
            cuts.push(Cut { start: at + 1, end: at + node.size, mark: Some(mark) });
            at += node.size;
            continue;
        }
        if node.size > FEWEST {
            shown.insert(name, at);
        }
        at += 1;
    }
    lines.leave_out(cuts.iter().map(|cut| cut.end - cut.start).sum());
    lines.cut(cuts);
}

/// A line with what is under it.
struct Node {
    /// Of the texts and their indentation from here on.
    hash: u64,
    /// Lines, itself among them.
    size: usize,
}

fn nodes(lines: &Lines<'_>) -> Vec<Node> {
    let parents = parents(lines);
    let mut nodes: Vec<Node> = (0..lines.len()).map(|_| Node { hash: 0, size: 1 }).collect();
    for at in (0..nodes.len()).rev() {
        let line = lines.get(at);
        let mut hasher = DefaultHasher::new();
        (line.trim_ascii(), nodes[at].hash).hash(&mut hasher);
        if is_mark(line) {
            at.hash(&mut hasher);
        }
        nodes[at].hash = hasher.finish();
        if let Some(parent) = parents[at] {
            let mut hasher = DefaultHasher::new();
            (nodes[parent].hash, nodes[at].hash, indentation(line) - indentation(lines.get(parent)))
                .hash(&mut hasher);
            nodes[parent].hash = hasher.finish();
            nodes[parent].size += nodes[at].size;
        }
    }
    nodes
}

/// The nearest line above that is indented less; an empty line has none and is none.
fn parents(lines: &Lines<'_>) -> Vec<Option<usize>> {
    let mut open: Vec<usize> = Vec::new();
    (0..lines.len())
        .map(|at| {
            let line = lines.get(at);
            if line.trim_ascii().is_empty() {
                open.clear();
                return None;
            }
            while open.last().is_some_and(|last| indentation(lines.get(*last)) >= indentation(line)) {
                open.pop();
            }
            let parent = open.last().copied();
            open.push(at);
            parent
        })
        .collect()
}

fn is_same(lines: &Lines<'_>, from: usize, at: usize, size: usize) -> bool {
    let shift = |start: usize, step: usize| {
        let line = lines.get(start + step);
        (indentation(line) as isize - indentation(lines.get(start)) as isize, line.trim_ascii())
    };
    (0..size).all(|step| shift(from, step) == shift(at, step) && !is_mark(lines.get(at + step)))
}

fn indentation(line: &[u8]) -> usize {
    line.len() - line.trim_ascii_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subtree_is_shown_once() {
        let subtree = |pad: &str| {
            [
                "node_modules/a",
                "  a@1 from the package named b@2",
                "  node_modules/b",
                "    b@2 from the root project",
            ]
            .map(|line| format!("{pad}{line}\n"))
            .concat()
        };
        let text = format!("x\n{}y\n{}", subtree("  "), subtree("    "));
        let mut lines = Lines::new(text.as_bytes());
        fold(&mut lines);
        let out = String::from_utf8(lines.finish(text.as_bytes()).unwrap().text).unwrap();
        assert_eq!(
            out,
            format!("x\n{}y\n    node_modules/a\n      … 3 lines as under it above\n", subtree("  "))
        );
        let mut again = Lines::new(out.as_bytes());
        fold(&mut again);
        assert_eq!(again.finish(out.as_bytes()), None);
    }
}
