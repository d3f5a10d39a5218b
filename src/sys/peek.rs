//! What Linux tells about open files and their holders.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};

/// Whether descriptor `fd` of process `pid` and `other_fd` of `other_pid` share one open file description.
///
/// kcmp(2), `KCMP_FILE`.
/// Fails where the kernel was built without kcmp, a seccomp filter forbids it, or we may not trace one of the
/// processes.
pub fn same_open_file(pid: i32, fd: i32, other_pid: i32, other_fd: i32) -> io::Result<bool> {
    const KCMP_FILE: libc::c_int = 0;
    // SAFETY: kcmp, for which neither libc nor rustix has a function, reads five integers and touches no memory of
    // ours.
    let order = unsafe { libc::syscall(libc::SYS_kcmp, pid, other_pid, KCMP_FILE, fd, other_fd) };
    if order < 0 { Err(io::Error::last_os_error()) } else { Ok(order == 0) }
}

/// Id of the process that made the pair of sockets or connected this socket: `SO_PEERCRED` of unix(7). 0 where
/// that process is in a PID namespace that is not visible from ours.
/// Fails where the descriptor is closed or no socket.
pub fn socket_creator(socket: BorrowedFd) -> io::Result<i32> {
    let mut credentials = libc::ucred { pid: 0, uid: 0, gid: 0 };
    let mut length = size_of::<libc::ucred>() as libc::socklen_t;
    // rustix has no room for the process id 0 that another namespace gives.
    // SAFETY: the kernel writes at most `length` bytes, the size of `credentials`.
    let status = unsafe {
        libc::getsockopt(
            socket.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_PEERCRED,
            (&raw mut credentials).cast(),
            &raw mut length,
        )
    };
    if status == 0 { Ok(credentials.pid) } else { Err(io::Error::last_os_error()) }
}
