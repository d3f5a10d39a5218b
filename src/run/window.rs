//! A child whose output passes to a viewer's pipe as it comes, as if nobody stood between, and is kept meanwhile.

mod gone;
mod looks;

use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::emit::write_all;
use super::kept::Kept;
use super::signals::{CANARY_AFTER, Signals};
use super::stream::{Copying, DRAIN, HELD, enlarge, in_pipe};
use super::tool::{Tool, turn};
use super::wait::until;
use crate::consumer::View;
use crate::sys::process::{Program, Status, close_output, end_with, leave_behind};
use crate::sys::signals::BrokenPipe;
use gone::Gone;
use looks::Looks;

/// Bytes that are moved at once.
const CHUNK: usize = 256 << 10;
/// Bytes that a pipe takes without blocking once it is writable (`PIPE_BUF`, pipe(7)).
const ATOMIC: usize = 4096;

/// A tool whose output passes through us.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own; none excludes another")]
pub struct Passing {
    pub tool: Tool,
    pub signals: Signals,
    /// Whether descriptor 2 is the viewer's pipe, too.
    errors: bool,
    pipe: Option<OwnedFd>,
    pub kept: Kept,
    /// Whether the viewer's pipe is full.
    full: bool,
    /// Set once the viewer has ended.
    reader_gone: Option<Gone>,
    /// Whether the tool may have met a closed pipe, because its viewer had ended: the tool's status then says nothing.
    pub met_closed_pipe: bool,
    /// Whether a closed pipe ends a program that was started as we were (SIGPIPE was not ignored).
    pipes_break: bool,
    can_tee: bool,
    /// Whether the tool's pipe was made larger.
    is_large: bool,
}

impl Passing {
    /// Starts `program` with a pipe of ours in place of descriptor 1 and, with `errors`, of descriptor 2. Fails as
    /// [`super::Capture::start`].
    pub fn start(
        program: &Program,
        errors: bool,
        prepare: impl FnOnce(&mut Program, u32),
    ) -> io::Result<Self> {
        let (pipe, tools_end) = io::pipe()?;
        rustix::io::ioctl_fionbio(&pipe, true)?;
        let ending = &[libc::SIGTERM, libc::SIGINT, libc::SIGHUP, libc::SIGQUIT];
        let error_end = errors.then(|| tools_end.as_fd());
        let signals = Signals::start(ending, CANARY_AFTER)?;
        let broken_pipe = BrokenPipe::ignore();
        let prepare = |program: &mut Program, pid| {
            broken_pipe.restore();
            prepare(program, pid);
        };
        let tool = Tool::start(program, tools_end.as_fd(), error_end, Vec::new(), &signals, prepare);
        Ok(Self {
            tool: tool.inspect_err(|_| broken_pipe.restore())?,
            signals,
            errors,
            pipe: Some(pipe.into()),
            kept: Kept::default(),
            full: false,
            reader_gone: None,
            met_closed_pipe: false,
            pipes_break: broken_pipe.ended_us(),
            can_tee: cfg!(target_os = "linux"),
            is_large: false,
        })
    }

    /// Passes on what the tool writes until the tool has ended and the viewer has all of it. `look` is asked who
    /// reads before the first byte goes out, and again until it knows.
    pub fn pass(&mut self, copying: &Copying<'_>, look: &mut dyn FnMut() -> View) {
        let mut looks = Looks::default();
        while !self.is_passed() {
            // Before the first byte, its arrival is waited for.
            let reads = looks.let_pass() || looks.next.is_none() || self.reader_gone.is_some();
            self.sleep(reads, looks.next);
            turn(&mut self.signals, &mut [&mut self.tool]);
            if looks.turn(self.in_pipe() > 0, look) == Some(View::Closed) {
                self.kept.give_up();
            }
            if looks.let_pass() || self.reader_gone.is_some() {
                self.carry(copying);
            }
            self.find_end();
        }
    }

    /// Forks a copy of this process and ends this process as the tool ended: true in the copy, for which nobody
    /// waits. False where there is no copy, since the tool still runs or fork failed.
    pub fn leave_behind(&mut self) -> bool {
        let Some((status, at)) = self.tool.ended else { return false };
        self.signals.watch.restore();
        let is_copy = leave_behind(status);
        if is_copy {
            self.tool.ended = Some((Status::Exited(0), at));
            self.pipes_break = false;
        }
        is_copy
    }

    /// In a copy of this process, as by [`Passing::leave_behind`], passes on what the tool's descendants write, until
    /// the last of them has let go of the pipe.
    pub fn carry_survivors(&mut self, copying: &Copying<'_>) {
        let is_copy = self.pipe.is_some() && self.leave_behind();
        while is_copy && self.pipe.is_some() {
            // What came before our handlers were gone.
            while self.signals.watch.next().is_some() {}
            self.sleep(true, None);
            self.carry(copying);
            self.find_end();
        }
    }

    /// Closes descriptor 1, and 2 where that is the same pipe, so that the viewers' input ends. False where that
    /// fails.
    pub fn close(&self) -> bool {
        close_output(self.errors)
    }

    /// Ends this process as the tool ended.
    pub fn end(self) -> ! {
        self.signals.watch.restore();
        match self.tool.status().unwrap_or(Status::Exited(1)) {
            // The end of its output has not arrived: without us its last write would have met the closed pipe.
            Status::Exited(0) if self.kept.undelivered > 0 && self.pipes_break => {
                end_with(Status::Killed(libc::SIGPIPE))
            }
            status => end_with(status),
        }
    }

    fn is_passed(&self) -> bool {
        let is_drained = |at: Instant| !self.full && self.in_pipe() == 0 && at.elapsed() >= DRAIN;
        self.tool.ended.is_some_and(|(_, at)| self.pipe.is_none() || is_drained(at))
    }

