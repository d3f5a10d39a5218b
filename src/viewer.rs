//! What is told to an agent that reads a failing tool through a window: the tool's status, where the whole output is,
//! and the reasons that the window lacks. Of a success, of a failure that the agent sees anyway, and in case of doubt,
//! nothing is told. See `docs/viewers.md`.

mod lacked;
mod words;

use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{Mode, OFlags};
use rustix::io::retry_on_intr;
use rustix::stdio::stderr;

use crate::commands::{ANSWERS, as_text};
use crate::consumer::{Fd, Shows, View, Viewer, Window, Writers};
use crate::deliver::Delivery;
use crate::ledger::record::{Record, WINDOW};
use crate::ledger::spool;
use crate::run::emit::write_all;
use crate::run::wait::until;
use crate::run::{Copying, Passing, Status};
use crate::source::{behind_lines, count_lines};
use crate::store::{self, Facts, Store};
use crate::sys::guard::guarded;
use crate::sys::{claim, pidfd};
use crate::tokens;
use words::Told;

/// Most bytes of an output that are searched for what a window lacked.
const MOST_READ: u64 = 64 << 20;
/// Most bytes of an output whose tokens are counted; those of a longer one are estimated.
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
    pub window: &'a Window,
    /// How the output would go to the agent without a viewer.
    pub delivery: Delivery<'a>,
}

struct Run<'a> {
    status: Status,
    /// Bytes that the tool wrote.
    length: u64,
    ran: Duration,
    /// Whether the output was too large to be kept whole.
    is_cut: bool,
    /// The file and the id of the live copy, if there is one.
    copy: Option<(PathBuf, String)>,
    /// What was kept of these bytes, if that is not too much to be searched.
    text: Option<&'a [u8]>,
    /// What the window may show of it.
    shown: &'a [u8],
    /// What it shows of it for sure.
    seen: &'a [u8],
    /// Whether a viewer chooses lines by what they say, or shows parts of them.
    is_chosen: bool,
    /// Whether something went to the agent on standard error, past the window.
    is_said: bool,
}

impl<'a> Run<'a> {
    /// The output, where all of it was kept.
    fn whole(&self) -> Option<&'a [u8]> {
        self.text.filter(|text| text.len() as u64 == self.length)
    }

    /// The tokens of the output, and whether they are estimated.
    fn tokens(&self) -> (u64, bool) {
        match self.whole().filter(|text| text.len() <= MOST_COUNTED) {
            Some(text) => (tokens::count(text) as u64, false),
            None => (self.length / BYTES_OF_A_TOKEN, true),
        }
    }
}

/// A viewer, and a descriptor that is readable once the viewer has ended.
struct Watched {
    viewer: Viewer,
    end: Option<OwnedFd>,
}

