//! Paths, one a line: the directory once, whole, the names in it below it. A directory that the tool printed itself stands
//! as it came; one that it did not ends in `/`, or in `::` where tests are named.

use std::borrow::Cow;

use super::search;
use crate::render::pvfn::scalar::estimate;

/// Bytes of a line of names.
const WIDTH: usize = 100;
/// Tokens that a directory said once must save.
const LEAST_SAVED: usize = 4;
/// The directory itself among its entries, where the tool prints a `/` behind it.
const ITSELF: &str = "./";
/// Longest path, in bytes.
const LONGEST: usize = 4096;
/// Shortest hash in front of a path, in bytes.
const SHORTEST_HASH: usize = 32;

/// A path's directory, with the sign behind it, and the name in it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Path<'a> {
    /// A size or a hash in front of the path.
    column: Option<&'a str>,
    directory: &'a str,
    name: &'a str,
}

impl<'a> Path<'a> {
    fn of(line: &'a str) -> Option<Self> {
        if line.len() > LONGEST || !line.as_bytes().contains(&b'/') {
            return None;
        }
        let has = |byte: u8| memchr::memchr(byte, line.as_bytes()).is_some();
        let (has_colon, has_blank) = (has(b':'), has(b' '));
        let split = line.split_once('\t').or_else(|| has_blank.then(|| line.split_once("  "))?);
        let (column, path) = match split {
            Some((column, path)) if is_column(column, &line[column.len()..]) => (Some(column), path),
            _ => (None, line),
        };
        let bytes = path.as_bytes();
        let begins = |byte: &u8| byte.is_ascii_alphanumeric() || b"./_@~".contains(byte) || *byte >= 0x80;
        let (mut has_letter, mut is_strange) = (false, false);
        for byte in bytes {
            has_letter |= byte.is_ascii_alphabetic();
            is_strange |= *byte < b' ' || matches!(byte, b'"' | b'\\');
        }
        let fits = bytes.first().is_some_and(begins)
            && has_letter
            && !is_strange
            && (path.is_ascii() || !path.contains(|c: char| c != ' ' && c.is_whitespace()))
            && !path.trim_end_matches("::").ends_with([':', ',', ';', ' '])
            && !path.starts_with("//")
            && !(has_colon && (path.contains("://") || path.contains(": ") || search::path(line).is_some()));
        if !fits {
            return None;
        }
        // A test's arguments, which stand in brackets, are no directories.
        let before = path.find('[').map_or(path, |bracket| &path[..bracket]);
        let test = if has_colon { before.rfind("::").map_or(0, |sign| sign + 2) } else { 0 };
        let sign = before.rfind('/').map_or(0, |sign| sign + 1).max(test);
        let (directory, name) = path.split_at(sign);
        let is_whole = sign > 0
            && !(has_blank && (directory.contains(' ') || name.starts_with(' ') || name.contains("  ")));
        is_whole.then_some(Self { column, directory, name })
    }

    /// Whether its entries may follow: the tool printed the directory itself.
    fn is_directory_of(self, entry: Self) -> bool {
        let inner = entry.directory.strip_suffix('/').and_then(|inner| inner.strip_prefix(self.directory));
        let bare = self.column.is_none() && entry.column.is_none();
        bare && !self.name.is_empty() && inner == Some(self.name)
    }
}

/// Whether a text in front of a path is a size behind which `du` prints a tab, or a hash behind which `md5sum` prints two
/// blanks.
fn is_column(text: &str, rest: &str) -> bool {
    let hash = text.len() >= SHORTEST_HASH && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let size = || {
        let number = text.trim_end_matches(['K', 'M', 'G', 'T', 'B', 'i']);
        number.starts_with(|c: char| c.is_ascii_digit())
            && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    if rest.starts_with('\t') { size() } else { hash && !rest.starts_with("   ") }
}

/// The entries of one directory that `lines` begin with, in the tool's order, behind the line of the directory, where the
/// tool printed it.
fn group<'a>(lines: &[&'a str]) -> Option<(Option<&'a str>, Vec<Path<'a>>)> {
    let mut paths = lines.iter().map(|line| Path::of(line));
    let first = paths.next()??;
    let mut next = paths.next().flatten();
    let is_printed = next.is_some_and(|entry| first.is_directory_of(entry));
    let mut entries = if is_printed { Vec::new() } else { vec![first] };
    let directory = if is_printed { next?.directory } else { first.directory };
    while let Some(path) =
        next.filter(|path| path.directory == directory && path.column.is_some() == first.column.is_some())
    {
        next = paths.next().flatten();
        // A directory whose entries follow is the next heading.
        if next.is_some_and(|after| path.is_directory_of(after)) {
            break;
        }
        entries.push(path);
    }
    Some((is_printed.then(|| lines[0]), entries))
}

/// Writes what `lines` begin with, entries of one directory or a line, and returns its length in lines. The directory is
/// said once where that saves tokens, and few enough of its lines may be something else than paths.
pub(super) fn write(out: &mut String, lines: &[&str]) -> usize {
    let (head, entries) = group(lines).unwrap_or_default();
    let length = (entries.len() + usize::from(head.is_some())).max(1);
    let times = entries.len() - usize::from(head.is_none() && !entries.is_empty());
    let with_blanks = entries.iter().filter(|path| path.name.contains(' ')).count();
    let saved = entries.first().map_or(0, |first| times * estimate(first.directory) as usize);
    if saved < LEAST_SAVED || with_blanks * 4 > entries.len() {
        out.extend(lines[..length].iter().flat_map(|line| [line, "\n"]));
        return length;
    }
    out.push_str(head.unwrap_or(entries[0].directory));
    let mut width = WIDTH;
    for Path { column, name, .. } in entries {
        let name = match (name, column) {
            ("", _) => Cow::Borrowed(ITSELF),
            (name, None) if name.contains(' ') => Cow::Owned(format!("\"{name}\"")),
            (name, _) => Cow::Borrowed(name),
        };
        width += name.len() + 1;
        if let Some(column) = column {
            out.extend(["\n\t", column, " ", &*name]);
            continue;
        }
        if width >= WIDTH {
            out.push('\n');
            width = name.len();
        }
        out.push(' ');
        out.push_str(&name);
    }
    out.push('\n');
    length
}

/// Reads a group; returns its length in lines, 0 where none begins here.
pub(super) fn read(out: &mut String, lines: &[&str]) -> usize {
    let Some(&head) = lines.first().filter(|head| Path::of(head).is_some()) else { return 0 };
    let is_names = |line: &&&str| matches!(line.as_bytes(), [b' ' | b'\t', next, ..] if *next > b' ');
    let below = lines.iter().skip(1).take_while(is_names).count();
    if below == 0 {
        return 0;
    }
    let sign = if head.ends_with('/') || head.ends_with("::") { "" } else { "/" };
    if !sign.is_empty() {
        out.extend([head, "\n"]);
    }
    for line in &lines[1..=below] {
        if let Some((column, name)) = line.strip_prefix('\t').and_then(|line| line.split_once(' ')) {
            let gap = if column.len() < SHORTEST_HASH { "\t" } else { "  " };
            let name = if name == ITSELF { "" } else { name };
            out.extend([column, gap, head, sign, name, "\n"]);
            continue;
        }
        // Every second part stands in quotes.
        for (part, names) in line.split('"').enumerate() {
            if part % 2 == 1 {
                out.extend([head, sign, names, "\n"]);
                continue;
            }
            for name in names.split_ascii_whitespace() {
                let name = if name == ITSELF { "" } else { name };
                out.extend([head, sign, name, "\n"]);
            }
        }
    }
    below + 1
}
