//! A child whose output is collected: signals are passed on to the child, the order of its output is kept, and no
//! wait is longer than it has to be.

use std::io;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use super::emit::say;
use super::prompt::Asking;
use super::serving;
use super::signals::{CANARY_AFTER, Signals};
use super::stream::{Copying, DRAIN, ENDLESS, MEMORY_LIMIT, Stream};
use super::tool::{Tool, turn};
use super::wait::wait;
use crate::consumer::StderrPlan;
use crate::store::Source;
use crate::sys::process::{Program, Status, end_with, leave_behind};
use crate::sys::signals::BrokenPipe;

/// How long a tool's last output is waited for after TERM, INT or HUP.
const LAST_WORDS: Duration = Duration::from_millis(40);
/// A tool that has announced a server and then printed nothing for this long is taken not to end by itself.
const QUIET: Duration = Duration::from_secs(2);

/// A tool under capture.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own; none excludes another")]
pub struct Capture {
    pub tool: Tool,
    pub signals: Signals,
    last_output: Instant,
    /// When the agent is to be told that the tool still runs; nothing once that was said.
    slow_due: Option<Instant>,
    asking: Asking,
    /// Whether the tool seems not to end by itself: a server, or an output without an end.
    goes_on: bool,
    /// Whether the silence since the last output was looked at.
    quiet_looked_at: bool,
    /// Whether the reader of standard output was gone before the tool's end.
    pub reader_gone: bool,
    /// Whether the output has gone out, or goes out, unchanged.
    pub passing_through: bool,
    /// Set from the first output on: a write of ours that nobody reads fails then, and ends neither us nor the tool.
    broken_pipe: Option<BrokenPipe>,
}

impl Capture {
    /// Starts `program`. Standard input, process group, directory and terminal are left as they are. After an error
    /// (no pipe or process can be made) nothing has been started, and `program` can still be exec'd by the caller.
    pub fn start(
        program: &Program,
        stderr: StderrPlan,
        prepare: impl FnOnce(&mut Program, u32),
    ) -> io::Result<Self> {
        let (stdout, stdout_end) = Stream::new(Source::Out, rustix::stdio::stdout())?;
        let mut streams = vec![stdout];
        let mut own_end = None;
        if stderr == StderrPlan::Separate {
            let (stream, end) = Stream::new(Source::Err, rustix::stdio::stderr())?;
            streams.push(stream);
            own_end = Some(end);
        }
        let shared_end = (stderr == StderrPlan::Merged).then_some(&stdout_end);
        let child_stderr = own_end.as_ref().or(shared_end).map(AsFd::as_fd);
        let signals = Signals::start(&[libc::SIGTERM, libc::SIGINT, libc::SIGHUP], CANARY_AFTER)?;
        let tool = Tool::start(program, stdout_end.as_fd(), child_stderr, streams, &signals, prepare)?;
        Ok(Self {
            last_output: tool.started,
            tool,
            signals,
            slow_due: None,
            asking: Asking::new(),
            goes_on: false,
            quiet_looked_at: true,
            reader_gone: false,
            passing_through: false,
            broken_pipe: None,
        })
    }

    /// Collects until the tool has ended and its output is complete, or [`DRAIN`] has passed since its end. Stops
    /// while the tool still runs if we were asked to end and the tool has not ended, if it has announced a server,
    /// or if its output is endless. Once the tool is slow, `tell` is called with the stream to name.
    pub fn collect(&mut self, copying: &Copying<'_>, tell: &dyn Fn(&Stream)) {
        self.slow_due = copying.slow_after.and_then(|after| self.tool.started.checked_add(after));
        while !self.is_collected() {
            self.turn();
            self.keep(copying);
            self.tell_slow(tell);
        }
        if self.tool.ended.is_some() {
            self.signals.watch.restore();
        }
    }

    fn is_collected(&self) -> bool {
        let hurried = self.signals.interrupted.is_some_and(|(_, at)| at.elapsed() >= LAST_WORDS);
        match self.tool.ended {
            Some(_) => hurried || self.tool.is_collected(),
            None => !self.passing_through && (hurried || self.goes_on),
        }
    }

    /// Sleeps until there is something to do, then reads the pipes, passes signals on and looks for the tool's end.
    fn turn(&mut self) {
        self.wait();
        turn(&mut self.signals, &mut [&mut self.tool]);
    }

    fn wait(&mut self) {
        let (due, streams) = (self.next_due(), self.tool.streams.iter_mut());
        let broken_pipe = &mut self.broken_pipe;
        let is_gone = wait(&self.signals.watch, streams, !self.reader_gone, due, |stream| {
            broken_pipe.get_or_insert_with(BrokenPipe::ignore);
            self.passing_through |= !stream.read();
            self.last_output = Instant::now();
            self.quiet_looked_at = false;
            self.asking.looks = 0;
        });
        if is_gone {
            // The tool has to meet SIGPIPE at its next write, as it would without us.
            self.reader_gone = true;
            self.tool.streams[0].pipe = None;
        }
        self.signals.set_canary();
    }

