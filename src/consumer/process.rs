//! One process; each fact about it is read when it is first asked for.

use super::environment::Environment;
use super::platform;
use super::stat::Stat;
use super::stream::Identity;
use crate::sys::kin::own_pid;
use once_cell::unsync::OnceCell;
use std::borrow::Cow;
use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

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
        platform::shows_us(pid).then(|| Self::new(pid, true))
    }

    /// Another process; `None` when it is gone or hidden.
    pub fn other(pid: i32) -> Option<Self> {
        let process = Self::new(pid, false);
        process.stat.set(platform::stat(pid)?).ok();
        Some(process)
    }

    fn new(pid: i32, is_ourselves: bool) -> Self {
        Self { pid, is_ourselves, ..Self::default() }
    }

    fn parent_id(&self) -> i32 {
        if self.is_ourselves {
            return rustix::process::getppid().map_or(0, |parent| parent.as_raw_nonzero().get());
        }
        self.stat().parent
    }

    /// Whether it has a parent in our PID namespace, seen or hidden.
    pub fn has_parent(&self) -> bool {
        self.parent_id() != 0
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
        if self.is_ourselves { Some(true) } else { platform::relays(self.pid, identity) }
    }
}
