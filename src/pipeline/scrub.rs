//! Removes terminal control from a captured output: colours and sounds go, a link's address stays behind its text,
//! moving the cursor ends a text, and of the states of one progress only the last stays.

mod progress;
mod screen;

use std::borrow::Cow;

use screen::Screen;

use crate::config::Level;
use crate::hidden;

const ESCAPE: u8 = 0x1b;
const BELL: u8 = 0x07;
const BACKSPACE: u8 = 0x08;
const CAN: u8 = 0x18;
const SUB: u8 = 0x1a;
/// Bytes with which a string sequence may end.
const STRING_ENDS: [u8; 4] = [ESCAPE, BELL, CAN, SUB];

/// A text without terminal control.
#[derive(Debug)]
pub struct Scrubbed<'a> {
    /// The text, borrowed if it holds no terminal control.
    pub text: Cow<'a, [u8]>,
    /// States of progress that were left out because the next text on their line says how much further the same work
    /// had come.
    pub states: usize,
}

/// The text of `input` as at level `standard`, whatever the level of the call: see [`at_level`].
pub fn scrub(input: &[u8]) -> Cow<'_, [u8]> {
    at_level(input, Level::Standard).text
}

/// The text of `input` as at level `lossless`: see [`at_level`].
pub fn as_it_stands(input: &[u8]) -> Cow<'_, [u8]> {
    at_level(input, Level::Lossless).text
}

/// The text of `input` with all that was written on a line, a line each: no state is left out. Borrowed unless it holds
/// what a terminal would obey.
pub fn plain(input: &[u8]) -> Cow<'_, [u8]> {
    if hidden::is_in_text(input) { obeyed(input, Level::Standard, true).text } else { Cow::Borrowed(input) }
}

/// Removes escape sequences (ECMA-48: CSI, OSC, DCS and the rest). `\r\n` is a newline. Anything else that takes the
/// cursor back (`\r`, backspaces, erase-in-line) ends a line: no text is written over, and characters of two texts
/// never stand in one line. Only where the next text is the same with other counts does it take the place of the one
/// before. In an input without any newline, lines end in `\r`. At level `lossless` a line that takes the cursor back
/// stays byte for byte.
///
/// Invalid UTF-8 stays as it came. A string sequence that is never terminated loses its introducer only, not the rest
/// of the output.
pub fn at_level(input: &[u8], level: Level) -> Scrubbed<'_> {
    // Without any newline, lines end in `\r`.
    obeyed(input, level, memchr::memchr(b'\n', input).is_none())
}

