//! Writing to our own descriptors 1 and 2, whatever they are.

use std::io;
use std::os::fd::BorrowedFd;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use crate::pipeline::visible;

/// Writes all of `bytes`. Waits where the descriptor is non-blocking, as an agent's pipe or socket may be.
/// Errors: EPIPE when the reader is gone (and SIGPIPE was ignored when we were started), ENOSPC, EIO.
pub fn write_all(fd: BorrowedFd<'_>, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::write(fd, bytes) {
            Ok(written) => bytes = &bytes[written..],
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => {
                let _ = poll(&mut [PollFd::from_borrowed_fd(fd, PollFlags::OUT)], None);
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Writes one line to stderr; that it cannot be written is no error. Control characters are shown as text, so that
/// what others wrote in the line (a path, a name) cannot steer the terminal.
pub fn say(line: &str) {
    let _ = write_all(rustix::stdio::stderr(), format!("{}\n", visible::line(line)).as_bytes());
}
