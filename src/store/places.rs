//! The places of saved outputs: below the home directory or, where that cannot be written (a sandbox, a read-only home,
//! no home at all), below the directory of temporary files.
//!
//! A place belongs to this user alone: `XDG_STATE_HOME` may lie where other users can write, and a user who can put
//! files there could have an agent read text that no tool has printed.

use std::fs::{DirBuilder, Metadata, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use crate::env;
use crate::fnv;
use crate::sys::directory;
use crate::sys::files::make_private;

/// Write permission of the group and of others.
const OTHERS_WRITE: u32 = 0o022;
/// Any permission of the group and of others.
const OTHERS: u32 = 0o077;
/// Only its owner may rename or remove what lies in a directory with this bit (chmod(2)).
const STICKY: u32 = 0o1000;

/// A directory that holds the directories of all sessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub(super) root: PathBuf,
    /// Whether it lies where other users can create files.
    shared: bool,
}

impl Place {
    /// `$XDG_STATE_HOME/toto/outputs`; `None` without a home.
    pub(super) fn home() -> Option<Self> {
        let root = env::xdg_dir(env::XDG_STATE_HOME, ".local/state", "toto/outputs")?;
        Some(Self { root, shared: false })
    }

    /// `toto-UID/NAME` in a directory of temporary files.
    pub(super) fn temporary(directory: &Path, name: impl AsRef<Path>) -> Self {
        let user = rustix::process::geteuid().as_raw();
        Self { root: directory.join(format!("toto-{user}")).join(name), shared: true }
    }

    /// Makes a session's directory; returns its path. `PermissionDenied` where another user could have made it first.
    pub(super) fn make(&self, session: &str) -> io::Result<PathBuf> {
        let top = self.root.parent().unwrap_or(&self.root);
        let dir = self.root.join(session);
        if self.shared {
            match DirBuilder::new().mode(0o700).create(top) {
                Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
                _ => check_private(top)?,
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
            claim(dir)?;
        }
        Ok(dir)
    }

    /// Whether only this user can have written what lies in it.
    pub(super) fn is_ours(&self) -> bool {
        let top = self.root.parent().unwrap_or(&self.root);
        is_ours(top) && is_ours(&self.root) && (!self.shared || check_private(top).is_ok())
    }
}

/// The places, in order: an output is saved in the first that can be written, and looked for in all. Users of several
/// homes do not meet each other's outputs with the temporary files; who has no home meets all.
pub fn places() -> Vec<Place> {
    const NAME: &str = "outputs";
    let directory = env::absolute(env::TMPDIR).unwrap_or_else(|| "/tmp".into());
    let temporary = |name: &Path| Place::temporary(&directory, name);
    let mut of_homes = vec![temporary(Path::new(NAME))];
    if let Some(home) = env::home() {
        let name = format!("{NAME}-{:016x}", fnv::hash(home.as_os_str().as_bytes()));
        of_homes.insert(0, temporary(Path::new(&name)));
    } else if let Some(all) = of_homes[0].root.parent().and_then(|top| directory::entries(top).ok()) {
        let names = all.iter().filter_map(|path| path.file_name()).filter(|name| *name != NAME);
        of_homes.extend(names.map(|name| temporary(Path::new(name))));
    }
    Place::home().into_iter().chain(of_homes).collect()
}

/// Makes sure that nobody else can write into `dir`, whose name is the store's own: takes such permissions away.
/// `PermissionDenied` where `dir` is another user's, or a link that another user made.
fn claim(dir: &Path) -> io::Result<()> {
    match of_us(dir)?.mode() & OTHERS_WRITE {
        0 => Ok(()),
        _ => std::fs::set_permissions(dir, Permissions::from_mode(0o700)),
    }
}

/// Whether only this user can have written what lies in `dir`.
pub(super) fn is_ours(dir: &Path) -> bool {
    of_us(dir).is_ok_and(|metadata| metadata.mode() & OTHERS_WRITE == 0)
}

/// Checks that `dir`, whose name any user could have taken first, is a directory of this user that nobody else can look
/// into, and that nobody can put another in its place: else `PermissionDenied`.
fn check_private(dir: &Path) -> io::Result<()> {
    let own = rustix::process::geteuid().as_raw();
    let metadata = dir.symlink_metadata()?;
    let is_private = metadata.is_dir() && metadata.uid() == own && metadata.mode() & OTHERS == 0;
    let above = dir.parent().unwrap_or(dir).metadata()?;
    let is_safe =
        [0, own].contains(&above.uid()) && (above.mode() & OTHERS_WRITE == 0 || above.mode() & STICKY != 0);
    if is_private && is_safe { Ok(()) } else { Err(denied(dir, "may be another user's")) }
}

fn of_us(dir: &Path) -> io::Result<Metadata> {
    let own = rustix::process::geteuid().as_raw();
    let metadata = dir.metadata()?;
    let is_own = metadata.uid() == own && dir.symlink_metadata()?.uid() == own;
    if is_own { Ok(metadata) } else { Err(denied(dir, "belongs to another user")) }
}

fn denied(dir: &Path, reason: &str) -> io::Error {
    io::Error::new(ErrorKind::PermissionDenied, format!("{} {reason}", dir.display()))
}