fn obeyed(input: &[u8], level: Level, keeps_all: bool) -> Scrubbed<'_> {
    let clean = memchr::memchr3(ESCAPE, b'\r', BACKSPACE, input).is_none();
    if clean && memchr::memchr(BELL, input).is_none() {
        return Scrubbed { text: Cow::Borrowed(input), states: 0 };
    }
    let mut screen = Screen::new(input, keeps_all);
    let mut terminated = true;
    let (mut at, mut line) = (0, 0);
    while at < input.len() {
        match input[at] {
            ESCAPE => at += sequence(&input[at..], &mut screen, &mut terminated),
            b'\n' => {
                screen.end_line(&input[line..=at], level);
                at += 1;
                line = at;
            }
            b'\r' => {
                let returns = input[at..].iter().take_while(|byte| **byte == b'\r').count();
                at += returns;
                if input.get(at) != Some(&b'\n') {
                    screen.restart();
                }
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
    screen.end(&input[line..], level);
    let states = if level == Level::Lossless { 0 } else { screen.states };
    Scrubbed { text: Cow::Owned(screen.out), states }
}

/// Obeys the sequence at the start of `input` and returns its length.
///
/// `terminated` turns false for good once a string sequence has no end in the rest of the input.
fn sequence(input: &[u8], screen: &mut Screen, terminated: &mut bool) -> usize {
    let Some(&introducer) = input.get(1) else { return 1 };
    let is_string = matches!(introducer, b']' | b'P' | b'X' | b'^' | b'_');
    if is_string {
        let Some(end) = terminated.then(|| string_end(input, introducer == b']')).flatten() else {
            *terminated = false;
            return 2;
        };
        screen.string(&input[..end]);
        return end;
    }
    let (start, first_final) = if introducer == b'[' { (2, b'@') } else { (1, b'0') };
    let is_end = |byte: &u8| *byte >= first_final || *byte < b' ';
    let Some(length) = input[start..].iter().position(is_end) else { return input.len() };
    let (parameters, end) = (&input[start..start + length], start + length);
    if !(b' '..0x7f).contains(&input[end]) {
        return end; // aborted: what interrupts a sequence is read on its own
    }
    if introducer == b'[' {
        screen.control(parameters, input[end]);
    }
    end + 1
}

/// Offset behind the terminator: ST (`ESC \`), for an OSC also BEL. CAN and SUB end the sequence, too.
fn string_end(input: &[u8], bell: bool) -> Option<usize> {
    let mut from = 2;
    loop {
        let at = from + input[from..].iter().position(|byte| STRING_ENDS.contains(byte))?;
        match input[at] {
            ESCAPE if input.get(at + 1) == Some(&b'\\') => return Some(at + 2),
            BELL if bell => return Some(at + 1),
            CAN | SUB => return Some(at + 1),
            _ => from = at + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_go_and_text_stays() {
        for (input, text) in [
            ("\x1b[1;31mred\x1b[0m \x1b]8;;http://x\x1b\\link\x1b]8;;\x07!", "red link (http://x)!"),
            ("\x1b]8;id=1;http://x\x07http://x\x1b]8;;\x07 \x1b]8;;a:b\x07c", "http://x c (a:b)"),
            ("\x1bP1$r0m\x1b\\a\x1b_apc\x1b\\b\x1b(Bc\x1b7d\x1b[?25le\x1b[>4;2mf", "abcdef"),
            ("a\x1b[38:2::1:2:3mb\x1b[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19mc", "abc"),
            ("ding\x07 dong", "ding dong"),
            // CAN and SUB end a string.
            ("a\x1b]0;t\x18b\x1bPq\x18c \x1b]8;;http://x\x18d\x1b]8;;\x18\n", "abc d (http://x)\n"),
            ("a\x1b]0;t\x1ab\x1bPq\x1ac \x1b]8;;http://x\x1ad\x1b]8;;\x1a\n", "abc d (http://x)\n"),
            // A sequence without an end hides nothing.
            ("\x1b]0;title and then the error", "0;title and then the error"),
            ("a\x1b[31\nb", "a\nb"),
            ("end\x1b", "end"),
            // A private sequence is not obeyed, nor is one whose end is not there.
            ("ab\x1b[?2K\x1b[2 K\x1b[>1D\x1b[3", "ab"),
            // Of a work's progress the last state stays.
            (" 10%\r 50%\r100%\ndone\r\n", "100%\ndone\n"),
            ("count 1\x1b[1G\x1b[0Kcount 2\x1b[2K\x1b[1Gcount 3\n", "count 3\n"),
            ("work |\x08/\x08-\x08 done\n", "work  done\n"),
            ("at 10%\x08\x08\x0820%\n", "at 20%\n"),
            ("NAME\x08\x08\x08\x08NAME a\x08ab\x08b _\x08x\n", "NAME ab x\n"),
            ("a\r\r\nb", "a\nb"),
            ("a\x1b[5Gb\x1b[2Cc", "a   b  c"),
            // What is no progress is never written over.
            ("longer line\rshort\x1b[K\n", "longer line\nshort\n"),
            ("longer\rab", "longer\nab"),
            ("abc\x08\x08X\n", "abc\nX\n"),
            ("höhe\rtief\n", "höhe\ntief\n"),
            ("error: x\x1b[2K\rok\n", "error: x\nok\n"),
            ("error: disk full\r            \rdone\n", "error: disk full\ndone\n"),
            ("1 failed\r2 failed\rdone    \n", "1 failed\n2 failed\ndone\n"),
        ] {
            assert_eq!(String::from_utf8_lossy(&scrub(input.as_bytes())), text, "{input:?}");
        }
        assert_eq!(at_level(b" 10%\r 50%\r100%\ndone\r\n", Level::Standard).states, 2);
        assert_eq!(at_level(b"a 1\rb 2\r\nc\n", Level::Standard).states, 0);
    }

    #[test]
    fn at_lossless_a_line_that_takes_the_cursor_back_stays_as_it_came() {
        let lossless =
            |text: &[u8]| String::from_utf8(at_level(text, Level::Lossless).text.into_owned()).unwrap();
        for text in
            ["10%\r20%\r\x1b[K30%\n", "user,balance\ralice,1000\rbob,25\r", "a|\x08/\x08-\n", "a\x1b[2Kb"]
        {
            assert_eq!(lossless(text.as_bytes()), text);
        }
        assert_eq!(lossless(b"\x1b[1mbold\x1b[0m\r\na 1\ra 2\nred\x1b[0m"), "bold\na 1\ra 2\nred");
    }

    #[test]
    fn bytes_stay_bytes_and_clean_text_is_borrowed() {
        assert_eq!(scrub(b"\xff\xfe\x1b[0m\x80\x1b[3\xffmx").as_ref(), b"\xff\xfe\x80\xffmx");
        assert!(matches!(scrub(b"clean \xff\ttext\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn cost_is_linear_on_hostile_input() {
        let mut hostile = "é".repeat(200_000).into_bytes();
        hostile.extend("\rx".repeat(200_000).bytes());
        hostile.extend("\x1b]".repeat(200_000).bytes());
        assert!(scrub(&hostile).len() < hostile.len());
    }
}
