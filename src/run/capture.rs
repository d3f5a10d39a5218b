//! A child whose output is collected: signals passed on, order kept, nothing waited for in vain.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};

use super::emit::write_all;
use crate::sys::process::{Canary, Child, Program, Status, end_with, leave_behind, stop_self};
use crate::sys::signals::{Notice, Watch};

/// More than this, in bytes, is not held in memory: it goes out as it is.
const MEMORY_LIMIT: usize = 64 << 20;
/// How long after the tool's exit a descendant of it may still add to the output.
const DRAIN: Duration = Duration::from_millis(200);
/// A tool that has run for this long gets a canary (see [`Canary`]).
const CANARY_AFTER: Duration = Duration::from_millis(100);
const CHUNK: usize = 64 << 10;

/// One captured stream: our end of the tool's pipe, and where its bytes are meant to go.
pub struct Stream {
    pipe: Option<OwnedFd>,
    target: BorrowedFd<'static>,
    /// What the tool wrote.
    pub bytes: Vec<u8>,
}

impl Stream {
    /// The descriptor of ours that the bytes are meant for.
    pub fn target(&self) -> BorrowedFd<'static> {
        self.target
    }

    fn new(target: BorrowedFd<'static>) -> io::Result<(Self, OwnedFd)> {
        let (read_end, write_end) = pipe_with(PipeFlags::CLOEXEC)?;
        Ok((Self { pipe: Some(read_end), target, bytes: Vec::new() }, write_end))
    }

    /// Takes what is there to be read; closes the pipe at end of file.
    fn read(&mut self) {
        if self.bytes.try_reserve(CHUNK).is_err() {
            self.release();
            self.bytes.reserve(CHUNK);
        }
        let Some(pipe) = &self.pipe else { return };
        match rustix::io::read(pipe, rustix::buffer::spare_capacity(&mut self.bytes)) {
            Ok(0) => self.pipe = None,
            Ok(_) | Err(Errno::INTR | Errno::AGAIN) => {}
            Err(_) => self.pipe = None,
        }
    }

    /// Writes out, unchanged, what was collected.
    fn release(&mut self) {
        // A reader that is gone, or a full disk: the tool will meet the same at its next write.
        let _ = write_all(self.target, &self.bytes);
        self.bytes = Vec::new();
    }
}

/// A running tool under capture.
pub struct Capture {
    child: Child,
    streams: Vec<Stream>,
    watch: Watch,
    canary: Option<Canary>,
    canary_due: Option<Instant>,
    reader_gone: bool,
    passing_through: bool,
}

