//! What is toto's own: its names, its executable, its directories; and what tells one file from every other.

use std::ffi::{OsStr, OsString};
use std::fs::Metadata;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::env;
use crate::sys::auxv;

/// Names by which the binary is the command line and no shim.
pub const OWN_NAMES: [&str; 2] = ["toto", "llm-toto"];

/// Whether the binary's own file was renamed to this name, which begins with `toto` (`toto-linux`, `toto2`).
pub fn is_renamed(name: &OsStr) -> bool {
    let is_files = || std::env::current_exe().is_ok_and(|file| file.file_name() == Some(name));
    name.as_bytes().starts_with(b"toto") && is_files()
}

/// The name we were called by: the last component of argv[0]. Where the kernel was given a link to us whose name is
/// neither that nor one of ours (`AT_EXECFN`), the link's name counts: so for a login shell's `-aws`,
/// `exec -a NAME aws` and an empty argv[0].
pub fn called_as(argv0: Option<&OsStr>) -> OsString {
    let given = argv0.and_then(|argv0| Path::new(argv0).file_name());
    let is_link = |run: &&Path| {
        let other = run.file_name().filter(|name| given != Some(name));
        other.is_some_and(|name| !OWN_NAMES.iter().any(|own| name == *own)) && is_own(run)
    };
    let linked = auxv::execfn().filter(is_link).and_then(Path::file_name);
    linked.or(given).unwrap_or(OsStr::new(OWN_NAMES[0])).into()
}

/// A file's identity: device and inode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileId(pub u64, pub u64);

impl FileId {
    /// The identity of the file that a path leads to, links followed.
    pub fn of(path: impl AsRef<Path>) -> Option<Self> {
        std::fs::metadata(path).ok().as_ref().map(Self::of_metadata)
    }

    pub fn of_metadata(file: &Metadata) -> Self {
        Self(file.dev(), file.ino())
    }
}

/// Whether the path leads to our own executable; false where that cannot be told. Where we run as the interpreter
/// of a script, `AT_EXECFN` is the script, which is not ours.
pub fn is_own(path: &Path) -> bool {
    FileId::of(path).is_some_and(|file| FileId::of("/proc/self/exe") == Some(file))
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
