//! `TOTO_EYES`: an agent's hook hands down the identity of its own descriptors.

use super::stream::{Kind, Stream};
use crate::env;
use std::os::unix::ffi::OsStrExt;

/// Does `TOTO_EYES` name this stream?
pub fn names(stream: &Stream) -> bool {
    std::env::var_os(env::TOTO_EYES).is_some_and(|list| lists(list.as_bytes(), stream))
}

/// `dev:ino` as `stat -Lc %d:%i` prints it; for a pipe or socket also the text of its link.
fn lists(list: &[u8], stream: &Stream) -> bool {
    let identity = &stream.identity;
    let numbers = format!("{}:{}", identity.device, identity.inode);
    let link = match identity.kind {
        Kind::Pipe => format!("pipe:[{}]", identity.inode),
        Kind::Socket => format!("socket:[{}]", identity.inode),
        Kind::Closed => return false,
        _ => numbers.clone(),
    };
    list.split(|&b| b == b',').any(|entry| entry == numbers.as_bytes() || entry == link.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consumer::stream::{Fd, Identity};

    fn stream(kind: Kind) -> Stream {
        let identity = Identity { kind, device: 14, inode: 4711, special: 0 };
        Stream { fd: Fd::Stdout, owner: None, identity, link: Vec::new() }
    }

    #[test]
    fn by_numbers_or_by_link() {
        assert!(lists(b"1:2,14:4711", &stream(Kind::Pipe)));
        assert!(lists(b"pipe:[4711]", &stream(Kind::Pipe)));
        assert!(lists(b"socket:[4711],", &stream(Kind::Socket)));
        assert!(lists(b"14:4711", &stream(Kind::File)));
    }

    #[test]
    fn nothing_near_it() {
        for list in [&b""[..], b",", b"14:471", b"4:4711", b"pipe:[471]", b"14:47110", b"socket:[4711]"] {
            assert!(!lists(list, &stream(Kind::Pipe)), "{}", list.escape_ascii());
        }
        assert!(!lists(b"14:4711", &stream(Kind::Closed)));
    }
}
