//! A child whose output is collected: signals passed on, order kept, nothing waited for in vain.

use std::io;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::prompt::Asking;
use super::serving;
use super::signals::{CANARY_AFTER, Signals, end_of};
use super::stream::{Content, Copying, HELD, Stream};
use crate::store::Source;
use crate::sys::process::{Child, Program, Status, end_with, leave_behind};
use crate::sys::signals::survive_file_size_limit;

/// Without a live copy more than this, in bytes, is not held in memory: it goes out as it is.
pub(super) const MEMORY_LIMIT: usize = 64 << 20;
/// How long after the tool's exit a descendant of it may still add to the output.
const DRAIN: Duration = Duration::from_millis(200);
/// How long after TERM, INT or HUP a tool's last words are waited for.
const LAST_WORDS: Duration = Duration::from_millis(40);
/// From here on a live copy is kept of however little, so that a shim that is killed loses nothing that was read. A
/// file costs less than half a millisecond.
const COPY_AFTER: Duration = Duration::from_millis(250);
/// A stream of more than this, in bytes, has no end: its reader is told, and gets the rest as it comes.
const ENDLESS: u64 = 2 << 30;
/// A tool that has said that it serves, and then nothing for this long, does not end by itself.
const QUIET: Duration = Duration::from_secs(2);

/// A tool under capture.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own; none excludes another")]
pub struct Capture {
    /// Standard output (and what was merged into it), then standard error if it is captured by itself.
    pub streams: Vec<Stream>,
    child: Child,
    signals: Signals,
    started: Instant,
    last_output: Instant,
    ended: Option<(Status, Instant)>,
    slow_due: Option<Instant>,
    asking: Asking,
    goes_on: bool,
    quiet_looked_at: bool,
    reader_gone: bool,
    passing_through: bool,
}

/// What is done with the tool's standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stderr {
    /// It stays where it is.
    Inherit,
    /// It is collected by itself.
    Separate,
    /// It shares standard output's pipe, so that the order is kept.
    Merged,
}

impl Capture {
    /// Starts `program`. Standard input, process group, directory and terminal are left as they are.
    ///
    /// # Errors
    /// When no pipe or process can be made. Nothing has been started then, and `program` can still be
    /// exec'd by the caller.
    pub fn start(
        program: &Program,
        stderr: Stderr,
        prepare: impl FnOnce(&mut Program, u32),
    ) -> io::Result<Self> {
        let (stdout, stdout_end) = Stream::new(Source::Out, rustix::stdio::stdout())?;
        let mut streams = vec![stdout];
        let mut stderr_end = None;
        if stderr == Stderr::Separate {
            let (stream, end) = Stream::new(Source::Err, rustix::stdio::stderr())?;
            streams.push(stream);
            stderr_end = Some(end);
        }
        let child_stderr = match stderr {
            Stderr::Inherit => None,
            Stderr::Separate => stderr_end.as_ref().map(AsFd::as_fd),
            Stderr::Merged => Some(stdout_end.as_fd()),
        };
        let signals = Signals::start(&[libc::SIGTERM, libc::SIGINT, libc::SIGHUP], CANARY_AFTER)?;
        let child = Child::spawn(program, stdout_end.as_fd(), child_stderr, signals.watch(), prepare);
        signals.watch().unblock();
        // Our own writes to the store; the tool has been started with what it inherits.
        survive_file_size_limit();
        let now = Instant::now();
        Ok(Self {
            child: child?,
            streams,
            signals,
            started: now,
            last_output: now,
            ended: None,
            slow_due: None,
            asking: Asking::new(),
            goes_on: false,
            quiet_looked_at: true,
            reader_gone: false,
            passing_through: false,
        })
    }

    /// Collects until the tool has ended and its output is complete, or [`DRAIN`] after its end; until it was told
    /// to end and has not, or serves and does not mean to. Once it is slow, `tell` is told which stream to name.
    pub fn collect(&mut self, copying: &Copying<'_>, tell: &dyn Fn(&Stream)) {
        self.slow_due = copying.slow_after.and_then(|after| self.started.checked_add(after));
        while !self.is_collected() {
            self.turn();
            self.keep(copying);
            self.tell_slow(tell);
        }
        if self.ended.is_some() {
            self.signals.watch().restore();
        }
    }