    fn in_pipe(&self) -> u64 {
        in_pipe(self.pipe.as_ref())
    }

    /// Sleeps until there is something to do or `next_look` is due. `reads` says whether the tool's output is
    /// waited for.
    fn sleep(&mut self, reads: bool, next_look: Option<Instant>) {
        let reads = reads && !self.full;
        let due = [
            self.tool.ended.filter(|_| reads).map(|(_, at)| at + DRAIN),
            self.reader_gone.as_ref().filter(|_| self.pipe.is_some()).map(|gone| gone.next_turn),
            self.signals.canary_due,
            next_look,
        ];
        let timeout = until(due.into_iter().flatten().min());
        let mut fds = vec![PollFd::new(self.signals.watch.fd(), PollFlags::IN)];
        let out = rustix::stdio::stdout();
        if self.reader_gone.is_none() {
            // With no event asked for, poll reports only that nobody reads any more.
            let events = if self.full { PollFlags::OUT } else { PollFlags::empty() };
            fds.push(PollFd::from_borrowed_fd(out, events));
        }
        if let Some(pipe) = self.pipe.as_ref().filter(|_| reads) {
            fds.push(PollFd::new(pipe, PollFlags::IN));
        }
        let _ = poll(&mut fds, timeout.as_ref());
        if self.reader_gone.is_none() {
            let events = fds[1].revents();
            if events.intersects(PollFlags::ERR | PollFlags::HUP) {
                self.reader_gone = Some(Gone::now());
                self.full = false;
            }
            self.full &= !events.contains(PollFlags::OUT);
        }
        self.signals.set_canary();
    }

    /// Closes the tool's pipe once it is empty and nobody can write to it any more. The wait for descendants may be
    /// over although the tool has left none.
    fn find_end(&mut self) {
        let Some(pipe) = &self.pipe else { return };
        let mut pipe = [PollFd::new(pipe, PollFlags::empty())];
        let has_hung_up =
            poll(&mut pipe, Some(&Timespec::default())).is_ok() && pipe[0].revents().contains(PollFlags::HUP);
        if has_hung_up && self.in_pipe() == 0 {
            self.pipe = None;
        }
    }

    /// Passes what lies in the tool's pipe on to the viewer, and keeps it.
    fn carry(&mut self, copying: &Copying<'_>) {
        let Some(pipe) = &self.pipe else { return };
        if self.full {
            return;
        }
        if !self.is_large && self.kept.length >= HELD as u64 {
            self.is_large = true;
            enlarge(pipe);
        }
        let waiting = self.in_pipe() as usize;
        let moved = match &mut self.reader_gone {
            Some(gone) => {
                if gone.is_over() && (self.tool.ended.is_none() || waiting == 0) {
                    self.met_closed_pipe |= self.tool.ended.is_none();
                    self.pipe = None;
                    return;
                }
                let most = CHUNK.min(waiting).max(1);
                self.kept.take(pipe, most, copying).inspect(|read| {
                    gone.bytes += *read as u64;
                    self.kept.undelivered += *read as u64;
                })
            }
            None if self.can_tee => tee_on(pipe, &mut self.kept, copying),
            None => write_on(pipe, &mut self.kept, copying),
        };
        match moved {
            Ok(0) => self.pipe = None,
            Ok(_) | Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => self.full = self.in_pipe() > 0 && self.reader_gone.is_none(),
            Err(Errno::PIPE) => {
                self.reader_gone.get_or_insert_with(Gone::now);
            }
            Err(_) if self.can_tee => self.can_tee = false,
            Err(_) => self.pipe = None,
        }
    }
}

/// Gives the viewer what lies in the tool's pipe by tee(2), then reads it from there. What is not kept is moved
/// instead: splice(2).
#[cfg(target_os = "linux")]
fn tee_on(pipe: &OwnedFd, kept: &mut Kept, copying: &Copying<'_>) -> Result<usize, Errno> {
    use rustix::pipe::{SpliceFlags, splice, tee};
    let out = rustix::stdio::stdout();
    if kept.given_up {
        return splice(pipe, None, out, None, CHUNK, SpliceFlags::NONBLOCK | SpliceFlags::MOVE);
    }
    let given = tee(pipe, out, CHUNK, SpliceFlags::NONBLOCK)?;
    let mut read = 0;
    while read < given {
        match kept.take(pipe, given - read, copying) {
            Ok(0) => break,
            Ok(length) => read += length,
            Err(Errno::INTR) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(given)
}

#[cfg(not(target_os = "linux"))]
fn tee_on(pipe: &OwnedFd, kept: &mut Kept, copying: &Copying<'_>) -> Result<usize, Errno> {
    write_on(pipe, kept, copying)
}

/// The same by read and write where tee(2) cannot be used: no more at once than the viewer's pipe takes without
/// blocking.
fn write_on(pipe: &OwnedFd, kept: &mut Kept, copying: &Copying<'_>) -> Result<usize, Errno> {
    let out = rustix::stdio::stdout();
    let mut ready = [
        PollFd::from_borrowed_fd(out, PollFlags::OUT),
        PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::IN),
    ];
    poll(&mut ready, Some(&Timespec::default()))?;
    let [writable, readable] = [ready[0].revents(), ready[1].revents()];
    if writable.contains(PollFlags::ERR) {
        return Err(Errno::PIPE);
    }
    if readable.is_empty() || !writable.contains(PollFlags::OUT) {
        return Err(Errno::AGAIN);
    }
    let length = kept.take(pipe, ATOMIC, copying)?;
    let written = write_all(out, &kept.scratch[..length]);
    written.map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))?;
    Ok(length)
}
