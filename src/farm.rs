//! The farm: the directory of shims, each a link to toto under a tool's name.

pub(crate) mod changes;
pub(crate) mod checkup;
pub(crate) mod known;
pub(crate) mod list;
pub(crate) mod probe;
pub(crate) mod reach;
pub(crate) mod setup;
pub(crate) mod shells;

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use fs_err as fs;

use crate::env;
use crate::path::{self, FileId, OWN_NAMES};
use crate::sys::files::at_most;
use crate::sys::marker;

/// A directory of shims and the binary that they lead to.
pub(crate) struct Farm {
    home: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Linked {
    New,
    /// There was a link of ours that led elsewhere.
    Renewed,
    Already,
}

/// Why a name was not linked or unlinked, one line each.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("{}: not the name of a tool (a name has no slash, no control character and does not begin with a dash)", .0.display())]
    NotAName(OsString),
    /// A shim of this name would do harm or no good, for this reason.
    #[error("{}: not linked: {} (--force links it all the same)", .0.display(), .1)]
    Unwise(OsString, &'static str),
    #[error("{}: toto's own command is no tool", .0.display())]
    Own(OsString),
    #[error("{}: is not a shim of toto's; move it away first", .0.display())]
    Foreign(PathBuf),
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl Farm {
    /// The environment's farm. Fails where neither `TOTO_HOME` nor `HOME` names a directory that PATH can hold.
    pub fn from_env() -> anyhow::Result<Self> {
        let home = path::toto_home().context(match std::env::var_os(env::SUDO_UID) {
            None => "there is no home directory: HOME is not set to an absolute path",
            Some(_) => {
                "there is no home directory of root's: HOME is not absolute, or that of who called sudo"
            }
        })?;
        anyhow::ensure!(
            !home.as_os_str().as_encoded_bytes().iter().any(|byte| b":\n".contains(byte)),
            "{}: a directory with a colon or a line break in its name cannot stand on PATH",
            home.display()
        );
        Ok(Self { home })
    }

    pub fn directory(&self) -> PathBuf {
        self.home.join("bin")
    }

    /// toto's own directory, in which the farm lies.
    pub fn home(&self) -> &Path {
        &self.home
    }

    pub fn binary(&self) -> PathBuf {
        self.home.join("toto")
    }

    fn place(&self, name: &OsStr, dry: bool) -> Result<Linked, Refusal> {
        let link = self.directory().join(name);
        let done = match ownership(&link) {
            Ownership::Free => Linked::New,
            Ownership::Foreign => return Err(Refusal::Foreign(link)),
            Ownership::Ours if std::fs::read_link(&link).is_ok_and(|old| old == self.target()) => {
                Linked::Already
            }
            Ownership::Ours => Linked::Renewed,
        };
        if dry || done == Linked::Already {
            return Ok(done);
        }
        fs::create_dir_all(self.directory())?;
        let temporary = self.directory().join(format!(".toto-{}", std::process::id()));
        let _ = std::fs::remove_file(&temporary);
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", link.display()));
        symlink(self.target(), &temporary).map_err(named)?;
        fs::rename(&temporary, &link).inspect_err(|_| drop(std::fs::remove_file(&temporary)))?;
        Ok(done)
    }

    /// The target of a shim's link: the installed binary, by a relative path, so that toto's directory can be moved
    /// as a whole; else the running executable.
    fn target(&self) -> PathBuf {
        let installed = Path::new("..").join("toto");
        if self.binary().exists() { installed } else { std::env::current_exe().unwrap_or(installed) }
    }
}

enum Ownership {
    Free,
    Ours,
    Foreign,
}

/// The owner of the file. Ours are links that lead (or led) to a toto, and copies of a toto.
fn ownership(link: &Path) -> Ownership {
    let Ok(metadata) = link.symlink_metadata() else { return Ownership::Free };
    if metadata.is_file() {
        return if is_toto(link) { Ownership::Ours } else { Ownership::Foreign };
    }
    let Ok(target) = std::fs::read_link(link) else { return Ownership::Foreign };
    let named_toto = target.file_name().is_some_and(|name| OWN_NAMES.iter().any(|own| name == *own));
    match std::fs::metadata(link) {
        Ok(end) if end.is_file() && is_toto(link) => Ownership::Ours,
        Err(_) if named_toto => Ownership::Ours,
        _ => Ownership::Foreign,
    }
}

/// Whether a file is our own executable or any other toto.
fn is_toto(path: &Path) -> bool {
    let own = std::env::current_exe().ok().and_then(|own| FileId::of(own.as_path()));
    if own.is_some() && own == FileId::of(path) {
        return true;
    }
    let beginning = std::fs::File::open(path).and_then(|file| at_most(file, marker::WITHIN as u64));
    beginning.is_ok_and(|beginning| marker::is_toto(&beginning))
}

fn check_name(name: &OsStr) -> Result<(), Refusal> {
    let bytes = name.as_encoded_bytes();
    let is_no_part = bytes.iter().any(|byte| *byte == b'/' || byte.is_ascii_control());
    if is_no_part || bytes.starts_with(b"-") || matches!(bytes, b"" | b"." | b"..") {
        return Err(Refusal::NotAName(name.into()));
    }
    if OWN_NAMES.iter().any(|own| name == *own) {
        return Err(Refusal::Own(name.into()));
    }
    Ok(())
}

#[cfg(test)]
#[path = "../tests/unit/farm.rs"]
mod tests;