    /// How the tool ended; none while it runs.
    pub fn status(&self) -> Option<Status> {
        self.ended.map(|(status, _)| status)
    }

    /// How long the tool ran, or has run so far.
    pub fn ran_for(&self) -> Duration {
        self.ended.map_or_else(|| self.started.elapsed(), |(_, at)| at - self.started)
    }

    /// Has the output gone out already, unchanged?
    pub fn passed_through(&self) -> bool {
        self.passing_through
    }

    /// Has whoever read standard output gone away before the tool's end?
    pub fn reader_gone(&self) -> bool {
        self.reader_gone
    }

    /// Was it ended from outside, so that there is no time to lose?
    pub fn interrupted(&self) -> bool {
        self.signals.interrupted().is_some()
    }

    fn is_collected(&self) -> bool {
        let open = self.streams.iter().any(|stream| stream.pipe.is_some());
        let hurried = self.signals.interrupted().is_some_and(|(_, at)| at.elapsed() >= LAST_WORDS);
        match self.ended {
            Some((_, at)) => {
                let owed = self.streams.iter().any(Stream::has_left);
                !open || hurried || at.elapsed() >= DRAIN && !owed
            }
            None => !self.passing_through && (hurried || self.goes_on),
        }
    }

    /// Sleeps until there is something to do, and does what the tool, its pipes and signals ask for.
    fn turn(&mut self) {
        self.wait();
        self.signals.take(|signal| self.child.signal(signal));
        if self.ended.is_none() {
            self.ended = end_of(&self.child).map(|status| (status, Instant::now()));
            if self.ended.is_some() {
                self.streams.iter_mut().for_each(Stream::tool_ended);
            }
        }
    }

    /// Sleeps until there is something to do, and reads what there is to be read.
    fn wait(&mut self) {
        let timeout = self.next_due().map(|due| due.saturating_duration_since(Instant::now()));
        let timeout = timeout.and_then(|duration| Timespec::try_from(duration).ok());
        let watched_reader = (!self.reader_gone).then(rustix::stdio::stdout);
        let mut fds = vec![PollFd::new(self.signals.watch().fd(), PollFlags::IN)];
        fds.extend(
            self.streams.iter().filter_map(|s| s.pipe.as_ref()).map(|p| PollFd::new(p, PollFlags::IN)),
        );
        // No event asked for: reports only that nobody reads any more.
        fds.extend(watched_reader.iter().map(|fd| PollFd::new(fd, PollFlags::empty())));
        let _ = poll(&mut fds, timeout.as_ref());
        let mut events = fds.iter().map(PollFd::revents).collect::<Vec<_>>().into_iter().skip(1);
        for stream in self.streams.iter_mut().filter(|s| s.pipe.is_some()) {
            if events.next().is_some_and(|events| !events.is_empty()) {
                self.passing_through |= !stream.read();
                self.last_output = Instant::now();
                self.quiet_looked_at = false;
                self.asking.heard();
            }
        }
        if events.next().is_some_and(|events| events.intersects(PollFlags::ERR | PollFlags::HUP)) {
            // The tool shall meet SIGPIPE at its next write, as it would have.
            self.reader_gone = true;
            self.streams[0].pipe = None;
        }
        self.signals.set_canary();
    }

