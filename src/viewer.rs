//! What is told to an agent that reads a failing tool through a window: the tool's status, the reasons that the window
//! lacks, and where the whole output is. Of a success, and in case of doubt, nothing is told. See `docs/viewers.md`.

mod lacked;
mod shown;
mod words;

use std::ffi::OsString;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};

use crate::agents::Agent;
use crate::config::Settings;
use crate::consumer::{Fd, Shows, View, Viewer, Window, Writers};
use crate::ledger::record::{Record, VERSION, WINDOW};
use crate::ledger::{calls, spool};
use crate::run::emit::write_all;
use crate::run::{Copying, Looked, Passing, Status};
use crate::store::{Facts, Id, Source, Store};
use crate::sys::{claim, pidfd};
use crate::tokens;
pub use lacked::what_the_window_lacked;
pub use shown::through;
use words::FailedRun;

/// Most bytes of an output that are searched for what a window lacked.
const MOST_READ: u64 = 64 << 20;
/// Most bytes of an output whose tokens are counted for the ledger; those of a longer one are estimated.
const MOST_COUNTED: usize = 1 << 20;
const BYTES_OF_A_TOKEN: u64 = 4;
/// Longest wait for a viewer to write its last line: on a busy machine it takes a moment.
const LAST_LINE: Duration = Duration::from_secs(20);
/// The same wait after a signal asked us to end.
const HURRIED: Duration = Duration::from_millis(200);

/// Longest wait, after the tool has failed, for a shell to become a viewer: while it sleeps, and while it is at work.
const LAST_LOOK: Duration = Duration::from_secs(2);
const LAST_LOOK_AT_WORK: Duration = Duration::from_secs(10);
const BETWEEN_LOOKS: Duration = Duration::from_millis(2);

/// A run that an agent reads through a window.
pub struct Viewing<'a> {
    /// The window.
    pub window: &'a Window,
    /// The settings in force.
    pub settings: &'a Settings,
    /// The tool's name.
    pub tool: &'a str,
    /// The tool's name and its arguments.
    pub command: &'a [OsString],
    /// The agent that reads.
    pub agent: Option<&'static Agent>,
    /// The session that a saved original belongs to.
    pub session: OsString,
}

/// A run's facts for the ledger.
struct Run<'a> {
    status: Status,
    /// Bytes that the tool wrote.
    length: u64,
    ran: Duration,
    /// What was kept of these bytes, and what the window showed of that.
    text: &'a [u8],
    shown: &'a [u8],
}

/// A viewer, and a descriptor that is readable once the viewer has ended.
struct Watched {
    viewer: Viewer,
    end: Option<OwnedFd>,
}

