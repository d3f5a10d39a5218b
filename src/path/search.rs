//! The PATH lookup; each file found is judged at once: ourselves, or a tool.

use std::cell::OnceCell;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, Mode, OFlags};
use rustix::io::Errno;

use super::file_id::FileId;
use super::guard::Guard;
use super::own::farm;
use super::resolved::{NotFound, Resolved};
use crate::env;
use crate::sys::{auxv, marker};

/// Errors of stat(2) that mean there is no such file for us.
const ANSWERS: [Errno; 5] = [Errno::NOENT, Errno::NOTDIR, Errno::ACCESS, Errno::LOOP, Errno::NAMETOOLONG];
/// The PATH that `execvp` searches where none is set (glibc's `confstr(_CS_PATH)`).
const DEFAULT_PATH: &str = "/bin:/usr/bin";

/// A regular file on PATH with the name looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Path as found, its links unresolved.
    pub path: PathBuf,
    pub id: FileId,
    pub verdict: Verdict,
}

/// Other farms of shims: name and end of the directory. Shims of all of them may call us back.
const OTHER_FARMS: &[(&str, &str)] = &[
    ("pyenv", ".pyenv/shims"),
    ("rbenv", ".rbenv/shims"),
    ("nodenv", ".nodenv/shims"),
    ("goenv", ".goenv/shims"),
    ("jenv", ".jenv/shims"),
    ("asdf", ".asdf/shims"),
    ("mise", "mise/shims"),
    ("proto", ".proto/shims"),
    ("volta", ".volta/bin"),
    ("another farm", "shims"),
];

/// Name of the farm, other than ours, that a file lies in; None for an ordinary directory.
pub fn other_farm(file: &Path) -> Option<&'static str> {
    let directory = file.parent()?;
    OTHER_FARMS.iter().find(|(_, end)| directory.ends_with(end)).map(|(name, _)| *name)
}

/// What a file on PATH is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The tool, as far as can be told before it calls us back.
    Tool,
    Farm,
    /// Our own executable (link or hard link).
    Ourselves,
    /// Another copy or version of toto.
    Copy,
    NotExecutable,
}

impl Verdict {
    /// The verdict in words, for `toto which --all`.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Tool => "a tool",
            Self::Farm => "in the farm",
            Self::Ourselves => "toto itself",
            Self::Copy => "another copy of toto",
            Self::NotExecutable => "not executable",
        }
    }
}

/// A PATH, and what tells our own files on it.
#[derive(Debug)]
pub struct Search {
    path: OsString,
    farm: Option<PathBuf>,
    farm_id: OnceCell<Option<FileId>>,
    own: OnceCell<Option<FileId>>,
}

impl Search {
    pub fn from_env() -> Self {
        let path = std::env::var_os(env::PATH).unwrap_or_else(|| DEFAULT_PATH.into());
        Self::new(path, farm())
    }

    pub fn new(path: OsString, farm: Option<PathBuf>) -> Self {
        Self { path, farm, farm_id: OnceCell::new(), own: OnceCell::new() }
    }

    /// Every regular file of that name in the order of PATH, each judged when it is reached.
    pub fn all(&self, name: &OsStr) -> impl Iterator<Item = Candidate> {
        let is_path = Path::new(name).is_absolute();
        let directories = std::env::split_paths(&self.path).take(if is_path { 1 } else { usize::MAX });
        directories.filter_map(move |directory| {
            let path = with_slash(in_home(directory).join(name));
            let id = file_at(&path)?;
            Some(Candidate { verdict: self.judge(&path, id), path, id })
        })
    }

    /// As [`super::resolve`].
    pub fn resolve(&self, name: &OsStr, guard: &Guard, args: &[OsString]) -> Result<Resolved, NotFound> {
        let base = if name.as_encoded_bytes().contains(&b'/') {
            match self.by_path(name, guard, args) {
                Some(result) => return result,
                None => base_of(name),
            }
        } else {
            name
        };
        let recall = guard.recall(base, args);
        let (mut again, mut barred) = (None, None);
        for Candidate { path, id, verdict } in self.all(base) {
            match verdict {
                Verdict::Tool if recall.avoids(id, || other_farm(&path).is_some()) => {
                    again = again.or(Some((path, id)));
                }
                Verdict::Tool => return Ok(Resolved { guard: recall.value(id), path }),
                Verdict::NotExecutable => barred = barred.or(Some(path)),
                Verdict::Farm | Verdict::Ourselves | Verdict::Copy => {}
            }
        }
        match (again, barred) {
            (Some((path, id)), _) if recall.may_repeat() => Ok(Resolved { guard: recall.value(id), path }),
            (Some((path, _)), _) => Err(NotFound::Loop { name: base.into(), path }),
            (None, Some(path)) => Err(NotFound::NotExecutable(path)),
            (None, None) => {
                let shim = self.farm.as_ref().map(|farm| farm.join(base));
                let shim = shim.is_some_and(|shim| shim.symlink_metadata().is_ok());
                Err(NotFound::Missing { name: base.into(), shim })
            }
        }
    }

