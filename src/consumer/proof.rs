//! Proves that an agent reads a stream.

use super::holds::{End, Holds, How};
use super::platform::Holders;
use super::process::Process;
use super::stream::{Fd, Kind, Stream};
use super::tree::somebody;
use crate::agents::Agent;
use crate::glob;
use crate::sys::kin::own_pid;
use memchr::memmem;
use std::fmt;

/// What proves that the agent reads the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// It holds the other end by this descriptor.
    Descriptor(i32),
    /// It made the pair of sockets.
    Creator,
    /// Its descriptors are unreadable, its child passes the stream on, and nobody below that child reads it.
    NobodyElse,
    /// Its descriptors are unreadable, and its child leads a session on this terminal, which is not the agent's
    /// own.
    OwnTerminal,
    /// The stream is a file of a path that the agent reads back.
    OutputFile,
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Descriptor(number) => write!(f, "it holds the other end as descriptor {number}"),
            Self::Creator => f.write_str("it made the pair of sockets"),
            Self::NobodyElse => f.write_str("its child passes the pipe on, and nobody below reads it"),
            Self::OwnTerminal => f.write_str("its child leads a session on a terminal that it opened"),
            Self::OutputFile => f.write_str("it reads the files of this path back"),
        }
    }
}

/// Why there is no proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoProof {
    /// It does not read the stream.
    Other,
    /// It has the stream as its own standard input or output.
    Standard,
    /// It reads the stream as its command line told it to: as a program does.
    Argument,
    /// Its descriptors cannot be read, and nothing else shows that it reads the stream.
    Unreadable,
}

impl fmt::Display for NoProof {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Other => "does not read it",
            Self::Standard => "has it as its own standard input or output",
            Self::Argument => "reads it as a file named on its command line",
            Self::Unreadable => "its descriptors cannot be read",
        })
    }
}

/// The proof that `a`, this agent, reads the stream, or why there is none. `t` is the link of the chain just below
/// it.
pub fn proof(
    agent: &Agent,
    a: &Process,
    t: &Process,
    stream: &Stream,
    holders: &mut Holders,
) -> Result<Proof, NoProof> {
    let passed_on = || t.relays(&stream.identity) == Some(true);
    let lack = match holders.holds(a.pid, stream.fd) {
        Holds::Yes(How::Descriptors(numbers)) => return private(a, &numbers),
        Holds::Yes(How::Creator) => return Ok(Proof::Creator),
        Holds::No => NoProof::Other,
        Holds::Unreadable => match stream.identity.kind {
            Kind::Pipe if passed_on() && nobody_reads(t, stream, holders) => return Ok(Proof::NobodyElse),
            Kind::Terminal if passed_on() && t.leads_session() && a.terminal() != t.terminal() => {
                return Ok(Proof::OwnTerminal);
            }
            _ => NoProof::Unreadable,
        },
    };
    if stream.identity.kind == Kind::File && is_output_file(agent, stream) && passed_on() {
        return Ok(Proof::OutputFile);
    }
    Err(lack)
}

/// Whether this process, agent or not, holds the other end as an agent does: for itself alone.
pub fn holds_for_itself(a: &Process, fd: Fd, holders: &mut Holders) -> bool {
    match holders.holds(a.pid, fd) {
        Holds::Yes(How::Descriptors(numbers)) => private(a, &numbers).is_ok(),
        Holds::Yes(How::Creator) => true,
        Holds::No | Holds::Unreadable => false,
    }
}

/// Whether the stream's path is one of the files that the agent reads back.
pub fn is_output_file(agent: &Agent, stream: &Stream) -> bool {
    agent.output_files.iter().any(|pattern| glob::matches(pattern, &stream.link))
}

/// The proof by these descriptors, if they are for `a` alone. A program has what it reads as its standard input, or
/// named on its command line: in `exec prog < <(aws …)` and `prog <(aws …)` the shell becomes `prog`, which is then
/// our parent and reads us. An agent has it in neither place.
fn private(a: &Process, descriptors: &[i32]) -> Result<Proof, NoProof> {
    const STANDARD: i32 = 2;
    if descriptors.iter().any(|&number| number <= STANDARD) {
        return Err(NoProof::Standard);
    }
    if descriptors.iter().any(|&number| is_argument(a, number)) {
        return Err(NoProof::Argument);
    }
    descriptors.first().map(|&number| Proof::Descriptor(number)).ok_or(NoProof::Other)
}

/// Whether an argument names this descriptor, as `/dev/fd/63` does.
fn is_argument(a: &Process, descriptor: i32) -> bool {
    let number = descriptor.to_string();
    ["/dev/fd/", "/proc/self/fd/"].iter().any(|folder| {
        memmem::find_iter(a.arguments(), folder).any(|at| {
            let digits = a.arguments()[at + folder.len()..].split(|b| !b.is_ascii_digit()).next();
            digits == Some(number.as_bytes())
        })
    })
}

fn nobody_reads(t: &Process, stream: &Stream, holders: &Holders) -> bool {
    let ourselves = own_pid();
    let reads = |pid| {
        if pid == ourselves { Some(false) } else { holders.has_end(pid, stream.fd, End::Reading, false) }
    };
    somebody(vec![t.pid], reads) == Some(false)
}
