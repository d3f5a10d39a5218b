//! Where saved outputs lie: below the home directory, and where that cannot be written (a sandbox, a read-only home,
//! none at all) below the directory of temporary files.

use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use super::ownership;
use crate::env;

/// Where temporary files go if no variable says so.
const TEMPORARY_FILES: &str = "/tmp";

/// A directory that holds every session's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    root: PathBuf,
    /// Does it lie where others can make files, too?
    shared: bool,
}

impl Place {
    /// `$XDG_STATE_HOME/toto/outputs`; none without a home.
    pub(super) fn home() -> Option<Self> {
        let root = env::xdg_dir(env::XDG_STATE_HOME, ".local/state", "toto/outputs")?;
        Some(Self { root, shared: false })
    }

    /// `toto-UID/outputs` where temporary files go.
    pub(super) fn temporary(directory: &Path) -> Self {
        let user = rustix::process::geteuid().as_raw();
        Self { root: directory.join(format!("toto-{user}/outputs")), shared: true }
    }

    /// The directory itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Makes a session's directory in it, with those above it.
    ///
    /// # Errors
    /// What the file system says; `PermissionDenied` where another user could have been there before us.
    pub(super) fn make(&self, session: &str) -> io::Result<PathBuf> {
        let top = self.root.parent().unwrap_or(&self.root);
        let dir = self.root.join(session);
        if self.shared {
            match private().create(top) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => ownership::check_private(top)?,
            }
        }
        private().recursive(true).create(&dir).map_err(|error| not_taken(error, &dir))?;
        for dir in [top, &self.root, &dir] {
            ownership::claim(dir)?;
        }
        Ok(dir)
    }

    /// Can only we have written what lies in it?
    pub(super) fn is_ours(&self) -> bool {
        let top = self.root.parent().unwrap_or(&self.root);
        ownership::is_ours(top)
            && ownership::is_ours(&self.root)
            && (!self.shared || ownership::check_private(top).is_ok())
    }
}

/// Where outputs are saved, the first that can be written; and where they are looked for.
pub fn places() -> Vec<Place> {
    let temporary = std::env::var_os(env::TMPDIR).map(PathBuf::from).filter(|path| path.is_absolute());
    let temporary = temporary.unwrap_or_else(|| TEMPORARY_FILES.into());
    Place::home().into_iter().chain([Place::temporary(&temporary)]).collect()
}

fn private() -> std::fs::DirBuilder {
    let mut builder = std::fs::DirBuilder::new();
    builder.mode(0o700);
    builder
}

/// Something that is no directory is in the way: not to be taken for an output of the same id.
fn not_taken(error: io::Error, dir: &Path) -> io::Error {
    if error.kind() == io::ErrorKind::AlreadyExists {
        return io::Error::new(
            io::ErrorKind::NotADirectory,
            format!("no directory can be made at {}", dir.display()),
        );
    }
    error
}
