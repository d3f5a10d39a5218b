//! The PATH lookup, by the `which` crate; each file found is judged at once: ourselves, or a tool.

use std::cell::{Cell, OnceCell};
use std::ffi::{OsStr, OsString};
use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, Mode, OFlags};
use rustix::io::Errno;
use thiserror::Error;
use which::sys::Sys;

use super::guard::{Guard, GuardValue};
use super::own::{FileId, farm};
use crate::env;
use crate::sys::process::NOT_STARTED;
use crate::sys::{auxv, marker};

/// Errors of stat(2) that mean there is no such file for us.
const ANSWERS: [Errno; 5] = [Errno::NOENT, Errno::NOTDIR, Errno::ACCESS, Errno::LOOP, Errno::NAMETOOLONG];

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

/// What a file of the tool's name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The tool, as far as can be told before it calls us back.
    Tool,
    /// In our own farm.
    Farm,
    /// Our own executable (link or hard link).
    Ourselves,
    /// Another copy or version of toto.
    Copy,
    NotExecutable,
}

/// The tool that a name stands for.
pub struct Resolved {
    /// Path as found on PATH, its links unresolved.
    pub path: PathBuf,
    /// Value of `_TOTO_GUARD` for the tool's environment.
    pub guard: GuardValue,
}

#[derive(Debug, Error, PartialEq, Eq)]
pub enum NotFound {
    /// No file of that name on PATH, except toto itself.
    #[error("{}: not found on PATH{}", .name.display(), behind_shim(.name, *.shim))]
    Missing {
        name: OsString,
        /// Whether the farm has a shim of that name (which the user may want to remove).
        shim: bool,
    },
    /// Only files that may not be executed were found; this is the first of them.
    #[error("{}: found, but not executable", .0.display())]
    NotExecutable(PathBuf),
    /// Every candidate was tried, and called us back time after time.
    #[error(
        "{0}: {1} keeps calling the shim instead of the tool, and nothing else on PATH has that name (to remove the shim: toto unlink {0})",
        .name.display(), .path.display()
    )]
    Loop {
        name: OsString,
        /// The first of the candidates on PATH.
        path: PathBuf,
    },
}

impl NotFound {
    /// As in a shell: 127 not found, 126 found but not runnable (POSIX, Shell Command Language 2.8.2).
    pub fn status(&self) -> i32 {
        match self {
            Self::Missing { .. } => 127,
            Self::NotExecutable(_) | Self::Loop { .. } => NOT_STARTED,
        }
    }
}

fn behind_shim(name: &OsStr, is_shim: bool) -> String {
    let remedy = || format!(" behind its shim (to remove the shim: toto unlink {})", name.display());
    if is_shim { remedy() } else { String::new() }
}

/// A PATH, and what tells our own files on it.
pub struct Search {
    path: OsString,
    farm: Option<PathBuf>,
    farm_id: OnceCell<Option<FileId>>,
    own: OnceCell<Option<FileId>>,
    files: Files,
}

impl Search {
    pub fn from_env() -> Self {
        // Where none is set, `execvp` searches these (glibc's `confstr(_CS_PATH)`).
        let path = std::env::var_os(env::PATH).unwrap_or_else(|| "/bin:/usr/bin".into());
        Self::new(path, farm())
    }

    pub fn new(path: OsString, farm: Option<PathBuf>) -> Self {
        Self { path, farm, farm_id: OnceCell::new(), own: OnceCell::new(), files: Files::default() }
    }

    /// Every regular file of that name in the order of PATH, each judged when it is reached.
    pub fn all(&self, name: &OsStr) -> impl Iterator<Item = Candidate> {
        let mut found = which::WhichConfig::new_with_sys(&self.files)
            .system_cwd(false)
            .custom_path_list(self.path.clone())
            .binary_name(name.to_os_string())
            .all_results()
            .ok();
        std::iter::from_fn(move || found.as_mut()?.next()).filter_map(|path| {
            let id = self.files.last.get()?;
            // `execve` and interpreters take a path with a slash for a file, never for a name to look up.
            let has_slash = path.as_os_str().as_encoded_bytes().contains(&b'/');
            let path = if has_slash { path } else { Path::new(".").join(path) };
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

    /// Resolves a path: that file is run as given. None where it leads back to us: its name is then looked up.
    fn by_path(&self, name: &OsStr, guard: &Guard, args: &[OsString]) -> Option<Result<Resolved, NotFound>> {
        let path = PathBuf::from(name);
        let found = self.files.metadata(&path).ok().filter(Metadata::is_file);
        let Some(id) = found.and(self.files.last.get()) else {
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

    /// Our own executable, even when it has been moved; without /proc, the path we were started by.
    fn own(&self) -> Option<FileId> {
        *self.own.get_or_init(|| FileId::of("/proc/self/exe").or_else(|| FileId::of(auxv::execfn()?)))
    }
}

/// The tool's name without a directory: `toto shim -- ./gradlew test` names a path.
pub fn base_of(name: &OsStr) -> &OsStr {
    Path::new(name).file_name().unwrap_or(name)
}

/// Whether the file has toto's mark. None: a copy that cannot be read counts as a tool; the guard ends the circle.
fn carries_mark(path: &Path) -> Option<bool> {
    let mut beginning = [0u8; marker::WITHIN];
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY;
    let file = rustix::fs::open(path, flags, Mode::empty()).ok()?;
    rustix::io::read(&file, &mut beginning).ok().map(|length| marker::is_toto(&beginning[..length]))
}

/// The file system as the `which` crate sees it. It makes one `stat` per directory of PATH and keeps the file's
/// identity from it. Every file passes for executable, so that a file that is not is still reported, in its order;
/// [`Search::judge`] finds that out.
#[derive(Debug, Default)]
struct Files {
    last: Cell<Option<FileId>>,
}

impl Sys for Files {
    type ReadDirEntry = std::fs::DirEntry;
    type Metadata = Metadata;

    fn is_windows(&self) -> bool {
        false
    }

    fn current_dir(&self) -> io::Result<PathBuf> {
        std::env::current_dir()
    }

    fn home_dir(&self) -> Option<PathBuf> {
        std::env::home_dir()
    }

    fn env_split_paths(&self, paths: &OsStr) -> Vec<PathBuf> {
        let mut directories = Vec::with_capacity(32);
        directories.extend(std::env::split_paths(paths));
        directories
    }

    fn env_path(&self) -> Option<OsString> {
        None
    }

    fn env_path_ext(&self) -> Option<OsString> {
        None
    }

    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        // Any other error (a network file system, no memory) does not answer the question: ask once more.
        let answers =
            |error: &io::Error| Errno::from_io_error(error).is_some_and(|code| ANSWERS.contains(&code));
        let file = std::fs::metadata(path)
            .or_else(|error| if answers(&error) { Err(error) } else { std::fs::metadata(path) })?;
        self.last.set(Some(FileId::of_metadata(&file)));
        Ok(file)
    }

    fn symlink_metadata(&self, path: &Path) -> io::Result<Metadata> {
        std::fs::symlink_metadata(path)
    }

    /// Always an error: tools are looked up by name, and no directory is listed.
    fn read_dir(&self, _: &Path) -> io::Result<Box<dyn Iterator<Item = io::Result<std::fs::DirEntry>>>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn is_valid_executable(&self, _: &Path) -> io::Result<bool> {
        Ok(true)
    }
}
