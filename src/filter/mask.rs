//! Two lines are near-equal when only what counts, names or dates them differs: a line's mask is what is left of it
//! then. Masks are only compared; the reader gets lines as they were.

/// A longer line is compared as it is, in bytes.
const LONGEST: usize = 4096;
/// Words of three letters and more that a masked line must still have, so that it says something.
const FEWEST_WORDS: usize = 2;
/// Letters in them.
const FEWEST_LETTERS: usize = 12;
/// A number behind one of these is the message, not a count.
const STATUS_WORDS: &[&[u8]] =
    &[b"code", b"status", b"exit", b"exited", b"signal", b"errno", b"http", b"level", b"rc", b"returned"];
/// What a digit, a run of digits, a hash and an identifier become.
const NUMBER: u8 = b'#';

/// Writes the mask of `line` into `mask`. False where the line is compared as it is: a row of a table, a line of a
/// program, a line that says nothing without its numbers, a very long one.
///
/// `keep_names`: paths, file names and places (`a.rs:12`) are compared as they are.
pub fn mask(line: &[u8], keep_names: bool, mask: &mut Vec<u8>) -> bool {
    mask.clear();
    if line.len() > LONGEST || is_row(line) || is_code(line) || super::is_mark(line) {
        return false;
    }
    let mut masker = Masker { out: mask, words: 0, letters: 0, last: Vec::new(), masked: false };
    let indent = line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    masker.out.extend_from_slice(&line[..indent]);
    for word in line[indent..].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
        masker.word(word, keep_names);
        masker.out.push(b' ');
    }
    masker.masked && masker.words >= FEWEST_WORDS && masker.letters >= FEWEST_LETTERS
}

/// Columns: a tab, or two gaps of two blanks and more.
fn is_row(line: &[u8]) -> bool {
    let body = line.trim_ascii();
    if body.contains(&b'\t') || body.contains(&b'|') {
        return true;
    }
    let mut gaps = 0;
    let mut blanks = 0;
    for byte in body {
        blanks = if *byte == b' ' { blanks + 1 } else { 0 };
        gaps += usize::from(blanks == 2);
    }
    gaps >= 2
}

/// A line of a program, of data or of a patch.
fn is_code(line: &[u8]) -> bool {
    let body = line.trim_ascii();
    let patch =
        matches!(body.first(), Some(b'+' | b'-' | b'<' | b'>' | b'@' | b'{' | b'"' | b'\'' | b'/' | b'*'))
            || body.first() == Some(&b'#') && !body.get(1).is_some_and(u8::is_ascii_digit);
    patch || matches!(body.last(), Some(b';' | b'{' | b'}' | b',' | b'(' | b'[' | b'\\'))
}

struct Masker<'a> {
    out: &'a mut Vec<u8>,
    words: usize,
    letters: usize,
    /// The last run of letters, in lower case.
    last: Vec<u8>,
    masked: bool,
}

impl Masker<'_> {
    fn word(&mut self, word: &[u8], keep_names: bool) {
        let has_letter = word.iter().any(u8::is_ascii_alphabetic);
        if has_letter && is_name(word) {
            if keep_names {
                self.out.extend_from_slice(word);
                return;
            }
            if word.contains(&b'/') {
                self.masked = true;
                self.out.extend_from_slice(b"/");
                return;
            }
        }
        let mut at = 0;
        while at < word.len() {
            if let Some(length) = uuid(&word[at..]) {
                self.hide();
                at += length;
                continue;
            }
            let run = word[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            if run == 0 {
                self.out.push(word[at]);
                at += 1;
                continue;
            }
            self.run(word, at, run);
            at += run;
        }
    }

    /// Letters and digits without a sign between.
    fn run(&mut self, word: &[u8], at: usize, length: usize) {
        let run = &word[at..at + length];
        let digits = run.iter().filter(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            self.out.extend_from_slice(run);
            if length >= 3 {
                self.words += 1;
                self.letters += length;
            }
            self.last = run.to_ascii_lowercase();
        } else if digits == length {
            if self.is_status(word, at, length) {
                self.out.extend_from_slice(run);
            } else {
                self.hide();
            }
        } else if is_identifier(run) {
            self.hide();
        } else {
            for byte in run {
                if byte.is_ascii_digit() {
                    self.hide();
                } else {
                    self.out.push(*byte);
                }
            }
        }
    }

    /// A number that is the message: behind a word like "status", or an HTTP error by itself.
    fn is_status(&self, word: &[u8], at: usize, length: usize) -> bool {
        let alone =
            |byte: Option<&u8>| byte.is_none_or(|byte| !matches!(byte, b'.' | b':' | b'%' | b'/' | b'-'));
        STATUS_WORDS.contains(&self.last.as_slice())
            || length == 3
                && matches!(word[at], b'4' | b'5')
                && alone(at.checked_sub(1).and_then(|before| word.get(before)))
                && alone(word.get(at + length))
    }

    /// One sign for a number, whether it has parts (`1.5`, `12:30:01`) or not.
    fn hide(&mut self) {
        self.masked = true;
        if let [.., NUMBER, b'.' | b',' | b':'] = self.out[..] {
            self.out.pop();
        } else if self.out.last() != Some(&NUMBER) {
            self.out.push(NUMBER);
        }
    }
}

