//! A lone tool as our child: its start, its end, and the signals that arrive meanwhile.

use std::ffi::c_int;
use std::io;
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

use super::signals::Signals;
use crate::sys::process::{Child, Program, Status, stop_self};
use crate::sys::signals::survive_file_size_limit;

/// A tool that has run for this long gets a canary (see [`crate::sys::process::Canary`]), which therefore costs
/// nothing in short runs.
const CANARY_AFTER: Duration = Duration::from_millis(100);

/// A tool that was started, and may have ended.
pub struct Tool {
    pub(super) child: Child,
    pub(super) signals: Signals,
    pub(super) started: Instant,
    pub(super) ended: Option<(Status, Instant)>,
}

impl Tool {
    /// Starts `program` with these ends of our pipes, or with our own standard error. The signals of `ending` ask us
    /// to end.
    ///
    /// # Errors
    /// When signals cannot be watched or no process can be made.
    pub(super) fn start(
        program: &Program,
        out: BorrowedFd<'_>,
        err: Option<BorrowedFd<'_>>,
        ending: &'static [c_int],
        prepare: impl FnOnce(&mut Program, u32),
    ) -> io::Result<Self> {
        let signals = Signals::start(ending, CANARY_AFTER)?;
        let child = Child::spawn(program, out, err, &signals.watch, prepare);
        signals.watch.unblock();
        let child = child?;
        // For our own writes to the store, and only now: the tool has been started with what it inherits.
        survive_file_size_limit();
        Ok(Self { child, signals, started: Instant::now(), ended: None })
    }

    /// How the tool ended; None while it runs.
    pub fn status(&self) -> Option<Status> {
        self.ended.map(|(status, _)| status)
    }

    /// How long the tool ran, or has run so far.
    pub fn ran_for(&self) -> Duration {
        self.ended.map_or_else(|| self.started.elapsed(), |(_, at)| at - self.started)
    }

    /// The signal by which we were asked to end, if any.
    pub fn interrupted(&self) -> Option<c_int> {
        self.signals.interrupted.map(|(signal, _)| signal)
    }

    /// Passes signals on and looks for the tool's end; true where that was found now. If the tool is stopped, we stop,
    /// too, and continue the tool when we are continued.
    pub(super) fn turn(&mut self) -> bool {
        self.signals.take(|signal| self.child.signal(signal));
        if self.ended.is_some() {
            return false;
        }
        match self.child.try_wait() {
            Some(Status::Stopped) => {
                stop_self();
                self.child.signal(libc::SIGCONT);
            }
            status => self.ended = status.map(|status| (status, Instant::now())),
        }
        self.ended.is_some()
    }
}
