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
