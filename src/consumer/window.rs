//! An agent that reads through a window: a pipe whose readers are viewers (`tail`, `grep`) in the command line that
//! the agent wrote, the last of which writes to the agent's eyes. `docs/viewers.md` has the rule.

pub(super) mod viewers;

use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::platform::{self, Holders, Holds};
use super::process::{Chain, Process, somebody};
use super::processes::{Runs, SHELLS, argv0, base, is_in, is_never, of_arguments, runs_a_line};
use super::second_look::Reader;
use super::stream::{Fd, Stream, StreamKind};
use crate::source;
use crate::sys::kin::own_pid;
pub use viewers::Shows;

/// Programs that run a command given to them and leave its streams as they are.
const STARTERS: &str = "bwrap chrt codex-linux-sandbox env firejail ionice nice nohup setsid stdbuf taskset time \
                        timeout unshare";
/// Those of [`STARTERS`] that become the command.
const BECOME: &str = "chrt env ionice nice nohup setsid stdbuf taskset";
/// Shells that set a pipeline up on their own descriptors, and restore these when it is set up.
const UNSTEADY: &str = "ksh ksh93 lksh mksh oksh";
/// Longest that setting up a pipeline may take on a busy machine.
const LAID: Duration = Duration::from_secs(1);
/// Interval between two looks.
const BETWEEN_LOOKS: Duration = Duration::from_micros(200);
/// A shell becomes the program that reads the pipe within less than this, where it finds a processor.
const MOMENT: Duration = Duration::from_millis(1);
/// Searches in a row that must find no reader before the pipe counts as having none.
const PASSES: usize = 5;
/// Most viewers in a row, more than sane use has; past it nothing is proved.
const LONGEST: usize = 8;
/// Most processes below one command line, more than sane use has; past it nothing is proved.
const MOST: usize = 128;

/// A pipe at our descriptor 1 that an agent's command line may have led to a viewer.
#[derive(Clone, Debug)]
pub struct Window {
    pub pipe: Stream,
    /// The process id of the shell that runs the command line; its standard output is the agent's.
    pub shell: i32,
    /// That shell's standard output, which the agent reads.
    pub(super) eyes: Stream,
    /// The agent's process, where one is known.
    pub(super) reader: Option<Reader>,
    /// Who else writes to the pipe.
    pub writers: Writers,
}

/// Who has the pipe's other end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum View {
    /// Viewers, in the order in which they hand the lines on; the last one writes to the agent.
    Through(Vec<Viewer>),
    /// A process that may become a viewer, while the shell is at work: it will be known in a moment.
    Soon,
    /// A process that may become a viewer at some time: the shell and what it has started sleep.
    NotYet,
    /// Another process, too, or none.
    Closed,
}

/// Who writes to our pipe beside us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writers {
    /// Nobody.
    Ours,
    /// `timeout` and its like, which write nothing and wait for our end.
    Starter,
    /// A subshell: `(cd x && tool)`, a loop.
    Group,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Viewer {
    pub process: i32,
    pub name: String,
    pub shows: Shows,
}

/// The shell that runs the command line which we are part of, as an index of the chain; its standard output; and
/// who between that shell and us has the pipe as well. `may_be_read` says that an agent is above us, so that a
/// shell in the middle of its work is worth waiting for.
pub(super) fn command_line(
    chain: &mut Chain,
    pipe: &Stream,
    may_be_read: bool,
) -> Option<(usize, Stream, Writers)> {
    let (mut index, mut writers) = (0, Writers::Ours);
    loop {
        index += 1;
        if !chain.reaches(index) {
            return None;
        }
        let link = &chain.links[index];
        if is_one_of(STARTERS, link) {
            writers = if writers == Writers::Ours { Writers::Starter } else { writers };
            continue;
        }
        if !runs_a_line(link) {
            return None;
        }
        if may_be_read && is_one_of(UNSTEADY, link) {
            let_settle(link.pid);
        }
        let out = Stream::of_process(link.pid, Fd::Stdout)?;
        // A shell that writes to the pipe itself is a part of that command line: `(cd x && tool) | tail`.
        if !out.identity.is(&pipe.identity) {
            return Some((index, out, writers));
        }
        writers = Writers::Group;
    }
}

