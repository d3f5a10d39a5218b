//! `TOTO_EYES`: an agent's host or shell hands down which streams are for the agent's eyes.
//!
//! `14:4711,14:4712` is a host's word for the streams of the one command that it runs, and is taken as it is.
//!
//! `14:4711,14:4712@230+1763784000123456` is a shell's word: the streams as `stat -Lc %d:%i` prints them (for a
//! pipe or socket also the text of its link, `pipe:[4711]`), after `@` the process id of the shell, after `+` the
//! time in microseconds since the epoch. A value outlives the streams that it names, so each part has to hold now:
//!
//! - the process is this one, its parent, or one of the same session, which excludes a daemon that an earlier
//!   command left and another terminal (tmux);
//! - the stream has that device and inode number, and is no file that was made after the value: a file's number
//!   is given anew once the file is gone.

use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::parent_id;

use super::stream::{Fd, Identity, Stream, StreamKind};
use crate::env;
use crate::sys::{files, kin::own_pid, session};

/// Who says that a stream is an agent's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// A host, for its own command.
    Host,
    /// The shell with this process id; its word has to agree with what is seen.
    Shell(i32),
}

/// Who hands the stream down as an agent's, if the variable's value holds.
pub fn hands_down(stream: &Stream) -> Option<Word> {
    let value = std::env::var_os(env::TOTO_EYES)?;
    let value = value.as_bytes();
    let Some(at) = memchr::memrchr(b'@', value) else {
        return lists(value, stream).then_some(Word::Host);
    };
    let (process, time) = given_by(&value[at + 1..])?;
    let holds = lists(&value[..at], stream) && is_above(process) && is_as_old(stream, time);
    holds.then_some(Word::Shell(process))
}

/// Whether our parent is the agent's own shell, which has set the variable and has the words of the list.
pub fn parent_is_agents_shell() -> bool {
    let value = std::env::var_os(env::TOTO_EYES).unwrap_or_default();
    let shell = memchr::memrchr(b'@', value.as_bytes()).and_then(|at| given_by(&value.as_bytes()[at + 1..]));
    shell.is_some_and(|(process, _)| process == parent_id() as i32)
}

/// Whether somebody other than the agent may look at the stream. A shell in tmux was given tmux's terminal, and
/// whoever attaches to tmux looks at that.
pub fn may_be_shared(stream: &Stream) -> bool {
    stream.identity.kind == StreamKind::Terminal
        && env::MULTIPLEXERS.iter().any(|variable| std::env::var_os(variable).is_some())
}

/// The value of the variable, without the process, for our descriptors 3 and 4, where a shell has put its 1 and 2.
/// With `unless_fed` it is empty where standard input is a pipe or socket, since that shell may be a hook's.
pub fn value_of_streams(unless_fed: bool) -> String {
    if unless_fed && matches!(Identity::of(Fd::Stdin).kind, StreamKind::Pipe | StreamKind::Socket) {
        return String::new();
    }
    let both = [3, 4].into_iter().filter_map(files::identity);
    both.map(|(device, inode)| format!("{device}:{inode}")).collect::<Vec<_>>().join(",")
}

/// The process and the time behind the `@`, in microseconds since the epoch; no time where the shell has no clock.
pub(super) fn given_by(text: &[u8]) -> Option<(i32, Option<u64>)> {
    let text = std::str::from_utf8(text).ok()?;
    let (process, time) = match text.split_once('+') {
        Some((process, time)) => (process, Some(time.get(..16)?.parse().ok()?)),
        None => (text, None),
    };
    Some((process.parse().ok().filter(|process| *process > 1)?, time))
}

/// Whether the stream is at least as old as the value. Pipes, sockets and pseudo-terminals that were given to this
/// session last as long as the session; a file's number may be another file's by now.
fn is_as_old(stream: &Stream, time: Option<u64>) -> bool {
    let made = || stream.owner.is_none().then(|| files::made(stream.fd.number())).flatten();
    stream.identity.kind != StreamKind::File || made().zip(time).is_some_and(|(made, time)| made <= time)
}

pub(super) fn lists(streams: &[u8], stream: &Stream) -> bool {
    let identity = &stream.identity;
    let numbers = format!("{}:{}", identity.device, identity.inode);
    let link = match identity.kind {
        StreamKind::Pipe => format!("pipe:[{}]", identity.inode),
        StreamKind::Socket => format!("socket:[{}]", identity.inode),
        StreamKind::Closed => return false,
        _ => numbers.clone(),
    };
    streams.split(|&b| b == b',').any(|entry| entry == numbers.as_bytes() || entry == link.as_bytes())
}

/// Whether the process is alive and its word counts here.
fn is_above(process: i32) -> bool {
    process == own_pid()
        || process == parent_id() as i32
        || session::of(process).is_some_and(|theirs| session::of(0) == Some(theirs))
}
