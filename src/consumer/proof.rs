//! Proves that an agent reads a stream.

use super::platform::{End, Holders, Holds};
use super::process::{Process, somebody_has};
use super::stream::{Fd, Stream, StreamKind};
use crate::agents::Agent;
use crate::glob;
use memchr::memmem;
use std::borrow::Cow;
use thiserror::Error;

/// Why there is no proof.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum NoProof {
    #[error("does not read it")]
    Other,
    #[error("has it as its own standard input or output")]
    Standard,
    /// As a program does, not an agent.
    #[error("reads it as a file named on its command line")]
    Argument,
    /// Nothing else shows that it reads the stream, either.
    #[error("its descriptors cannot be read")]
    Unreadable,
}

/// The proof, in words, that `a`, this agent, reads the stream, or why there is none. `t` is the link of the chain just
/// below it.
pub fn proof(
    agent: &Agent,
    a: &Process,
    t: &Process,
    stream: &Stream,
    holders: &mut Holders,
) -> Result<Cow<'static, str>, NoProof> {
    let passed_on = || t.relays(&stream.identity) == Some(true);
    let lack = match holders.holds(a.pid, stream.fd) {
        Holds::Descriptors(numbers) => return private(a, &numbers),
        Holds::Creator => return Ok("it made the pair of sockets".into()),
        Holds::No => NoProof::Other,
        Holds::Unreadable => match stream.identity.kind {
            StreamKind::Pipe
                if passed_on() && somebody_has(End::Reading, stream.fd, t.pid, holders) == Some(false) =>
            {
                return Ok("its child passes the pipe on, and nobody below reads it".into());
            }
            StreamKind::Terminal
                if passed_on() && t.stat().session == t.pid && a.stat().terminal != t.stat().terminal =>
            {
                return Ok("its child leads a session on a terminal that it opened".into());
            }
            _ => NoProof::Unreadable,
        },
    };
    if stream.identity.kind == StreamKind::File && is_output_file(agent, stream) && passed_on() {
        return Ok("it reads the files of this path back".into());
    }
    Err(lack)
}

/// Whether this process, agent or not, holds the other end as an agent does: for itself alone.
pub fn holds_for_itself(a: &Process, fd: Fd, holders: &mut Holders) -> bool {
    match holders.holds(a.pid, fd) {
        Holds::Descriptors(numbers) => private(a, &numbers).is_ok(),
        Holds::Creator => true,
        Holds::No | Holds::Unreadable => false,
    }
}

/// Whether the stream's path is one of the files that the agent reads back.
pub fn is_output_file(agent: &Agent, stream: &Stream) -> bool {
    agent.command.output_files.iter().any(|pattern| glob::matches(pattern, &stream.link))
}

/// The proof by these descriptors, if they are for `a` alone. A program has what it reads as its standard input, or
/// named on its command line: in `exec prog < <(aws …)` and `prog <(aws …)` the shell becomes `prog`, which is then
/// our parent and reads us. An agent has it in neither place.
fn private(a: &Process, descriptors: &[i32]) -> Result<Cow<'static, str>, NoProof> {
    const STANDARD: i32 = 2;
    if descriptors.iter().any(|&number| number <= STANDARD) {
        return Err(NoProof::Standard);
    }
    if descriptors.iter().any(|&number| is_argument(a, number)) {
        return Err(NoProof::Argument);
    }
    let number = descriptors.first().ok_or(NoProof::Other)?;
    Ok(format!("it holds the other end as descriptor {number}").into())
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
