//! Paths below the directory in which a tool ran, as they are from there: so most tools print them, and agents write them.

use super::draft::is_own;

/// The text with the places that begin with `directory`, which ends in a slash, without it. A path that a message speaks of
/// (`no such file: '/srv/shop/a.json'`) stays as the tool wrote it, as does a line that would then begin like one of ours.
pub fn relative(text: String, directory: &str) -> String {
    if directory.is_empty() || !text.contains(directory) {
        return text;
    }
    let (mut out, mut from) = (String::with_capacity(text.len()), 0);
    for (at, _) in text.match_indices(directory) {
        let (before, rest) = (&text[..at], &text[at + directory.len()..]);
        let begins = !before.ends_with(|c: char| c.is_alphanumeric() || "/.:_-~".contains(c));
        let goes_on = rest.starts_with(|c: char| c.is_alphanumeric() || "._@".contains(c));
        let above = before.trim_end_matches(' ');
        let is_first = above.is_empty() || above.ends_with('\n');
        let line = rest.lines().next().unwrap_or(rest);
        let is_forged = is_first && is_own(line);
        if begins && goes_on && !is_forged && (is_first || is_place(before, line)) {
            out.push_str(&text[from..at]);
            from = at + directory.len();
        }
    }
    out.push_str(&text[from..]);
    out
}

/// Whether a path is a place: it has a number behind it.
fn is_place(before: &str, line: &str) -> bool {
    let (path, behind) = line.split_once(' ').unwrap_or((line, ""));
    if before.ends_with(['"', '\'', '`']) {
        return path.ends_with("\",") && behind.starts_with("line ");
    }
    let is_number =
        |mark: char| path.split(mark).skip(1).any(|part| part.starts_with(|c: char| c.is_ascii_digit()));
    behind.starts_with("line ") || is_number(':') || is_number('(')
}
