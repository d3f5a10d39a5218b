//! Several tools side by side, the output of each collected separately.

use std::collections::VecDeque;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};
use std::{fmt, io};

use rustix::fs::{Mode, OFlags};

use super::signals::Signals;
use super::stream::{Copying, DRAIN, ENDLESS, HELD, MEMORY_LIMIT, Stream};
use super::wait::wait;
use crate::env;
use crate::path::{GuardValue, NotFound};
use crate::store::Source;
use crate::sys::process::{Child, NOT_STARTED, Program, Status, stop_self};
use crate::sys::signals::{block_watched, survive_file_size_limit};

/// Time that the tools get to end once we were asked to end: the process that asked us will not wait for ever
/// either.
const GRACE: Duration = Duration::from_millis(400);
/// A tool that has run for this long gets a live copy of its output, however short.
const COPY_AFTER: Duration = Duration::from_secs(2);

/// A call to be run.
pub struct Task<'a> {
    /// The program to start.
    pub program: Program,
    /// The guard's value for the program's environment.
    pub guard: Option<GuardValue>,
    /// Where and how its live copies are made.
    pub copying: Copying<'a>,
}

/// The result of one call.
pub struct Ended {
    /// Its standard output; None where the call was never started.
    pub out: Option<Stream>,
    /// Its standard error; None where the call was never started.
    pub err: Option<Stream>,
    /// How it ended.
    pub end: End,
}

/// The results of all calls.
pub struct Batch {
    /// In the order asked for.
    pub ended: Vec<Ended>,
    /// The signal by which we were asked to end, if any.
    pub interrupted: Option<i32>,
}

/// How a call ended.
#[derive(Debug)]
pub enum End {
    /// By itself.
    Status(Status),
    /// We were asked to end before the call had ended.
    Interrupted,
    /// We were asked to end before the call was started.
    Unstarted,
    /// There is no such tool.
    NotFound(NotFound),
    /// No pipe or process could be made.
    Failed(io::Error),
    /// It printed more than can be kept, and was killed.
    Endless,
}

impl End {
    /// As an exit status; 0 is success.
    pub fn status(&self) -> i32 {
        match self {
            Self::Status(status) => status.code(),
            Self::NotFound(error) => error.status(),
            Self::Failed(_) => NOT_STARTED,
            Self::Interrupted | Self::Unstarted | Self::Endless => 1,
        }
    }
}

/// How the call ended, in words: `exit status 2`.
impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(Status::Exited(code)) => write!(f, "exit status {code}"),
            Self::Status(Status::Killed(signal)) => write!(f, "killed by signal {signal}"),
            Self::Status(Status::Stopped) | Self::Interrupted => f.write_str("interrupted, not finished"),
            Self::Unstarted => f.write_str("interrupted, not started"),
            Self::NotFound(error) => write!(f, "{error}"),
            Self::Failed(error) => write!(f, "cannot be started: {error}"),
            Self::Endless => f.write_str("ended by toto: more than 2 GiB of output"),
        }
    }
}

struct Running {
    at: usize,
    child: Child,
    streams: [Stream; 2],
    started: Instant,
    status: Option<(Status, Instant)>,
    endless: bool,
}

impl Running {
    /// The tool's status, once the tool has ended and its output is complete.
    fn collected(&self) -> Option<Status> {
        let (status, at) = self.status?;
        let open = self.streams.iter().any(|stream| stream.pipe.is_some());
        let owed = self.streams.iter().any(Stream::has_left);
        (!open || at.elapsed() >= DRAIN && !owed).then_some(status)
    }
}

impl Batch {
    /// Runs the calls in the order given, `jobs` of them at a time, with /dev/null as standard input. Once, when a
    /// call is slow, `tell` is called with the numbers of the calls that still run.
    ///
    /// # Errors
    /// When signals cannot be watched or /dev/null cannot be opened.
    pub fn run(tasks: &[Task<'_>], jobs: usize, tell: &dyn Fn(&[usize])) -> io::Result<Self> {
        let ending = &[libc::SIGTERM, libc::SIGINT, libc::SIGHUP, libc::SIGQUIT];
        let mut signals = Signals::start(ending, Duration::ZERO)?;
        survive_file_size_limit();
        let nothing = rustix::fs::open(c"/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
        signals.set_canary();
        signals.watch.unblock();
        let slow_after = tasks.iter().filter_map(|task| task.copying.slow_after).min();
        let mut runner = Runner {
            tasks,
            jobs,
            nothing,
            signals,
            waiting: (0..tasks.len()).collect(),
            running: Vec::new(),
            ended: tasks.iter().map(|_| Ended { out: None, err: None, end: End::Unstarted }).collect(),
            reader_gone: false,
            tell_at: slow_after.and_then(|after| Instant::now().checked_add(after)),
        };
        while runner.goes_on() {
            runner.turn();
            if runner.tell_at.is_some_and(|due| due <= Instant::now()) {
                runner.tell_at = None;
                tell(&runner.running.iter().map(|call| call.at).collect::<Vec<_>>());
            }
        }
        Ok(runner.finish())
    }
}

struct Runner<'t> {
    tasks: &'t [Task<'t>],
    jobs: usize,
    nothing: OwnedFd,
    signals: Signals,
    waiting: VecDeque<usize>,
    running: Vec<Running>,
    ended: Vec<Ended>,
    reader_gone: bool,
    tell_at: Option<Instant>,
}

