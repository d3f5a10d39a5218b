//! One process as /proc shows it, read no further than asked.

use super::procfs::{Path, Stat, each_number, is_ours, number, processes};
use crate::consumer::environment::Environment;
use once_cell::unsync::OnceCell;
use rustix::io::Errno;
use std::borrow::Cow;
use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// A process of our chain of ancestors, or one that might read our output.
pub struct Process {
    /// Process id.
    pub pid: i32,
    ourselves: bool,
    stat: OnceCell<Stat>,
    arguments: OnceCell<Vec<u8>>,
    environment: OnceCell<Option<Environment>>,
}

impl Process {
    /// This process; `None` where /proc is missing or belongs to another PID namespace.
    pub fn ourselves() -> Option<Self> {
        let pid = rustix::process::getpid().as_raw_nonzero().get();
        is_ours(pid).then(|| Self::new(pid, true))
    }

    /// Another process; `None` when it is gone or hidden.
    pub fn other(pid: i32) -> Option<Self> {
        let process = Self::new(pid, false);
        process.stat.set(Stat::read(pid)?).ok();
        Some(process)
    }

    fn new(pid: i32, ourselves: bool) -> Self {
        Self {
            pid,
            ourselves,
            stat: OnceCell::new(),
            arguments: OnceCell::new(),
            environment: OnceCell::new(),
        }
    }

    /// Its parent; `None` at the top of the PID namespace and where the parent is hidden.
    pub fn parent(&self) -> Option<Self> {
        let pid = if self.ourselves {
            rustix::process::getppid()?.as_raw_nonzero().get()
        } else {
            self.stat().parent
        };
        if pid == 0 { None } else { Self::other(pid) }
    }

    /// Is it the process that asks?
    pub fn is_ourselves(&self) -> bool {
        self.ourselves
    }

    fn stat(&self) -> &Stat {
        self.stat.get_or_init(|| Stat::read(self.pid).unwrap_or_default())
    }

    /// The kernel's name for it.
    pub fn name(&self) -> &[u8] {
        self.stat().comm.as_bytes()
    }

    /// Does it lead its session?
    pub fn leads_session(&self) -> bool {
        self.stat().session == self.pid
    }

    /// Device number of its controlling terminal; 0 for none.
    pub fn terminal(&self) -> i32 {
        self.stat().terminal
    }

    /// When it was started, in hundredths of a second since boot.
    pub fn started(&self) -> u64 {
        self.stat().started
    }

    /// Its arguments, each followed by NUL; empty where they cannot be read.
    pub fn arguments(&self) -> &[u8] {
        self.arguments
            .get_or_init(|| Path::new(self.pid, format_args!("cmdline")).read_all().unwrap_or_default())
    }

    /// The environment that it was started with; `None` where it cannot be read.
    pub fn environment(&self) -> Option<&Environment> {
        let read = || Path::new(self.pid, format_args!("environ")).read_all().ok().map(Environment::new);
        self.environment.get_or_init(read).as_ref()
    }

    /// A variable of the environment that it was started with.
    pub fn variable(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        if self.ourselves {
            return std::env::var_os(OsStr::from_bytes(name.as_bytes())).map(|v| Cow::Owned(v.into_vec()));
        }
        self.environment()?.get(name).map(Cow::Borrowed)
    }

    /// Its children's process ids, whichever of its threads started them; `None` where they cannot be read.
    pub fn children(pid: i32) -> Option<Vec<i32>> {
        let mut children = None;
        let listed = each_number(&Path::new(pid, format_args!("task")), |_, _, thread| {
            match Path::new(pid, format_args!("task/{thread}/children")).read_all() {
                Ok(list) => children
                    .get_or_insert_with(Vec::new)
                    .extend(list.split(|&b| b == b' ').filter_map(number::<i32>)),
                Err(Errno::NOENT | Errno::SRCH) => {} // that thread has ended, or the kernel keeps no such lists
                Err(error) => return Err(error),
            }
            Ok(())
        });
        match listed {
            Ok(()) => Some(children.unwrap_or_else(|| children_by_parent(pid))),
            Err(Errno::NOENT | Errno::SRCH) => Some(Vec::new()), // it has ended
            Err(_) => None,
        }
    }
}

/// For a kernel without lists of children (`CONFIG_PROC_CHILDREN`).
fn children_by_parent(pid: i32) -> Vec<i32> {
    let mut everybody = processes();
    everybody.retain(|&other| Stat::read(other).is_some_and(|stat| stat.parent == pid));
    everybody
}
