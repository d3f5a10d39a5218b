//! The marked lines in shells' start files: put in, found again, and taken out without a byte left behind.

/// The end of every line of ours. The words in brackets say what else was added with the line.
const MARK: &str = "# toto setup";
const WITH_LINE_BREAK: &str = "# toto setup (line break added)";
const WITH_FILE: &str = "# toto setup (file added)";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// At its end: behind whatever else changes PATH.
    End,
    /// Also at its top: some files return early when the shell is not interactive.
    TopAndEnd,
}

/// The file's text with our line in it and no older line of ours; `old` is None if there is no file.
pub fn with_line(old: Option<&[u8]>, line: &str, place: Place) -> Vec<u8> {
    let Some(old) = old.and_then(without_lines) else {
        return format!("{line} {WITH_FILE}\n").into_bytes();
    };
    let mut new = old.clone();
    if place == Place::TopAndEnd && !old.is_empty() {
        let newline = memchr::memchr(b'\n', &old).filter(|_| old.starts_with(b"#!"));
        let top = newline.map_or(0, |newline| newline + 1);
        new.splice(top..top, format!("{line} {MARK}\n").into_bytes());
    }
    let (line_break, mark) =
        if old.is_empty() || old.ends_with(b"\n") { ("", MARK) } else { ("\n", WITH_LINE_BREAK) };
    new.extend_from_slice(format!("{line_break}{line} {mark}\n").as_bytes());
    new
}

/// The text without our lines; None if the file was ours alone.
pub fn without_lines(text: &[u8]) -> Option<Vec<u8>> {
    let mut new = Vec::with_capacity(text.len());
    let mut ours_alone = false;
    let mut end = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        end += line.len();
        let bare = line.strip_suffix(b"\n").unwrap_or(line);
        if bare.ends_with(WITH_LINE_BREAK.as_bytes()) {
            if end == text.len() {
                new.pop();
            }
        } else if bare.ends_with(WITH_FILE.as_bytes()) {
            ours_alone = true;
        } else if !bare.ends_with(MARK.as_bytes()) {
            new.extend_from_slice(line);
        }
    }
    (!new.is_empty() || !ours_alone).then_some(new)
}
