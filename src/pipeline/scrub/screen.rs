//! What a terminal would show: lines, and the texts that stand on one line one after another.

use super::{STRING_ENDS, progress};
use crate::config::Level;

/// Longest line whose columns are counted, in bytes, so that the cost stays linear.
const LONGEST_LINE: usize = 4096;
/// Most columns that a sequence moves the cursor forward.
const MOST_COLUMNS: usize = 1000;
/// Columns that all sequences together may move it, beside one for two bytes of the input.
const FREE_COLUMNS: usize = 16 << 10;

/// The lines written so far, and the texts of the current line.
#[derive(Default)]
pub(super) struct Screen {
    pub(super) out: Vec<u8>,
    /// Where the current text begins.
    line: usize,
    /// The text before it on the same line.
    before: Option<Vec<u8>>,
    /// Where the next byte goes; the end of `out`, unless the cursor was taken back.
    cursor: usize,
    /// Where the current line begins, with all of its texts.
    first: usize,
    /// Whether the cursor was taken back in this line.
    moved: bool,
    /// Whether no text takes another's place.
    keeps_all: bool,
    /// Columns that the cursor may yet be moved forward.
    room: usize,
    pub(super) states: usize,
    /// The address of an open link, and where its text begins.
    link: Option<(Vec<u8>, usize)>,
}

impl Screen {
    /// A screen for `input`; with `keeps_all` no text takes another's place.
    pub(super) fn new(input: &[u8], keeps_all: bool) -> Self {
        let room = input.len() / 2 + FREE_COLUMNS;
        Self { out: Vec::with_capacity(input.len()), keeps_all, room, ..Self::default() }
    }

    pub(super) fn write(&mut self, text: &[u8]) {
        if self.cursor < self.out.len() {
            self.write_over(text);
        }
        self.out.extend_from_slice(text);
        self.cursor = self.out.len();
    }

    /// Prepares for `text` where the cursor was taken back: a text that draws bold or underlined letters (`a\ba`,
    /// `_\ba`) or replaces counts is written over the old one; else the old text stays, and a line begins.
    fn write_over(&mut self, text: &[u8]) {
        let erased = &self.out[self.cursor..];
        let is_drawn = text.starts_with(erased) || erased.iter().all(|byte| *byte == b'_');
        // The end of a word is not written over: the halves of two words would make a third.
        let is_letter =
            |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
        let before = self.out[self.line..self.cursor].last();
        let in_word = is_letter(before) && (is_letter(erased.first()) || is_letter(text.first()));
        if is_drawn || !self.keeps_all && !in_word && progress::is_moving(erased) {
            self.states += usize::from(!is_drawn && !erased.trim_ascii().is_empty());
            self.out.truncate(self.cursor);
        } else {
            self.out.push(b'\n');
            self.line = self.out.len();
        }
    }

    /// Moves the cursor to the start of the line.
    pub(super) fn restart(&mut self) {
        self.moved = true;
        self.settle();
        self.cursor = self.out.len();
    }

    /// Takes the current text, if it is not blank, from its line, and writes the text that came before it, unless the
    /// current one is its next state.
    fn settle(&mut self) {
        let text = self.out.split_off(self.line);
        if text.trim_ascii().is_empty() {
            return;
        }
        if let Some(before) = self.before.take() {
            let (said, next) = (before.trim_ascii_end(), text.trim_ascii_end());
            if !self.keeps_all && said == next {
                // Nothing is lost.
            } else if !self.keeps_all && progress::is_next_state(said, next) {
                self.states += 1;
            } else {
                self.out.extend_from_slice(said);
                self.out.push(b'\n');
                self.line = self.out.len();
            }
        }
        self.before = Some(text);
    }