    /// When to wake although nothing happens.
    fn next_due(&self) -> Option<Instant> {
        let has_output = self.streams.iter().any(|stream| stream.length() > 0);
        let copies = self.streams.iter().any(|stream| stream.copy().is_some() || stream.uncopied().is_some());
        [
            self.ended.map(|(_, at)| at + DRAIN),
            self.signals.interrupted().map(|(_, at)| at + LAST_WORDS),
            self.signals.due(),
            (has_output && !copies).then_some(self.started + COPY_AFTER),
            self.slow_due.filter(|_| has_output),
            (!self.quiet_looked_at).then_some(self.last_output + QUIET),
            self.asking
                .due()
                .filter(|_| has_output && self.ended.is_none())
                .map(|quiet| self.last_output + quiet),
        ]
        .into_iter()
        .flatten()
        .filter(|_| !self.passing_through || self.ended.is_some() || self.signals.due().is_some())
        .min()
    }

    /// Sees to it that what was read is kept: in memory, in the live copy, or with its reader.
    fn keep(&mut self, copying: &Copying<'_>) {
        let long = self.started.elapsed() >= COPY_AFTER;
        if !self.passing_through {
            for stream in &mut self.streams {
                if stream.length() >= HELD as u64 || long && stream.length() > 0 {
                    self.passing_through |= !stream.begin_copy(copying);
                }
            }
        }
        if !self.passing_through && self.ended.is_none() && self.streams.iter().any(|s| s.length() > 0) {
            let quiet = self.last_output.elapsed();
            self.passing_through = self.asking.is_waiting(quiet, &self.streams, self.child.pid());
        }
        let held: usize = self.streams.iter().map(Stream::in_memory).sum();
        if self.passing_through || held > MEMORY_LIMIT {
            self.passing_through = true;
            for stream in &mut self.streams {
                stream.release();
            }
        }
        self.goes_on |= self.streams.iter().any(|stream| stream.length() > ENDLESS);
        if !self.quiet_looked_at && self.last_output.elapsed() >= QUIET {
            self.quiet_looked_at = true;
            self.goes_on |= self.streams.iter().any(
                |stream| matches!(stream.content(), Content::Held(bytes) if serving::is_announced(bytes)),
            );
        }
    }

    fn tell_slow(&mut self, tell: &dyn Fn(&Stream)) {
        if self.passing_through || self.slow_due.is_none_or(|due| Instant::now() < due) {
            return;
        }
        if let Some(stream) = self.streams.iter().find(|stream| stream.copy().is_some()) {
            tell(stream);
        }
        if self.streams.iter().any(|stream| stream.length() > 0) {
            self.slow_due = None;
        }
    }

    /// Ends this process as the tool ended; where the tool still runs, its further output is carried over first.
    /// With `unwritten` a success becomes a failure: the output could not be written. Where a descendant of the tool
    /// still holds one of its pipes open, a copy of us stays behind and goes on copying, so that neither it nor
    /// its reader notices a difference.
    pub fn end(mut self, unwritten: bool) -> ! {
        self.streams.iter_mut().for_each(Stream::forget);
        if self.ended.is_none() {
            self.passing_through = true;
            self.signals.forget_interruption();
            while !self.is_collected() {
                self.turn();
                for stream in &mut self.streams {
                    stream.release();
                }
            }
            self.signals.watch().restore();
        }
        let status = match self.status().unwrap_or(Status::Exited(1)) {
            Status::Exited(0) if unwritten => Status::Exited(1),
            status => status,
        };
        if self.has_survivors() && leave_behind(status) {
            self.relay_survivors();
            end_with(Status::Exited(0));
        }
        end_with(status)
    }

    fn has_survivors(&self) -> bool {
        self.streams.iter().any(|s| s.pipe.is_some())
    }

    fn relay_survivors(mut self) {
        while self.has_survivors() {
            let fds: Vec<_> = self.streams.iter().filter_map(|s| s.pipe.as_ref()).collect();
            let mut fds: Vec<_> = fds.into_iter().map(|p| PollFd::new(p, PollFlags::IN)).collect();
            let _ = poll(&mut fds, None);
            let ready: Vec<bool> = fds.iter().map(|fd| !fd.revents().is_empty()).collect();
            let open = self.streams.iter_mut().filter(|s| s.pipe.is_some());
            for (stream, _) in open.zip(ready).filter(|(_, ready)| *ready) {
                stream.relay();
            }
        }
    }
}
