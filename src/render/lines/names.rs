//! Lists: the values of lines that have one value each.

use std::fmt::Write as _;

use super::template::{integer, range};
use super::value;

/// Names on a line of a list.
const NAMES_A_LINE: usize = 10;

/// Writes names, ten on a line; numbers that count up become a range.
#[derive(Default)]
pub(super) struct Names {
    on_line: usize,
    range: Option<(u64, u64)>,
}

impl Names {
    pub(super) fn push(&mut self, out: &mut String, name: &str) {
        let number = integer(name);
        match (&mut self.range, number) {
            (Some((_, to)), Some(number)) if number == *to + 1 => *to = number,
            _ => {
                self.settle(out);
                if let Some(number) = number {
                    self.range = Some((number, number));
                } else {
                    self.put(out, name);
                }
            }
        }
    }

    /// Appends what separates a name from the one before; returns whether the name is the first of its line.
    fn separate(&mut self, out: &mut String) -> bool {
        if self.on_line == NAMES_A_LINE {
            out.push('\n');
            self.on_line = 0;
        } else if self.on_line > 0 {
            out.push(' ');
        }
        self.on_line += 1;
        self.on_line == 1
    }

    fn put(&mut self, out: &mut String, name: &str) {
        let is_first = self.separate(out);
        // A name that looks like a range stands in quotes.
        if range(name).is_some() {
            let _ = write!(out, "\"{name}\"");
        } else {
            value::write(out, name, is_first);
        }
    }

    fn settle(&mut self, out: &mut String) {
        let Some((from, to)) = self.range.take() else { return };
        if to - from >= 2 {
            self.separate(out);
            let _ = write!(out, "{from}..{to}");
        } else {
            for number in from..=to {
                self.put(out, &number.to_string());
            }
        }
    }

    pub(super) fn end(&mut self, out: &mut String) {
        self.settle(out);
        if self.on_line > 0 {
            out.push('\n');
            self.on_line = 0;
        }
    }
}
