//! A child whose output passes to a pipe as it comes and is kept meanwhile: what a viewer is given, it is given as if
//! nobody stood between.

use std::io;
#[cfg(target_os = "linux")]
use std::os::fd::BorrowedFd;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::kept::Kept;
use super::stream::Copying;
#[cfg(target_os = "linux")]
use super::stream::{HELD, LARGE_PIPE};
use crate::sys::process::{Canary, Child, Program, Status, close_output, end_with, leave_behind, stop_self};
use crate::sys::signals::{BrokenPipe, Notice, Watch, survive_file_size_limit};

/// What is moved at once, in bytes.
const CHUNK: usize = 256 << 10;
/// What a pipe takes without waiting once it is writable, in bytes (`PIPE_BUF`, pipe(7)).
const ATOMIC: usize = 4096;
/// Of a tool whose viewer has ended so many bytes more are taken, for so long: what would have found room in a pipe
/// whose viewer reads on.
const LAST_ROOM: u64 = 1 << 20;
const LAST_WAIT: Duration = Duration::from_millis(100);
/// How long after the tool's exit a descendant of it may hold its pipe before we end without it.
const DRAIN: Duration = Duration::from_millis(200);
/// A tool that has run for this long gets a canary (see [`Canary`]).
const CANARY_AFTER: Duration = Duration::from_millis(100);
/// The first bytes wait so long for a shell to become a viewer, which takes it less than a millisecond on an idle
/// machine: `head -1` ends with the first byte, and cannot be looked at then.
const FIRST_BYTES: Duration = Duration::from_millis(20);
const BETWEEN_FIRST_LOOKS: Duration = Duration::from_micros(250);
/// From one look to the next, later.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// A tool whose output passes through us.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own; none excludes another")]
pub struct Passing {
    child: Child,
    watch: Watch,
    canary: Option<Canary>,
    canary_due: Option<Instant>,
    started: Instant,
    ended: Option<(Status, Instant)>,
    interrupted: Option<i32>,
    /// Is descriptor 2 the viewer's pipe, too?
    errors: bool,
    pipe: Option<OwnedFd>,
    kept: Kept,
    /// The viewer's end of descriptor 1 is full.
    full: bool,
    /// When the viewer ended, and how many bytes were taken since.
    reader_gone: Option<(Instant, u64)>,
    /// The tool met a closed pipe, or may have.
    closed_on_it: bool,
    /// A closed pipe ends a program that was started as we were.
    pipes_break: bool,
    can_tee: bool,
    #[cfg(target_os = "linux")]
    is_large: bool,
}

/// What somebody who looks at the readers knows of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looked {
    /// They are viewers: what passes is worth keeping, and nobody has to look again.
    Viewers,
    /// They may become viewers.
    NotYet,
    /// They are not.
    Others,
}

impl Passing {
    /// Starts `program` with a pipe of ours in place of descriptor 1, with `errors` of descriptor 2, too.
    ///
    /// # Errors
    /// As of [`super::Capture::start`].
    pub fn start(
        program: &Program,
        errors: bool,
        prepare: impl FnOnce(&mut Program, u32),
    ) -> io::Result<Self> {
        let (pipe, tools_end) = io::pipe()?;
        rustix::io::ioctl_fionbio(&pipe, true)?;
        let watch = Watch::start()?;
        let error_end = errors.then(|| tools_end.as_fd());
        let broken_pipe = BrokenPipe::ignore();
        let child = Child::spawn(program, tools_end.as_fd(), error_end, &watch, |program, pid| {
            broken_pipe.restore();
            prepare(program, pid);
        });
        watch.unblock();
        let child = child.inspect_err(|_| broken_pipe.restore())?;
        // The tool has been started with what it inherits.
        survive_file_size_limit();
        let now = Instant::now();
        Ok(Self {
            child,
            watch,
            canary: None,
            canary_due: now.checked_add(CANARY_AFTER),
            started: now,
            ended: None,
            interrupted: None,
            errors,
            pipe: Some(pipe.into()),
            kept: Kept::default(),
            full: false,
            reader_gone: None,
            closed_on_it: false,
            pipes_break: broken_pipe.ended_us(),
            can_tee: cfg!(target_os = "linux"),
            #[cfg(target_os = "linux")]
            is_large: false,
        })
    }

