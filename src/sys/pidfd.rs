//! Other processes by descriptor: `pidfd_open(2)`, `pidfd_getfd(2)`. Elsewhere than on Linux there are none.

use std::os::fd::OwnedFd;

/// A descriptor that is readable once the process has ended; `None` where there is none, or no such process.
#[cfg(target_os = "linux")]
pub fn end_of(process: i32) -> Option<OwnedFd> {
    use rustix::process::{Pid, PidfdFlags, pidfd_open};
    pidfd_open(Pid::from_raw(process)?, PidfdFlags::empty()).ok()
}

/// The open file that the process has as this descriptor, itself: one that cannot be opened anew (a socket), or that
/// would then have an offset of its own. `None` where the kernel forbids it (Yama's `ptrace_scope`, a container).
#[cfg(target_os = "linux")]
pub fn open_file_of(process: i32, descriptor: i32) -> Option<OwnedFd> {
    use rustix::process::{PidfdGetfdFlags, pidfd_getfd};
    pidfd_getfd(end_of(process)?, descriptor, PidfdGetfdFlags::empty()).ok()
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub fn end_of(_: i32) -> Option<OwnedFd> {
    None
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub fn open_file_of(_: i32, _: i32) -> Option<OwnedFd> {
    None
}
