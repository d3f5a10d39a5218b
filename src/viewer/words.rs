//! The words behind a viewer's last line.

use std::ffi::OsString;
use std::fmt::Write as _;

use super::lacked::what_the_window_lacked;
use crate::pipeline::visible;
use crate::report::Hint;
use crate::run::Status;
use crate::store::Id;
use crate::tokens;

/// Tokens of all that is said.
const MOST_TOKENS: usize = 1_000;
/// Tokens that a line of ours may be counted as less, by what stands beside it.
const MARGIN: usize = 4;

/// A run that failed behind a viewer.
pub(super) struct FailedRun<'a> {
    /// The call, in words that are public.
    pub(super) call: String,
    /// The tool's name and its arguments.
    pub(super) command: &'a [OsString],
    pub(super) status: Status,
    /// The last viewer.
    pub(super) viewer: &'a str,
    pub(super) id: &'a Id,
    /// Was the output too large to be kept whole?
    pub(super) is_cut: bool,
}

impl FailedRun<'_> {
    /// The words, and whether they name the saved output: `text` is all that the tool wrote, `None` where that is too
    /// much to be looked through, `shown` what the window showed of it.
    pub(super) fn words(&self, text: Option<&[u8]>, shown: &[u8]) -> (String, bool) {
        let mut words = self.first_line();
        let last = self.last_line();
        let room = MOST_TOKENS - tokens::count(words.as_bytes()) - tokens::count(last.as_bytes()) - MARGIN;
        let hint = Hint { words: self.command };
        let lacked = text.map(|text| what_the_window_lacked(text, shown, &hint, room));
        if lacked.as_deref() == Some("") {
            return (words, false);
        }
        words.push_str(lacked.as_deref().unwrap_or_default());
        words.push_str(&last);
        (words, true)
    }

    /// The same where the output could not be saved.
    pub(super) fn without_whole(&self, words: &str) -> String {
        words.strip_suffix(self.last_line().as_str()).unwrap_or(words).to_owned()
    }

    fn first_line(&self) -> String {
        let Self { call, viewer, .. } = self;
        let end = match self.status {
            Status::Killed(signal) => format!("ended by signal {signal}"),
            Status::Exited(code) => format!("exit status {code}"),
            Status::Stopped => "stopped".into(),
        };
        let line = format!("[toto] {call}: {end} (without pipefail the shell reports {viewer}'s)");
        format!("{}\n", visible::line(&line))
    }

    fn last_line(&self) -> String {
        let mut line = String::from("[toto] ");
        let what = if self.is_cut { "the beginning of the output" } else { "the whole output" };
        let _ = writeln!(line, "{what}: toto show {}", self.id);
        line
    }
}
