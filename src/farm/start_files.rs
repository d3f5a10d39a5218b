//! The marked lines in shells' start files: put in, found again, and taken out without a byte left behind.

/// The end of every line of ours. The words in brackets say what else was added with the line.
const MARK: &str = "# toto setup";
const WITH_LINE_BREAK: &str = "# toto setup (line break added)";
const WITH_FILE: &str = "# toto setup (file added)";

/// Where in a file the line has to stand.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LINE: &str = ". ~/.toto/env";

    fn both(old: Option<&[u8]>, place: Place) -> (Vec<u8>, Option<Vec<u8>>) {
        let new = with_line(old, LINE, place);
        assert_eq!(with_line(Some(&new), LINE, place), new, "a second time changes nothing");
        let back = without_lines(&new);
        (new, back)
    }

    #[test]
    fn a_file_that_was_not_there_is_ours_alone_until_others_write_to_it() {
        let (mut text, back) = both(None, Place::TopAndEnd);
        assert_eq!((text.as_slice(), back), (&b". ~/.toto/env # toto setup (file added)\n"[..], None));
        text.extend_from_slice(b"y\n");
        assert_eq!(without_lines(&text).unwrap(), b"y\n");
    }

    #[test]
    fn at_the_top_it_stands_behind_the_shebang() {
        let (new, back) = both(Some(b"#!/bin/bash\nx\n"), Place::TopAndEnd);
        let marked = ". ~/.toto/env # toto setup\n";
        assert_eq!(String::from_utf8(new).unwrap(), format!("#!/bin/bash\n{marked}x\n{marked}"));
        assert_eq!(back.unwrap(), b"#!/bin/bash\nx\n");
    }

    #[test]
    fn what_others_wrote_behind_us_stays_and_we_move_behind_it() {
        for old in [&b"x"[..], b"x\n", b""] {
            let mut text = with_line(Some(old), LINE, Place::End);
            text.extend_from_slice(b"y\n");
            let expected = if old.is_empty() { "y\n" } else { "x\ny\n" };
            assert_eq!(without_lines(&text).unwrap(), expected.as_bytes());
            let again = with_line(Some(&text), LINE, Place::End);
            assert_eq!(again, format!("{expected}{LINE} # toto setup\n").as_bytes());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn taking_out_restores_every_byte(old in "(#!)?[ab\n\r\u{e9}]{0,20}", top: bool) {
            let place = if top { Place::TopAndEnd } else { Place::End };
            prop_assert_eq!(both(Some(old.as_bytes()), place).1.unwrap(), old.as_bytes());
        }
    }
}
