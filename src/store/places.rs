//! The places of saved outputs: below the home directory or, where that cannot be written (a sandbox, a read-only home,
//! no home at all), below the directory of temporary files.

use std::fs::DirBuilder;
use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use super::ownership;
use crate::env;
use crate::sys::files::make_private;

/// Directory of temporary files if no variable names one.
const TEMPORARY_FILES: &str = "/tmp";

/// A directory that holds the directories of all sessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    root: PathBuf,
    /// Whether it lies where other users can create files.
    shared: bool,
}

impl Place {
    /// `$XDG_STATE_HOME/toto/outputs`; `None` without a home.
    pub(super) fn home() -> Option<Self> {
        let root = env::xdg_dir(env::XDG_STATE_HOME, ".local/state", "toto/outputs")?;
        Some(Self { root, shared: false })
    }

    /// `toto-UID/outputs` in a directory of temporary files.
    pub(super) fn temporary(directory: &Path) -> Self {
        let user = rustix::process::geteuid().as_raw();
        Self { root: directory.join(format!("toto-{user}/outputs")), shared: true }
    }

    /// The directory itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Makes a session's directory, with those above it; returns its path. `PermissionDenied` where another user could
    /// have made the directory first.
    pub(super) fn make(&self, session: &str) -> io::Result<PathBuf> {
        let top = self.root.parent().unwrap_or(&self.root);
        let dir = self.root.join(session);
        if self.shared {
            match DirBuilder::new().mode(0o700).create(top) {
                Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
                _ => ownership::check_private(top)?,
            }
        }
        make_private(&dir).map_err(|error| match error.kind() {
            // Something that is no directory is in the way, which must not be taken for an output of the same id.
            ErrorKind::AlreadyExists => {
                let message = format!("no directory can be made at {}", dir.display());
                io::Error::new(ErrorKind::NotADirectory, message)
            }
            _ => error,
        })?;
        for dir in [top, &self.root, &dir] {
            ownership::claim(dir)?;
        }
        Ok(dir)
    }

    /// Whether only this user can have written what lies in it.
    pub(super) fn is_ours(&self) -> bool {
        let top = self.root.parent().unwrap_or(&self.root);
        ownership::is_ours(top)
            && ownership::is_ours(&self.root)
            && (!self.shared || ownership::check_private(top).is_ok())
    }
}

/// The places, in order: an output is saved in the first that can be written, and looked for in all.
pub fn places() -> Vec<Place> {
    let temporary = std::env::var_os(env::TMPDIR).map(PathBuf::from).filter(|path| path.is_absolute());
    let temporary = temporary.unwrap_or_else(|| TEMPORARY_FILES.into());
    Place::home().into_iter().chain([Place::temporary(&temporary)]).collect()
}
