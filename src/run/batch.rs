//! Several tools side by side, the output of each collected separately.

use std::collections::VecDeque;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};
use std::{fmt, io};

use rustix::fs::{Mode, OFlags};

use super::signals::Signals;
use super::stream::{Copying, DRAIN, ENDLESS, MEMORY_LIMIT, Stream};
use super::tool::{Tool, turn};
use super::wait::wait;
use crate::env;
use crate::path::{GuardValue, NotFound};
use crate::store::Source;
use crate::sys::process::{NOT_STARTED, Program, Status};

/// Time that the tools get to end once we were asked to end: the process that asked us will not wait for ever
/// either.
const GRACE: Duration = Duration::from_millis(400);

/// A call to run, and how its output is kept.
pub struct Task<'a> {
    pub program: Program,
    pub guard: Option<GuardValue>,
    pub copying: Copying<'a>,
}

/// The result of one call, without streams where it was never started.
pub struct Ended {
    pub out: Option<Stream>,
    pub err: Option<Stream>,
    pub end: End,
}

/// How a call ended.
#[derive(Debug)]
pub enum End {
    Status(Status),
    /// We were asked to end before the call had ended.
    Interrupted,
    /// We were asked to end before the call was started.
    Unstarted,
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
            Self::Endless => write!(f, "ended by toto: more than {} GiB of output", ENDLESS >> 30),
        }
    }
}

struct Running {
    at: usize,
    tool: Tool,
    endless: bool,
}

/// Runs the calls in the order given, `jobs` of them at a time, with /dev/null as standard input. Once, when a
/// call is slow, `tell` is called with the numbers of the calls that still run. Fails where signals cannot be watched
/// or /dev/null cannot be opened. Returns the results of all calls, in the order given, and the signal by which we were
/// asked to end, if any.
pub fn batch(
    tasks: &[Task<'_>],
    jobs: usize,
    tell: &dyn Fn(&[usize]),
) -> io::Result<(Vec<Ended>, Option<i32>)> {
    let ending = &[libc::SIGTERM, libc::SIGINT, libc::SIGHUP, libc::SIGQUIT];
    let mut signals = Signals::start(ending, Duration::ZERO)?;
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
        let mut tools: Vec<_> = self.running.iter_mut().map(|call| &mut call.tool).collect();
        turn(&mut self.signals, &mut tools);
        for at in (0..self.running.len()).rev() {
            self.keep(at);
            if self.running[at].tool.is_collected() {
                let call = self.running.swap_remove(at);
                self.conclude(call);
            }
        }
    }

    fn conclude(&mut self, mut call: Running) {
        let end = match call.tool.status() {
            _ if call.endless => End::Endless,
            Some(status) => End::Status(status),
            None => End::Interrupted,
        };
        call.tool.streams.iter_mut().for_each(|stream| stream.pipe = None);
        let (err, out) = (call.tool.streams.pop(), call.tool.streams.pop());
        self.ended[call.at] = Ended { out, err, end };
    }

    fn begin(&self, at: usize) -> io::Result<Running> {
        let task = &self.tasks[at];
        let (out, out_end) = Stream::new(Source::Out, rustix::stdio::stdout())?;
        let (err, err_end) = Stream::new(Source::Err, rustix::stdio::stderr())?;
        let prepare = |program: &mut Program, pid| {
            // Where this fails, the tool keeps our own standard input.
            let _ = rustix::stdio::dup2_stdin(&self.nothing);
            let guard = task.guard.as_ref().map(|guard| guard.for_pid(pid));
            program.set_env(env::TOTO_GUARD, guard.as_deref());
        };
        let (out_end, err_end, streams) = (out_end.as_fd(), Some(err_end.as_fd()), vec![out, err]);
        let tool = Tool::start(&task.program, out_end, err_end, streams, &self.signals, prepare)?;
        Ok(Running { at, tool, endless: false })
    }

    fn wait(&mut self) {
        let due = self.next_due();
        let streams = self.running.iter_mut().flat_map(|call| &mut call.tool.streams);
        let is_gone = wait(&self.signals.watch, streams, !self.reader_gone, due, |stream| {
            stream.read();
        });
        if is_gone {
            // The tools have to meet SIGPIPE at their next write, as they would without us.
            self.reader_gone = true;
            for call in &mut self.running {
                call.tool.streams[0].pipe = None;
            }
        }
    }

    fn next_due(&self) -> Option<Instant> {
        let tools = self.running.iter().map(|call| &call.tool);
        let of_calls = tools.flat_map(|tool| [tool.ended.map(|(_, at)| at + DRAIN), tool.copy_due()]);
        let of_all = [self.signals.interrupted.map(|(_, at)| at + GRACE), self.tell_at];
        of_calls.chain(of_all).flatten().min()
    }

    /// Makes sure that what a call has printed is kept: in memory, in a live copy, or with its reader.
    fn keep(&mut self, at: usize) {
        let call = &mut self.running[at];
        call.tool.copy(&self.tasks[call.at].copying);
        for stream in &mut call.tool.streams {
            if stream.in_memory() > MEMORY_LIMIT {
                stream.release();
            }
            if stream.length() > ENDLESS && stream.pipe.take().is_some() {
                call.endless = true;
                call.tool.child.signal(libc::SIGKILL);
            }
        }
    }

    /// Kills the tools that still run, and returns all results.
    fn finish(mut self) -> (Vec<Ended>, Option<i32>) {
        for call in std::mem::take(&mut self.running) {
            if call.tool.ended.is_none() {
                call.tool.child.signal(libc::SIGKILL);
            }
            self.conclude(call);
        }
        self.signals.watch.restore();
        (self.ended, self.signals.interrupted())
    }
}