    /// Hands on what the tool writes until it has ended and all of that is with the viewer. `look` is asked who reads
    /// before the first byte goes out, and again until it knows.
    pub fn pass(&mut self, copying: &Copying<'_>, look: &mut dyn FnMut() -> Looked) {
        let mut looked = Looked::NotYet;
        let mut next_look = None::<Instant>;
        while !self.is_passed() {
            self.wait(next_look);
            while let Some(notice) = self.watch.next() {
                self.on_signal(notice);
            }
            self.reap();
            if looked == Looked::NotYet && (next_look.is_none() && self.in_pipe() > 0 || is_over(next_look)) {
                looked = if next_look.is_none() { first_look(look) } else { look() };
                next_look = (looked == Looked::NotYet).then(|| Instant::now() + BETWEEN_LOOKS);
                if looked == Looked::Others {
                    self.kept.give_up();
                }
            }
            self.carry(copying);
        }
    }

    /// How the tool ended; none while it runs.
    pub fn status(&self) -> Option<Status> {
        self.ended.map(|(status, _)| status)
    }

    /// How long it ran.
    pub fn ran_for(&self) -> Duration {
        self.ended.map_or_else(|| self.started.elapsed(), |(_, at)| at - self.started)
    }

    /// The signal by which we were asked to end, if any.
    pub fn interrupted(&self) -> Option<i32> {
        self.interrupted
    }

    /// May the tool have failed because its viewer had ended? Then its status says nothing.
    pub fn met_closed_pipe(&self) -> bool {
        self.closed_on_it
    }

    /// What passed.
    pub fn kept(&mut self) -> &mut Kept {
        &mut self.kept
    }

    /// Does a descendant of the tool's still hold its pipe?
    pub fn has_survivors(&self) -> bool {
        self.pipe.is_some()
    }

    /// Ends this process as the tool ended and leaves a copy of it behind: true in the copy, which holds nobody up.
    /// False where there is no copy.
    pub fn leave_behind(&mut self) -> bool {
        let Some((status, at)) = self.ended else { return false };
        self.watch.restore();
        let is_copy = leave_behind(status);
        if is_copy {
            self.ended = Some((Status::Exited(0), at));
            self.pipes_break = false;
        }
        is_copy
    }

    /// Hands over what the tool's descendants write, until the last of them has ended.
    pub fn carry_survivors(&mut self, copying: &Copying<'_>) {
        while self.pipe.is_some() {
            self.wait(None);
            self.carry(copying);
        }
    }

    /// Lets go of descriptor 1, and of 2 where that is the same pipe: the viewers' input ends. False where that fails.
    pub fn close(&self) -> bool {
        close_output(self.errors)
    }

    /// Ends this process as the tool ended.
    pub fn end(self) -> ! {
        self.watch.restore();
        match self.status().unwrap_or(Status::Exited(1)) {
            // What it wrote has not arrived: its last write would have met the closed pipe.
            Status::Exited(0) if self.kept.has_undelivered() && self.pipes_break => {
                end_with(Status::Killed(libc::SIGPIPE))
            }
            status => end_with(status),
        }
    }

    fn is_passed(&self) -> bool {
        match self.ended {
            Some((_, at)) => {
                self.pipe.is_none() || !self.full && self.in_pipe() == 0 && at.elapsed() >= DRAIN
            }
            None => false,
        }
    }

    fn in_pipe(&self) -> u64 {
        self.pipe.as_ref().and_then(|pipe| rustix::io::ioctl_fionread(pipe).ok()).unwrap_or(0)
    }

    /// Sleeps until there is something to do.
    fn wait(&mut self, next_look: Option<Instant>) {
        let due = [
            self.ended.filter(|_| !self.full).map(|(_, at)| at + DRAIN),
            self.reader_gone.filter(|_| self.pipe.is_some()).map(|(at, _)| at + LAST_WAIT),
            self.canary_due,
            next_look,
        ];
        let due = due.into_iter().flatten().filter(|due| *due > self.started).min();
        let timeout = due.map(|due| due.saturating_duration_since(Instant::now()));
        let timeout = timeout.and_then(|duration| Timespec::try_from(duration).ok());
        let mut fds = vec![PollFd::new(self.watch.fd(), PollFlags::IN)];
        let out = rustix::stdio::stdout();
        if self.reader_gone.is_none() {
            // With no event asked for: reports only that nobody reads any more.
            fds.push(PollFd::from_borrowed_fd(
                out,
                if self.full { PollFlags::OUT } else { PollFlags::empty() },
            ));
        }
        if let Some(pipe) = self.pipe.as_ref().filter(|_| !self.full) {
            fds.push(PollFd::new(pipe, PollFlags::IN));
        }
        let _ = poll(&mut fds, timeout.as_ref());
        if self.reader_gone.is_none() {
            let events = fds[1].revents();
            if events.intersects(PollFlags::ERR | PollFlags::HUP) {
                self.reader_gone = Some((Instant::now(), 0));
                self.full = false;
            }
            self.full &= !events.contains(PollFlags::OUT);
        }
        if self.canary_due.is_some_and(|due| due <= Instant::now()) {
            self.canary = Canary::start().ok();
            self.canary_due = None;
        }
    }

