//! Signals that come while tools run: which of them a tool is to be sent, and whether it is time to end.

use std::ffi::c_int;
use std::io;
use std::time::{Duration, Instant};

use crate::sys::process::{Canary, Child, Status, stop_self};
use crate::sys::signals::Watch;

/// A tool that has run for this long gets a canary (see [`Canary`]): it costs nothing in short runs.
pub(super) const CANARY_AFTER: Duration = Duration::from_millis(100);

/// The signals of one run.
pub(super) struct Signals {
    watch: Watch,
    canary: Option<Canary>,
    canary_due: Option<Instant>,
    /// Those by which somebody asks us to end.
    ending: &'static [c_int],
    interrupted: Option<(c_int, Instant)>,
}

impl Signals {
    /// Watches them, and leaves them blocked until the tool has been started: [`Watch::unblock`]. By `ending` somebody asks
    /// us to end; the canary is due so long `after` now.
    ///
    /// # Errors
    /// As of [`Watch::start`].
    pub(super) fn start(ending: &'static [c_int], after: Duration) -> io::Result<Self> {
        let canary_due = Instant::now().checked_add(after);
        Ok(Self { watch: Watch::start()?, canary: None, canary_due, ending, interrupted: None })
    }

    pub(super) fn watch(&self) -> &Watch {
        &self.watch
    }

    /// The signal by which we were asked to end, and when.
    pub(super) fn interrupted(&self) -> Option<(c_int, Instant)> {
        self.interrupted
    }

    /// Nobody waits for our end any more.
    pub(super) fn forget_interruption(&mut self) {
        self.interrupted = None;
    }

    /// When [`Signals::set_canary`] has something to do.
    pub(super) fn due(&self) -> Option<Instant> {
        self.canary_due
    }

    /// Sets the canary beside tools that have run for long enough.
    pub(super) fn set_canary(&mut self) {
        if self.canary_due.is_some_and(|due| due <= Instant::now()) {
            self.canary = Canary::start().ok();
            self.canary_due = None;
        }
    }

    /// Takes what has come; `send` is given what was sent to us alone, which no tool has had.
    pub(super) fn take(&mut self, mut send: impl FnMut(c_int)) {
        while let Some(notice) = self.watch.next() {
            if notice.signal == libc::SIGCHLD {
                continue;
            }
            if self.ending.contains(&notice.signal) {
                self.interrupted.get_or_insert_with(|| (notice.signal, Instant::now()));
            }
            if !notice.from_process {
                continue;
            }
            // One sent to the whole group has reached the tool by itself.
            if self.canary.as_ref().is_some_and(|canary| canary.was_sent(notice.signal)) {
                self.canary = Canary::start().ok();
            } else {
                send(notice.signal);
            }
        }
    }
}

/// The tool's end, if it has come; a stop is shared with the tool and slept through.
pub(super) fn end_of(tool: &Child) -> Option<Status> {
    match tool.try_wait()? {
        Status::Stopped => {
            stop_self();
            tool.signal(libc::SIGCONT);
            None
        }
        ended => Some(ended),
    }
}
