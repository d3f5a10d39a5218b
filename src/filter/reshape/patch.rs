//! Patches (`git diff`, `git log -p`): what a file's headers say twice goes, changes of lock files become a count, and
//! where the patch is only to be read, unchanged lines go. Every other changed line and every hunk's header stay.

use super::super::lines::{Cut, Lines, is_mark};

/// Files that tools write, by the end of their name.
const LOCK_FILES: &[&str] = &[
    "Cargo.lock",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lock",
    "poetry.lock",
    "uv.lock",
    "pdm.lock",
    "Pipfile.lock",
    "Gemfile.lock",
    "composer.lock",
    "go.sum",
    "mix.lock",
    "pubspec.lock",
    "Podfile.lock",
    "packages.lock.json",
    "gradle.lockfile",
    "flake.lock",
    ".terraform.lock.hcl",
];
/// How names end of files that tools write and nobody reads as a patch: data, drawings, bundles.
const DATA_FILES: &[&str] = &[".csv", ".tsv", ".svg", ".map", ".min.js", ".min.css", ".snap", ".ipynb"];
/// Fewer changed lines of such a file stay.
const FEWEST_OF_DATA: usize = 40;
/// Fewer changed lines of a lock file stay.
const FEWEST_LOCKED: usize = 8;

/// Folds every file's patch in `lines`. `whole`: unchanged lines and what tools need to apply the patch stay.
pub fn fold(lines: &mut Lines<'_>, whole: bool) {
    if lines.iter().any(|line| is_mark(line) && line.ends_with(COUNTED.as_bytes())) {
        return; // folded before
    }
    let mut folder =
        Folder { whole, cuts: Vec::new(), unchanged: 0, left_out: 0, first: None, after_bare: false };
    let mut at = 0;
    while at < lines.len() {
        at = if lines.get(at).starts_with(b"diff --git ") { folder.file(lines, at) } else { at + 1 };
    }
    let Folder { mut cuts, unchanged, left_out, first, .. } = folder;
    if let Some(first) = first {
        let mark = format!("… {unchanged} unchanged lines around changes{COUNTED}");
        let place = cuts.partition_point(|cut| cut.start < first);
        cuts.insert(place, Cut { start: first, end: first, mark: Some(mark) });
    }
    lines.leave_out(left_out);
    lines.cut(cuts);
}

/// How the mark ends that says where unchanged lines were.
const COUNTED: &str = " left out; hunk headers count them";

struct Folder {
    whole: bool,
    /// The file before has no hunks, and would seem to go on.
    after_bare: bool,
    cuts: Vec<Cut>,
    unchanged: usize,
    left_out: usize,
    /// The first file of which unchanged lines go.
    first: Option<usize>,
}

impl Folder {
    /// The patch of one file, which begins at `start`. Returns the first line behind it.
    fn file(&mut self, lines: &Lines<'_>, start: usize) -> usize {
        let header = start + 1 + (start + 1..lines.len()).take_while(|at| is_header(lines.get(*at))).count();
        let mut at = header;
        let mut hunks = Vec::new();
        while let Some(end) = hunk_end(lines, at) {
            hunks.push((at, end));
            at = end;
        }
        self.header(lines, start, header, !hunks.is_empty());
        let is_change = |at: &usize| matches!(lines.get(*at).first(), Some(b'+' | b'-'));
        let changed: usize = hunks.iter().map(|(from, to)| (from + 1..*to).filter(is_change).count()).sum();
        let is_gone = (start..header).any(|at| lines.get(at).starts_with(b"deleted file"));
        match written_by_a_tool(lines.get(start), self.whole) {
            None if is_gone && !self.whole && changed >= FEWEST_LOCKED => {
                self.cuts.push(Cut::counted(header, at, changed, "removed lines: all of this file"));
                self.left_out += changed;
            }
            Some((name, fewest)) if changed >= fewest => {
                let end = hunks.last().map_or(header, |hunk| hunk.1);
                self.cuts.push(Cut::counted(header, end, changed, &format!("changed lines of {name}")));
                self.left_out += end - header;
            }
            _ if !self.whole => {
                let before = self.unchanged;
                for (from, to) in hunks {
                    self.hunk(lines, from, to);
                }
                if self.unchanged > before {
                    self.first.get_or_insert(start);
                }
            }
            _ => {}
        }
        at
    }

    /// `index 1a2b..3c4d`, and of the two or three lines that name the file all but one or two.
    fn header(&mut self, lines: &Lines<'_>, start: usize, end: usize, has_hunks: bool) {
        let is_new = (start..end).any(|at| lines.get(at).starts_with(b"new file"));
        let is_gone = (start..end).any(|at| lines.get(at).starts_with(b"deleted file"));
        for at in start..end {
            let line = lines.get(at);
            let goes = if line.starts_with(b"diff --git ") {
                // `git apply` wants it where more than the content changes.
                has_hunks && !self.after_bare && (end - start == 4 || !self.whole)
            } else if line.starts_with(b"--- ") {
                has_hunks && !self.whole && !is_gone
            } else if line.starts_with(b"+++ ") {
                has_hunks && !self.whole && is_gone
            } else {
                line.starts_with(b"index ") && !(self.whole && (is_new || is_gone))
            };
            if goes {
                self.cuts.push(Cut { start: at, end: at + 1, mark: None });
            }
        }
        self.after_bare = !has_hunks;
    }

