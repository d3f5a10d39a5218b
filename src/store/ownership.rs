//! Is a directory of the store ours alone? `XDG_STATE_HOME` may lie where others can write, and who can put files
//! there could have an agent read what no tool has printed.

use std::fs::{Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;

/// Others' right to write.
const OTHERS_WRITE: u32 = 0o022;

/// Makes sure that nobody else can write into `dir`, whose name is the store's own.
///
/// # Errors
/// `PermissionDenied` where it is another user's, or a link that another user made.
pub(super) fn claim(dir: &Path) -> io::Result<()> {
    let metadata = of_us(dir)?;
    if metadata.mode() & OTHERS_WRITE == 0 {
        return Ok(());
    }
    std::fs::set_permissions(dir, Permissions::from_mode(0o700))
}

/// Can only we have written what lies in `dir`?
pub(super) fn is_ours(dir: &Path) -> bool {
    of_us(dir).is_ok_and(|metadata| metadata.mode() & OTHERS_WRITE == 0)
}

fn of_us(dir: &Path) -> io::Result<Metadata> {
    let own = rustix::process::geteuid().as_raw();
    let metadata = dir.metadata()?;
    if metadata.uid() == own && dir.symlink_metadata()?.uid() == own {
        return Ok(metadata);
    }
    let message = format!("{} belongs to another user", dir.display());
    Err(io::Error::new(io::ErrorKind::PermissionDenied, message))
}
