//! The head of a printed table, said again where one of its further pages begins.

use crate::marks::ROWS;
use crate::plural::counted;

/// Most bytes of a head that is said again; a longer one has names that a reader looks up on the first page.
pub const LONGEST_HEAD: usize = 600;

/// Most lines of such a head: columns, a group.
pub const HEAD_LINES: usize = 2;

/// The head of the table that `before`, the text in front of a page, ends in, and that goes on with `next`, the first
/// line of the page: its columns, and what the group's next rows share. Empty where no table goes on, or its head is
/// longer than [`LONGEST_HEAD`].
pub fn head_at(before: &str, next: &str) -> String {
    let lines: Vec<&str> = before.lines().collect();
    let Some(at) = lines.iter().rposition(|line| !line.starts_with(' ')) else { return String::new() };
    let Some(columns) =
        lines[at].strip_suffix(':').filter(|head| head.starts_with(ROWS) && head.contains("]{"))
    else {
        return String::new();
    };
    if !next.starts_with(' ') {
        return String::new();
    }
    let mut head = format!("{columns}, continued:\n");
    let mut group = None;
    for line in &lines[at + 1..] {
        if let Some(begun) = line.strip_prefix(' ').and_then(group_of) {
            group = Some(begun);
        } else if let Some((rows, _)) = &mut group {
            *rows -= 1;
            group = group.filter(|(rows, _)| *rows > 0);
        }
    }
    if let Some((rows, said)) = group.filter(|(_, said)| !said.is_empty()) {
        head += &format!(" next {}: {said}\n", counted(rows as u64, "row"));
    }
    if head.len() > LONGEST_HEAD { String::new() } else { head }
}

/// The number of rows and the pairs in `next 12 rows: path=value`.
pub fn group_of(line: &str) -> Option<(usize, &str)> {
    let (rows, rest) = line.strip_prefix("next ")?.split_once(' ')?;
    let pairs = rest.strip_prefix("rows:").or_else(|| rest.strip_prefix("row:"))?;
    let pairs = if pairs.is_empty() { pairs } else { pairs.strip_prefix(' ')? };
    Some((rows.parse().ok()?, pairs))
}
