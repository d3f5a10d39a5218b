//! A delivery: how an output is handed on, and what is known of its streams on their way.

use std::ffi::OsString;
use std::os::fd::BorrowedFd;

use crate::agents::Agent;
use crate::config::{Format, Level, Settings};
use crate::consumer::Decision;
use crate::custom::Notices;
use crate::filter::FilterName;
use crate::ledger::calls;
use crate::ledger::record::Record;
use crate::overflow::{Outcome, Summary};
use crate::pipeline::Timings;
use crate::store::Source;
use crate::tokens;

/// Most bytes of an output that the pipeline reads as a whole; of a longer one its summary or its head is given.
pub(super) const PIPELINE_LIMIT: u64 = 64 << 20;
/// The same limit once a signal has asked us to end.
pub(super) const HURRIED_LIMIT: u64 = 1 << 20;

/// How one run's output is handed on.
#[expect(
    clippy::struct_excessive_bools,
    reason = "four facts of a call that have nothing to do with each other"
)]
pub struct Delivery<'a> {
    pub settings: &'a Settings,
    /// The tool whose output is delivered; names the saved original.
    pub tool: &'a str,
    /// Its name and its arguments; empty if unknown.
    pub command: &'a [OsString],
    /// The announcement of a command that ran in place of the requested one, see [`super::Substitute`].
    pub ran: Option<&'a str>,
    /// The agent that reads the output: for the ledger, and for the size of its page.
    pub agent: Option<&'static Agent>,
    /// The session that saved originals belong to.
    pub session: OsString,
    /// Whether the reader parses the output with a script of its own. It gets minified JSON or the tool's own bytes.
    pub parses_output: bool,
    /// Who was found to read the output, for the second look; `None` where it is written whoever reads.
    pub reader: Option<&'a Decision>,
    /// Whose terminal is waited for at the end, if anybody's.
    pub terminal: Option<&'a Decision>,
    /// Whether a receipt may be written: the same agent reads descriptor 2.
    pub receipt: bool,
    /// Whether the time of each stage is written, too.
    pub timing: bool,
    /// Whether the output shares its host's page with what else the same command line prints.
    pub shares_page: bool,
    pub notices: Notices,
}

impl<'a> Delivery<'a> {
    /// The delivery of an output of `command`, whoever reads it.
    pub fn new(settings: &'a Settings, tool: &'a str, command: &'a [OsString], session: OsString) -> Self {
        Self {
            settings,
            tool,
            command,
            ran: None,
            agent: None,
            session,
            parses_output: false,
            reader: None,
            terminal: None,
            receipt: true,
            timing: false,
            shares_page: false,
            notices: Notices::default(),
        }
    }

    /// The call's name, made of public words only.
    pub fn name(&self) -> String {
        calls::name_of(self.tool, self.command)
    }

    /// A record of the call, in which what it printed is still to be said.
    pub fn record(&self) -> Record<'_> {
        Record::new(self.tool, self.name(), self.agent, &self.session)
    }

    /// The level in force: a script needs every field.
    pub(super) fn level(&self) -> Level {
        if self.parses_output { Level::Lossless } else { self.settings.level }
    }

    pub(super) fn may_reduce(&self) -> bool {
        self.level() != Level::Lossless && self.settings.format != Format::Raw
    }

    /// The second look, before the first byte: whether the agent still reads this descriptor.
    pub(super) fn is_read(&self, fd: BorrowedFd<'_>) -> bool {
        self.reader.is_none_or(|reader| reader.still_read_by_agent(fd))
    }

    /// Waits, behind the last byte, until the reader loses nothing of the `written` bytes if we end.
    pub(super) fn wait_for_drain(&self, written: u64) {
        if let Some(terminal) = self.terminal {
            terminal.wait_for_terminal(written);
        }
    }
}

/// What the reader was given for one stream.
#[derive(Default)]
pub(super) struct Given {
    pub(super) output: Vec<u8>,
    pub(super) tokens: usize,
    pub(super) original_tokens: usize,
    /// Tokens of the whole original, where `original_tokens` counts only what stands on the page that is given.
    pub(super) whole: Option<usize>,
    pub(super) estimated: bool,
    pub(super) shape: String,
    pub(super) filter: Option<FilterName>,
    /// Whether the output and its further pages lack something that only the original has.
    pub(super) left_out: bool,
    pub(super) timings: Timings,
}

impl Given {
    pub(super) fn of(output: Vec<u8>, shape: String) -> Self {
        Self { tokens: tokens::count(&output), output, shape, ..Self::default() }
    }

    pub(super) fn saved(&self) -> usize {
        self.original_tokens.saturating_sub(self.tokens)
    }
}

#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) source: Source,
    pub(super) outcome: Outcome,
    /// Bytes of the other stream, which shares the host's limit.
    pub(super) beside: u64,
    /// Number of outputs that share the page, this one included.
    pub(super) sharing: usize,
}

/// One stream on its way to the agent.
pub(super) struct Text<'a> {
    pub(super) run: Run,
    pub(super) original: &'a [u8],
    /// The original's summary, if it was gathered while the output arrived.
    pub(super) summary: Option<Summary>,
    /// The pipeline's input in place of `original` (the same data in another form), and the tokens that its result is
    /// measured against.
    pub(super) merged: Option<(&'a [u8], usize)>,
}
