//! Finds out who reads a stream: an agent's model, a program or a person.
//!
//! Output is raw unless an agent is proved to read it. `docs/who-reads.md` has the rule, and the case that made
//! each part of it necessary.

use std::iter::successors;

use rustix::fd::{AsRawFd, BorrowedFd};
use serde::Serialize;

use crate::agents::{self, Agent};
use crate::env;

mod answers;
mod eyes;
mod inquiry;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(any(target_os = "macos", all(target_os = "linux", debug_assertions)))]
mod macos;
mod platform;
mod process;
mod processes;
mod proof;
mod recognise;
mod second_look;
mod stream;
mod terminal;
mod trace;
#[cfg(any(not(target_os = "linux"), debug_assertions))]
#[allow(
    dead_code,
    clippy::unnecessary_wraps,
    clippy::unused_self,
    reason = "the interface of every system, of which a Mac uses a part"
)]
mod unsupported;
mod veto;
mod window;

pub use eyes::{parent_is_agents_shell, value_of_streams};
pub use inquiry::Consumer;
pub(crate) use process::Process;
pub use stream::Fd;
pub use trace::{Step, Trace};
pub use window::{Shows, View, Viewer, Window, Writers};

use inquiry::{Finding, Inquiry};
use platform::{Holders, Holds};
use stream::{Identity, Stream, StreamKind};

/// The running processes that go by one of the agent's names.
pub(crate) fn processes_of(agent: &Agent) -> impl Iterator<Item = Process> {
    let everybody = platform::everybody().into_iter().filter_map(Process::other);
    everybody.filter(|process| recognise::goes_by_a_name(process, agent))
}

/// The arguments of the nearest ancestor that is no shell: of the process that started a hook. Empty where it is
/// not seen.
pub fn caller_arguments() -> Vec<String> {
    let caller = ancestors().find(|process| !processes::is_shell(process));
    let text = |argument: &[u8]| String::from_utf8_lossy(argument).into_owned();
    caller.map_or_else(Vec::new, |process| process.words().map(text).collect())
}

/// Whether a shell above us reads its commands from standard input: then one stream may carry many calls.
pub fn is_below_lasting_shell() -> bool {
    ancestors().take_while(processes::is_shell).any(|shell| processes::reads_commands(&shell))
}

/// Whether a process above us reads our standard output: it may be an agent that nobody knows. A pipe to another
/// program of the command line and a file are read by none of them; a shell is none, and holds its pipelines' pipes for
/// a moment.
pub fn may_be_read_by_an_agent() -> bool {
    let mut holders = Holders::of(vec![Stream::of(Fd::Stdout)]);
    let mut above = ancestors().filter(|process| !processes::is_shell(process));
    above.any(|process| {
        matches!(holders.holds(process.pid, Fd::Stdout), Holds::Descriptors(_) | Holds::Creator)
    })
}

/// Whether the process, or a descendant of it, waits in a read of its standard input; false where that cannot be told.
pub fn waits_for_input(process: i32) -> bool {
    let reads = |pid| platform::is_reading(pid, &[Fd::Stdin.number()]);
    process::somebody(None, 32, vec![process], reads) == Some(true)
}

/// Our parent, its parent and so on, as far as they are seen.
fn ancestors() -> impl Iterator<Item = Process> {
    successors(Process::ourselves().and_then(|own| own.parent()), Process::parent)
}

/// What becomes of a captured tool's standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StderrPlan {
    /// It stays where it is: somebody else reads it.
    Inherit,
    /// It is captured separately: the agent reads it, too.
    Separate,
    /// It is the same file as standard output, so both are captured by one pipe, which keeps their order.
    Merged,
}

/// What was decided, and what the second look needs.
#[derive(Clone, Debug, Default)]
pub struct Decision {
    /// That the tool is run as a child whose standard output is captured, and what becomes of its standard error.
    /// `None`: it takes our place, and its output is raw.
    pub captured: Option<StderrPlan>,
    /// The agent that reads, where one is known.
    pub agent: Option<&'static Agent>,
    /// The pipe at descriptor 1, where an agent may read it through viewers; nothing is captured then.
    pub window: Option<Window>,
    stdout: Option<Finding>,
    stderr: Option<Finding>,
}