/// Whether the agent wrote that shell's command line: nothing between them runs a script of its own.
pub(super) fn is_the_agents_own(chain: &mut Chain, shell: usize, agent: Option<i32>) -> bool {
    let mut index = shell + 1;
    while chain.reaches(index) {
        let link = &chain.links[index];
        if agent.is_some_and(|agent| agent == link.pid) {
            return true;
        }
        if !is_one_of(STARTERS, link) && !runs_a_line(link) {
            // The agent cannot be seen, or has handed its eyes down.
            return agent.is_none() && (link.pid == 1 || !is_never(link));
        }
        index += 1;
    }
    false
}

/// Waits until the shell sleeps, which it does once it waits for its pipeline.
fn let_settle(shell: i32) {
    let begun = Instant::now();
    while platform::stat(shell).is_some_and(|stat| stat.asleep == Some(false)) && begun.elapsed() < LAID {
        std::thread::sleep(BETWEEN_LOOKS.max(begun.elapsed() / 8));
    }
}

fn is_one_of(names: &str, process: &Process) -> bool {
    names.split(' ').any(|name| name.as_bytes() == process.name() || name.as_bytes() == argv0(process))
}

impl Window {
    /// Whether the shell's standard output is a file that every write appends to.
    pub fn appends(&self) -> bool {
        platform::appends(self.shell, Fd::Stdout.number())
    }

    /// The second look: whether the shell's standard output is what it was, and the agent still reads it.
    pub fn is_still_read(&self) -> bool {
        Stream::of_process(self.shell, Fd::Stdout).is_some_and(|now| now.identity.is(&self.eyes.identity))
            && self.reader.is_none_or(|reader| reader.still_reads(&self.eyes))
    }

    /// A name of the agent's stream, the same in every window of one call.
    pub fn name(&self) -> String {
        format!("{}:{} {}", self.eyes.identity.device, self.eyes.identity.inode, self.shell)
    }

    /// Whether our standard error goes to the agent, past the window.
    pub fn shows_errors(&self) -> bool {
        let own = Stream::of(Fd::Stderr).identity;
        let shells =
            || Stream::of_process(self.shell, Fd::Stderr).is_some_and(|shells| shells.identity.is(&own));
        let is_live = matches!(own.kind, StreamKind::Pipe | StreamKind::Socket | StreamKind::Terminal);
        own.is(&self.eyes.identity) || is_live && !own.is(&self.pipe.identity) && shells()
    }

    /// When somebody last wrote to our standard error; `None` where the system does not tell (pipes since Linux 6.15).
    pub fn last_error() -> Option<(i64, i64)> {
        let is_file = Stream::of(Fd::Stderr).identity.kind == StreamKind::File;
        let stat = rustix::fs::fstat(Fd::Stderr.borrow()).ok().filter(|_| is_file)?;
        Some((stat.st_mtime, stat.st_mtime_nsec as i64))
    }

    /// Whether our standard error is the pipe, too.
    pub fn has_errors(&self) -> bool {
        Stream::of(Fd::Stderr).identity.is(&self.pipe.identity)
    }

    /// Whether this stream of ours is the agent's stream.
    pub fn is_eyes(&self, fd: Fd) -> bool {
        Stream::of(fd).identity.is(&self.eyes.identity)
    }

    /// Who has the other end, as soon as that is known, but within a millisecond: so long a wait is worth it, since
    /// the tool may then take our place.
    pub fn first_look(&self, more_names: &[String]) -> View {
        self.look_until_known(more_names, [MOMENT; 2], BETWEEN_LOOKS)
    }

