//! Terminal control out of a captured output: what a reader of the screen would finally have seen.

use std::borrow::Cow;
use std::collections::HashSet;

use vte::{Params, Parser, Perform};

const ESCAPE: u8 = 0x1b;
const BELL: u8 = 0x07;
const BACKSPACE: u8 = 0x08;
/// What is overwritten is gone from a screen, but not from what a failing tool said (promise 5): a line that holds one
/// of these is ended, not overwritten.
const REASONS: &[&[u8]] = &[
    b"error",
    b"fail",
    b"fatal",
    b"panic",
    b"denied",
    b"exception",
    b"abort",
    b"cannot",
    b"refused",
    b"not found",
];
/// A longer line is not searched for reasons.
const LONGEST_REASON: usize = 4096;
/// A longer line is not overwritten any more (`\r` ends it), so that the cost stays linear.
const LONGEST_LINE: usize = 64 * 1024;

/// Removes escape sequences (ECMA-48: CSI, OSC, DCS and the rest) and settles what `\r`, backspaces and
/// erase-in-line overwrote. `\r\n` is a newline. Text without control bytes is returned as it is.
///
/// Bytes are bytes: what is not UTF-8 stays as it came. A string sequence that is never terminated loses its
/// introducer only, not the rest of the output.
pub fn scrub(input: &[u8]) -> Cow<'_, [u8]> {
    let clean = memchr::memchr3(ESCAPE, b'\r', BACKSPACE, input).is_none();
    if clean && memchr::memchr(BELL, input).is_none() {
        return Cow::Borrowed(input);
    }
    let mut screen = Screen { out: Vec::with_capacity(input.len()), ..Screen::default() };
    let mut terminated = true;
    let mut at = 0;
    while at < input.len() {
        match input[at] {
            ESCAPE => at += sequence(&input[at..], &mut screen, &mut terminated),
            b'\n' => {
                screen.end_line();
                at += 1;
            }
            b'\r' => {
                screen.carriage_return();
                at += 1;
            }
            BACKSPACE => {
                screen.back(1);
                at += 1;
            }
            BELL => at += 1,
            _ => {
                let stop = |&byte: &u8| matches!(byte, ESCAPE | b'\n' | b'\r' | BACKSPACE | BELL);
                let run = input[at..].iter().position(stop).unwrap_or(input.len() - at);
                screen.write(&input[at..at + run]);
                at += run;
            }
        }
    }
    Cow::Owned(screen.out)
}

/// Lets vte read the sequence at the start of `input` and returns its length.
///
/// `terminated` turns false for good once a string sequence was found to have no end in what follows.
fn sequence(input: &[u8], screen: &mut Screen, terminated: &mut bool) -> usize {
    let Some(&introducer) = input.get(1) else { return 1 };
    let is_string = matches!(introducer, b']' | b'P' | b'X' | b'^' | b'_');
    if is_string {
        let Some(end) = terminated.then(|| string_end(input, introducer == b']')).flatten() else {
            *terminated = false;
            return 2;
        };
        return end;
    }
    let mut parser = Parser::new();
    for (at, &byte) in input.iter().enumerate() {
        if at > 0 && !(b' '..0x7f).contains(&byte) {
            return at; // aborted: what interrupts a sequence is read on its own
        }
        parser.advance(screen, &[byte]);
        let last = if introducer == b'[' { at > 1 && byte >= b'@' } else { at > 0 && byte >= b'0' };
        if last {
            return at + 1;
        }
    }
    input.len()
}

/// Offset behind the terminator: ST (`ESC \`), for an OSC also BEL. CAN and SUB end it, too.
fn string_end(input: &[u8], bell: bool) -> Option<usize> {
    let mut from = 2;
    loop {
        let at = from + memchr::memchr3(ESCAPE, BELL, 0x18, &input[from..])?;
        match input[at] {
            ESCAPE if input.get(at + 1) == Some(&b'\\') => return Some(at + 2),
            BELL if bell => return Some(at + 1),
            0x18 => return Some(at + 1),
            _ => from = at + 1,
        }
    }
}

/// The lines written so far; the cursor moves on the last one.
#[derive(Default)]
struct Screen {
    out: Vec<u8>,
    line: usize,
    /// Where the next byte goes; behind the end of `out` while nothing is overwritten.
    cursor: usize,
    /// Lines that were kept from being overwritten, their digits masked: a counter's line is kept once.
    kept: HashSet<Vec<u8>>,
}

impl Screen {
    /// Before the line is overwritten from its start: keeps it where it may say why something failed.
    fn keep_reason(&mut self) {
        let text = &self.out[self.line..];
        if text.len() > LONGEST_REASON {
            return;
        }
        let text = text.to_ascii_lowercase();
        if REASONS.iter().any(|reason| memchr::memmem::find(&text, reason).is_some()) {
            let masked = text.iter().map(|byte| if byte.is_ascii_digit() { b'0' } else { *byte }).collect();
            if self.kept.insert(masked) {
                self.end_line();
            }
        }
    }

    fn write(&mut self, text: &[u8]) {
        if self.cursor == self.line && self.cursor < self.out.len() {
            self.keep_reason();
        }
        if self.cursor == self.out.len() {
            self.out.extend_from_slice(text);
            self.cursor = self.out.len();
            return;
        }
        let mut end = self.cursor;
        for _ in 0..text.iter().filter(|&&byte| !is_continuation(byte)).count() {
            end = self.after(end);
        }
        self.out.splice(self.cursor..end, text.iter().copied());
        self.cursor += text.len();
    }