/// A tool that has ended.
pub struct Captured {
    /// Standard output (and what was merged into it), then standard error if it was captured by itself.
    pub streams: Vec<Stream>,
    /// How the tool ended.
    pub status: Status,
    /// The output was too large to hold and has gone out already, unchanged.
    pub passed_through: bool,
    /// Whoever read standard output went away before the tool's end.
    pub reader_gone: bool,
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
        let (stdout, stdout_end) = Stream::new(rustix::stdio::stdout())?;
        let mut streams = vec![stdout];
        let mut stderr_end = None;
        if stderr == Stderr::Separate {
            let (stream, end) = Stream::new(rustix::stdio::stderr())?;
            streams.push(stream);
            stderr_end = Some(end);
        }
        let child_stderr = match stderr {
            Stderr::Inherit => None,
            Stderr::Separate => stderr_end.as_ref().map(AsFd::as_fd),
            Stderr::Merged => Some(stdout_end.as_fd()),
        };
        let watch = Watch::start()?;
        let child = Child::spawn(program, stdout_end.as_fd(), child_stderr, &watch, prepare);
        watch.unblock();
        Ok(Self {
            child: child?,
            streams,
            watch,
            canary: None,
            canary_due: Instant::now().checked_add(CANARY_AFTER),
            reader_gone: false,
            passing_through: false,
        })
    }

    /// Collects until the tool has ended and its output is complete, or [`DRAIN`] after its end.
    pub fn finish(mut self) -> Captured {
        let mut ended: Option<(Status, Instant)> = None;
        while ended
            .is_none_or(|(_, at)| at.elapsed() < DRAIN && self.streams.iter().any(|s| s.pipe.is_some()))
        {
            self.wait(ended.map(|(_, at)| DRAIN.saturating_sub(at.elapsed())));
            while let Some(notice) = self.watch.next() {
                self.on_signal(notice);
            }
            if ended.is_none() {
                ended = self.child_news().map(|status| (status, Instant::now()));
            }
        }
        let status = ended.map_or(Status::Exited(1), |(status, _)| status);
        self.watch.restore();
        Captured {
            streams: self.streams,
            status,
            passed_through: self.passing_through,
            reader_gone: self.reader_gone,
        }
    }

    /// Sleeps until there is something to do, and reads what there is to be read.
    fn wait(&mut self, at_most: Option<Duration>) {
        let canary_in = self.canary_due.map(|due| due.saturating_duration_since(Instant::now()));
        let timeout = at_most.or(canary_in).and_then(|d| Timespec::try_from(d).ok());
        let watched_reader = (!self.reader_gone).then(rustix::stdio::stdout);
        let mut fds = vec![PollFd::new(self.watch.fd(), PollFlags::IN)];
        fds.extend(
            self.streams.iter().filter_map(|s| s.pipe.as_ref()).map(|p| PollFd::new(p, PollFlags::IN)),
        );
        // No event asked for: reports only that nobody reads any more.
        fds.extend(watched_reader.iter().map(|fd| PollFd::new(fd, PollFlags::empty())));
        let timed_out = poll(&mut fds, timeout.as_ref()) == Ok(0);
        let mut events = fds.iter().map(PollFd::revents).collect::<Vec<_>>().into_iter().skip(1);
        for stream in self.streams.iter_mut().filter(|s| s.pipe.is_some()) {
            if events.next().is_some_and(|events| !events.is_empty()) {
                stream.read();
            }
        }
        if events.next().is_some_and(|events| events.intersects(PollFlags::ERR | PollFlags::HUP)) {
            // The tool shall meet SIGPIPE at its next write, as it would have.
            self.reader_gone = true;
            self.streams[0].pipe = None;
        }
        if timed_out && at_most.is_none() && canary_in.is_some() {
            self.canary = Canary::start().ok();
            self.canary_due = None;
        }
        let held: usize = self.streams.iter().map(|s| s.bytes.len()).sum();
        if self.passing_through || held > MEMORY_LIMIT {
            self.passing_through = true;
            self.streams.iter_mut().for_each(Stream::release);
        }
    }

    fn on_signal(&mut self, notice: Notice) {
        if notice.signal == libc::SIGCHLD || !notice.from_process {
            return;
        }
        // One sent to the whole group has reached the tool by itself.
        if self.canary.as_ref().is_some_and(|canary| canary.was_sent(notice.signal)) {
            self.canary = Canary::start().ok();
        } else {
            self.child.signal(notice.signal);
        }
    }

    /// The tool's end; a stop is shared with it and slept through.
    fn child_news(&mut self) -> Option<Status> {
        match self.child.try_wait()? {
            Status::Stopped => {
                stop_self();
                self.child.signal(libc::SIGCONT);
                None
            }
            ended => Some(ended),
        }
    }
}

impl Captured {
    /// Ends this process with `status`. Where a descendant of the tool still holds one of its pipes open, a
    /// copy of us stays behind and goes on copying, so that neither it nor its reader notices a difference.
    pub fn end(self, status: Status) -> ! {
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
                stream.bytes.clear();
                stream.read();
                if write_all(stream.target, &stream.bytes).is_err() {
                    stream.pipe = None;
                }
            }
        }
    }
}
