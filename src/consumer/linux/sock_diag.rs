//! Tells which socket is at the other end: `NETLINK_SOCK_DIAG`, `sock_diag(7)`.

use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, netlink, recv, send, socket_with,
};
use std::mem::MaybeUninit;

/// Header of a netlink message, then `struct unix_diag_req`.
const REQUEST_LENGTH: usize = 40;
/// Header of a netlink message, then `struct unix_diag_msg`, then attributes.
const ATTRIBUTES_AT: usize = 32;
pub const SOCK_DIAG_BY_FAMILY: u16 = 20;
const NLM_F_REQUEST: u16 = 1;
const AF_UNIX: u8 = 1;
const UDIAG_SHOW_PEER: u32 = 4;
const UNIX_DIAG_PEER: u16 = 2;
const ANY: [u8; 4] = [0xff; 4];

/// Inode number of the peer of the Unix socket with this inode number; `None` when it has none, is no Unix socket,
/// belongs to another network namespace, or the kernel does not tell.
pub fn unix_peer(inode: u32) -> Option<u32> {
    let (flags, protocol) = (SocketFlags::CLOEXEC, Some(netlink::SOCK_DIAG));
    let socket = socket_with(AddressFamily::NETLINK, SocketType::RAW, flags, protocol).ok()?;
    send(&socket, &request(inode), SendFlags::empty()).ok()?;
    let mut buffer = [MaybeUninit::uninit(); 1024];
    let ((answer, _), _) = recv(&socket, &mut buffer, RecvFlags::empty()).ok()?;
    peer_in(answer)
}

fn request(inode: u32) -> [u8; REQUEST_LENGTH] {
    let mut bytes = [0; REQUEST_LENGTH];
    let mut put = |at: usize, field: &[u8]| bytes[at..at + field.len()].copy_from_slice(field);
    put(0, &(REQUEST_LENGTH as u32).to_ne_bytes());
    put(4, &SOCK_DIAG_BY_FAMILY.to_ne_bytes());
    put(6, &NLM_F_REQUEST.to_ne_bytes());
    put(16, &[AF_UNIX]);
    put(20, &ANY); // in every state
    put(24, &inode.to_ne_bytes());
    put(28, &UDIAG_SHOW_PEER.to_ne_bytes());
    put(32, &ANY); // no cookie
    put(36, &ANY);
    bytes
}

/// The peer among the attributes of an answer; `None` for an error message, which has another type.
pub fn peer_in(answer: &[u8]) -> Option<u32> {
    if answer.get(4..6)? != SOCK_DIAG_BY_FAMILY.to_ne_bytes() {
        return None;
    }
    let mut rest = answer.get(ATTRIBUTES_AT..)?;
    while let [l0, l1, t0, t1, value @ ..] = rest {
        let length = usize::from(u16::from_ne_bytes([*l0, *l1]));
        if u16::from_ne_bytes([*t0, *t1]) == UNIX_DIAG_PEER && length >= 8 {
            return value.first_chunk().map(|bytes| u32::from_ne_bytes(*bytes));
        }
        if length < 4 {
            return None;
        }
        rest = rest.get(length.next_multiple_of(4)..)?;
    }
    None
}