    fn next_due(&self) -> Option<Instant> {
        let has_output = self.tool.has_output();
        let (ended, signals) = (self.tool.ended, &self.signals);
        [
            ended.map(|(_, at)| at + DRAIN),
            signals.interrupted.map(|(_, at)| at + LAST_WORDS),
            signals.canary_due,
            self.tool.copy_due(),
            self.slow_due.filter(|_| has_output && ended.is_none()),
            (!self.quiet_looked_at).then_some(self.last_output + QUIET),
            self.asking.due().filter(|_| has_output && ended.is_none()).map(|quiet| self.last_output + quiet),
        ]
        .into_iter()
        .flatten()
        .filter(|_| !self.passing_through || ended.is_some() || signals.canary_due.is_some())
        .min()
    }

    /// Makes sure that what was read is kept: in memory, in the live copy, or with its reader.
    fn keep(&mut self, copying: &Copying<'_>) {
        self.passing_through = self.passing_through || !self.tool.copy(copying);
        if !self.passing_through && self.tool.ended.is_none() && self.tool.has_output() {
            let quiet = self.last_output.elapsed();
            self.passing_through = self.asking.is_waiting(quiet, &self.tool.streams, self.tool.child.pid());
        }
        let held: usize = self.tool.streams.iter().map(Stream::in_memory).sum();
        if self.passing_through || held > MEMORY_LIMIT {
            self.passing_through = true;
            for stream in &mut self.tool.streams {
                stream.release();
            }
        }
        self.goes_on |= self.tool.streams.iter().any(|stream| stream.length() > ENDLESS);
        if !self.quiet_looked_at && self.last_output.elapsed() >= QUIET {
            self.quiet_looked_at = true;
            let is_server =
                |stream: &Stream| stream.only_copy().is_none() && serving::is_announced(&stream.buffer);
            self.goes_on |= self.tool.streams.iter().any(is_server);
        }
    }

    fn tell_slow(&mut self, tell: &dyn Fn(&Stream)) {
        if self.passing_through
            || self.tool.ended.is_some()
            || self.slow_due.is_none_or(|due| Instant::now() < due)
        {
            return;
        }
        if let Some(stream) = self.tool.streams.iter().find(|stream| stream.copy.is_some()) {
            tell(stream);
        }
        if self.tool.has_output() {
            self.slow_due = None;
        }
    }

    /// Ends this process as the tool ended; where the tool still runs, its further output is passed on first. Where
    /// that or what came before could not be written, a success becomes a failure: without us the tool's own last
    /// write would have failed. Where a descendant of the tool still holds one of its pipes open, a copy of this
    /// process stays behind and goes on copying, so that neither the descendant nor the reader notices a difference.
    pub fn end(mut self, written: io::Result<()>) -> ! {
        self.tool.streams.iter_mut().for_each(Stream::forget);
        if self.tool.ended.is_none() {
            self.passing_through = true;
            self.signals.interrupted = None; // nobody waits for our end any more
            while !self.is_collected() {
                self.turn();
                for stream in &mut self.tool.streams {
                    stream.release();
                }
            }
            self.signals.watch.restore();
        }
        let passed_on = || self.tool.streams.iter_mut().find_map(|stream| stream.unwritten.take());
        let failure = written.err().or_else(passed_on).map(|error| self.failure(&error));
        let status = match self.tool.status().unwrap_or(Status::Exited(1)) {
            Status::Exited(0) => failure.unwrap_or(Status::Exited(0)),
            status => status,
        };
        if self.tool.is_open() && leave_behind(status) {
            self.relay_survivors();
            end_with(Status::Exited(0));
        }
        end_with(status)
    }

    /// How a tool ends that meets this error at a write: by SIGPIPE where that was not ignored, otherwise with a line
    /// of its own.
    fn failure(&self, error: &io::Error) -> Status {
        let is_broken = error.kind() == io::ErrorKind::BrokenPipe;
        if is_broken && self.broken_pipe.as_ref().is_some_and(BrokenPipe::ended_us) {
            return Status::Killed(libc::SIGPIPE);
        }
        say(&format!("toto: cannot write the output: {error}"));
        Status::Exited(1)
    }

    fn relay_survivors(mut self) {
        while self.tool.is_open() {
            // What came before our handlers were gone.
            while self.signals.watch.next().is_some() {}
            wait(&self.signals.watch, self.tool.streams.iter_mut(), false, None, Stream::relay);
        }
    }
}
