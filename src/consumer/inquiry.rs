//! Finds out who reads a stream: the decision table of `docs/who-reads.md`, from top to bottom.

use super::platform::{self, Holders, Holds, comm};
use super::process::{Chain, Process};
use super::processes::{INITS, argv0, is_in, is_never};
use super::proof::{NoProof, holds_for_itself, is_output_file, proof};
use super::recognise::{Recognised, mark_of, marked, recognise};
use super::second_look::Reader;
use super::stream::{Fd, Identity, Stream, StreamKind};
use super::trace::{Trace, describe};
use super::veto::{harness_mark, veto, veto_between};
use super::window::{self, Window};
use super::{eyes, eyes::Word};
use crate::agents::{self, Agent};
use serde::Serialize;
use std::fmt;

/// Who reads a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Consumer {
    /// An agent, for its model's eyes: proved.
    Agent,
    /// A program or a file; also an agent that made the call for itself.
    Program,
    /// A terminal that no agent reads.
    Person,
    /// Not known: processes are hidden.
    Unknown,
}

impl fmt::Display for Consumer {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Agent => "an agent",
            Self::Program => "a program",
            Self::Person => "a person",
            Self::Unknown => "unknown",
        })
    }
}

/// Who reads a stream, as far as it is proved.
#[derive(Clone, Copy, Debug)]
pub struct Finding {
    pub consumer: Consumer,
    pub agent: Option<&'static Agent>,
    /// The agent's process, for the second look; `None` where something else proved it.
    pub reader: Option<Reader>,
}

impl Finding {
    fn of(consumer: Consumer) -> Self {
        Self { consumer, agent: None, reader: None }
    }
}

/// What has been read about processes, once for all streams.
pub struct Inquiry<'t> {
    trace: &'t mut Trace,
    chain: Option<Chain>,
    holders: Option<Holders>,
    unread: bool,
    met_agent: bool,
}

impl<'t> Inquiry<'t> {
    pub fn new(trace: &'t mut Trace) -> Self {
        Self { trace, chain: None, holders: None, unread: false, met_agent: false }
    }

    /// Finds out who reads this stream of ours.
    pub fn reader_of(&mut self, stream: &Stream) -> Finding {
        self.trace.step(stream.fd, || ("the stream".into(), stream.to_string()));
        if let Some(why) = unread_by_eyes(stream) {
            self.trace.step(stream.fd, || ("the stream".into(), why.into()));
            return Finding::of(Consumer::Program);
        }
        let shell = match eyes::hands_down(stream) {
            Some(Word::Host) => {
                self.trace.step(stream.fd, || (crate::env::TOTO_EYES.into(), "names it: an agent's".into()));
                let agent = self.chain().and_then(|chain| marked(&chain.links[0]));
                return Finding { agent, ..Finding::of(Consumer::Agent) };
            }
            Some(Word::Shell(shell)) => {
                self.trace.step(stream.fd, || {
                    (crate::env::TOTO_EYES.into(), format!("process {shell} was given it"))
                });
                Some(shell)
            }
            None => None,
        };
        if self.chain().is_none() {
            self.trace.step(stream.fd, || ("/proc".into(), "does not show our processes".into()));
            let is_proved = shell.is_some() && !eyes::may_be_shared(stream);
            let consumer = if is_proved { Consumer::Agent } else { Consumer::Unknown };
            return Finding::of(consumer);
        }
        self.unread = false;
        let seen = self.walk(stream).or_else(|| self.exception(stream));
        let finding = seen.or_else(|| self.agreed(stream, shell?)).unwrap_or_else(|| {
            Finding::of(match stream.identity.kind {
                _ if self.unread => Consumer::Unknown,
                StreamKind::Terminal => Consumer::Person,
                _ => Consumer::Program,
            })
        });
        self.trace.step(stream.fd, || ("verdict".into(), finding.consumer.to_string()));
        finding
    }

