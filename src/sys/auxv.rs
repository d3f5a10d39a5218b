//! The kernel's auxiliary vector (getauxval(3)): what is known of ourselves where /proc is not mounted.

use std::ffi::CStr;

/// The path that our own `execve` was given (`AT_EXECFN`): unresolved, and relative if the caller's was.
/// None where the kernel passes none.
#[cfg(target_os = "linux")]
pub fn execfn() -> Option<&'static CStr> {
    // SAFETY: getauxval only reads the vector that the kernel put on our stack. A non-zero AT_EXECFN is the
    // address of a NUL-terminated string beside it, which stays for the life of the process.
    #[expect(unsafe_code, reason = "getauxval and the string it points at")]
    unsafe {
        let address = libc::getauxval(libc::AT_EXECFN);
        (address != 0).then(|| CStr::from_ptr(address as *const libc::c_char))
    }
}

/// None: no auxiliary vector here.
#[cfg(not(target_os = "linux"))]
pub fn execfn() -> Option<&'static CStr> {
    None
}
