use crate::consumer::eyes::{self, given_by};
use crate::consumer::stream::{Fd, Identity, Stream, StreamKind};

fn lists(streams: &str, kind: StreamKind) -> bool {
    let identity = Identity { kind, device: 14, inode: 4711, special: 0 };
    let stream = Stream { fd: Fd::Stdout, owner: None, identity, link: Vec::new() };
    eyes::lists(streams.as_bytes(), &stream)
}

#[test]
fn by_numbers_or_by_link_and_nothing_near_it() {
    assert!(lists("1:2,14:4711", StreamKind::Pipe) && lists("pipe:[4711]", StreamKind::Pipe));
    assert!(lists("socket:[4711],", StreamKind::Socket) && lists("14:4711", StreamKind::File));
    for list in ["", ",", "14:471", "4:4711", "pipe:[471]", "14:47110", "socket:[4711]"] {
        assert!(!lists(list, StreamKind::Pipe), "{list}");
    }
    assert!(!lists("14:4711", StreamKind::Closed));
}

#[test]
fn a_shells_word_without_a_process_proves_nothing() {
    for text in ["", "x", "0", "1", "-4", "230+12"] {
        assert!(given_by(text.as_bytes()).is_none(), "{text}");
    }
}
