//! Finds out whether the tool waits for an answer at the terminal: what it has printed must not be held back then.

use std::io::IsTerminal as _;
use std::time::Duration;

use super::Stream;
use crate::consumer;

/// A tool that has been quiet for this long may be waiting.
const PAUSE: Duration = Duration::from_millis(300);
/// After this long, any output that ends in the middle of a line counts, even if it does not end as prompts do (a
/// row of dots). Also the interval between further looks at a tool that stays quiet.
const LONG_PAUSE: Duration = Duration::from_secs(2);
/// The bytes that prompts end with.
const PROMPT_ENDS: &[u8] = b" :?>])}$#";

/// Looks at the tool whenever it has been quiet for a while, but only where somebody could answer (standard input
/// is a terminal).
pub(super) struct Asking {
    is_possible: bool,
    /// Since something was heard of the tool.
    pub(super) looks: u32,
}

impl Asking {
    pub(super) fn new() -> Self {
        Self { is_possible: std::io::stdin().is_terminal(), looks: 0 }
    }

    /// How long the tool has to be quiet until the next look; None where nobody could answer.
    pub(super) fn due(&self) -> Option<Duration> {
        self.is_possible.then(|| if self.looks == 0 { PAUSE } else { LONG_PAUSE * self.looks })
    }

    /// Whether the tool, which has been quiet for this long, waits for an answer.
    pub(super) fn is_waiting(&mut self, quiet: Duration, streams: &[Stream], tool: i32) -> bool {
        if self.due().is_none_or(|due| quiet < due) {
            return false;
        }
        self.looks += 1;
        let ends_open = |stream: &Stream| {
            let last = stream.buffer.last();
            last.is_some_and(|b| *b != b'\n' && (quiet >= LONG_PAUSE || PROMPT_ENDS.contains(b)))
        };
        streams.iter().any(ends_open) || consumer::waits_for_input(tool)
    }
}
