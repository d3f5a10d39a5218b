//! Names that one process at a time can hold, and that are free again when the process has ended.

use std::os::fd::OwnedFd;

/// Claims the name until the descriptor is closed; `None` where another process holds it, or the system has no such
/// names.
///
/// The name is an abstract address of unix(7): it leaves no file behind.
#[cfg(target_os = "linux")]
pub fn claim(name: &str) -> Option<OwnedFd> {
    use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, bind, socket_with};
    let address = SocketAddrUnix::new_abstract_name(name.as_bytes()).ok()?;
    let socket = socket_with(AddressFamily::UNIX, SocketType::DGRAM, SocketFlags::CLOEXEC, None).ok()?;
    bind(&socket, &address).ok().map(|()| socket)
}

/// Always `None`: there are no such names here.
#[cfg(not(target_os = "linux"))]
pub fn claim(_: &str) -> Option<OwnedFd> {
    None
}

#[cfg(all(test, target_os = "linux"))]
#[path = "../../tests/unit/sys/claim.rs"]
mod tests;