    /// The finding by a shell's word (`TOTO_EYES`), where no agent was found to read the stream. Where every
    /// process can be seen, that shell or a process above it has to hold the other end; where not, the shell's word
    /// is enough.
    fn agreed(&mut self, stream: &Stream, shell: i32) -> Option<Finding> {
        let Self { trace, chain, holders, unread, .. } = self;
        let chain = chain.as_mut()?;
        let at = chain.all().iter().position(|link| link.pid == shell);
        let (hidden, links) = (*unread || chain.is_cut, chain.all());
        let holders = holders.get_or_insert_with(|| Holders::of(streams_beside(stream)));
        let above = at.map_or(&[][..], |at| &links[at..]);
        let reader = above.iter().find(|a| !is_never(a) && holds_for_itself(a, stream.fd, holders));
        match reader {
            Some(a) => {
                trace.step(stream.fd, || (describe(a), "reads it; the other is its child, or itself".into()));
            }
            None if hidden && at.is_some() && !eyes::may_be_shared(stream) => {}
            None => {
                trace.step(stream.fd, || ("but".into(), "nobody from there up reads it".into()));
                return None;
            }
        }
        Some(Finding { agent: marked(&links[0]), ..Finding::of(Consumer::Agent) })
    }

    /// The window at descriptor 1, where an agent may read the pipe through viewers. [`Window::look`] tells who
    /// these are.
    pub fn window(&mut self, out: &Stream) -> Option<(Window, Option<&'static Agent>)> {
        let may_be_read = self.met_agent || std::env::var_os(crate::env::TOTO_EYES).is_some();
        if out.identity.kind != StreamKind::Pipe {
            return None;
        }
        let chain = self.chain()?;
        if !may_be_read && !may_hold(chain) {
            return None;
        }
        let (index, eyes, writers) = window::command_line(chain, out, may_be_read)?;
        let shell = chain.links[index].pid;
        self.trace.step(out.fd, || ("a window?".into(), format!("process {shell} runs the command line")));
        self.holders = None; // these are of other streams
        let finding = self.reader_of(&eyes);
        self.holders = None;
        let agent = finding.reader.map(|reader| reader.process);
        let is_agents =
            finding.consumer == Consumer::Agent && window::is_the_agents_own(self.chain()?, index, agent);
        let window = Window { pipe: out.clone(), shell, eyes, reader: finding.reader, writers };
        is_agents.then_some((window, finding.agent))
    }

    fn chain(&mut self) -> Option<&mut Chain> {
        if self.chain.is_none() {
            self.chain = Chain::new();
        }
        self.chain.as_mut()
    }

    /// Walks up the chain, nearest link first, to the first agent that reads the stream.
    fn walk(&mut self, stream: &Stream) -> Option<Finding> {
        let Self { trace, chain, holders, unread, met_agent } = self;
        let chain = chain.as_mut()?;
        let fd = stream.fd;
        let mut index = 0;
        loop {
            index += 1;
            if !chain.reaches(index) {
                *unread |= chain.is_cut;
                return None;
            }
            let (a, t) = (&chain.links[index], &chain.links[index - 1]);
            let Some(found) = recognise(a, t) else {
                trace.step(fd, || (describe(a), "no agent".into()));
                continue;
            };
            *met_agent = true;
            trace.step(fd, || (describe(a), recognition(&found)));
            let holders = holders.get_or_insert_with(|| Holders::of(streams_beside(stream)));
            let proof = match proof(found.agent, a, t, stream, holders) {
                Ok(proof) => proof,
                Err(lack) => {
                    *unread |= lack == NoProof::Unreadable;
                    trace.step(fd, || (describe(a), lack.to_string()));
                    continue;
                }
            };
            trace.step(fd, || (describe(a), format!("reads it: {proof}")));
            let reader = Some(Reader::new(a, t));
            let consumer = match veto(found.agent, chain, index) {
                Some(veto) => {
                    trace.step(fd, || ("but".into(), veto));
                    Consumer::Program
                }
                None => Consumer::Agent,
            };
            return Some(Finding { consumer, agent: Some(found.agent), reader });
        }
    }

    /// Two cases that the walk up the chain cannot see: an agent outside our PID namespace, and an agent that is no
    /// ancestor because our shell has ended.
    fn exception(&mut self, stream: &Stream) -> Option<Finding> {
        let chain = self.chain.as_mut()?;
        let found = sandbox(chain, stream).or_else(|| orphan(chain, stream));
        let (agent, reader, words) = found?;
        self.trace.step(stream.fd, || words);
        Some(Finding { agent: Some(agent), reader, ..Finding::of(Consumer::Agent) })
    }
}

/// Why nobody's eyes can be at the other end; None where they can.
fn unread_by_eyes(stream: &Stream) -> Option<&'static str> {
    match stream.identity.kind {
        StreamKind::Closed | StreamKind::Null => Some("nobody reads it"),
        StreamKind::Fifo => Some("anybody may read it: a program"),
        StreamKind::Other => Some("a device: no eyes"),
        StreamKind::Socket if Identity::of(Fd::Stdin).is(&stream.identity) => {
            Some("also standard input: a protocol, so a program")
        }
        _ => None,
    }
}

