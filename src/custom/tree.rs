//! `[tree]`: paths as a tree, each directory once, after a success.

use std::collections::{HashMap, HashSet};

use super::schema::{Part, Style, Tree};
use crate::filter::lines::{Line, Lines, is_mark, mark};
use crate::mistake::Mistake;

/// Maximum number of parts of a path: a line of a deeper tree could be as long as all paths together.
const DEEPEST: usize = 64;

struct Entry<'l> {
    before: &'l [u8],
    parts: Vec<&'l [u8]>,
    /// The new path of a renamed file: ` -> new.rs`; else empty.
    behind: &'l [u8],
}

impl Part for Tree {
    /// The mistake that the rule's expression has fewer than two captures.
    fn mistake(&self, source: &str, _: bool) -> Option<Mistake> {
        let message = "two captures are wanted: what stands in front of the path, and the path";
        let captures = self.pattern.get()?.captures_len();
        (captures < 3).then(|| Mistake::at(source, self.pattern.at(), message))
    }
}

impl Tree {
    /// Draws the paths in `lines` as a tree, under a mark that counts them. Returns the lines of the tree. Nothing is
    /// drawn where there are too few paths, where they have too few directories in common or are too deep, where there
    /// is a mark already, or where the tree would not stay.
    pub(super) fn draw(&self, lines: &mut Lines<'_>, stays: impl Fn(&[Vec<u8>]) -> bool) -> HashSet<Vec<u8>> {
        if lines.iter().any(is_mark) {
            return HashSet::new();
        }
        // A rewritten line is not the tool's, and stays as it is.
        let found = lines.all.iter().map(|line| self.entry(&line.text).filter(|_| !line.rewritten));
        let found: Vec<Option<Entry<'_>>> = found.collect();
        let entries: Vec<&Entry<'_>> = found.iter().flatten().collect();
        let too_deep = entries.iter().any(|entry| entry.parts.len() > DEEPEST);
        let too_few = entries.len() < self.min_files.unwrap_or(4).max(1)
            || shared(&entries) < self.min_shared_depth.unwrap_or(1);
        let mut drawn = Vec::new();
        if !too_deep && !too_few {
            self.draw_below(&entries, 0, "", [""; 4], &mut drawn);
        }
        if drawn.is_empty() || !stays(&drawn) {
            return HashSet::new();
        }
        let known = drawn.iter().map(|line| line.trim_ascii().to_vec()).collect();
        let count = mark(entries.len(), "paths as a tree").into_bytes();
        let is_path: Vec<bool> = found.iter().map(Option::is_some).collect();
        let mut tree = std::iter::once(count).chain(drawn).map(Line::from);
        for (line, is_path) in std::mem::take(&mut lines.all).into_iter().zip(is_path) {
            if is_path {
                lines.all.extend(tree.by_ref());
            } else if self.passthrough_unmatched.unwrap_or(true) {
                lines.all.push(line);
            } else {
                lines.left_out += 1;
            }
        }
        known
    }

    fn entry<'l>(&self, line: &'l [u8]) -> Option<Entry<'l>> {
        let captures = self.pattern.captures(line)?;
        let path = captures.get(2)?.as_bytes();
        let moved = memchr::memmem::find(path, b" -> ").unwrap_or(path.len());
        let (path, behind) = path.split_at(moved);
        let parts: Vec<&[u8]> = path.split(|byte| *byte == b'/').filter(|part| !part.is_empty()).collect();
        let before = captures.get(1).map_or(&b""[..], |before| before.as_bytes());
        // An absolute path would be another path without its first `/`.
        (!parts.is_empty() && !path.starts_with(b"/")).then_some(Entry { before, parts, behind })
    }

    /// The paths, equal up to this depth, by what stands there: each file by itself, each directory with its paths.
    fn children<'e, 'l>(&self, entries: &[&'e Entry<'l>], depth: usize) -> Vec<Vec<&'e Entry<'l>>> {
        let mut children: Vec<Vec<&Entry<'_>>> = Vec::new();
        let mut directories = HashMap::new();
        for entry in entries {
            let next = children.len();
            let is_file = entry.parts.len() == depth + 1;
            let at = if is_file { next } else { *directories.entry(entry.parts[depth]).or_insert(next) };
            match children.get_mut(at) {
                Some(known) => known.push(*entry),
                None => children.push(vec![*entry]),
            }
        }
        if self.sort {
            children.sort_by_key(|entries| entries[0].parts[depth]);
        }
        children
    }

    /// Draws the children at this depth, each behind `inside` and one of the first two signs: that of a child, that of
    /// the last child. The other two signs stand in front of what is below them.
    fn draw_below(
        &self,
        entries: &[&Entry<'_>],
        depth: usize,
        inside: &str,
        signs: [&str; 4],
        drawn: &mut Vec<Vec<u8>>,
    ) {
        let below = match self.style {
            Style::Unicode => ["├─ ", "└─ ", "│  ", "   "],
            Style::Ascii => ["|- ", "`- ", "|  ", "   "],
            Style::Indent => ["  ", "  ", "  ", "  "],
        };
        let children = self.children(entries, depth);
        let last = children.len() - 1;
        for (number, entries) in children.into_iter().enumerate() {
            let (first, start, mut depth) = (entries[0], depth, depth + 1);
            while self.collapse_single_child.unwrap_or(true) && has_one_child(&entries, depth) {
                depth += 1;
            }
            let name = first.parts[start..depth].join(&b'/');
            let is_file = first.parts.len() == depth;
            let (before, behind) = if is_file { (first.before, first.behind) } else { (&b""[..], &b"/"[..]) };
            let is_last = usize::from(number == last);
            let front = [inside, signs[is_last]].concat();
            drawn.push([front.as_bytes(), before, &name, behind].concat());
            if !is_file {
                self.draw_below(&entries, depth, &[inside, signs[2 + is_last]].concat(), below, drawn);
            }
        }
    }
}

/// Whether these paths, which are equal up to this depth, have one child there: a file by itself, or a directory.
fn has_one_child(entries: &[&Entry<'_>], depth: usize) -> bool {
    let Some(name) = entries[0].parts.get(depth) else { return false };
    let goes_on = |entry: &&Entry<'_>| entry.parts.len() > depth + 1 && entry.parts[depth] == *name;
    entries.len() == 1 || entries.iter().all(goes_on)
}

/// Number of leading directories that all paths have in common.
fn shared(entries: &[&Entry<'_>]) -> usize {
    let Some((first, others)) = entries.split_first() else { return 0 };
    let common = |entry: &&Entry<'_>| {
        let most = first.parts.len().min(entry.parts.len()) - 1;
        (0..most).take_while(|at| first.parts[*at] == entry.parts[*at]).count()
    };
    others.iter().map(common).min().unwrap_or(first.parts.len() - 1)
}
