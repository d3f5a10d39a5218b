//! A process, its ancestors and its descendants; each fact about them is read when it is first asked for.

use super::platform::{self, End, Holders, Stat};
use super::stream::{Fd, Identity};
use crate::sys::kin::own_pid;
use once_cell::unsync::OnceCell;
use std::borrow::Cow;
use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::parent_id;

/// A process of our chain of ancestors, or one that might read our output.
#[derive(Default)]
pub struct Process {
    pub pid: i32,
    pub is_ourselves: bool,
    stat: OnceCell<Stat>,
    arguments: OnceCell<Vec<u8>>,
    environment: OnceCell<Option<Environment>>,
}

impl Process {
    /// This process; `None` where processes cannot be seen.
    pub fn ourselves() -> Option<Self> {
        let pid = own_pid();
        platform::shows_us(pid).then(|| Self { pid, is_ourselves: true, ..Self::default() })
    }

    /// Another process; `None` when it is gone or hidden.
    pub fn other(pid: i32) -> Option<Self> {
        let process = Self { pid, ..Self::default() };
        process.stat.set(platform::stat(pid)?).ok();
        Some(process)
    }

    /// The id of its parent in our PID namespace, seen or hidden; 0 where it has none.
    pub fn parent_id(&self) -> i32 {
        if self.is_ourselves { parent_id() as i32 } else { self.stat().parent }
    }

    /// Its parent; `None` at the top of the PID namespace and where the parent is hidden.
    pub fn parent(&self) -> Option<Self> {
        let pid = self.parent_id();
        if pid == 0 { None } else { Self::other(pid) }
    }

    /// What the system tells of every process; zeros where that cannot be read.
    pub fn stat(&self) -> &Stat {
        self.stat.get_or_init(|| platform::stat(self.pid).unwrap_or_default())
    }

    /// The kernel's name for the process.
    pub fn name(&self) -> &[u8] {
        &self.stat().comm
    }

    /// Its arguments, each followed by NUL; empty where they cannot be read.
    pub fn arguments(&self) -> &[u8] {
        self.arguments.get_or_init(|| platform::arguments(self.pid).unwrap_or_default())
    }

    /// Its arguments one by one, then an empty one.
    pub fn words(&self) -> impl Iterator<Item = &[u8]> {
        self.arguments().split(|&byte| byte == 0)
    }

    /// The environment that it was started with; `None` where it cannot be read.
    pub fn environment(&self) -> Option<&Environment> {
        let read = || platform::environment(self.pid).map(Environment);
        self.environment.get_or_init(read).as_ref()
    }

    /// A variable of the environment that it was started with. Where the system hides that, our own environment
    /// stands for it: only links of our chain are asked.
    pub fn variable(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        if self.is_ourselves || platform::hides_environments() && self.environment().is_none() {
            return std::env::var_os(OsStr::from_bytes(name.as_bytes())).map(|v| Cow::Owned(v.into_vec()));
        }
        self.environment()?.get(name).map(Cow::Borrowed)
    }

    /// Whether it writes its own output to the same stream; `None` where that cannot be read.
    pub fn relays(&self, identity: &Identity) -> Option<bool> {
        if self.is_ourselves {
            return Some(true);
        }
        platform::shares(self.pid, &[Fd::Stdout, Fd::Stderr], identity)
    }
}

/// A process's environment as the kernel shows it, the memory where it lay when the program was started: `NAME=VALUE`
/// entries, each followed by NUL.
pub struct Environment(pub(super) Vec<u8>);

impl Environment {
    fn entries(&self) -> impl Iterator<Item = &[u8]> {
        self.0.strip_suffix(b"\0").unwrap_or(&self.0).split(|&b| b == 0)
    }

    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.entries().find_map(|entry| entry.strip_prefix(name.as_bytes())?.strip_prefix(b"="))
    }

    /// Whether a variable's absence may be believed.
    ///
    /// Not while the process is in the middle of execve(2): until the new image's stack is laid out, the file reads
    /// as empty. And not when the program wrote its title over its environment (`setproctitle`).
    pub fn is_whole(&self) -> bool {
        self.entries().all(|entry| entry.iter().position(|&b| b == b'=').is_some_and(|at| at > 0))
    }
}

/// Whether a mark with this value counts as set: empty and `0` mean that it was taken away.
pub fn is_set(value: &[u8]) -> bool {
    !value.is_empty() && value != b"0"
}

/// Most links that are read, more than any sane chain has. A longer chain is cut, and then proves nothing at its
/// top.
const LONGEST_CHAIN: usize = 64;

/// Ourselves (0) and our ancestors, nearest first, each read when it is first asked for.
pub struct Chain {
    pub links: Vec<Process>,
    complete: bool,
    /// Whether the chain was read to its end, and an ancestor there is hidden, or there are too many.
    pub is_cut: bool,
}

impl Chain {
    /// A chain of which only our own process has been read; `None` where processes cannot be seen.
    pub fn new() -> Option<Self> {
        Some(Self { links: vec![Process::ourselves()?], complete: false, is_cut: false })
    }

    /// Whether there is a link with this number. Reads the chain up to it.
    pub fn reaches(&mut self, index: usize) -> bool {
        while self.links.len() <= index && !self.complete {
            let top = &self.links[self.links.len() - 1];
            match top.parent() {
                Some(parent) if self.links.len() < LONGEST_CHAIN => self.links.push(parent),
                _ => {
                    self.is_cut = top.parent_id() != 0;
                    self.complete = true;
                }
            }
        }
        index < self.links.len()
    }

    /// Every link, read to the top.
    pub fn all(&mut self) -> &[Process] {
        self.reaches(LONGEST_CHAIN);
        &self.links
    }
}

/// Most processes that one command starts in sane use; past it nothing is proved.
pub const MOST: usize = 256;

/// Whether `test` holds for one of `pending` and their descendants, of which at most `most` are looked at, without
/// `except` and its descendants.
///
/// `test` returns `None` for a process that it cannot read. The answer is `None` where no process is known to pass
/// and one could not be read, or where there are too many processes.
pub fn somebody(
    except: Option<i32>,
    most: usize,
    mut pending: Vec<i32>,
    mut test: impl FnMut(i32) -> Option<bool>,
) -> Option<bool> {
    let mut unread = false;
    let mut seen = 0;
    while let Some(pid) = pending.pop() {
        seen += 1;
        if seen > most {
            return None;
        }
        if except == Some(pid) {
            continue;
        }
        match test(pid) {
            Some(true) => return Some(true),
            Some(false) => {}
            None => unread = true,
        }
        match platform::children(pid) {
            Some(children) => pending.extend(children),
            None => unread = true,
        }
    }
    if unread { None } else { Some(false) }
}

/// The same question of `root`, its descendants, ourselves aside, and that end of our stream at `fd`.
pub fn somebody_has(end: End, fd: Fd, root: i32, holders: &Holders) -> Option<bool> {
    let own = own_pid();
    somebody(None, MOST, vec![root], |pid| {
        if pid == own { Some(false) } else { holders.has_end(pid, fd, end, false) }
    })
}