/// The stream, and our other output stream if that leads elsewhere: one pass over a table serves both.
fn streams_beside(stream: &Stream) -> Vec<Stream> {
    let other = Stream::of(if stream.fd == Fd::Stdout { Fd::Stderr } else { Fd::Stdout });
    let mut streams = vec![stream.clone()];
    if other.has_reader() && !other.identity.is(&stream.identity) {
        streams.push(other);
    }
    streams
}

fn recognition(found: &Recognised) -> String {
    match (found.by_mark_alone, found.mark) {
        (false, Some(mark)) => format!("{}, by its name and {mark}", found.agent.title),
        (false, None) => format!("{}, by its name", found.agent.title),
        (true, mark) => format!("{}: it set {}", found.agent.title, mark.unwrap_or_default()),
    }
}

/// An agent that was proved to be the reader; its process, where it can be seen; the words for the trace.
type Found = (&'static Agent, Option<Reader>, (String, String));

/// Whether one of the two exceptions may be found for any stream, as far as that can be told without one.
fn may_hold(chain: &mut Chain) -> bool {
    let [ourselves, above @ ..] = chain.all() else { return false };
    let (Some(parent), Some(top)) = (above.first(), above.last()) else { return false };
    is_adopted(parent)
        || agents::all().any(|agent| {
            let reads_files = !agent.command.output_files.is_empty();
            launches(top, agent) || reads_files && mark_of(agent, ourselves).is_some()
        })
}

/// The agent whose sandbox launcher is pid 1 of our PID namespace, where every process up to that one passes the
/// stream on. Or the agent whose output file the stream is, where its mark is set and the topmost process below pid
/// 1 passes the stream on.
fn sandbox(chain: &mut Chain, stream: &Stream) -> Option<Found> {
    let [ourselves, above @ ..] = chain.all() else { return None };
    let (top, below) = above.split_last()?;
    if top.pid != 1 {
        return None;
    }
    let passes = |process: &Process| process.relays(&stream.identity) == Some(true);
    let agent = agents::all().find(|agent| {
        if harness_mark(agent, ourselves).is_some() {
            return false;
        }
        launches(top, agent) && above.iter().all(passes)
            || (stream.identity.kind == StreamKind::File
                && is_output_file(agent, stream)
                && mark_of(agent, ourselves).is_some()
                && below.last().is_some_and(passes))
    })?;
    let finding = format!("{}'s sandbox: everything up to here passes the stream on", agent.title);
    Some((agent, None, (describe(top), finding)))
}

/// Whether this is the agent's launcher, by the kernel's name for the process or its own.
fn launches(process: &Process, agent: &Agent) -> bool {
    let is_name = |name: &&str| process.name() == comm(name.as_bytes()) || argv0(process) == name.as_bytes();
    agent.process.launchers.iter().any(is_name)
}

/// Whether our parent has adopted us: ours has ended.
fn is_adopted(parent: &Process) -> bool {
    is_in(INITS, parent.name()) || parent.pid == 1
}

/// The agent that reads the stream although our parent has ended (`cmd &` in a shell that is gone): any process
/// with an agent's name may hold the other end. It is searched for only where an agent's mark is set, since the
/// search is long on a machine with many processes.
fn orphan(chain: &mut Chain, stream: &Stream) -> Option<Found> {
    if !matches!(stream.identity.kind, StreamKind::Pipe | StreamKind::Socket) || !chain.reaches(1) {
        return None;
    }
    let (ourselves, parent) = (&chain.links[0], &chain.links[1]);
    if !is_adopted(parent) {
        return None;
    }
    marked(ourselves)?;
    let mut holders = Holders::of(vec![stream.clone()]);
    for process in platform::everybody().into_iter().filter_map(Process::other) {
        let Some(found) = recognise(&process, ourselves).filter(|found| !found.by_mark_alone) else {
            continue;
        };
        let holds = matches!(holders.holds(process.pid, stream.fd), Holds::Descriptors(_) | Holds::Creator);
        if holds && veto_between(found.agent, &process, None, ourselves).is_none() {
            let finding = format!("{}, by its name; reads it, though it is no ancestor", found.agent.title);
            let reader = Some(Reader::new(&process, ourselves));
            return Some((found.agent, reader, (describe(&process), finding)));
        }
    }
    None
}