impl Viewing<'_> {
    /// Passes on what the tool writes, tells the agent of a failure, and ends as the tool ended.
    pub fn run(&self, mut passing: Passing) -> ! {
        let store = Store::of_session(&self.session);
        let copying = Copying { store: &store, tool: self.tool, keywords: &[], slow_after: None };
        let mut viewers = Vec::new();
        passing.pass(&copying, &mut || self.look(&mut viewers));
        let status = passing.status();
        if passing.has_survivors() && passing.leave_behind() {
            passing.carry_survivors(&copying);
        }
        let failed = status.filter(|status| is_failure(*status, &passing));
        if failed.is_some() && viewers.is_empty() {
            self.look_long(&mut viewers);
        }
        match failed.filter(|_| !viewers.is_empty() && self.window.is_still_read()) {
            // A fault of ours costs only the words.
            Some(status) => quietly(|| self.tell(status, &mut passing, &viewers, &store)),
            None => passing.kept().discard(),
        }
        passing.end()
    }

    fn look(&self, viewers: &mut Vec<Watched>) -> Looked {
        match self.window.look(&self.settings.viewers.names) {
            View::Through(found) => {
                let watched = |viewer: Viewer| Watched { end: pidfd::end_of(viewer.process), viewer };
                *viewers = found.into_iter().map(watched).collect();
                Looked::Viewers
            }
            View::Soon => Looked::Soon,
            View::NotYet => Looked::NotYet,
            View::Closed => Looked::Others,
        }
    }

    /// Looks again until it is known who reads, or the time is up. No reader has found the end of its input yet.
    fn look_long(&self, viewers: &mut Vec<Watched>) {
        let begun = Instant::now();
        loop {
            let most = match self.look(viewers) {
                Looked::Soon => LAST_LOOK_AT_WORK,
                Looked::NotYet => LAST_LOOK,
                Looked::Viewers | Looked::Others => return,
            };
            if begun.elapsed() >= most {
                return;
            }
            std::thread::sleep(BETWEEN_LOOKS);
        }
    }

    fn tell(&self, status: Status, passing: &mut Passing, viewers: &[Watched], store: &Store) {
        // Of several tools that fail in one loop or group, only the first is told of.
        let first = match self.window.writers() {
            Writers::Group => claim::claim(&format!("toto-window-{}", self.window.number())).map(Some),
            _ => Some(None),
        };
        let Some(_first) = first else { return passing.kept().discard() };
        // The last viewer may be the shell itself, so the stream must be opened before the viewer ends.
        let Some(target) = self.open_eyes() else { return passing.kept().discard() };
        let interrupted = passing.interrupted().is_some();
        let ran = passing.ran_for();
        // The viewers' input ends here; the rest is done while they write their last lines.
        if !passing.close() {
            return passing.kept().discard();
        }
        let kept = passing.kept();
        let length = kept.length();
        let is_cut = kept.is_cut();
        let saved = kept.copy().map(|copy| (copy.path().to_owned(), copy.id().clone()));
        let text = kept.bytes(MOST_READ);
        let shows: Vec<Shows> = viewers.iter().map(|watched| watched.viewer.shows).collect();
        // Where others write to the pipe as well, it is unknown what the window shows of this output.
        let known = text.as_deref().filter(|_| self.window.writers() != Writers::Group);
        let shown = known.map_or(&b""[..], |text| through(text, &shows));
        let id = saved.as_ref().map_or_else(|| store.new_id(), |(_, id)| id.clone());
        let failed = FailedRun {
            call: calls::name_of(self.tool, self.command),
            command: self.command,
            status,
            viewer: &viewers[viewers.len() - 1].viewer.name,
            id: &id,
            is_cut,
        };
        let (words, names_whole) = failed.words(text.as_deref(), shown);
        let facts = || Facts {
            status: Some(code_of(status)),
            bytes: length,
            lines: text.as_deref().map_or(0, |text| memchr::memchr_iter(b'\n', text).count() as u64),
            tokens: text.as_deref().map_or(0, |text| tokens::count(text) as u64),
            estimated: text.is_none(),
            call: Some(calls::name_of(self.tool, self.command)),
            pages: None,
        };
        let held = match (&saved, &text) {
            (None, Some(text)) if names_whole => store.save(&id, self.tool, Source::Out, text).ok(),
            _ => None,
        };
        let path = saved.map(|(path, _)| path).or_else(|| held.as_ref().map(|held| held.path.clone()));
        let words = if names_whole && path.is_none() { failed.without_whole(&words) } else { words };
        // Others that hold the pipe wait for our end, and the viewer waits for theirs: then we leave a copy behind.
        let most = match self.window.writers() {
            Writers::Ours => Some(if interrupted { HURRIED } else { LAST_LINE }),
            _ if passing.leave_behind() => None,
            _ => return,
        };
        if !wait_for(&viewers[viewers.len() - 1], most) {
            return;
        }
        if write_all(target.as_fd(), words.as_bytes()).is_ok() {
            let text = text.as_deref().unwrap_or_default();
            let run = Run { status, length, ran, text, shown };
            self.record(&run, &words, names_whole.then_some(&id));
        }
        if let Some(path) = path {
            store.conclude(&path, &facts(), self.settings.store);
        }
    }

    /// The agent's stream, opened for writing behind the viewer; `None` if it cannot be opened.
    fn open_eyes(&self) -> Option<Target> {
        if self.window.is_eyes(Fd::Stderr) {
            return Some(Target::Errors);
        }
        let path = format!("/proc/{}/fd/1", self.window.shell());
        let path = Path::new(&path);
        // A file opened anew has an offset of its own, and our words would overwrite what it holds.
        let is_openable = std::fs::metadata(path).is_ok_and(|file| !file.is_file() || self.window.appends());
        let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::NOCTTY | OFlags::CLOEXEC;
        let opened = is_openable.then(|| rustix::fs::open(path, flags, Mode::empty()).ok()).flatten();
        opened.or_else(|| pidfd::open_file_of(self.window.shell(), 1)).map(Target::Opened)
    }

    fn record(&self, run: &Run<'_>, words: &str, id: Option<&Id>) {
        if !self.settings.ledger.enabled {
            return;
        }
        let is_counted = run.text.len() as u64 == run.length && run.text.len() <= MOST_COUNTED;
        // Without toto the agent would have been given only what the window shows.
        let window = tokens::count(run.shown) as u64;
        let record = Record {
            v: VERSION,
            at: spool::now(),
            nonce: RandomState::new().build_hasher().finish() as u32,
            tool: calls::file_name(self.tool).into(),
            call: calls::name_of(self.tool, self.command).into(),
            shape: WINDOW.into(),
            agent: self.agent.map(|agent| agent.id.into()),
            session: spool::session_hash(&self.session).into(),
            level: "standard".into(),
            bytes: run.length,
            given_bytes: (run.shown.len() + words.len()) as u64,
            tokens: if is_counted { tokens::count(run.text) as u64 } else { run.length / BYTES_OF_A_TOKEN },
            without: window,
            given: window + tokens::count(words.as_bytes()) as u64,
            estimated: !is_counted,
            tool_us: run.ran.as_micros() as u64,
            status: Some(code_of(run.status)),
            saved: id.map(|id| id.to_string().into()),
            ..Record::default()
        };
        // A spool that cannot be written costs only the record.
        let _ = spool::append(record.at, &record.line());
    }
}

