//! The kind of an output for its reader, which decides how an output that does not fit a page is reduced.

use crate::commands::{self, Column};

/// The kind of an output for its reader (docs/large-output.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputKind {
    /// Output of test runners, compilers and linters.
    Report,
    /// The text itself is the answer, as it stands: source, patches, messages.
    Content,
    /// JSON or YAML.
    Data,
    /// Lines with times in front.
    Log,
    /// The progress of an action: an installation, a build, a deployment.
    Action,
    /// The command is not known: given as content is.
    Unknown,
}

/// Lines at the beginning in which times are looked for, empty ones not counted.
const LOOKED_AT: usize = 200;
const FEWEST_LINES: usize = 20;
/// Fewest lines of a log that show a time, in percent.
const TIMED: usize = 60;

/// The columns of kinds: the first that holds for a call is its kind.
const KINDS: [(&Column, OutputKind); 4] = [
    (&commands::CONTENT, OutputKind::Content),
    (&commands::LOG, OutputKind::Log),
    (&commands::REPORT, OutputKind::Report),
    (&commands::ACTION, OutputKind::Action),
];

impl OutputKind {
    /// The kind of a command's output, from the command's words and from the text.
    pub fn of(words: &[String], text: &[u8], is_structured: bool) -> Self {
        let words = commands::unwrap(words);
        if is_structured {
            return if commands::MANIFEST.holds_for(words) { Self::Content } else { Self::Data };
        }
        match KINDS.iter().find(|(column, _)| column.holds_for(words)) {
            Some((_, kind)) => *kind,
            None if !commands::PAYLOAD.holds_for(words) && shows_times(text) => Self::Log,
            None => Self::Unknown,
        }
    }
}

/// Whether most lines have a time of day near their beginning.
fn shows_times(text: &[u8]) -> bool {
    let (mut lines, mut timed) = (0, 0);
    for line in text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).take(LOOKED_AT) {
        lines += 1;
        timed += usize::from(begins_with_time(line));
    }
    lines >= FEWEST_LINES && timed * 100 >= lines * TIMED
}

/// Whether one of the line's first four words is a time of day (`12:30:01`). Words end at `T`, too, so that the time of
/// an RFC 3339 date (`2026-11-22T12:30:01`) is one, as is the time behind syslog's month and day.
fn begins_with_time(line: &[u8]) -> bool {
    let words = line.split(|byte| matches!(byte, b' ' | b'\t' | b'T' | b'[' | b']' | b'|'));
    words
        .filter(|word| !word.is_empty())
        .take(4)
        .any(|word| matches!(word, [b'0'..=b'9', b'0'..=b'9', b':', b'0'..=b'9', b'0'..=b'9', b':', ..]))
}
