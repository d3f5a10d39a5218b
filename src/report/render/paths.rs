//! Paths below the directory in which a tool ran, as they are from there: so most tools print them, and agents write them.

use super::draft::is_own;

/// The text with the paths that begin with `directory`, which ends in a slash, without it. A line that would then begin like
/// one of ours stays as the tool wrote it.
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
        let is_forged = is_first && is_own(rest.lines().next().unwrap_or(rest));
        if begins && goes_on && !is_forged {
            out.push_str(&text[from..at]);
            from = at + directory.len();
        }
    }
    out.push_str(&text[from..]);
    out
}
