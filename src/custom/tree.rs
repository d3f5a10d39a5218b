//! `[tree]`: paths as a tree, each directory once, after a success.

use std::collections::{HashMap, HashSet};

use super::schema::{Part, Style, Tree};
use crate::filter::lines::{Lines, is_mark, mark};
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

/// A directory or a file.
#[derive(Default)]
struct Node<'l> {
    name: &'l [u8],
    /// The file's entry; `None` for a directory.
    entry: Option<&'l Entry<'l>>,
    children: Vec<Node<'l>>,
    /// Positions of the directories among the children.
    directories: HashMap<&'l [u8], usize>,
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
        let (mut entries, mut above, mut below) = (Vec::new(), Vec::new(), Vec::new());
        for (at, line) in lines.iter().enumerate() {
            // A rewritten line is not the tool's, and stays as it is.
            let rewritten = lines.is_rewritten(at);
            match self.entry(line).filter(|_| !rewritten) {
                Some(entry) => entries.push(entry),
                None if entries.is_empty() => above.push((line.to_vec(), rewritten)),
                None => below.push((line.to_vec(), rewritten)),
            }
        }
        let too_deep = entries.iter().any(|entry| entry.parts.len() > DEEPEST);
        let too_few = entries.len() < self.min_files.max(1) || shared(&entries) < self.min_shared_depth;
        let drawn = if too_deep || too_few { Vec::new() } else { self.render(&entries) };
        if drawn.is_empty() || !stays(&drawn) {
            return HashSet::new();
        }
        let count = mark(entries.len(), "paths as a tree").into_bytes();
        let mut went = 0;
        if !self.passthrough_unmatched {
            went = above.len() + below.len();
            (above, below) = Default::default();
        }
        let known = drawn.iter().map(|line| line.trim_ascii().to_vec()).collect();
        let drawn = std::iter::once(count).chain(drawn).map(|line| (line, false));
        lines.replace_lines(above.into_iter().chain(drawn).chain(below));
        lines.leave_out(went);
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

    fn render(&self, entries: &[Entry<'_>]) -> Vec<Vec<u8>> {
        let mut root = Node::default();
        for entry in entries {
            root.add(entry);
        }
        if self.sort {
            root.sort();
        }
        let mut drawn = Vec::new();
        self.draw_below(&root, "", [""; 4], &mut drawn);
        drawn
    }

    /// Draws the children of a node, each behind `inside` and one of the first two signs: that of a child, that of the
    /// last child. The other two signs stand in front of what is below them.
    fn draw_below(&self, node: &Node<'_>, inside: &str, signs: [&str; 4], drawn: &mut Vec<Vec<u8>>) {
        let below = match self.style {
            Style::Unicode => ["├─ ", "└─ ", "│  ", "   "],
            Style::Ascii => ["|- ", "`- ", "|  ", "   "],
            Style::Indent => ["  ", "  ", "  ", "  "],
        };
        for (number, mut child) in node.children.iter().enumerate() {
            let is_last = usize::from(number + 1 == node.children.len());
            let mut name = child.name.to_vec();
            while let ([only], true) = (child.children.as_slice(), self.collapse_single_child) {
                child = only;
                name.push(b'/');
                name.extend_from_slice(child.name);
            }
            let (before, behind) =
                child.entry.map_or((&b""[..], &b"/"[..]), |entry| (entry.before, entry.behind));
            let front = [inside, signs[is_last]].concat();
            drawn.push([front.as_bytes(), before, &name, behind].concat());
            self.draw_below(child, &[inside, signs[2 + is_last]].concat(), below, drawn);
        }
    }
}

impl<'l> Node<'l> {
    fn add(&mut self, entry: &'l Entry<'l>) {
        let Some((file, directories)) = entry.parts.split_last() else { return };
        let mut node = self;
        for name in directories {
            let next = node.children.len();
            let at = *node.directories.entry(name).or_insert(next);
            if at == next {
                node.children.push(Self { name, ..Self::default() });
            }
            node = &mut node.children[at];
        }
        node.children.push(Self { name: file, entry: Some(entry), ..Self::default() });
    }

    fn sort(&mut self) {
        self.children.sort_by_key(|child| child.name);
        self.children.iter_mut().for_each(Self::sort);
    }
}

/// Number of leading directories that all paths have in common.
fn shared(entries: &[Entry<'_>]) -> usize {
    let Some((first, others)) = entries.split_first() else { return 0 };
    let common = |entry: &Entry<'_>| {
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
