//! The real executable behind a name: a PATH lookup that skips every copy of toto and never goes round in a circle.
//!
//! The path is run as found, its links unresolved: a virtual environment's `python` is a link and must be started
//! as that link.

pub mod guard;
mod search;

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

pub use guard::{Guard, GuardValue};
pub use search::{Candidate, Search, Verdict, base_of, other_farm};

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
    /// Path as found on PATH, its links unresolved.
    pub path: PathBuf,
    /// Value of `_TOTO_GUARD` for the tool's environment.
    pub guard: GuardValue,
}

/// Why there is nothing to run.
#[derive(Debug, PartialEq, Eq)]
pub enum NotFound {
    /// No file of that name on PATH, except toto itself.
    Missing {
        /// The tool's name.
        name: OsString,
        /// Whether the farm has a shim of that name (which the user may want to remove).
        shim: bool,
    },
    /// Only files that may not be executed were found; this is the first of them.
    NotExecutable(PathBuf),
    /// Every candidate was tried, and called us back time after time.
    Loop {
        /// The tool's name.
        name: OsString,
        /// The first of the candidates on PATH.
        path: PathBuf,
    },
}

impl NotFound {
    /// The exit status by the shells' convention: 127 not found, 126 found but not runnable (POSIX, Shell Command
    /// Language 2.8.2).
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
/// A name with a slash is used as a path, unless the path leads back to us: then its last component is looked up.
///
/// # Errors
/// [`NotFound`], with the shells' exit status for it.
pub fn resolve(name: &OsStr, guard: &Guard, args: &[OsString]) -> Result<Resolved, NotFound> {
    Search::from_env().resolve(name, guard, args)
}

/// Names by which the binary is the command line and no shim.
pub const OWN_NAMES: [&str; 2] = ["toto", "llm-toto"];

/// Whether the binary's own file was renamed to this name, which begins with `toto-` (`toto-linux`).
pub fn is_renamed(name: &OsStr) -> bool {
    let is_files = || std::env::current_exe().is_ok_and(|file| file.file_name() == Some(name));
    name.as_bytes().starts_with(b"toto-") && is_files()
}

/// The name we were called by: the last component of argv[0]. Where the kernel was given a link to us whose name is
/// neither that nor one of ours (`AT_EXECFN`), the link's name counts: so for a login shell's `-aws`,
/// `exec -a NAME aws` and an empty argv[0].
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

/// Whether the path leads to our own executable; false where that cannot be told. Where we run as the interpreter
/// of a script, `AT_EXECFN` is the script, which is not ours.
pub fn is_own(path: &Path) -> bool {
    FileId::of(path).is_some_and(|file| FileId::of(c"/proc/self/exe") == Some(file))
}

/// Whether our own file is set-user-id or set-group-id; true where that cannot be told.
pub fn is_set_id() -> bool {
    const SET_ID: u32 = 0o6000;
    let own = std::fs::metadata("/proc/self/exe").or_else(|_| std::fs::metadata(std::env::current_exe()?));
    own.map_or(true, |file| file.mode() & SET_ID != 0)
}

/// toto's directory: `$TOTO_HOME`, else `~/.toto`; None without a home directory.
pub fn toto_home() -> Option<PathBuf> {
    env::absolute(env::TOTO_HOME).or_else(|| env::home().map(|home| home.join(".toto")))
}

/// The directory of the shims: `bin` below [`toto_home`].
pub fn farm() -> Option<PathBuf> {
    toto_home().map(|home| home.join("bin"))
}

/// The path with `./` in front if it has no slash: `execve` and interpreters then take it for a file, never for a
/// name to look up.
fn with_slash(path: PathBuf) -> PathBuf {
    if path.as_os_str().as_encoded_bytes().contains(&b'/') { path } else { Path::new(".").join(path) }
}