impl Runner<'_> {
    fn goes_on(&self) -> bool {
        let hurried = self.signals.interrupted.is_some_and(|(_, at)| at.elapsed() >= GRACE);
        !hurried && (self.may_begin() && !self.waiting.is_empty() || !self.running.is_empty())
    }

    fn may_begin(&self) -> bool {
        self.signals.interrupted.is_none() && !self.reader_gone
    }

    /// Starts the calls that may start, sleeps until there is something to do, and does it.
    fn turn(&mut self) {
        while self.running.len() < self.jobs
            && self.may_begin()
            && let Some(at) = self.waiting.pop_front()
        {
            match self.begin(at) {
                Ok(call) => self.running.push(call),
                // Too many processes or descriptors: a call that ends makes room.
                Err(_) if !self.running.is_empty() => {
                    self.waiting.push_front(at);
                    break;
                }
                Err(error) => self.ended[at].end = End::Failed(error),
            }
        }
        if self.running.is_empty() {
            return;
        }
        self.wait();
        let running = &self.running;
        self.signals.take(|signal| {
            for call in running.iter().filter(|call| call.status.is_none()) {
                call.child.signal(signal);
            }
        });
        let mut is_stopped = false;
        for call in self.running.iter_mut().filter(|call| call.status.is_none()) {
            match call.child.try_wait() {
                Some(Status::Stopped) => is_stopped = true,
                Some(status) => {
                    call.status = Some((status, Instant::now()));
                    call.streams.iter_mut().for_each(Stream::tool_ended);
                }
                None => {}
            }
        }
        // If one tool is stopped, we stop, too; when we are continued, so are all tools.
        if is_stopped {
            stop_self();
            let running = self.running.iter().filter(|call| call.status.is_none());
            running.for_each(|call| call.child.signal(libc::SIGCONT));
        }
        for at in (0..self.running.len()).rev() {
            self.keep(at);
            if let Some(status) = self.running[at].collected() {
                let call = self.running.swap_remove(at);
                self.conclude(call, End::Status(status));
            }
        }
    }

    fn conclude(&mut self, call: Running, end: End) {
        let [mut out, mut err] = call.streams;
        (out.pipe, err.pipe) = (None, None);
        let end = if call.endless { End::Endless } else { end };
        self.ended[call.at] = Ended { out: Some(out), err: Some(err), end };
    }

    fn begin(&self, at: usize) -> io::Result<Running> {
        let task = &self.tasks[at];
        let (out, out_end) = Stream::new(Source::Out, rustix::stdio::stdout())?;
        let (err, err_end) = Stream::new(Source::Err, rustix::stdio::stderr())?;
        let nothing = &self.nothing;
        block_watched();
        let child = Child::spawn(
            &task.program,
            out_end.as_fd(),
            Some(err_end.as_fd()),
            &self.signals.watch,
            |program: &mut Program, pid| {
                // Where this fails, the tool keeps our own standard input.
                let _ = rustix::stdio::dup2_stdin(nothing);
                let guard = task.guard.as_ref().map(|guard| guard.for_pid(pid));
                program.set_env(env::TOTO_GUARD, guard.as_deref());
            },
        );
        self.signals.watch.unblock();
        Ok(Running {
            at,
            child: child?,
            streams: [out, err],
            started: Instant::now(),
            status: None,
            endless: false,
        })
    }

    fn wait(&mut self) {
        let due = self.next_due();
        let streams = self.running.iter_mut().flat_map(|call| &mut call.streams);
        let is_gone = wait(&self.signals.watch, streams, !self.reader_gone, due, |stream| {
            stream.read();
        });
        if is_gone {
            // The tools have to meet SIGPIPE at their next write, as they would without us.
            self.reader_gone = true;
            for call in &mut self.running {
                call.streams[0].pipe = None;
            }
        }
    }

    fn next_due(&self) -> Option<Instant> {
        let of_calls = self.running.iter().flat_map(|call| {
            let is_uncopied = |s: &Stream| s.length() > 0 && s.copy().is_none() && s.uncopied().is_none();
            let copy = call.streams.iter().any(is_uncopied).then_some(call.started + COPY_AFTER);
            [call.status.map(|(_, at)| at + DRAIN), copy]
        });
        let of_all = [self.signals.interrupted.map(|(_, at)| at + GRACE), self.tell_at];
        of_calls.chain(of_all).flatten().min()
    }

    /// Makes sure that what a call has printed is kept: in memory, in a live copy, or with its reader.
    fn keep(&mut self, at: usize) {
        let call = &mut self.running[at];
        let copying = &self.tasks[call.at].copying;
        let long = call.status.is_none() && call.started.elapsed() >= COPY_AFTER;
        for stream in &mut call.streams {
            if stream.length() >= HELD as u64 || long && stream.length() > 0 {
                stream.begin_copy(copying);
            }
            if stream.in_memory() > MEMORY_LIMIT {
                stream.release();
            }
            if stream.length() > ENDLESS && stream.pipe.take().is_some() {
                call.endless = true;
                call.child.signal(libc::SIGKILL);
            }
        }
    }

    /// Kills the tools that still run, and returns all results.
    fn finish(mut self) -> Batch {
        for call in std::mem::take(&mut self.running) {
            if call.status.is_none() {
                call.child.signal(libc::SIGKILL);
            }
            let end = call.status.map_or(End::Interrupted, |(status, _)| End::Status(status));
            self.conclude(call, end);
        }
        self.signals.watch.restore();
        Batch { ended: self.ended, interrupted: self.signals.interrupted.map(|(signal, _)| signal) }
    }
}
