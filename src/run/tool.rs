//! A tool as our child: its start, what it prints, its end.

use std::io;
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

use super::signals::Signals;
use super::stream::{Copying, DRAIN, HELD, Stream};
use crate::sys::process::{Child, Program, Status, occupy_stderr, stop_self};
use crate::sys::signals::{block_watched, survive_file_size_limit};

/// After this time a live copy is kept of any output, however short, so that a process of ours that is killed loses
/// nothing that was read. Making a file costs less than half a millisecond.
const COPY_AFTER: Duration = Duration::from_millis(250);

/// A tool that was started, and may have ended.
pub struct Tool {
    pub(super) child: Child,
    pub(super) started: Instant,
    pub(super) ended: Option<(Status, Instant)>,
    /// Its output, where that is captured: standard output (with what was merged into it), then standard error if that
    /// is captured separately.
    pub streams: Vec<Stream>,
}

impl Tool {
    /// Starts `program` with these ends of our pipes, or with our own standard error.
    pub(super) fn start(
        program: &Program,
        out: BorrowedFd<'_>,
        err: Option<BorrowedFd<'_>>,
        streams: Vec<Stream>,
        signals: &Signals,
        prepare: impl FnOnce(&mut Program, u32),
    ) -> io::Result<Self> {
        block_watched();
        let child = Child::spawn(program, out, err, &signals.watch, prepare);
        signals.watch.unblock();
        let child = child?;
        // For our own writes, and only now: a lone tool has been started with what it inherits.
        survive_file_size_limit();
        occupy_stderr();
        Ok(Self { child, started: Instant::now(), ended: None, streams })
    }

    /// None while it runs.
    pub fn status(&self) -> Option<Status> {
        self.ended.map(|(status, _)| status)
    }

    /// How long the tool ran, or has run so far.
    pub fn ran_for(&self) -> Duration {
        self.ended.map_or_else(|| self.started.elapsed(), |(_, at)| at - self.started)
    }

    /// Whether somebody still holds one of its pipes.
    pub(super) fn is_open(&self) -> bool {
        self.streams.iter().any(|stream| stream.pipe.is_some())
    }

    /// Whether the tool has ended and its output is complete, or [`DRAIN`] has passed since.
    pub(super) fn is_collected(&self) -> bool {
        let is_owed = || self.streams.iter().any(Stream::has_left);
        self.ended.is_some_and(|(_, at)| !self.is_open() || at.elapsed() >= DRAIN && !is_owed())
    }

    /// Whether it has printed something.
    pub(super) fn has_output(&self) -> bool {
        self.streams.iter().any(|stream| stream.length() > 0)
    }

    /// When [`Tool::copy`] has something to do, whatever comes until then.
    pub(super) fn copy_due(&self) -> Option<Instant> {
        let is_uncopied =
            |stream: &Stream| stream.length() > 0 && stream.copy.is_none() && stream.uncopied.is_none();
        self.streams.iter().any(is_uncopied).then_some(self.started + COPY_AFTER)
    }

    /// Begins live copies of what is long, or is still to come after [`COPY_AFTER`]. False as of [`Stream::read`].
    pub(super) fn copy(&mut self, copying: &Copying<'_>) -> bool {
        let is_late = self.started.elapsed() >= COPY_AFTER;
        let is_due = |stream: &&mut Stream| stream.length() >= if is_late { 1 } else { HELD as u64 };
        let mut is_kept = true;
        for stream in self.streams.iter_mut().filter(is_due) {
            is_kept &= stream.begin_copy(copying);
        }
        is_kept
    }
}

/// Passes signals on to the tools that run, and looks for the ends of tools. If one is stopped, we stop, too, and
/// continue all when we are continued.
pub(super) fn turn(signals: &mut Signals, tools: &mut [&mut Tool]) {
    let send = |tools: &[&mut Tool], signal| {
        for tool in tools.iter().filter(|tool| tool.ended.is_none()) {
            tool.child.signal(signal);
        }
    };
    signals.take(|signal| send(tools, signal));
    let mut is_stopped = false;
    for tool in tools.iter_mut().filter(|tool| tool.ended.is_none()) {
        match tool.child.try_wait() {
            Some(Status::Stopped) => is_stopped = true,
            Some(status) => {
                tool.ended = Some((status, Instant::now()));
                tool.streams.iter_mut().for_each(Stream::tool_ended);
            }
            None => {}
        }
    }
    if is_stopped {
        stop_self();
        send(tools, libc::SIGCONT);
    }
}
