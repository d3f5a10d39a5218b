//! `[tree]`: paths as a tree, each directory once, after a success.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::schema::{Part, Style, Tree};
use crate::filter::lines::{Line, Lines, is_mark, mark};
use crate::mistake::Mistake;

/// Maximum number of parts of a path. With a deeper path no tree is drawn: one of its lines could be as long as all
/// paths together.
const DEEPEST: usize = 64;

/// A path of the output.
struct Entry<'l> {
    /// The text in front of the path.
    before: &'l [u8],
    parts: Vec<&'l [u8]>,
    /// The new path of a renamed file: ` -> new.rs`; else empty.
    behind: &'l [u8],
}

/// What stands in a directory: each file by itself, with its number, and each directory with all paths in it.
type Children<'e, 'l> = IndexMap<(&'l [u8], Option<usize>), Vec<&'e Entry<'l>>>;

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
        let too_few = entries.len() < self.min_files.max(1) || shared(&entries) < self.min_shared_depth;
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
            } else if self.passthrough_unmatched {
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

    /// The names at this depth of paths that are equal up to it.
    fn children<'e, 'l>(&self, entries: &[&'e Entry<'l>], depth: usize) -> Children<'e, 'l> {
        let mut children = Children::new();
        for (number, entry) in entries.iter().enumerate() {
            let Some(name) = entry.parts.get(depth) else { continue };
            let is_file = entry.parts.len() == depth + 1;
            children.entry((*name, is_file.then_some(number))).or_default().push(*entry);
        }
        if self.sort {
            children.sort_by(|(a, _), _, (b, _), _| a.cmp(b));
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
        let only = |entries: &[_], depth| {
            let mut children = self.children(entries, depth);
            children.pop().filter(|_| children.is_empty() && self.collapse_single_child)
        };
        let children = self.children(entries, depth);
        let last = children.len() - 1;
        for (number, ((name, mut file), mut entries)) in children.into_iter().enumerate() {
            let (mut name, mut depth) = (name.to_vec(), depth + 1);
            while let Some(((next, of_next), of_entries)) = only(&entries, depth) {
                name = [&name, &b"/"[..], next].concat();
                (file, entries, depth) = (of_next, of_entries, depth + 1);
            }
            let (before, behind) =
                if file.is_some() { (entries[0].before, entries[0].behind) } else { (&b""[..], &b"/"[..]) };
            let is_last = usize::from(number == last);
            let front = [inside, signs[is_last]].concat();
            drawn.push([front.as_bytes(), before, &name, behind].concat());
            if file.is_none() {
                self.draw_below(&entries, depth, &[inside, signs[2 + is_last]].concat(), below, drawn);
            }
        }
    }
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

#[cfg(test)]
mod tests {
    use crate::custom::schema::{Part as _, parse};
    use crate::filter::lines::tests::changed;

    fn drawn(keys: &str, text: &str) -> String {
        let source = format!("[tree]\n{keys}\n");
        let tree = parse(&source).unwrap().tree.unwrap();
        tree.pattern.check(&source).unwrap();
        changed(text, |lines| drop(tree.draw(lines, |_| true)))
    }

    const STATUS: &str = "## main\n M src/a/x.rs\n?? src/a/y.rs\nR  src/b.rs -> src/c.rs\n M src/d/e/f.rs\n";

    #[test]
    fn directories_stand_once() {
        let pattern = "pattern = '^(.. )(.+)$'";
        let out = "## main\n… 4 paths as a tree\nsrc/\n├─ a/\n│  ├─  M x.rs\n│  └─ ?? y.rs\n\
                   ├─ R  b.rs -> src/c.rs\n└─  M d/e/f.rs\n";
        let status = STATUS.replace("## main", "##main");
        assert_eq!(drawn(pattern, &status), out.replace("## main", "##main"));
        assert_eq!(drawn(pattern, out), out, "twice is once");
        let keys = "pattern = '^(.. )(.+)$'\nstyle = \"indent\"\ncollapse_single_child = false\nsort = true\n\
                    passthrough_unmatched = false";
        assert_eq!(
            drawn(keys, &status),
            "… 4 paths as a tree\nsrc/\n  a/\n     M x.rs\n    ?? y.rs\n  R  b.rs -> src/c.rs\n  d/\n    e/\n       M f.rs\n"
        );
    }

    #[test]
    fn few_paths_and_such_without_a_common_directory_stay() {
        for (keys, text) in [
            ("pattern = '^()(\\S+)$'", "a/b\na/c\na/d\n"),
            ("pattern = '^()(\\S+)$'", "a/b\na/c\na/d\nb/e\n"),
            ("pattern = '^()(\\S+)$'\nmin_files = 1", "/a/b\n/a/c\n"),
        ] {
            assert_eq!(drawn(keys, text), text);
        }
        let keys = "pattern = '^()(\\S+)$'\nmin_files = 2\nmin_shared_depth = 0\nstyle = \"ascii\"";
        assert_eq!(drawn(keys, "a/b\na/c\nb\n"), "… 3 paths as a tree\na/\n|- b\n`- c\nb\n");
        let source = "[tree]\npattern = '^(\\S+)$'\n";
        let tree = parse(source).unwrap().tree.unwrap();
        let error = tree.mistake(source, true).unwrap();
        assert_eq!((error.line, error.column), (2, 11));
    }
}
