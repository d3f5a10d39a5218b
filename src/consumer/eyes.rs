//! `TOTO_EYES`: an agent's host or shell hands down which streams are for the agent's eyes.
//!
//! `14:4711,14:4712` is a host's word for the streams of the one command that it runs, and is taken as it is.
//!
//! `14:4711,14:4712@230+1763784000123456` is a shell's: the streams as `stat -Lc %d:%i` prints them (of a pipe or socket also
//! `pipe:[4711]`, the text of its link), behind `@` the process that says so, behind `+` when, in microseconds since the
//! epoch. A value outlives what it speaks of, so each part has to hold now:
//!
//! - the process is this one, its parent, or of its session: not a daemon's past, not another terminal's (tmux);
//! - the stream has that number, and is no file that was made since: a file's number is given anew once it is gone.

use std::os::unix::ffi::OsStrExt;

use rustix::process::{Pid, getpid, getppid};

use super::stream::{Fd, Identity, Kind, Stream};
use crate::env;
use crate::sys::{files, session};

/// Whose word it is that a stream is an agent's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// A host's, for its own command.
    Host,
    /// That of the shell of this process id: it has to agree with what is seen.
    Shell(i32),
}

/// Who hands the stream down as an agent's, by a value that holds.
pub fn hands_down(stream: &Stream) -> Option<Word> {
    let value = std::env::var_os(env::TOTO_EYES)?;
    let value = value.as_bytes();
    if memchr::memchr(b'@', value).is_none() {
        return lists(value, stream).then_some(Word::Host);
    }
    let eyes = Eyes::of(value)?;
    let holds = lists(eyes.streams, stream) && is_above(eyes.process) && eyes.is_as_old(stream);
    holds.then_some(Word::Shell(eyes.process))
}

/// May somebody other than the agent look at it? A shell in tmux was given tmux's terminal, and whoever attaches looks at that.
pub fn may_be_shared(stream: &Stream) -> bool {
    stream.identity.kind == Kind::Terminal
        && env::MULTIPLEXERS.iter().any(|variable| std::env::var_os(variable).is_some())
}

/// The value for the streams 3 and 4 of ours, which a shell has put its 1 and 2 there; without the process. Nothing where
/// standard input is a pipe or socket and that shell may be a hook's (`unless_fed`).
pub fn value_of_streams(unless_fed: bool) -> String {
    if unless_fed && matches!(Identity::of(Fd::Stdin).kind, Kind::Pipe | Kind::Socket) {
        return String::new();
    }
    let both = [3, 4].into_iter().filter_map(files::identity);
    both.map(|(device, inode)| format!("{device}:{inode}")).collect::<Vec<_>>().join(",")
}

struct Eyes<'a> {
    streams: &'a [u8],
    process: i32,
    /// Microseconds since the epoch; None where the shell has no clock.
    time: Option<u64>,
}

impl<'a> Eyes<'a> {
    fn of(value: &'a [u8]) -> Option<Self> {
        let at = memchr::memrchr(b'@', value)?;
        let text = std::str::from_utf8(&value[at + 1..]).ok()?;
        let (process, time) = match text.split_once('+') {
            Some((process, time)) => (process, Some(time.get(..16)?.parse().ok()?)),
            None => (text, None),
        };
        let process = process.parse().ok().filter(|process| *process > 1)?;
        Some(Self { streams: &value[..at], process, time })
    }

    /// Pipes, sockets and pseudo-terminals that somebody of this session was given are there as long as it is. A file's
    /// number may be another file's by now.
    fn is_as_old(&self, stream: &Stream) -> bool {
        let made = || stream.owner.is_none().then(|| files::made(stream.fd.number())).flatten();
        stream.identity.kind != Kind::File || made().zip(self.time).is_some_and(|(made, time)| made <= time)
    }
}

fn lists(streams: &[u8], stream: &Stream) -> bool {
    let identity = &stream.identity;
    let numbers = format!("{}:{}", identity.device, identity.inode);
    let link = match identity.kind {
        Kind::Pipe => format!("pipe:[{}]", identity.inode),
        Kind::Socket => format!("socket:[{}]", identity.inode),
        Kind::Closed => return false,
        _ => numbers.clone(),
    };
    streams.split(|&b| b == b',').any(|entry| entry == numbers.as_bytes() || entry == link.as_bytes())
}

/// Is it alive, and one whose word counts here?
fn is_above(process: i32) -> bool {
    let is = |pid: Pid| pid.as_raw_nonzero().get() == process;
    is(getpid())
        || getppid().is_some_and(is)
        || session::of(process).is_some_and(|theirs| session::of(0) == Some(theirs))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(kind: Kind) -> Stream {
        let identity = Identity { kind, device: 14, inode: 4711, special: 0 };
        Stream { fd: Fd::Stdout, owner: None, identity, link: Vec::new() }
    }

    fn lists(streams: &str, kind: Kind) -> bool {
        let value = format!("{streams}@230+1763784000123456");
        super::lists(Eyes::of(value.as_bytes()).unwrap().streams, &stream(kind))
    }

    #[test]
    fn by_numbers_or_by_link() {
        assert!(lists("1:2,14:4711", Kind::Pipe));
        assert!(lists("pipe:[4711]", Kind::Pipe));
        assert!(lists("socket:[4711],", Kind::Socket));
        assert!(lists("14:4711", Kind::File));
    }

    #[test]
    fn nothing_near_it() {
        for list in ["", ",", "14:471", "4:4711", "pipe:[471]", "14:47110", "socket:[4711]"] {
            assert!(!lists(list, Kind::Pipe), "{list}");
        }
        assert!(!lists("14:4711", Kind::Closed));
    }

    #[test]
    fn a_shells_word_without_a_process_proves_nothing() {
        for value in
            ["", "14:4711", "14:4711@", "14:4711@x", "14:4711@0", "14:4711@1", "14:4711@-4", "14:4711@230+12"]
        {
            assert!(Eyes::of(value.as_bytes()).is_none(), "{value}");
        }
    }

    #[test]
    fn whose_word_counts() {
        let own = getpid().as_raw_nonzero().get();
        assert!(is_above(own) && is_above(getppid().unwrap().as_raw_nonzero().get()));
        assert!(!is_above(i32::MAX));
    }
}
