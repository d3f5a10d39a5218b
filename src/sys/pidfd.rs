//! Other processes by descriptor: `pidfd_open(2)`, `pidfd_getfd(2)`. Linux only.

use std::os::fd::OwnedFd;

/// A descriptor that is readable once the process has ended; `None` where the kernel gives none or there is no such
/// process.
#[cfg(target_os = "linux")]
pub fn end_of(process: i32) -> Option<OwnedFd> {
    use rustix::process::{Pid, PidfdFlags, pidfd_open};
    pidfd_open(Pid::from_raw(process)?, PidfdFlags::empty()).ok()
}

/// A descriptor for the very open file that another process has as `descriptor`: for a file that cannot be opened
/// anew (a socket), or that would then have an offset of its own. `None` where the kernel forbids it (Yama's
/// `ptrace_scope`, a container).
#[cfg(target_os = "linux")]
pub fn open_file_of(process: i32, descriptor: i32) -> Option<OwnedFd> {
    use rustix::process::{PidfdGetfdFlags, pidfd_getfd};
    pidfd_getfd(end_of(process)?, descriptor, PidfdGetfdFlags::empty()).ok()
}

/// Always `None`: there is no such call here.
#[cfg(not(target_os = "linux"))]
pub fn end_of(_: i32) -> Option<OwnedFd> {
    None
}

/// Always `None`: there is no such call here.
#[cfg(not(target_os = "linux"))]
pub fn open_file_of(_: i32, _: i32) -> Option<OwnedFd> {
    None
}
