//! The steps of a decision in words, for `toto why`. Costs nothing while it is off.

use super::process::Process;
use super::processes::argv0;
use super::stream::Fd;

/// One step: what was looked at, and what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub fd: Fd,
    /// What was looked at: the stream, a variable, a process.
    pub subject: String,
    pub finding: String,
}

/// A decision's steps, kept or not.
#[derive(Debug, Default)]
pub struct Trace {
    on: bool,
    pub steps: Vec<Step>,
}

impl Trace {
    pub fn off() -> Self {
        Self::default()
    }

    pub fn on() -> Self {
        Self { on: true, ..Self::default() }
    }

    /// Adds a step; `words` gives the subject and the finding and is only called while the trace is on.
    pub(super) fn step(&mut self, fd: Fd, words: impl FnOnce() -> (String, String)) {
        if self.on {
            let (subject, finding) = words();
            self.steps.push(Step { fd, subject, finding });
        }
    }
}

/// A process in one line: its name, number and first arguments.
pub fn describe(process: &Process) -> String {
    const ARGUMENTS: usize = 3;
    const LONGEST: usize = 40;
    let mut text = format!("{}[{}]", process.name().escape_ascii(), process.pid);
    let arguments = process.words().filter(|argument| !argument.is_empty()).take(ARGUMENTS);
    for (index, argument) in arguments.enumerate() {
        let shown = String::from_utf8_lossy(if index == 0 { argv0(process) } else { argument });
        text.push(' ');
        text.extend(shown.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }));
    }
    text
}
