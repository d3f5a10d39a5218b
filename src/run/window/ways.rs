//! Moves bytes from the tool's pipe to the viewer's and keeps them.

#[cfg(target_os = "linux")]
use std::os::fd::BorrowedFd;
use std::os::fd::{AsFd as _, OwnedFd};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::super::emit::write_all;
use super::super::kept::Kept;
use super::super::stream::Copying;

/// Bytes that are moved at once.
pub(super) const CHUNK: usize = 256 << 10;
/// Bytes that a pipe takes without blocking once it is writable (`PIPE_BUF`, pipe(7)).
const ATOMIC: usize = 4096;

/// Gives the viewer what lies in the tool's pipe by tee(2), then reads it from there. What is not kept is moved
/// instead: splice(2).
#[cfg(target_os = "linux")]
pub(super) fn tee_on(pipe: &OwnedFd, kept: &mut Kept, copying: &Copying<'_>) -> Result<usize, Errno> {
    use rustix::pipe::{SpliceFlags, splice, tee};
    let out: BorrowedFd<'_> = rustix::stdio::stdout();
    if kept.given_up {
        return splice(pipe, None, out, None, CHUNK, SpliceFlags::NONBLOCK | SpliceFlags::MOVE);
    }
    let given = tee(pipe, out, CHUNK, SpliceFlags::NONBLOCK)?;
    let mut read = 0;
    while read < given {
        match kept.take(pipe, given - read, copying) {
            Ok(0) => break,
            Ok(length) => read += length,
            Err(Errno::INTR) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(given)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn tee_on(pipe: &OwnedFd, kept: &mut Kept, copying: &Copying<'_>) -> Result<usize, Errno> {
    write_on(pipe, kept, copying)
}

/// The same by read and write where tee(2) cannot be used: no more at once than the viewer's pipe takes without
/// blocking.
pub(super) fn write_on(pipe: &OwnedFd, kept: &mut Kept, copying: &Copying<'_>) -> Result<usize, Errno> {
    let out = rustix::stdio::stdout();
    let mut ready = [
        PollFd::from_borrowed_fd(out, PollFlags::OUT),
        PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::IN),
    ];
    poll(&mut ready, Some(&Timespec::default()))?;
    let [writable, readable] = [ready[0].revents(), ready[1].revents()];
    if writable.contains(PollFlags::ERR) {
        return Err(Errno::PIPE);
    }
    if readable.is_empty() || !writable.contains(PollFlags::OUT) {
        return Err(Errno::AGAIN);
    }
    let mut buffer = [0; ATOMIC];
    let length = rustix::io::read(pipe, &mut buffer)?;
    kept.push(&buffer[..length], copying);
    write_all(out, &buffer[..length]).map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))?;
    Ok(length)
}
