//! Small files of any origin, directories that are ours alone, and the files behind descriptors.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::BorrowedFd;
use std::os::unix::fs::{DirBuilderExt as _, FileTypeExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use rustix::fs::{Mode, OFlags};

/// Makes a directory that is ours alone (mode 0700), with any missing parents, whatever the umask.
pub fn make_private(dir: &Path) -> io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(dir)
}

/// Opens a file of ours for appending; creates it (mode 0600). Never blocks, not even on a FIFO of that name, and
/// follows no link. `PermissionDenied` for what is not a regular file of this user.
pub fn append_private(path: &Path) -> io::Result<File> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY).bits();
    let file =
        File::options().append(true).create(true).mode(0o600).custom_flags(flags.cast_signed()).open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.uid() != rustix::process::geteuid().as_raw() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    Ok(file)
}

/// Device and inode (fstat(2)) of the file behind any descriptor of ours; None where the descriptor is closed.
pub fn identity(descriptor: i32) -> Option<(u64, u64)> {
    let stat = rustix::fs::fstat(borrowed(descriptor)).ok()?;
    #[allow(clippy::unnecessary_cast, reason = "the fields' types differ by platform")]
    Some((stat.st_dev as u64, stat.st_ino as u64))
}

/// Time at which the file behind a descriptor of ours was made, in microseconds since the epoch; None where the
/// file system does not keep it.
pub fn made(descriptor: i32) -> Option<u64> {
    let file = File::from(rustix::io::dup(borrowed(descriptor)).ok()?);
    let made = file.metadata().ok()?.created().ok()?;
    made.duration_since(std::time::UNIX_EPOCH).ok()?.as_micros().try_into().ok()
}

fn borrowed(descriptor: i32) -> BorrowedFd<'static> {
    // SAFETY: the number is one of the first few, never -1, and is only handed to calls that fail with EBADF where
    // nothing is behind it.
    unsafe { BorrowedFd::borrow_raw(descriptor) }
}

/// Whether the error says that there is no such file.
pub fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// The result, or `None` where there is no such file.
pub fn if_there<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if is_absent(&error) => Ok(None),
        result => result.map(Some),
    }
}

/// The content of a small file of another program's: nothing where `/dev/null` stands in its place, by a link or by
/// a sandbox's mount. Never blocks.
pub fn read_foreign(path: &Path) -> io::Result<Vec<u8>> {
    const MOST: u64 = 16 << 20;
    match read_small(path, MOST) {
        Err(_) if device(path).is_some_and(|found| device(Path::new("/dev/null")) == Some(found)) => {
            Ok(Vec::new())
        }
        result => result,
    }
}

/// Number of the character device that the path leads to; None where it leads to something else.
fn device(path: &Path) -> Option<u64> {
    path.metadata().ok().filter(|file| file.file_type().is_char_device()).map(|file| file.rdev())
}

/// The content of a regular file of at most `most` bytes. Never blocks, not even where the path is a FIFO. The error
/// does not name the path.
pub fn read_small(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("not a file"));
    }
    let bytes = at_most(file, most + 1)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("longer than {most} bytes")));
    }
    Ok(bytes)
}

/// The text of such a file.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read_small(path, most)?).map_err(io::Error::other)
}

/// What a reader gives, up to so many bytes.
pub fn at_most(from: impl io::Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}