/// Decides how to run a tool with our standard streams, and writes the steps into `trace` if that is on.
///
/// Honours `TOTO` and `TOTO_EYES`. Never fails: what cannot be read proves nothing, and then output is raw.
pub fn decide(trace: &mut Trace) -> Decision {
    if env::switched_off() {
        trace.step(Fd::Stdout, || (env::TOTO.into(), "asks for the tool's own output".into()));
        return Decision::default();
    }
    let asked_for = env::asked_for();
    if asked_for {
        trace.step(Fd::Stdout, || (env::TOTO.into(), "asks for compressed output, whoever reads it".into()));
    }
    let out = Stream::of(Fd::Stdout);
    let mut inquiry = Inquiry::new(trace);
    let mut stdout = inquiry.reader_of(&out);
    let compress = if asked_for { out.has_reader() } else { stdout.consumer == Consumer::Agent };
    if !compress {
        let seen = if asked_for { None } else { inquiry.window(&out) };
        let (window, agent) = seen.unzip();
        let agent = agent.flatten().or(stdout.agent);
        return Decision { agent, window, stdout: Some(stdout), ..Decision::default() };
    }
    let err = Stream::of(Fd::Stderr);
    let (errors, stderr) = if err.identity.is(&out.identity) {
        (StderrPlan::Merged, stdout)
    } else {
        let finding = inquiry.reader_of(&err);
        let is_agents = finding.consumer == Consumer::Agent;
        (if is_agents { StderrPlan::Separate } else { StderrPlan::Inherit }, finding)
    };
    if asked_for {
        stdout.reader = None;
    }
    let agent = stdout.agent.or(stderr.agent);
    Decision { captured: Some(errors), agent, window: None, stdout: Some(stdout), stderr: Some(stderr) }
}

impl Decision {
    /// The second look, before the first captured byte is written to this descriptor of ours (1 or 2): whether the
    /// agent still reads it. If not, the captured bytes are to be written as they are.
    pub fn still_read_by_agent(&self, fd: BorrowedFd) -> bool {
        let fd = if fd.as_raw_fd() == 1 { Fd::Stdout } else { Fd::Stderr };
        let reader = self.finding(fd).and_then(|finding| finding.reader);
        reader.is_none_or(|reader| reader.still_reads(&Stream::of(fd)))
    }

    /// Waits until the agent has read what was written to its terminal, `written` bytes of it ours: when we end,
    /// the agent may lose what it has not read.
    pub fn wait_for_terminal(&self, written: u64) {
        if let Some(reader) = self.stdout.and_then(|finding| finding.reader)
            && written > terminal::ONE_READ
            && Identity::of(Fd::Stdout).kind == StreamKind::Terminal
        {
            terminal::let_fall_asleep(reader.process, terminal::LONGEST);
        }
    }

    /// Whether a script of the model's parses the output, which must then stay JSON: Codex's code mode.
    pub fn parses_output(&self) -> bool {
        let said = |agent: &Agent| {
            let Some(value) = &agent.command.parsed else { return false };
            let found = std::env::var_os(value.variable);
            found.is_some_and(|found| found.as_encoded_bytes().starts_with(value.prefix.as_bytes()))
        };
        self.agent.map_or_else(|| agents::all().any(said), said)
    }

    /// Who reads this descriptor; `None` where that was not asked.
    pub fn reader(&self, fd: Fd) -> Option<Consumer> {
        self.finding(fd).map(|finding| finding.consumer)
    }

    fn finding(&self, fd: Fd) -> Option<Finding> {
        match fd {
            Fd::Stdin => None,
            Fd::Stdout => self.stdout,
            Fd::Stderr => self.stderr,
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/consumer.rs"]
mod tests;
