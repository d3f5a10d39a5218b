//! Writing to our own descriptors 1 and 2, whatever they are.

use std::io;
use std::os::fd::BorrowedFd;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use crate::pipeline::visible;

/// Writes all of `bytes`. Waits where the descriptor is non-blocking (an agent's pipe or socket may be).
///
/// # Errors
/// EPIPE when the reader is gone (and SIGPIPE was ignored when we were started), ENOSPC, EIO.
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

/// One line on stderr, at our own expense: a stderr that cannot be written is nobody's error. What others wrote in it
/// (a path, a name) cannot steer the terminal.
pub fn say(line: &str) {
    let _ = write_all(rustix::stdio::stderr(), format!("{}\n", visible::line(line)).as_bytes());
}
