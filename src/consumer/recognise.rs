//! Tells whether a process is an agent.

use super::process::{Process, is_set};
use super::processes::{argv0, base, is_never, is_never_by_name, script};
use crate::agents::{self, Agent, STANDARD_MARKS};
use crate::env;
use memchr::memmem;

/// An ancestor that is an agent, and why.
#[derive(Clone, Copy, Debug)]
pub struct Recognised {
    pub agent: &'static Agent,
    /// The mark found in the environment of the chain's link below it.
    pub mark: Option<&'static str>,
    /// Whether only its own mark told, and not its name.
    pub by_mark_alone: bool,
}

/// The agent that `a` is, by its name or by what it put into the environment of `t`, the link just below it.
pub fn recognise(a: &Process, t: &Process) -> Option<Recognised> {
    // Until a new image's stack is laid out, in the middle of execve(2), a process has its new name, and its arguments
    // and its environment read as empty: in `diff <(aws …) <(aws …)` bash may be about to become `diff` while an `aws`
    // asks.
    if is_never_by_name(a) || a.arguments().is_empty() {
        return None;
    }
    let (names, script) = ([a.name(), argv0(a)], script(a));
    let by_name = agents::all().filter(|agent| is_named(a, names, script, agent)).find_map(|agent| {
        let mark = mark_of(agent, t);
        let enough = mark.is_some() || !agent.marks.required;
        enough.then_some(Recognised { agent, mark, by_mark_alone: false })
    });
    by_name.or_else(|| by_mark(a, t))
}

/// Whether the process goes by one of the agent's names.
pub fn goes_by_a_name(process: &Process, agent: &Agent) -> bool {
    let names = [process.name(), argv0(process)];
    !is_never_by_name(process) && is_named(process, names, script(process), agent)
}

/// Whether the process goes by one of the agent's names: by either of its own, or by its script's where an
/// interpreter runs it.
fn is_named(process: &Process, names: [&[u8]; 2], script: Option<&[u8]>, agent: &Agent) -> bool {
    if agent.process.names.iter().any(|name| names.contains(&name.as_bytes())) {
        return !is_never(process);
    }
    script.is_some_and(|path| {
        let file = base(path);
        let stem =
            [&b".js"[..], b".mjs", b".cjs", b".py"].iter().find_map(|suffix| file.strip_suffix(*suffix));
        agent.process.scripts.iter().any(|s| s.as_bytes() == stem.unwrap_or(file))
            || agent.process.packages.iter().any(|package| memmem::find(path, package.as_bytes()).is_some())
    })
}

/// A mark of the agent that is set in the environment of `t`, or a standard mark whose value is the agent's name.
pub fn mark_of(agent: &Agent, t: &Process) -> Option<&'static str> {
    let mut marks = agent.marks.names.iter().chain(agent.marks.tool_only);
    let own = marks.find(|mark| t.variable(mark).is_some_and(|value| is_set(&value))).copied();
    let says_so = |mark: &&str| t.variable(mark).is_some_and(|value| agent.is_called(&value));
    own.or_else(|| STANDARD_MARKS.into_iter().filter(|_| !agent.marks.called.is_empty()).find(says_so))
}

/// An agent whose mark stands in our own environment, whoever put it there: a hint, no proof.
pub fn marked(ourselves: &Process) -> Option<&'static Agent> {
    agents::all().find(|agent| mark_of(agent, ourselves).is_some())
}

/// The agent whose mark `a` put into the environment of `t`, where the agent's table allows the name of `a`.
fn by_mark(a: &Process, t: &Process) -> Option<Recognised> {
    agents::all().filter(|agent| !agent.marks.alone.is_empty()).find_map(|agent| {
        let mut marks = agent.marks.names.iter().chain(agent.marks.tool_only);
        // Our own environment costs nothing to ask. Where a mark was taken out of it (`env -i`), output is raw.
        let mark = marks.find(|mark| std::env::var_os(mark).is_some() && introduced(mark, a, None, t))?;
        let allowed =
            |name: &&str| *name == "*" || name.as_bytes() == a.name() || name.as_bytes() == argv0(a);
        let found = Recognised { agent, mark: Some(mark), by_mark_alone: true };
        (agent.marks.alone.iter().any(allowed) && !is_never(a)).then_some(found)
    })
}

/// The variable by which the agent says that it ran `t` for the model, and which it sets on nothing else. `above`
/// is the agent's own parent.
pub fn tool_mark(agent: &Agent, a: &Process, above: Option<&Process>, t: &Process) -> Option<&'static str> {
    let declared = [env::TOTO_AGENT];
    let mut marks = agent.marks.tool_only.iter().chain(&declared);
    marks.find(|mark| introduced(mark, a, above, t)).copied()
}

/// Whether `a` put this variable, with the value that it has in `t`, into the environment of `t`.
///
/// An agent that was itself started by an agent's tool hands on what it was given: that says nothing about its own
/// children. Where the environment of `a` cannot be read, that of its parent `above` stands for it.
pub fn introduced(variable: &str, a: &Process, above: Option<&Process>, t: &Process) -> bool {
    let Some(value) = t.variable(variable).filter(|value| is_set(value)) else { return false };
    let given = a.environment().or_else(|| above?.environment());
    given.is_some_and(|given| given.is_whole() && given.get(variable) != Some(&value))
}