    /// Looks again, with this pause, until it is known who has the other end, or as long as a shell is waited for while
    /// it sleeps and while it is at work.
    pub fn look_until_known(&self, more_names: &[String], most: [Duration; 2], pause: Duration) -> View {
        let begun = Instant::now();
        loop {
            let view = self.look(more_names);
            let [asleep, at_work] = most;
            let most = match view {
                View::NotYet => asleep,
                View::Soon => at_work,
                View::Through(_) | View::Closed => return view,
            };
            if begun.elapsed() >= most {
                return view;
            }
            std::thread::sleep(pause);
        }
    }

    /// Who has the other end now. `more_names` are viewers of the user's.
    pub fn look(&self, more_names: &[String]) -> View {
        let mut pipe = self.pipe.clone();
        let mut through: Vec<Viewer> = Vec::new();
        while through.len() < LONGEST {
            let Some(readers) = self.readers(&pipe) else { return View::Closed };
            let kinds: Vec<_> = readers
                .iter()
                // fish, whose `grep` is a function, holds the ends of a pipe while one of its functions reads there.
                .filter(|(process, _)| {
                    readers.len() == 1 || process.pid != self.shell || argv0(process) != b"fish"
                })
                .map(|(process, descriptors)| kind_of(process, descriptors, &pipe, more_names))
                .filter(|kind| *kind != ReaderKind::Gone)
                .collect();
            if kinds.contains(&ReaderKind::Other) || readers.is_empty() {
                return View::Closed;
            }
            let is_settled = !kinds.is_empty() && !kinds.contains(&ReaderKind::Starting);
            if !is_settled || kinds.contains(&ReaderKind::Reading) {
                return match (self.is_at_work(), is_settled) {
                    (true, _) => View::Soon,
                    (false, true) => View::Closed,
                    (false, false) => View::NotYet,
                };
            }
            let [ReaderKind::Viewer(viewer)] = &kinds[..] else { return View::Closed };
            let process = viewer.process;
            through.push(viewer.clone());
            let Some(out) = Stream::of_process(process, Fd::Stdout) else { return View::Closed };
            if out.identity.is(&self.eyes.identity) {
                return View::Through(through);
            }
            if out.identity.kind != StreamKind::Pipe {
                return View::Closed;
            }
            pipe = out;
        }
        View::Closed
    }

    /// Whether a process of the command line runs or waits to run, ourselves and the tool aside. A shell may sleep
    /// until a process that it has forked has done its part (zsh).
    fn is_at_work(&self) -> bool {
        self.somebody(|pid| Some(platform::stat(pid).is_some_and(|stat| stat.asleep == Some(false))))
            == Some(true)
    }

    /// Whether `test` holds for a process of the command line, as [`somebody`] tells.
    fn somebody(&self, test: impl FnMut(i32) -> Option<bool>) -> Option<bool> {
        somebody(Some(own_pid()), MOST, vec![self.shell], test)
    }

    /// The processes of the command line that hold the reading end, with their descriptors of it; `None` where one
    /// could not be looked at.
    fn readers_at_once(&self, pipe: &Stream) -> Option<Vec<(Process, Vec<i32>)>> {
        let mut holders = Holders::of(vec![pipe.clone()]);
        let mut found = Vec::new();
        let looked = self.somebody(|pid| match holders.holds(pid, pipe.fd) {
            Holds::Descriptors(descriptors) => {
                found.extend(Process::other(pid).map(|process| (process, descriptors)));
                Some(false)
            }
            Holds::Creator | Holds::Unreadable if Process::other(pid).is_some() => None,
            _ => Some(false), // it does not, or has ended
        });
        looked.map(|_| found)
    }

    /// The same, but searched again where nobody is found: a list of children that is read while one of them ends
    /// may lack others (proc(5)), and so may a list of descriptors that is read while one is moved.
    fn readers(&self, pipe: &Stream) -> Option<Vec<(Process, Vec<i32>)>> {
        for _ in 1..PASSES {
            let found = self.readers_at_once(pipe)?;
            if !found.is_empty() || pipe.owner.is_none() && is_unread() {
                return Some(found);
            }
            std::thread::sleep(BETWEEN_LOOKS);
        }
        self.readers_at_once(pipe)
    }
}