impl Viewing<'_> {
    /// Passes on what the tool writes, tells the agent of a failure, and ends as the tool ended.
    pub fn run(&self, mut passing: Passing) -> ! {
        let Delivery { settings, tool, command, ref session, .. } = self.delivery;
        let store = Store::for_saving(session, settings.store);
        let copying = Copying { store: &store, tool, keywords: &[], slow_after: None };
        let mut viewers = Vec::new();
        let last_error = Window::last_error();
        let names = &settings.viewers.names;
        passing.pass(&copying, &mut || watch(self.window.look(names), &mut viewers));
        let status = passing.tool.status();
        passing.carry_survivors(&copying);
        let words = as_text(command);
        let failed = status.filter(|status| is_failure(*status, &passing) && !is_answer(&words, *status));
        if failed.is_some() && viewers.is_empty() {
            let most = [LAST_LOOK, LAST_LOOK_AT_WORK];
            // No reader has found the end of its input yet.
            watch(self.window.look_until_known(names, most, BETWEEN_LOOKS), &mut viewers);
        }
        match failed.filter(|_| !viewers.is_empty() && self.window.is_still_read()) {
            // A fault of ours costs only the words.
            Some(status) => {
                // A tool that was killed could not say so.
                let is_said = matches!(status, Status::Exited(_))
                    && self.window.shows_errors()
                    && (last_error.is_none() || last_error != Window::last_error());
                drop(guarded(|| self.tell(status, is_said, &mut passing, &viewers, &store)));
            }
            None => passing.kept.discard(),
        }
        passing.end()
    }

    fn tell(&self, status: Status, is_said: bool, passing: &mut Passing, viewers: &[Watched], store: &Store) {
        // Of several tools that fail in one loop or group, only the first is told of.
        let first = match self.window.writers {
            Writers::Group => {
                claim::claim(&format!("toto-window-{}", self.window.pipe.identity.inode)).map(Some)
            }
            _ => Some(None),
        };
        let Some(_first) = first else { return passing.kept.discard() };
        // The last viewer may be the shell itself, so the stream must be opened before the viewer ends.
        let own = self.window.is_eyes(Fd::Stderr).then(stderr);
        let opened = if own.is_none() { self.open_stdout() } else { None };
        let Some(eyes) = own.or(opened.as_ref().map(AsFd::as_fd)) else { return passing.kept.discard() };
        let is_hurried = passing.signals.interrupted().is_some();
        let ran = passing.tool.ran_for();
        // The viewers' input ends here; the rest is done while they write their last lines.
        if !passing.close() {
            return passing.kept.discard();
        }
        let kept = &mut passing.kept;
        let copy = kept.copy().map(|copy| (copy.path.clone(), copy.id.clone()));
        let text = kept.bytes(MOST_READ);
        let (text, length, is_cut) = (text.as_deref(), kept.length, kept.is_cut);
        let shows: Vec<Shows> = viewers.iter().map(|watched| watched.viewer.shows).collect();
        let shown = text.map_or(&b""[..], |text| through(text, &shows));
        // Where others write to the pipe as well, a part of it may be theirs.
        let is_sure = self.window.writers != Writers::Group || shows.iter().all(|shows| *shows == Shows::All);
        let seen = if is_sure { shown } else { b"" };
        let is_chosen = shows.contains(&Shows::Some);
        let run = Run { status, length, ran, is_cut, copy, text, shown, seen, is_chosen, is_said };
        let last = &viewers[viewers.len() - 1];
        let Some(told) = self.gather(&run, &last.viewer.name, store) else { return passing.kept.discard() };
        // Others that hold the pipe wait for our end, and the viewer waits for theirs: then we leave a copy behind.
        let most = match self.window.writers {
            Writers::Ours => Some(if is_hurried { HURRIED } else { LAST_LINE }),
            _ if passing.leave_behind() => None,
            _ => return,
        };
        if !wait_for(last, most) {
            return;
        }
        if write_all(eyes, told.words.as_bytes()).is_ok() {
            self.record(&run, &told);
        }
        match &told.path {
            Some(path) => store::conclude(path, &self.facts(&run), self.delivery.settings.store),
            None => passing.kept.discard(),
        }
    }

    fn facts(&self, run: &Run<'_>) -> Facts {
        let (tokens, estimated) = run.tokens();
        Facts {
            status: Some(run.status.code()),
            bytes: run.length,
            lines: run.whole().map(count_lines),
            tokens,
            estimated,
            call: Some(self.delivery.name()),
            pages: None,
        }
    }

    /// The viewer's standard output, which the agent reads, opened for writing; `None` if it cannot be opened.
    fn open_stdout(&self) -> Option<OwnedFd> {
        let path = format!("/proc/{}/fd/1", self.window.shell);
        let path = Path::new(&path);
        // A file opened anew has an offset of its own, and our words would overwrite what it holds.
        let is_openable = std::fs::metadata(path).is_ok_and(|file| !file.is_file() || self.window.appends());
        let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::NOCTTY | OFlags::CLOEXEC;
        let opened = is_openable.then(|| rustix::fs::open(path, flags, Mode::empty()).ok()).flatten();
        opened.or_else(|| pidfd::open_file_of(self.window.shell, 1))
    }

    fn record(&self, run: &Run<'_>, told: &Told) {
        if !self.delivery.settings.ledger.enabled {
            return;
        }
        let (tokens, estimated) = run.tokens();
        let record = Record {
            shape: WINDOW.into(),
            bytes: run.length,
            given_bytes: told.words.len() as u64,
            tokens,
            // Of the window, which the agent has without toto as well, nothing is counted.
            without: 0,
            given: tokens::count(told.words.as_bytes()) as u64,
            estimated,
            tool_us: run.ran.as_micros() as u64,
            status: Some(run.status.code()),
            saved: told.id.as_deref().map(Into::into),
            ..self.delivery.record()
        };
        // A spool that cannot be written costs only the record.
        let _ = spool::append(record.at, &record.line());
    }
}