    /// Ends a line; `came` is the line as it was received.
    pub(super) fn end_line(&mut self, came: &[u8], level: Level) {
        if level == Level::Lossless && self.moved {
            self.before = None;
            self.out.truncate(self.first);
            self.out.extend_from_slice(came);
        } else {
            if self.before.is_some() {
                self.settle();
                if let Some(last) = self.before.take() {
                    self.out.extend_from_slice(last.trim_ascii_end());
                }
            }
            self.out.push(b'\n');
        }
        (self.line, self.first, self.cursor) = (self.out.len(), self.out.len(), self.out.len());
        self.moved = false;
    }

    /// Ends the output; `came` is the last line as it was received, without a newline.
    pub(super) fn end(&mut self, came: &[u8], level: Level) {
        self.close_link();
        if came.is_empty() {
            return;
        }
        self.end_line(came, level);
        if !came.ends_with(b"\r") && self.out.ends_with(b"\n") {
            self.out.pop();
        }
    }

    pub(super) fn back(&mut self, columns: usize) {
        self.moved = true;
        if columns > LONGEST_LINE {
            self.cursor = self.line;
        }
        for _ in 0..columns {
            if self.cursor == self.line {
                break;
            }
            self.cursor -= 1;
            while self.cursor > self.line && is_continuation(self.out[self.cursor]) {
                self.cursor -= 1;
            }
        }
    }

    fn forward(&mut self, columns: usize) {
        // Where there is no room left, words still stand apart.
        let columns = columns.min(MOST_COLUMNS).min(self.room.max(1));
        self.room = self.room.saturating_sub(columns);
        self.out.resize(self.out.len() + columns, b' ');
        self.cursor = self.out.len();
    }

    /// Moves the cursor to a column, counted from 0.
    fn column(&mut self, column: usize) {
        let text = &self.out[self.line..];
        let width = match text.len() {
            0..=LONGEST_LINE => text.iter().filter(|byte| !is_continuation(**byte)).count(),
            _ => usize::MAX,
        };
        match column.checked_sub(width) {
            Some(columns) => self.forward(columns),
            None => self.restart(),
        }
    }

    /// Obeys a control sequence (ECMA-48: CSI), unless it is a private one.
    pub(super) fn control(&mut self, parameters: &[u8], action: u8) {
        // Digits, and what separates numbers: `:` and `;`.
        if !parameters.iter().all(|byte| (b'0'..=b';').contains(byte)) {
            return;
        }
        let digits = parameters.iter().take_while(|byte| byte.is_ascii_digit());
        let first = digits.fold(0_u16, |n, digit| n.saturating_mul(10).saturating_add((digit - b'0').into()));
        let count = usize::from(first.max(1));
        match (action, first) {
            // Erase in line: to its start, or all of it. Text behind the cursor is written over, or not there.
            (b'K', 1 | 2) => self.restart(),
            (b'C', _) => self.forward(count),
            (b'D', _) => self.back(count),
            (b'G', _) => self.column(count - 1),
            _ => {}
        }
    }

    /// Takes a whole string sequence. OSC 8 begins a link (`ESC ] 8 ; parameters ; address ST`); without an address it
    /// ends one.
    pub(super) fn string(&mut self, sequence: &[u8]) {
        let Some(link) = sequence.strip_prefix(b"\x1b]8;") else { return };
        let end = link.iter().position(|byte| STRING_ENDS.contains(byte)).unwrap_or(link.len());
        let Some(parameters) = link[..end].iter().position(|byte| *byte == b';') else { return };
        self.close_link();
        let address = &link[parameters + 1..end];
        if !address.is_empty() {
            self.link = Some((address.to_vec(), self.out.len()));
        }
    }

    /// Writes the address behind the text of the open link, unless the text is the address.
    fn close_link(&mut self) {
        let Some((address, start)) = self.link.take() else { return };
        if self.out.get(start..).is_none_or(|text| text.trim_ascii() != address.as_slice()) {
            self.write(&[b" (", address.as_slice(), b")"].concat());
        }
    }
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}