    fn end_line(&mut self) {
        self.out.push(b'\n');
        self.line = self.out.len();
        self.cursor = self.line;
    }

    fn carriage_return(&mut self) {
        if self.out.len() - self.line > LONGEST_LINE {
            self.end_line();
        }
        self.cursor = self.line;
    }

    /// The offset behind the character at `at`.
    fn after(&self, at: usize) -> usize {
        let rest = self.out.get(at + 1..).unwrap_or_default();
        let more = rest.iter().position(|&byte| !is_continuation(byte)).unwrap_or(rest.len());
        (at + 1 + more).min(self.out.len())
    }

    fn back(&mut self, columns: usize) {
        for _ in 0..columns.min(self.cursor - self.line) {
            self.cursor -= 1;
            while self.cursor > self.line && is_continuation(self.out[self.cursor]) {
                self.cursor -= 1;
            }
        }
    }

    fn forward(&mut self, columns: usize) {
        for _ in 0..columns.min(1000) {
            if self.cursor == self.out.len() {
                self.out.push(b' ');
            }
            self.cursor = self.after(self.cursor);
        }
    }
}

impl Perform for Screen {
    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], ignore: bool, action: char) {
        if ignore || !intermediates.is_empty() || self.out.len() - self.line > LONGEST_LINE {
            return;
        }
        let first = params.iter().next().and_then(|values| values.first()).copied().unwrap_or(0);
        let count = usize::from(first.max(1));
        if matches!((action, first), ('K', 2)) || action == 'K' && self.cursor == self.line {
            self.keep_reason();
        }
        match (action, first) {
            // Erase in line: to its end, to its start, all of it.
            ('K', 0) => self.out.truncate(self.cursor),
            ('K', 1) => self.out[self.line..self.cursor].fill(b' '),
            ('K', 2) => {
                self.out.truncate(self.line);
                self.cursor = self.line;
            }
            ('C', _) => self.forward(count),
            ('D', _) => self.back(count),
            ('G', _) => {
                self.cursor = self.line;
                self.forward(count - 1);
            }
            _ => {}
        }
    }
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(input: &[u8]) -> String {
        String::from_utf8_lossy(&scrub(input)).into_owned()
    }

    #[test]
    fn sequences_go_and_text_stays() {
        assert_eq!(shown(b"\x1b[1;31mred\x1b[0m \x1b]8;;http://x\x1b\\link\x1b]8;;\x07!"), "red link!");
        assert_eq!(shown(b"\x1bP1$r0m\x1b\\a\x1b_apc\x1b\\b\x1b(Bc\x1b7d\x1b[?25le\x1b[>4;2mf"), "abcdef");
        assert_eq!(
            shown(b"a\x1b[38:2::1:2:3mb\x1b[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19mc"),
            "abc"
        );
        assert_eq!(shown(b"ding\x07 dong"), "ding dong");
    }

    #[test]
    fn overwritten_text_is_settled() {
        assert_eq!(shown(b" 10%\r 50%\r100%\ndone\r\n"), "100%\ndone\n");
        assert_eq!(shown(b"longer line\rshort\x1b[K\n"), "short\n");
        assert_eq!(shown(b"longer\rab"), "abnger");
        assert_eq!(shown(b"abc\x08\x08X\n"), "aXc\n");
        assert_eq!(shown("höhe\rtief\n".as_bytes()), "tief\n");
        assert_eq!(shown(b"abc\x1b[2K\rz\x1b[3Cy\x1b[1Gq"), "q   y");
        assert_eq!(shown(b"a\r\r\nb"), "a\nb");
    }

    #[test]
    fn an_unterminated_sequence_hides_nothing() {
        assert_eq!(shown(b"\x1b]0;title and then the error"), "0;title and then the error");
        assert_eq!(shown(b"a\x1b[31\nb"), "a\nb");
        assert_eq!(shown(b"end\x1b"), "end");
        assert_eq!(shown(b"\x1b[3\xffmx"), "\u{fffd}mx");
    }

    #[test]
    fn bytes_stay_bytes_and_clean_text_is_borrowed() {
        assert_eq!(scrub(b"\xff\xfe\x1b[0m\x80").as_ref(), b"\xff\xfe\x80");
        assert!(matches!(scrub(b"clean \xff\ttext\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn cost_is_linear_on_hostile_input() {
        let mut hostile = "é".repeat(200_000).into_bytes();
        hostile.extend("\rx".repeat(200_000).bytes());
        hostile.extend("\x1b]".repeat(200_000).bytes());
        assert!(scrub(&hostile).len() < hostile.len());
    }

    #[test]
    fn a_reason_that_progress_wrote_over_is_kept() {
        let scrubbed = |text: &str| String::from_utf8(scrub(text.as_bytes()).into_owned()).unwrap();
        assert_eq!(scrubbed("error: disk full\r            \rdone\n"), "error: disk full\ndone        \n");
        assert_eq!(scrubbed("error: x\x1b[2K\rok\n"), "error: x\nok\n");
        assert_eq!(scrubbed("error: x\r\x1b[Kok\n"), "error: x\nok\n");
        assert_eq!(scrubbed("error: x\r\nok\r\n"), "error: x\nok\n");
        assert_eq!(scrubbed("1 failed\r2 failed\r3 failed\rdone    \n"), "1 failed\ndone    \n");
    }
}
