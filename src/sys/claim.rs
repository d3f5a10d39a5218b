//! A name that one process at a time can have, and that is free again when that process has ended.

use std::os::fd::OwnedFd;

/// Claims the name until the descriptor is closed; `None` where another process has it, or there are no such names.
///
/// It is an abstract address of unix(7): no file is left behind.
#[cfg(target_os = "linux")]
pub fn claim(name: &str) -> Option<OwnedFd> {
    use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, bind, socket_with};
    let address = SocketAddrUnix::new_abstract_name(name.as_bytes()).ok()?;
    let socket = socket_with(AddressFamily::UNIX, SocketType::DGRAM, SocketFlags::CLOEXEC, None).ok()?;
    bind(&socket, &address).ok().map(|()| socket)
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub fn claim(_: &str) -> Option<OwnedFd> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::claim;

    #[test]
    fn a_name_is_had_once_and_is_free_again() {
        let name = format!("toto-test-{}", std::process::id());
        let first = claim(&name).unwrap();
        assert!(claim(&name).is_none());
        drop(first);
        assert!(claim(&name).is_some());
    }
}