/// A path, a file name, a place, a module's or host's name.
fn is_name(word: &[u8]) -> bool {
    let starts = word.iter().find(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'~'));
    if starts.is_some_and(u8::is_ascii_digit) && !word.contains(&b'/') {
        return false;
    }
    word.contains(&b'/')
        || word.windows(2).any(|pair| pair == b"::" || pair[0] == b'.' && pair[1].is_ascii_alphabetic())
        || word.contains(&b'_')
}

/// A hash or a generated name: hexadecimal of seven and more, or letters and digits mixed.
fn is_identifier(run: &[u8]) -> bool {
    let hex = run.strip_prefix(b"0x").unwrap_or(run);
    if run.len() >= 7 && hex.iter().all(u8::is_ascii_hexdigit) || hex.len() < run.len() {
        return true;
    }
    let changes = run.windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count();
    run.len() >= 10 && changes >= 3
}

/// The length of a UUID (RFC 9562) at the start of `text`.
fn uuid(text: &[u8]) -> Option<usize> {
    const LENGTH: usize = 36;
    let text = text.get(..LENGTH)?;
    let right = |(at, byte): (usize, &u8)| match at {
        8 | 13 | 18 | 23 => *byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    text.iter().enumerate().all(right).then_some(LENGTH)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: &str, b: &str, keep_names: bool) -> bool {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        mask(a.as_bytes(), keep_names, &mut left)
            && mask(b.as_bytes(), keep_names, &mut right)
            && left == right
    }

    #[test]
    fn what_dates_and_counts_a_line_is_masked() {
        for (a, b) in [
            (
                "2024-01-02T10:00:00.123Z INFO request handled in 12.5ms",
                "2024-01-02T10:00:01Z INFO request handled in 9ms",
            ),
            (
                "Jan 12 10:00:00 host systemd[1]: Started session 12",
                "Jan 12 10:00:09 host systemd[991]: Started session 7",
            ),
            ("Downloaded layer 4f2a9c1d88e0", "Downloaded layer a81c22bb01ff"),
            (
                "worker 1b4e28ba-2fa1-11d2-883f-0016d3cca427 finished",
                "worker abcdefab-cdef-abcd-abcd-abcdefabcdef finished",
            ),
        ] {
            assert!(near(a, b, true), "{a} / {b}");
        }
    }

    #[test]
    fn what_says_something_is_not() {
        for (a, b) in [
            ("request finished with status 200", "request finished with status 500"),
            ("request handled, answered 503 quickly", "request handled, answered 404 quickly"),
            ("compiling the module src/a1.rs now", "compiling the module src/a2.rs now"),
            ("checked file name main.rs:12 again", "checked file name main.rs:13 again"),
            ("12345 67890", "12346 67890"),
            ("assert_equal(compute(1), something);", "assert_equal(compute(2), something);"),
            ("web-1   Running   node-12", "web-2   Running   node-13"),
            ("+ added some lines 1", "+ added some lines 2"),
        ] {
            assert!(!near(a, b, true), "{a} / {b}");
        }
    }

    #[test]
    fn paths_are_masked_where_nothing_failed() {
        assert!(near(
            "[ 12%] Building CXX object src/a.cc.o",
            "[ 13%] Building CXX object src/b.cc.o",
            false
        ));
        assert!(!near(
            "[ 12%] Building CXX object src/a.cc.o",
            "[ 13%] Building CXX object src/b.cc.o",
            true
        ));
    }
}
