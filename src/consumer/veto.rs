//! Vetoes: reasons why output that an agent reads is not for its model. Hooks, protocol servers, credential helpers
//! and the agent's own calls of git are children of the same process, over the same kinds of pipe.

use super::platform::{self, End, Holders};
use super::process::{Chain, Process, somebody_has};
use super::processes::{is_shell, reads_commands};
use super::recognise::{introduced, tool_mark};
use super::stream::{Fd, Stream, StreamKind};
use crate::agents::{Agent, Suffix};
use memchr::memmem;

/// The reason against link `index` of the chain, an agent that reads our output; None where there is none.
pub fn veto(agent: &Agent, chain: &mut Chain, index: usize) -> Option<String> {
    // The agent's own parent is needed where the agent's environment cannot be read.
    chain.reaches(index + 1);
    let links = &chain.links;
    veto_between(agent, &links[index], links.get(index + 1), &links[index - 1])
}

/// The reason against the agent `a`, whose parent is `above` and whose child on our chain is `t`; None where there
/// is none.
pub fn veto_between(agent: &Agent, a: &Process, above: Option<&Process>, t: &Process) -> Option<String> {
    if let Some(variable) = harness_mark(agent, t) {
        return Some(format!("{variable} marks it as run for the agent itself"));
    }
    let wrapped = |text: &str| is_shell(t) && memmem::find(t.arguments(), text.as_bytes()).is_some();
    let by_value = |value: &Suffix| ends_with(t, value) && introduced(value.variable, a, above, t);
    if agent.command.wrapper.is_some_and(wrapped)
        || agent.marks.tool_value.as_ref().is_some_and(by_value)
        || tool_mark(agent, a, above, t).is_some()
    {
        return None;
    }
    if !shell_between(a, t) {
        return Some("no shell in between, and no mark that only the model's commands carry".into());
    }
    has_private_input(a, t)
        .then(|| "its standard input is a private pipe from the agent: a hook or a server".into())
}

/// The variable by which the agent says that it ran `t` for itself.
pub fn harness_mark(agent: &Agent, t: &Process) -> Option<&'static str> {
    agent.marks.harness_value.as_ref().filter(|value| ends_with(t, value)).map(|value| value.variable)
}

fn ends_with(t: &Process, value: &Suffix) -> bool {
    t.variable(value.variable).is_some_and(|found| found.ends_with(value.suffix.as_bytes()))
}

/// Whether there was a shell between the agent and us, even a shell that became us by `exec`.
///
/// bash, zsh and ksh export the path that they are about to run as `_`; bash, zsh and fish raise SHLVL. dash and
/// busybox leave no trace.
fn shell_between(a: &Process, t: &Process) -> bool {
    if !t.is_ourselves {
        return true;
    }
    let given = a.environment().filter(|given| given.is_whole());
    if let Some(last) = t.variable("_") {
        let path = platform::exec_path();
        if path == Some(&last[..]) || given.is_some_and(|given| given.get("_") != Some(&last)) {
            return true;
        }
    }
    let depth = |value: Option<&[u8]>| -> u32 {
        value.and_then(|v| std::str::from_utf8(v).ok()?.parse().ok()).unwrap_or_default()
    };
    given.is_some_and(|given| depth(t.variable("SHLVL").as_deref()) > depth(given.get("SHLVL")))
}

/// Whether the agent handed its child a pipe or socket of its own as standard input, which we read, too.
///
/// Whether somebody still holds the other end does not matter: a hook's writer may have closed it.
fn has_private_input(a: &Process, t: &Process) -> bool {
    let input = Stream::of(Fd::Stdin);
    if !matches!(input.identity.kind, StreamKind::Pipe | StreamKind::Socket) {
        return false;
    }
    let has_it = |process: &Process| platform::shares(process.pid, &[Fd::Stdin], &input.identity);
    if has_it(a) == Some(true) {
        return false; // the agent's own input, handed on
    }
    if t.is_ourselves {
        return true;
    }
    let from_agent = has_it(t) != Some(false);
    // A persistent shell gets its commands there.
    if !from_agent || reads_commands(t) {
        return false;
    }
    // zsh and ksh run the last stage of a pipeline in the shell itself.
    input.identity.kind != StreamKind::Pipe
        || somebody_has(End::Writing, Fd::Stdin, t.pid, &Holders::of(vec![input])) != Some(true)
}
