//! What only fills up: blanks at ends of lines, blanks that align values behind `key:`, the strokes of drawn trees, of which
//! one blank a level remains.

/// What the entry of a drawn tree begins with, behind blanks and bars.
const ENTRIES: [&str; 4] = ["├", "└", "|-- ", "`-- "];
const STROKES: [char; 10] = ['│', '├', '└', '─', '┬', '|', '-', '`', ' ', '\u{a0}'];
/// Signs in front of a tree's strokes (`systemctl list-dependencies`).
const BULLETS: [&str; 4] = ["● ", "○ ", "× ", "  "];

/// The text without what only fills up.
pub(super) fn smooth(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // The columns of the entries that are open.
    let mut levels: Vec<usize> = Vec::new();
    let mut before = None;
    let mut lines = text.split('\n').map(|line| line.trim_end_matches([' ', '\t', '\r'])).peekable();
    while let Some(line) = lines.next() {
        let value = value(line);
        let is_beside = |other: Option<(usize, usize)>| {
            other.is_some_and(|other| value.is_some_and(|value| value.1 == other.1))
        };
        if let Some((bullet, start)) = entry(line) {
            let column = line[..start].chars().count();
            while levels.last().is_some_and(|last| *last >= column) {
                levels.pop();
            }
            levels.push(column);
            out.extend(std::iter::repeat_n(' ', levels.len()));
            out.push_str(bullet.trim_start_matches(' '));
            out.push_str(&line[start..]);
        } else if let Some((depth, start)) = within(line, &levels) {
            out.extend(std::iter::repeat_n(' ', if start < line.len() { depth } else { 0 }));
            out.push_str(&line[start..]);
        } else {
            if !line.starts_with([' ', '│', '|']) {
                levels.clear();
            }
            match value {
                Some((key, value))
                    if is_beside(before) || is_beside(lines.peek().and_then(|next| self::value(next))) =>
                {
                    out.push_str(line[..key].trim_end());
                    out.push(' ');
                    out.push_str(&line[value..]);
                }
                _ => out.push_str(line),
            }
        }
        before = value;
        if lines.peek().is_some() {
            out.push('\n');
        }
    }
    out
}

/// The sign in front of the strokes of a tree's entry, and where its text begins.
fn entry(line: &str) -> Option<(&str, usize)> {
    let bullet = BULLETS.into_iter().find(|bullet| line.starts_with(bullet)).unwrap_or_default();
    let rest = &line[bullet.len()..];
    let start = rest.find(|c| !STROKES.contains(&c))?;
    let strokes = &rest[..start];
    let tee = ENTRIES.iter().filter_map(|tee| strokes.find(tee)).min()?;
    // A line of a drawn table has strokes behind its text, too.
    let is_entry =
        !strokes[..tee].contains(['─', '-', '`', '┬']) && !rest[start..].contains(['│', '┼', '┤', '┘', '┴']);
    is_entry.then_some((bullet, bullet.len() + start))
}

/// The depth of a line that stands below an entry of a tree and is none (`│   [build-dependencies]`), and where its text
/// begins; a line of bars alone has none.
fn within(line: &str, levels: &[usize]) -> Option<(usize, usize)> {
    let start = line.find(|c| !STROKES.contains(&c)).unwrap_or(line.len());
    let (strokes, text) = line.split_at(start);
    let column = strokes.chars().count();
    let is_within = strokes.contains(['│', '|']) || levels.binary_search(&column).is_ok();
    let is_bars = strokes.chars().all(|c| matches!(c, ' ' | '│' | '|' | '\u{a0}'))
        && !text.contains(['│', '┼', '┤', '|']);
    let above = levels.partition_point(|level| *level <= column);
    (!levels.is_empty() && !line.is_empty() && is_within && is_bars).then_some((above + 1, start))
}

/// Where a line `key:   value` has its key's end and its value; `None` where it is no such line.
fn value(line: &str) -> Option<(usize, usize)> {
    let colon = memchr::memchr(b':', line.as_bytes())?;
    let rest = &line[colon + 1..];
    let value = line.len() - rest.trim_start_matches([' ', '\t']).len();
    let key = line[..colon].trim();
    let fits = value > colon + 1 && value < line.len() && !key.contains('\t') && !key.contains("  ");
    fits.then_some((colon + 1, value))
}
