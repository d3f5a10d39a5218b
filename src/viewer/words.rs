//! The words that are written behind a viewer's last line.

use std::ffi::OsString;

use super::lacked::what_the_window_lacked;
use crate::pipeline::visible;
use crate::report::Hint;
use crate::run::Status;
use crate::store::Id;
use crate::tokens;

/// Most tokens of the words.
const MOST_TOKENS: usize = 1_000;
/// Tokens kept in reserve: our lines may count as fewer by themselves than beside others.
const MARGIN: usize = 4;

/// A run that failed behind a viewer.
pub(super) struct FailedRun<'a> {
    /// The call's name, made of public words only.
    pub(super) call: String,
    /// The tool's name and its arguments.
    pub(super) command: &'a [OsString],
    pub(super) status: Status,
    /// The name of the last viewer.
    pub(super) viewer: &'a str,
    pub(super) id: &'a Id,
    /// Whether the output was too large to be kept whole.
    pub(super) is_cut: bool,
}

impl FailedRun<'_> {
    /// The words, and whether they name the saved output. `text` is all that the tool wrote, or `None` if that is too
    /// much to be searched; `shown` is what the window showed of it.
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

    /// The words without the line that names the saved output, for an output that could not be saved.
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
        let what = if self.is_cut { "the beginning of the output" } else { "the whole output" };
        format!("[toto] {what}: toto show {}\n", self.id)
    }
}
