//! The second look at who reads, when the tool has ended and before anything is written.
//!
//! An agent that connects `p1 | p2` itself still holds the read end when p1's shim asks who reads. By the second
//! look p2 has it.

use super::platform::{self, End, Holders, Holds};
use super::process::{MOST, Process, somebody};
use super::stream::{Stream, StreamKind};
use crate::sys::kin::own_pid;

/// Descendants of the agent that began this much earlier than our branch of them cannot have been given a pipe that
/// was made for our branch; in hundredths of a second.
const MARGIN: u64 = 100;

/// The agent that was found to read a stream.
#[derive(Clone, Copy, Debug)]
pub struct Reader {
    pub process: i32,
    child: i32,
    child_started: u64,
}

impl Reader {
    /// `agent` reads the stream, `child` is the link of our chain just below it.
    pub fn new(agent: &Process, child: &Process) -> Self {
        Self { process: agent.pid, child: child.pid, child_started: child.stat().started }
    }

    /// Whether the agent still holds its end of the stream and none of its other descendants does.
    pub fn still_reads(&self, stream: &Stream) -> bool {
        if !matches!(stream.identity.kind, StreamKind::Pipe | StreamKind::Socket) {
            return true; // terminals and files have no end to hand on
        }
        let fd = stream.fd;
        let mut holders = Holders::of(vec![stream.clone()]);
        if holders.holds(self.process, fd) == Holds::No {
            return false;
        }
        let ourselves = own_pid();
        let leaked = holders.has_end(ourselves, fd, End::Reading, false) == Some(true);
        let Some(mut others) = platform::children(self.process) else { return false };
        let may_have_it = |process: Process| process.stat().started + MARGIN >= self.child_started;
        others.retain(|&pid| {
            pid != self.child && pid != ourselves && Process::other(pid).is_some_and(may_have_it)
        });
        somebody(None, MOST, others, |pid| holders.has_end(pid, fd, End::Reading, leaked)) == Some(false)
    }
}