/// Calls `act`, and hides a panic.
fn quietly(act: impl FnOnce()) {
    std::panic::set_hook(Box::new(|_| {}));
    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(act));
    let _ = std::panic::take_hook();
}

/// Whether the tool failed by itself: not because its viewer ended, nor by a signal of those who wait for it (INT, HUP,
/// QUIT).
fn is_failure(status: Status, passing: &Passing) -> bool {
    let by_whoever_waits = |signal| matches!(signal, libc::SIGINT | libc::SIGHUP | libc::SIGQUIT);
    let is_failure = match status {
        Status::Exited(code) => code != 0,
        Status::Killed(signal) => signal != libc::SIGPIPE && !by_whoever_waits(signal),
        Status::Stopped => false,
    };
    is_failure && !passing.met_closed_pipe() && !passing.interrupted().is_some_and(by_whoever_waits)
}

/// Where the words are written.
enum Target {
    /// Our own descriptor 2.
    Errors,
    /// The agent's stream, opened by us.
    Opened(OwnedFd),
}

impl Target {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        use std::os::fd::AsFd as _;
        match self {
            Self::Errors => rustix::stdio::stderr(),
            Self::Opened(file) => file.as_fd(),
        }
    }
}

fn code_of(status: Status) -> i32 {
    match status {
        Status::Exited(code) => code,
        Status::Killed(signal) => 128 + signal,
        Status::Stopped => 0,
    }
}

/// Waits until the viewer has ended, and so written its last line; false if that takes too long.
fn wait_for(watched: &Watched, most: Option<Duration>) -> bool {
    let Some(end) = &watched.end else { return false };
    let due = most.map(|most| Instant::now() + most);
    loop {
        let left = due.map(|due| due.saturating_duration_since(Instant::now()));
        let left = left.and_then(|left| Timespec::try_from(left).ok());
        match poll(&mut [PollFd::new(end, PollFlags::IN)], left.as_ref()) {
            Ok(0) => return false,
            Ok(_) => return true,
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return false,
        }
    }
}
