//! Templates: the text that lines have in common, with a hole for each of their values. Written by [`super::section`],
//! read by [`super::read`].

use std::fmt::Write as _;

/// Begins each line that is toto's.
pub(super) const MARK: &str = "… ";

/// One part of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Text that is the same in all lines.
    Text(String),
    /// `{2}`: the second value of the row; `{…2}`: the last heading and this value; `{…}` (number 0): the heading
    /// alone; `{}` (number 0): each word below is the value of a line of its own. `{2:9}` pads with blanks behind to nine
    /// characters, `{2:>9}` with blanks in front; `{2=no}` is `no` where the row ends before this value.
    Value { headed: bool, number: usize, fill: Option<Fill>, default: Option<String> },
    /// `{7..40}`: counts up by one, row by row.
    Count { from: u64, to: u64, fill: Option<Fill> },
}

/// The padding of a value with blanks to a width, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fill {
    pub(super) width: usize,
    /// Whether the blanks stand in front of the value.
    pub(super) right: bool,
}

impl Piece {
    /// A value as it stands in its row.
    pub(super) fn value(number: usize, fill: Option<Fill>) -> Self {
        Self::Value { headed: false, number, fill, default: None }
    }

    /// The number of a value, with a heading or without.
    pub(super) fn number(&self) -> Option<usize> {
        if let Self::Value { number, .. } = self { Some(*number) } else { None }
    }
}

impl Fill {
    /// Number of blanks that pad a value.
    pub(super) fn blanks(fill: Option<Self>, value: &str) -> usize {
        fill.map_or(0, |fill| fill.width.saturating_sub(value.chars().count()))
    }
}

/// Appends a value with its padding.
pub(super) fn write_filled(out: &mut String, value: &str, fill: Option<Fill>) {
    let blanks = Fill::blanks(fill, value);
    let in_front = if fill.is_some_and(|fill| fill.right) { blanks } else { 0 };
    out.extend(std::iter::repeat_n(' ', in_front));
    out.push_str(value);
    out.extend(std::iter::repeat_n(' ', blanks - in_front));
}

/// Largest width to which a value may be padded, in characters: no tool pads further.
const WIDEST: usize = 4096;

/// Writes a template.
pub(super) fn write(pieces: &[Piece]) -> String {
    let mut out = String::new();
    let padding = |fill: Option<Fill>| {
        fill.map_or_else(String::new, |fill| format!(":{}{}", if fill.right { ">" } else { "" }, fill.width))
    };
    for piece in pieces {
        let _ = match piece {
            Piece::Text(text) => out.write_str(text),
            Piece::Count { from, to, fill } => write!(out, "{{{from}..{to}{}}}", padding(*fill)),
            Piece::Value { headed, number, fill, default } => {
                let number = if *number > 0 { number.to_string() } else { String::new() };
                let default = default.as_ref().map_or_else(String::new, |default| format!("={default}"));
                write!(out, "{{{}{number}{}{default}}}", if *headed { "…" } else { "" }, padding(*fill))
            }
        };
    }
    out
}

/// Reads a template. Any brace that begins no hole is text.
pub(super) fn read(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (open, _) in text.match_indices('{') {
        // The longest holes have two numbers and a width, or a number, a width and a default.
        let end = text[open + 1..].bytes().take(64).position(|byte| byte == b'}');
        let Some(end) = end.map(|end| open + 1 + end).filter(|_| open >= start) else { continue };
        let Some(piece) = hole(&text[open + 1..end]) else { continue };
        if start < open {
            pieces.push(Piece::Text(text[start..open].to_owned()));
        }
        pieces.push(piece);
        start = end + 1;
    }
    if start < text.len() {
        pieces.push(Piece::Text(text[start..].to_owned()));
    }
    pieces
}

/// The hole with this text between its braces.
fn hole(text: &str) -> Option<Piece> {
    let (text, default) = text.split_once('=').map_or((text, None), |(text, default)| (text, Some(default)));
    let (what, fill) = match text.split_once(':') {
        Some((what, fill)) => (what, Some(read_fill(fill)?)),
        None => (text, None),
    };
    if let Some((from, to)) = range(what) {
        return default.is_none().then_some(Piece::Count { from, to, fill });
    }
    let (headed, digits) = what.strip_prefix('…').map_or((false, what), |digits| (true, digits));
    let number = if digits.is_empty() { 0 } else { integer(digits).filter(|&number| number > 0)? as usize };
    let fits = match default {
        Some(default) => number > 0 && !headed && !default.is_empty(),
        None => number > 0 || !headed || fill.is_none(),
    };
    fits.then(|| Piece::Value { headed, number, fill, default: default.map(str::to_owned) })
}

fn read_fill(text: &str) -> Option<Fill> {
    let digits = text.strip_prefix('>');
    let width = integer(digits.unwrap_or(text))? as usize;
    (1..=WIDEST).contains(&width).then_some(Fill { width, right: digits.is_some() })
}

/// An integer in its usual form: no sign, no leading zero, at most 18 digits.
pub(super) fn integer(text: &str) -> Option<u64> {
    let canonical = !text.is_empty()
        && text.len() < 19
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && (text.len() == 1 || !text.starts_with('0'));
    canonical.then(|| text.parse().ok()).flatten()
}

/// The integers of a range: `120..163`.
pub(super) fn range(text: &str) -> Option<(u64, u64)> {
    let (from, to) = text.split_once("..")?;
    Some((integer(from)?, integer(to)?))
}