/// Watches the viewers that were found.
fn watch(view: View, viewers: &mut Vec<Watched>) -> View {
    if let View::Through(found) = &view {
        let watched =
            |viewer: &Viewer| Watched { end: pidfd::end_of(viewer.process), viewer: viewer.clone() };
        *viewers = found.iter().map(watched).collect();
    }
    view
}

/// Whether the tool failed by itself: not because its viewer ended, nor by a signal of those who wait for it (INT, HUP,
/// QUIT).
fn is_failure(status: Status, passing: &Passing) -> bool {
    let by_whoever_waits = |signal| matches!(signal, libc::SIGINT | libc::SIGHUP | libc::SIGQUIT);
    let is_failure = match status {
        Status::Exited(code) => code != 0 && code != 128 + libc::SIGPIPE,
        Status::Killed(signal) => signal != libc::SIGPIPE && !by_whoever_waits(signal),
        Status::Stopped => false,
    };
    is_failure && !passing.met_closed_pipe && !passing.signals.interrupted().is_some_and(by_whoever_waits)
}

/// Whether the command `words` answers a question by this status, which is no failure then.
fn is_answer(words: &[String], status: Status) -> bool {
    status == Status::Exited(1) && ANSWERS.holds_for(words)
}

/// Waits until the viewer has ended, and so written its last line; false if that takes too long.
fn wait_for(watched: &Watched, most: Option<Duration>) -> bool {
    let Some(end) = &watched.end else { return false };
    let due = most.map(|most| Instant::now() + most);
    let ended = retry_on_intr(|| poll(&mut [PollFd::new(end, PollFlags::IN)], until(due).as_ref()));
    ended.is_ok_and(|ended| ended > 0)
}

/// The part of `text` that these viewers show, one behind the other; empty if that is unknown.
fn through<'t>(text: &'t [u8], viewers: &[Shows]) -> &'t [u8] {
    viewers.iter().fold(text, |text, shows| part(text, *shows))
}

fn part(text: &[u8], shows: Shows) -> &[u8] {
    match shows {
        Shows::All => text,
        Shows::First(lines) => &text[..behind_lines(text, lines)],
        Shows::From(line) => &text[behind_lines(text, line.saturating_sub(1))..],
        Shows::Last(lines) => &text[last(text, lines)..],
        Shows::AllBut(lines) => &text[..last(text, lines)],
        Shows::Some => &[],
    }
}

/// The offset at which the last `lines` lines begin.
fn last(text: &[u8], lines: u64) -> usize {
    let lines = usize::try_from(lines).unwrap_or(usize::MAX);
    if lines == 0 {
        return text.len();
    }
    let ended = text.strip_suffix(b"\n").unwrap_or(text);
    memchr::memrchr_iter(b'\n', ended).nth(lines - 1).map_or(0, |newline| newline + 1)
}

#[cfg(test)]
#[path = "../tests/unit/viewer.rs"]
mod tests;
