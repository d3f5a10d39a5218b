//! `[tree]`: paths as a tree, each directory once, after a success.

use std::collections::{HashMap, HashSet};

use super::schema::{Style, Tree};
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
struct Node<'l> {
    name: Vec<u8>,
    /// Index of the file's entry; `None` for a directory.
    entry: Option<usize>,
    children: Vec<usize>,
    directories: HashMap<&'l [u8], usize>,
}

impl Tree {
    /// The mistake that the rule's expression, which stands in `source`, has fewer than two captures.
    pub fn mistake(&self, source: &str) -> Option<Mistake> {
        let message = "two captures are wanted: what stands in front of the path, and the path";
        let captures = self.pattern.get()?.captures_len();
        (captures < 3).then(|| Mistake::at(source, self.pattern.at(), message))
    }

    /// Draws the paths in `lines` as a tree, under a mark that counts them. Returns the lines of the tree. Nothing is
    /// drawn where there are too few paths, where they have too few directories in common or are too deep, where there
    /// is a mark already, or where the tree would not stay.
    pub fn draw(&self, lines: &mut Lines<'_>, stays: impl Fn(&[Vec<u8>]) -> bool) -> HashSet<Vec<u8>> {
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
        let mut nodes = grow(entries);
        if self.sort {
            for at in 0..nodes.len() {
                let mut children = std::mem::take(&mut nodes[at].children);
                children.sort_by(|a, b| nodes[*a].name.cmp(&nodes[*b].name));
                nodes[at].children = children;
            }
        }
        let [branch, last, along, blank] = match self.style {
            Style::Unicode => ["├─ ", "└─ ", "│  ", "   "],
            Style::Ascii => ["|- ", "`- ", "|  ", "   "],
            Style::Indent => ["  ", "  ", "  ", "  "],
        };
        let mut drawn = Vec::new();
        // The nodes to be drawn, the next one last: each with its prefix and the prefix of its children.
        let mut waiting: Vec<(usize, String, String)> =
            nodes[0].children.iter().rev().map(|child| (*child, String::new(), String::new())).collect();
        while let Some((at, front, inside)) = waiting.pop() {
            let (name, at) = self.collapsed(&nodes, at);
            let mut line = front.into_bytes();
            if let Some(entry) = nodes[at].entry.map(|entry| &entries[entry]) {
                line.extend_from_slice(entry.before);
                line.extend_from_slice(&name);
                line.extend_from_slice(entry.behind);
            } else {
                line.extend_from_slice(&name);
                line.push(b'/');
            }
            drawn.push(line);
            for (number, child) in nodes[at].children.iter().enumerate().rev() {
                let is_last = number + 1 == nodes[at].children.len();
                let (connector, next) = if is_last { (last, blank) } else { (branch, along) };
                waiting.push((*child, format!("{inside}{connector}"), format!("{inside}{next}")));
            }
        }
        drawn
    }

    /// The path of a node, its only child, that one's only child and so on, and the last of these nodes.
    fn collapsed(&self, nodes: &[Node<'_>], mut at: usize) -> (Vec<u8>, usize) {
        let mut name = nodes[at].name.clone();
        while let ([only], true) = (nodes[at].children.as_slice(), self.collapse_single_child) {
            at = *only;
            name.push(b'/');
            name.extend_from_slice(&nodes[at].name);
        }
        (name, at)
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

/// The nodes of the paths' tree; the root comes first.
fn grow<'l>(entries: &[Entry<'l>]) -> Vec<Node<'l>> {
    let node = |name: &[u8], entry| Node {
        name: name.to_vec(),
        entry,
        children: Vec::new(),
        directories: HashMap::new(),
    };
    let mut nodes = vec![node(b"", None)];
    for (number, entry) in entries.iter().enumerate() {
        let Some((file, directories)) = entry.parts.split_last() else { continue };
        let mut at = 0;
        for part in directories {
            let next = nodes.len();
            let known = *nodes[at].directories.entry(part).or_insert(next);
            if known == next {
                nodes[at].children.push(next);
                nodes.push(node(part, None));
            }
            at = known;
        }
        let next = nodes.len();
        nodes[at].children.push(next);
        nodes.push(node(file, Some(number)));
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::custom::schema::parse;

    fn drawn(keys: &str, text: &str) -> String {
        let source = format!("[tree]\n{keys}\n");
        let tree = parse(&source).unwrap().tree.unwrap();
        tree.pattern.check(&source).unwrap();
        let mut lines = Lines::new(text.as_bytes());
        tree.draw(&mut lines, |_| true);
        lines.finish(text.as_bytes()).map_or(text.into(), |f| String::from_utf8(f.text).unwrap())
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
        tree.pattern.check(source).unwrap();
        let error = tree.mistake(source).unwrap();
        assert_eq!((error.line, error.column), (2, 11));
    }
}
