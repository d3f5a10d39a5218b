//! The kernel's auxiliary vector (getauxval(3)): facts about this process that need no /proc.

use std::path::Path;

/// The path that our own `execve` was given (`AT_EXECFN`): unresolved, and relative if the caller's was.
/// None where the kernel passes none.
#[cfg(target_os = "linux")]
pub fn execfn() -> Option<&'static Path> {
    use std::ffi::{CStr, OsStr};
    use std::os::unix::ffi::OsStrExt as _;

    // SAFETY: getauxval only reads the vector that the kernel put on our stack. A non-zero AT_EXECFN is the
    // address of a NUL-terminated string beside it, which stays for the life of the process.
    unsafe {
        let address = libc::getauxval(libc::AT_EXECFN);
        (address != 0)
            .then(|| Path::new(OsStr::from_bytes(CStr::from_ptr(address as *const libc::c_char).to_bytes())))
    }
}

/// Whether we have rights that our caller lacks: set-user-id or set-group-id, by our own file or a caller's
/// (credentials(7)).
#[cfg(target_os = "linux")]
pub fn is_elevated() -> bool {
    // SAFETY: getauxval only reads the vector that the kernel put on our stack.
    let value = |kind| unsafe { libc::getauxval(kind) };
    value(libc::AT_UID) != value(libc::AT_EUID) || value(libc::AT_GID) != value(libc::AT_EGID)
}

/// The same, from the process's user and group ids.
#[cfg(not(target_os = "linux"))]
pub fn is_elevated() -> bool {
    use rustix::process::{getegid, geteuid, getgid, getuid};
    getuid() != geteuid() || getgid() != getegid()
}

/// Always None: there is no auxiliary vector here.
#[cfg(not(target_os = "linux"))]
pub fn execfn() -> Option<&'static Path> {
    None
}
