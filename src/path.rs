//! The real executable behind a name: down PATH, past every copy of ourselves, and never round in a circle.
//!
//! What is found is run as found, unresolved: a virtual environment's `python` is a link that must stay itself.

pub mod guard;
mod search;

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

pub use guard::{Guard, GuardValue};
pub use search::{Candidate, Search, Verdict, other_farm};

use crate::env;
use crate::sys::auxv;

/// A file's identity: device and inode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileId {
    /// `st_dev`.
    pub device: u64,
    /// `st_ino`.
    pub inode: u64,
}

impl FileId {
    /// The identity of the file that a path leads to, links followed.
    pub fn of(path: impl rustix::path::Arg) -> Option<Self> {
        rustix::fs::stat(path).ok().map(|stat| Self::from(&stat))
    }
}

impl From<&rustix::fs::Stat> for FileId {
    #[expect(clippy::unnecessary_cast, reason = "the fields' types differ by platform")]
    fn from(stat: &rustix::fs::Stat) -> Self {
        Self { device: stat.st_dev as u64, inode: stat.st_ino as u64 }
    }
}

/// The tool to run.
#[derive(Debug)]
pub struct Resolved {
    /// As found on PATH, unresolved.
    pub path: PathBuf,
    /// What `_TOTO_GUARD` has to say in the tool's environment.
    pub guard: GuardValue,
}

/// Why there is nothing to run.
#[derive(Debug, PartialEq, Eq)]
pub enum NotFound {
    /// No such file on PATH behind ourselves.
    Missing {
        /// The tool's name.
        name: OsString,
        /// Whether the farm has a shim of that name (which the user may want to remove).
        shim: bool,
    },
    /// Found, but this is the best there is and it may not be executed.
    NotExecutable(PathBuf),
    /// Whatever was tried called us back, time after time.
    Loop {
        /// The tool's name.
        name: OsString,
        /// The last that would have been tried again.
        path: PathBuf,
    },
}

impl NotFound {
    /// The exit status by the shells' convention: 127 not found, 126 found but not to be run (POSIX, Shell
    /// Command Language 2.8.2).
    pub fn status(&self) -> i32 {
        match self {
            Self::Missing { .. } => 127,
            Self::NotExecutable(_) | Self::Loop { .. } => 126,
        }
    }
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { name, shim: true } => {
                let name = name.display();
                write!(
                    f,
                    "{name}: not found on PATH behind its shim (to remove the shim: toto unlink {name})"
                )
            }
            Self::Missing { name, shim: false } => write!(f, "{}: not found on PATH", name.display()),
            Self::NotExecutable(path) => write!(f, "{}: found, but not executable", path.display()),
            Self::Loop { name, path } => write!(
                f,
                "{}: {} keeps calling the shim instead of the tool, and nothing else on PATH has that name (to remove the shim: toto unlink {})",
                name.display(),
                path.display(),
                name.display()
            ),
        }
    }
}

impl std::error::Error for NotFound {}

/// Finds the tool that the shim `name` stands for, `args` being its arguments without argv[0].
///
/// A name with a slash is taken as the path that it is, unless it leads back to us.
///
/// # Errors
/// [`NotFound`], with the shells' exit status for it.
pub fn resolve(name: &OsStr, guard: &Guard, args: &[OsString]) -> Result<Resolved, NotFound> {
    Search::from_env().resolve(name, guard, args)
}

/// The names by which the binary is its own command line.
pub const OWN_NAMES: [&str; 2] = ["toto", "llm-toto"];

/// Is it a name that somebody gave to the binary itself, `toto-linux` for one?
pub fn is_renamed(name: &OsStr) -> bool {
    let is_files = || std::env::current_exe().is_ok_and(|file| file.file_name() == Some(name));
    name.as_bytes().starts_with(b"toto-") && is_files()
}

/// The name we were called by: argv[0]'s, as long as it is the name of the file that was run. A login shell's `-aws`,
/// `exec -a NAME aws` and an empty argv[0] are told by the link that the kernel was given (`AT_EXECFN`).
pub fn called_as(argv0: Option<&OsStr>) -> OsString {
    let given = argv0.and_then(|argv0| Path::new(argv0).file_name());
    let run = auxv::execfn().map(|path| Path::new(OsStr::from_bytes(path.to_bytes())));
    match run.and_then(Path::file_name) {
        Some(name)
            if given != Some(name)
                && !OWN_NAMES.iter().any(|own| name == *own)
                && run.is_some_and(is_own) =>
        {
            name.into()
        }
        _ => given.unwrap_or(OsStr::new(OWN_NAMES[0])).into(),
    }
}

/// Whether the path leads to our own executable; not where that cannot be told. An interpreter's `AT_EXECFN` is the
/// script, which is not.
pub fn is_own(path: &Path) -> bool {
    FileId::of(path).is_some_and(|file| FileId::of(c"/proc/self/exe") == Some(file))
}

/// Is our own file set-user-id or set-group-id? Taken to be, where that cannot be told.
pub fn is_set_id() -> bool {
    const SET_ID: u32 = 0o6000;
    let own = std::fs::metadata("/proc/self/exe").or_else(|_| std::fs::metadata(std::env::current_exe()?));
    own.map_or(true, |file| file.mode() & SET_ID != 0)
}

/// Where toto lives: `$TOTO_HOME`, else `~/.toto`; None without a home directory.
pub fn toto_home() -> Option<PathBuf> {
    env::absolute(env::TOTO_HOME).or_else(|| env::home().map(|home| home.join(".toto")))
}

/// The directory of the shims: `bin` below [`toto_home`].
pub fn farm() -> Option<PathBuf> {
    toto_home().map(|home| home.join("bin"))
}

/// A path that `execve` and an interpreter both take for a file, never for a name to look up.
fn with_slash(path: PathBuf) -> PathBuf {
    if path.as_os_str().as_encoded_bytes().contains(&b'/') { path } else { Path::new(".").join(path) }
}