    /// The unchanged lines of one hunk. Between changes a mark keeps their distance.
    fn hunk(&mut self, lines: &Lines<'_>, from: usize, to: usize) {
        let mut at = from + 1;
        while at < to {
            let end = at + (at..to).take_while(|at| is_unchanged(lines.get(*at))).count();
            if end > at {
                let between = at > from + 1 && end < to;
                let mark = between.then(|| format!("… {}", end - at));
                self.cuts.push(Cut { start: at, end, mark });
                self.unchanged += end - at;
                self.left_out += end - at;
            }
            at = end.max(at + 1);
        }
    }
}

fn is_unchanged(line: &[u8]) -> bool {
    matches!(line.first(), Some(b' ') | None)
}

fn is_header(line: &[u8]) -> bool {
    [
        &b"index "[..],
        b"--- ",
        b"+++ ",
        b"new file mode ",
        b"deleted file mode ",
        b"old mode ",
        b"new mode ",
        b"similarity index ",
        b"dissimilarity index ",
        b"rename ",
        b"copy ",
        b"Binary files ",
    ]
    .iter()
    .any(|start| line.starts_with(start))
}

/// Where the hunk ends that begins at `at`: its header says how many lines it has.
fn hunk_end(lines: &Lines<'_>, at: usize) -> Option<usize> {
    if at >= lines.len() {
        return None;
    }
    let text =
        std::str::from_utf8(lines.get(at).strip_prefix(b"@@ -")?.split(|byte| *byte == b'@').next()?).ok()?;
    let (old, new) = text.trim_end().split_once(" +")?;
    let count = |range: &str| range.split_once(',').map_or(Some(1), |(_, count)| count.parse::<usize>().ok());
    let (mut old, mut new) = (count(old)?, count(new)?);
    let mut end = at + 1;
    while end < lines.len() && (old > 0 || new > 0) {
        let line = lines.get(end);
        if is_mark(line) || line.starts_with(b"@@ ") || line.starts_with(b"diff --git ") {
            break; // folded before
        }
        match line.first() {
            Some(b'-') => old = old.checked_sub(1)?,
            Some(b'+') => new = new.checked_sub(1)?,
            Some(b'\\') => {}
            Some(b' ') | None => (old, new) = (old.checked_sub(1)?, new.checked_sub(1)?),
            Some(_) => return None, // no line of a patch
        }
        end += 1;
    }
    let no_newline = end < lines.len() && lines.get(end).starts_with(b"\\ ");
    Some(end + usize::from(no_newline))
}

/// The name of the file that `diff --git a/x b/x` is about, if a tool writes it, and the fewest changed lines that
/// become a count. `locks`: no others than lock files.
fn written_by_a_tool(line: &[u8], locks: bool) -> Option<(String, usize)> {
    let text = String::from_utf8_lossy(line.trim_ascii_end());
    let path = text.rsplit_once(" b/")?.1;
    if LOCK_FILES.contains(&path.rsplit('/').next()?) {
        return Some((path.to_owned(), FEWEST_LOCKED));
    }
    let is_data = !locks && DATA_FILES.iter().any(|ending| path.ends_with(ending));
    is_data.then(|| (path.to_owned(), FEWEST_OF_DATA))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str, whole: bool) -> String {
        let mut lines = Lines::new(text.as_bytes());
        fold(&mut lines, whole);
        let out = lines.finish(text.as_bytes()).map_or(text.into(), |f| String::from_utf8(f.text).unwrap());
        let mut again = Lines::new(out.as_bytes());
        fold(&mut again, whole);
        assert_eq!(again.finish(out.as_bytes()), None, "twice is once:\n{out}");
        out
    }

    const PATCH: &str = "diff --git a/src/a.rs b/src/a.rs\nindex 1a2b3c4..5d6e7f8 100644\n--- a/src/a.rs\n\
        +++ b/src/a.rs\n@@ -1,7 +1,7 @@ fn main\n one\n-two\n+2\n three\n four\n-five\n+5\n six\n\
        \x20seven\ndiff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n";

    #[test]
    fn changes_stay_and_what_is_unchanged_is_counted() {
        assert_eq!(
            folded(PATCH, false),
            "… 5 unchanged lines around changes left out; hunk headers count them\n+++ b/src/a.rs\n\
             @@ -1,7 +1,7 @@ fn main\n-two\n+2\n… 2\n-five\n+5\ndiff --git a/x b/y\nsimilarity index 100%\n\
             rename from x\nrename to y\n"
        );
    }

    #[test]
    fn a_whole_patch_still_applies() {
        let out = folded(PATCH, true);
        assert!(
            out.starts_with("--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1,7 +1,7 @@ fn main\n one\n-two\n"),
            "{out}"
        );
        assert!(out.contains("rename from x\n"));
    }

    #[test]
    fn lock_files_are_counted() {
        let changes: String = (0..9).map(|n| format!("+ \"package {n}\",\n")).collect();
        let text = format!(
            "diff --git a/Cargo.lock b/Cargo.lock\nindex 1..2 100644\n--- a/Cargo.lock\n+++ b/Cargo.lock\n@@ -1 +1,10 @@\n x\n{changes}"
        );
        assert_eq!(
            folded(&text, true),
            "--- a/Cargo.lock\n+++ b/Cargo.lock\n… 9 changed lines of Cargo.lock\n"
        );
    }
}