/// Whether the last reader of our standard output, a pipe, has gone: poll(2).
fn is_unread() -> bool {
    let mut out = [PollFd::from_borrowed_fd(Fd::Stdout.borrow(), PollFlags::empty())];
    poll(&mut out, Some(&Timespec::default())).is_ok() && out[0].revents().contains(PollFlags::ERR)
}

#[derive(PartialEq, Eq)]
enum ReaderKind {
    Viewer(Viewer),
    /// A shell that has not yet become the program that it is to run.
    Starting,
    /// A shell that reads a pipe, perhaps one between it and its own fork (zsh).
    Reading,
    /// A process that holds that end no longer.
    Gone,
    Other,
}

/// What a holder of the reading end is. The process may be in the middle of execve(2) while it is looked at, and
/// facts that are read one after another may be of two programs. So only what holds on a second reading counts
/// against it.
fn kind_of(process: &Process, descriptors: &[i32], pipe: &Stream, more_names: &[String]) -> ReaderKind {
    let first = kind_at_once(process, descriptors, more_names);
    if first != ReaderKind::Other {
        return first;
    }
    match Holders::of(vec![pipe.clone()]).holds(process.pid, pipe.fd) {
        Holds::Descriptors(descriptors) => match Process::other(process.pid) {
            Some(process) => kind_at_once(&process, &descriptors, more_names),
            None => ReaderKind::Gone,
        },
        // A shell's fork has all pipes of the shell; the program that it becomes has only its own.
        Holds::No => ReaderKind::Gone,
        Holds::Creator | Holds::Unreadable => ReaderKind::Other,
    }
}

/// Whether this is a shim of ours that will have become a viewer in a moment: `tail`, `toto shim -- tail`.
fn is_shim_of_viewer(executable: &[u8], arguments: &[&[u8]]) -> bool {
    let name = match arguments {
        [_, b"shim", b"--", name, ..] | [name, ..] => std::str::from_utf8(base(name)),
        [] => return false,
    };
    name.is_ok_and(source::is_reader) && platform::executable(own_pid()).as_deref() == Some(executable)
}

fn kind_at_once(process: &Process, descriptors: &[i32], more_names: &[String]) -> ReaderKind {
    let executable = platform::executable(process.pid);
    let text = process.arguments();
    // The process is in the middle of execve(2), or of its end: it has its descriptors for a moment longer than its
    // program.
    if text.is_empty() {
        return ReaderKind::Starting;
    }
    let Some(executable) = executable else { return ReaderKind::Other };
    let arguments: Vec<&[u8]> = text.strip_suffix(b"\0").unwrap_or(text).split(|&b| b == 0).collect();
    if let Some((name, shows)) = viewers::recognise(&executable, &arguments, more_names) {
        let viewer = Viewer { process: process.pid, name, shows };
        return if descriptors == [0] { ReaderKind::Viewer(viewer) } else { ReaderKind::Other };
    }
    let is_starting = if is_in(SHELLS, argv0(process)) {
        match of_arguments(text) {
            // GNU's: scripts that become grep.
            Some(Runs::Script(script)) => matches!(base(script), b"egrep" | b"fgrep"),
            // A shell that reads has become what it is to be: a loop, a substitution.
            _ => match platform::is_reading(process.pid, descriptors) {
                Some(is_reading) => !is_reading || platform::arguments(process.pid).as_deref() != Some(text),
                None => return ReaderKind::Reading,
            },
        }
    } else {
        is_in(SHELLS, base(&executable))
            || is_one_of(BECOME, process)
            || is_shim_of_viewer(&executable, &arguments)
    };
    if is_starting { ReaderKind::Starting } else { ReaderKind::Other }
}
