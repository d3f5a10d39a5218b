//! Whether a directory of the store belongs to this user alone. `XDG_STATE_HOME` may lie where other users can write,
//! and a user who can put files there could have an agent read text that no tool has printed.

use std::fs::{Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;

/// Write permission of the group and of others.
const OTHERS_WRITE: u32 = 0o022;
/// Any permission of the group and of others.
const OTHERS: u32 = 0o077;
/// Only its owner may rename or remove what lies in a directory with this bit (chmod(2)).
const STICKY: u32 = 0o1000;

/// Makes sure that nobody else can write into `dir`, whose name is the store's own: takes such permissions away.
/// `PermissionDenied` where `dir` is another user's, or a link that another user made.
pub(super) fn claim(dir: &Path) -> io::Result<()> {
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
pub(super) fn check_private(dir: &Path) -> io::Result<()> {
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
    io::Error::new(io::ErrorKind::PermissionDenied, format!("{} {reason}", dir.display()))
}