    /// Moves what there is from the tool to its viewer, and keeps it.
    fn carry(&mut self, copying: &Copying<'_>) {
        let Some(pipe) = &self.pipe else { return };
        if self.full {
            return;
        }
        #[cfg(target_os = "linux")]
        if !self.is_large && self.kept.length() >= HELD as u64 {
            self.is_large = true;
            // Fewer turns between the tool and us; where it is not allowed, more.
            let _ = rustix::pipe::fcntl_setpipe_size(pipe, LARGE_PIPE);
        }
        let waiting = self.in_pipe() as usize;
        let moved = match &mut self.reader_gone {
            Some((at, taken)) => {
                let over = *taken >= LAST_ROOM || at.elapsed() >= LAST_WAIT;
                if over && self.ended.is_none() {
                    self.closed_on_it = true;
                    self.pipe = None;
                    return;
                }
                let most = CHUNK.min(waiting).max(1);
                match self.kept.take(pipe, most, copying) {
                    Ok(read) => {
                        *taken += read as u64;
                        self.kept.undelivered(read);
                        Ok(read)
                    }
                    Err(error) => Err(error),
                }
            }
            None if self.can_tee => tee_on(pipe, &mut self.kept, copying),
            None => write_on(pipe, &mut self.kept, copying),
        };
        match moved {
            Ok(0) => self.pipe = None,
            Ok(_) | Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => self.full = self.in_pipe() > 0 && self.reader_gone.is_none(),
            Err(Errno::PIPE) => {
                self.reader_gone.get_or_insert_with(|| (Instant::now(), 0));
            }
            Err(_) if self.can_tee => self.can_tee = false,
            Err(_) => self.pipe = None,
        }
    }

    fn on_signal(&mut self, notice: Notice) {
        if notice.signal == libc::SIGCHLD {
            return;
        }
        if matches!(notice.signal, libc::SIGTERM | libc::SIGINT | libc::SIGHUP | libc::SIGQUIT) {
            self.interrupted.get_or_insert(notice.signal);
        }
        if !notice.from_process {
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
    fn reap(&mut self) {
        if self.ended.is_some() {
            return;
        }
        match self.child.try_wait() {
            None => {}
            Some(Status::Stopped) => {
                stop_self();
                self.child.signal(libc::SIGCONT);
            }
            Some(status) => self.ended = Some((status, Instant::now())),
        }
    }
}

fn is_over(due: Option<Instant>) -> bool {
    due.is_some_and(|due| due <= Instant::now())
}

fn first_look(look: &mut dyn FnMut() -> Looked) -> Looked {
    let begun = Instant::now();
    loop {
        let looked = look();
        if looked != Looked::NotYet || begun.elapsed() >= FIRST_BYTES {
            return looked;
        }
        std::thread::sleep(BETWEEN_FIRST_LOOKS);
    }
}

/// Lets the viewer have what lies in the tool's pipe without reading it, then reads it: tee(2).
#[cfg(target_os = "linux")]
fn tee_on(pipe: &OwnedFd, kept: &mut Kept, copying: &Copying<'_>) -> Result<usize, Errno> {
    use rustix::pipe::{SpliceFlags, splice, tee};
    let out: BorrowedFd<'_> = rustix::stdio::stdout();
    if kept.is_given_up() {
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

/// The same where there is no tee(2): no more than the viewer's pipe takes without waiting.
fn write_on(pipe: &OwnedFd, kept: &mut Kept, copying: &Copying<'_>) -> Result<usize, Errno> {
    let out = rustix::stdio::stdout();
    let mut ready = [PollFd::from_borrowed_fd(out, PollFlags::OUT), PollFd::new(pipe, PollFlags::IN)];
    poll(&mut ready, Some(&Timespec::default()))?;
    let [writable, readable] = [ready[0].revents(), ready[1].revents()];
    if writable.contains(PollFlags::ERR) {
        return Err(Errno::PIPE);
    }
    if readable.is_empty() || !writable.contains(PollFlags::OUT) {
        return Err(Errno::AGAIN);
    }
    let mut buffer = [0; ATOMIC];
    let length = rustix::io::read(pipe, &mut buffer)?;
    let mut rest = &buffer[..length];
    kept.push(rest, copying);
    while !rest.is_empty() {
        match rustix::io::write(out, rest) {
            Ok(written) => rest = &rest[written..],
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => drop(poll(&mut [PollFd::from_borrowed_fd(out, PollFlags::OUT)], None)),
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}