    /// Resolves a name that is a path: that file is run as given. None where the path leads back to us; its last
    /// component is then looked up.
    fn by_path(&self, name: &OsStr, guard: &Guard, args: &[OsString]) -> Option<Result<Resolved, NotFound>> {
        let path = PathBuf::from(name);
        let Some(id) = file_at(&path) else {
            return Some(Err(NotFound::Missing { name: name.into(), shim: false }));
        };
        Some(match self.judge(&path, id) {
            Verdict::Tool => Ok(Resolved { guard: guard.recall(base_of(name), args).value(id), path }),
            Verdict::NotExecutable => Err(NotFound::NotExecutable(path)),
            Verdict::Farm | Verdict::Ourselves | Verdict::Copy => return None,
        })
    }

    /// The verdict on a file. The cheapest check comes first: a farm on PATH is most often ours, by the same path.
    fn judge(&self, path: &Path, id: FileId) -> Verdict {
        let directory = path.parent();
        if self.farm.is_some() && directory == self.farm.as_deref() {
            return Verdict::Farm;
        }
        if matches!(rustix::fs::access(path, Access::EXEC_OK), Err(Errno::ACCESS | Errno::PERM)) {
            return Verdict::NotExecutable;
        }
        let is_marked = carries_mark(path);
        if is_marked != Some(false) && self.own() == Some(id) {
            return Verdict::Ourselves;
        }
        let farm = *self.farm_id.get_or_init(|| self.farm.as_deref().and_then(FileId::of));
        if farm.is_some() && directory.and_then(FileId::of) == farm {
            return Verdict::Farm;
        }
        if is_marked == Some(true) { Verdict::Copy } else { Verdict::Tool }
    }

    /// Our own executable: /proc/self/exe is the file even when it has been moved; without /proc, the path we
    /// were started by.
    fn own(&self) -> Option<FileId> {
        *self.own.get_or_init(|| FileId::of("/proc/self/exe").or_else(|| FileId::of(auxv::execfn()?)))
    }
}

/// The tool's name without a directory: `toto shim -- ./gradlew test` names a path.
pub fn base_of(name: &OsStr) -> &OsStr {
    Path::new(name).file_name().unwrap_or(name)
}

/// The path with `./` in front if it has no slash: `execve` and interpreters then take it for a file, never for a
/// name to look up.
fn with_slash(path: PathBuf) -> PathBuf {
    if path.as_os_str().as_encoded_bytes().contains(&b'/') { path } else { Path::new(".").join(path) }
}

/// Whether the file has toto's mark; None where it cannot be read. A copy that may only be executed counts as a tool;
/// the guard then ends the circle.
fn carries_mark(path: &Path) -> Option<bool> {
    let mut beginning = [0u8; marker::WITHIN];
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY;
    let file = rustix::fs::open(path, flags, Mode::empty()).ok()?;
    rustix::io::read(&file, &mut beginning).ok().map(|length| marker::is_toto(&beginning[..length]))
}

/// A directory of PATH; `~` in front is the home directory, as for bash.
fn in_home(directory: PathBuf) -> PathBuf {
    match directory.strip_prefix("~") {
        Ok(below) => std::env::home_dir().map_or_else(|| directory.clone(), |home| home.join(below)),
        Err(_) => directory,
    }
}

/// The identity of the regular file at a path.
fn file_at(path: &Path) -> Option<FileId> {
    // Any other error (a network file system, no memory) does not answer the question: ask once more.
    let answers = |error: &io::Error| Errno::from_io_error(error).is_some_and(|code| ANSWERS.contains(&code));
    let ask = || std::fs::metadata(path);
    let file = ask().or_else(|error| if answers(&error) { Err(error) } else { ask() }).ok()?;
    file.is_file().then(|| FileId::from(&file))
}
