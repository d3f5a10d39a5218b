//! Notes that stand behind an output.

use crate::marks::is_note;

/// The text without the notes at its end: what was left out, the way for programs, a receipt. If the last note has no
/// newline at its end, the text before it had none either.
pub(super) fn without_note(mut text: &str) -> &str {
    loop {
        let start = start_of_last_line(text);
        if !is_note(&text[start..]) {
            return text;
        }
        let end = if text.ends_with('\n') { start } else { start.saturating_sub(1) };
        text = &text[..end];
    }
}

/// Whether a text ends as if with a note behind an output: its last line, empty ones aside, looks like one.
pub fn ends_in_note(text: &str) -> bool {
    is_note(&text[start_of_last_line(text)..])
}

/// Where the last line begins that is not empty.
fn start_of_last_line(text: &str) -> usize {
    text.trim_end_matches('\n').rfind('\n').map_or(0, |newline| newline + 1)
}
