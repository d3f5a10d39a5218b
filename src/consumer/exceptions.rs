//! Two cases that the walk up the chain cannot see: an agent outside our PID namespace, and an agent that is no
//! ancestor because our shell has ended.

use super::platform::{self, Holders, Holds, comm};
use super::process::{Chain, Process};
use super::processes::{INITS, argv0, is_in};
use super::proof::is_output_file;
use super::recognise::{mark_of, marked, recognise};
use super::second_look::Reader;
use super::stream::{Kind, Stream};
use super::trace::describe;
use super::veto::{harness_mark, veto_between};
use crate::agents::{self, Agent};

/// An agent that was proved to be the reader; its process, where it can be seen; the words for the trace.
pub type Found = (&'static Agent, Option<Reader>, (String, String));

/// Whether one of the two may be found for any stream, as far as that can be told without one.
pub fn may_hold(chain: &mut Chain) -> bool {
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
pub fn sandbox(chain: &mut Chain, stream: &Stream) -> Option<Found> {
    let links = chain.all();
    let [ourselves, above @ ..] = links else { return None };
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
            || (stream.identity.kind == Kind::File
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
pub fn orphan(chain: &mut Chain, stream: &Stream) -> Option<Found> {
    if !matches!(stream.identity.kind, Kind::Pipe | Kind::Socket) || !chain.reaches(1) {
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
