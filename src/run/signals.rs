//! Signals that arrive while tools run: which of them to pass on to a tool, and whether we are asked to end.

use std::ffi::c_int;
use std::io;
use std::time::{Duration, Instant};

use crate::sys::process::Canary;
use crate::sys::signals::Watch;

/// A lone tool that has run for this long gets a canary (see [`Canary`]), which therefore costs nothing in short runs.
pub(super) const CANARY_AFTER: Duration = Duration::from_millis(100);

pub struct Signals {
    pub(super) watch: Watch,
    canary: Option<Canary>,
    /// When [`Signals::set_canary`] has something to do.
    pub(super) canary_due: Option<Instant>,
    ending: &'static [c_int],
    /// The signal by which we were asked to end, and when.
    pub(super) interrupted: Option<(c_int, Instant)>,
}

impl Signals {
    /// Watches the signals and leaves them blocked; [`Watch::unblock`] unblocks them. The signals of `ending` ask us to
    /// end. The canary is due when `after` has passed.
    pub(super) fn start(ending: &'static [c_int], after: Duration) -> io::Result<Self> {
        let canary_due = Instant::now().checked_add(after);
        Ok(Self { watch: Watch::start()?, canary: None, canary_due, ending, interrupted: None })
    }

    pub(super) fn set_canary(&mut self) {
        if self.canary_due.is_some_and(|due| due <= Instant::now()) {
            self.canary = Canary::start().ok();
            self.canary_due = None;
        }
    }

    /// The signal by which we were asked to end, if any.
    pub fn interrupted(&self) -> Option<c_int> {
        self.interrupted.map(|(signal, _)| signal)
    }

    /// Takes the signals that have arrived and calls `send` with those that were sent to us alone, which no tool
    /// has received.
    pub(super) fn take(&mut self, mut send: impl FnMut(c_int)) {
        while let Some((signal, is_from_process)) = self.watch.next() {
            if self.ending.contains(&signal) {
                self.interrupted.get_or_insert_with(|| (signal, Instant::now()));
            }
            if signal == libc::SIGCHLD || !is_from_process {
                continue;
            }
            // A signal to the whole group has already reached the tool.
            if self.canary.as_ref().is_some_and(|canary| canary.was_sent(signal)) {
                self.canary = Canary::start().ok();
            } else {
                send(signal);
            }
        }
    }
}
