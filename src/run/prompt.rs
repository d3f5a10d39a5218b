//! Does the tool wait for an answer at the terminal? Then what it has said must not be held back.

use std::io::IsTerminal as _;
use std::time::Duration;

use super::Stream;

/// A tool that has been quiet for this long may be waiting.
const PAUSE: Duration = Duration::from_millis(300);
/// What ends in the middle of a line and not as prompts do (a row of dots) is given this long; also how often a
/// tool is looked at that goes on being quiet.
const LONG_PAUSE: Duration = Duration::from_secs(2);
/// What prompts end with.
const PROMPT_ENDS: &[u8] = b" :?>])}$#";
/// A tool of more processes than this does not ask.
#[cfg(target_os = "linux")]
const MOST_PROCESSES: usize = 32;

/// Looks at the tool whenever it has been quiet for a while; only where somebody could answer.
pub(super) struct Asking {
    is_possible: bool,
    looks: u32,
}

impl Asking {
    pub(super) fn new() -> Self {
        Self { is_possible: std::io::stdin().is_terminal(), looks: 0 }
    }

    /// There is new output.
    pub(super) fn heard(&mut self) {
        self.looks = 0;
    }

    /// How long it has to be quiet until the next look; none where nobody could answer.
    pub(super) fn due(&self) -> Option<Duration> {
        self.is_possible.then(|| if self.looks == 0 { PAUSE } else { LONG_PAUSE * self.looks })
    }

    /// Does the tool, quiet for so long, wait for an answer?
    pub(super) fn is_waiting(&mut self, quiet: Duration, streams: &[Stream], tool: i32) -> bool {
        if self.due().is_none_or(|due| quiet < due) {
            return false;
        }
        self.looks += 1;
        let ends_open = |stream: &Stream| {
            let last = stream.last_byte();
            last.is_some_and(|b| b != b'\n' && (quiet >= LONG_PAUSE || PROMPT_ENDS.contains(&b)))
        };
        streams.iter().any(ends_open) || reads_terminal(tool)
    }
}

/// Is the tool, or a process of its making, in a read of its standard input? `/proc/PID/syscall`, proc(5); false
/// where that cannot be read.
#[cfg(target_os = "linux")]
fn reads_terminal(tool: i32) -> bool {
    let reading = format!("{} 0x0 ", libc::SYS_read);
    let mut processes = vec![tool.to_string()];
    let mut at = 0;
    while let Some(process) = processes.get(at).filter(|_| at < MOST_PROCESSES) {
        let directory = format!("/proc/{process}");
        if std::fs::read_to_string(format!("{directory}/syscall"))
            .is_ok_and(|call| call.starts_with(&reading))
        {
            return true;
        }
        let children = std::fs::read_to_string(format!("{directory}/task/{process}/children"));
        processes.extend(children.unwrap_or_default().split_whitespace().map(String::from));
        at += 1;
    }
    false
}

/// Nobody tells.
#[cfg(not(target_os = "linux"))]
fn reads_terminal(_: i32) -> bool {
    false
}
