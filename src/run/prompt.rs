//! Finds out whether the tool waits for an answer at the terminal: what it has printed must not be held back then.

use std::io::IsTerminal as _;
use std::time::Duration;

use super::Stream;

/// A tool that has been quiet for this long may be waiting.
const PAUSE: Duration = Duration::from_millis(300);
/// After this long, any output that ends in the middle of a line counts, even if it does not end as prompts do (a
/// row of dots). Also the interval between further looks at a tool that stays quiet.
const LONG_PAUSE: Duration = Duration::from_secs(2);
/// The bytes that prompts end with.
const PROMPT_ENDS: &[u8] = b" :?>])}$#";
/// Most processes of one tool that are looked at.
#[cfg(target_os = "linux")]
const MOST_PROCESSES: usize = 32;

/// Looks at the tool whenever it has been quiet for a while, but only where somebody could answer (standard input
/// is a terminal).
pub(super) struct Asking {
    is_possible: bool,
    looks: u32,
}

impl Asking {
    pub(super) fn new() -> Self {
        Self { is_possible: std::io::stdin().is_terminal(), looks: 0 }
    }

    pub(super) fn heard(&mut self) {
        self.looks = 0;
    }

    /// How long the tool has to be quiet until the next look; None where nobody could answer.
    pub(super) fn due(&self) -> Option<Duration> {
        self.is_possible.then(|| if self.looks == 0 { PAUSE } else { LONG_PAUSE * self.looks })
    }

    /// Whether the tool, which has been quiet for this long, waits for an answer.
    pub(super) fn is_waiting(&mut self, quiet: Duration, streams: &[Stream], tool: i32) -> bool {
        if self.due().is_none_or(|due| quiet < due) {
            return false;
        }
        self.looks += 1;
        let ends_open = |stream: &Stream| {
            let last = stream.buffer.last();
            last.is_some_and(|b| *b != b'\n' && (quiet >= LONG_PAUSE || PROMPT_ENDS.contains(b)))
        };
        streams.iter().any(ends_open) || reads_terminal(tool)
    }
}

/// Whether the tool or a descendant of it is in a read of its standard input (`/proc/PID/syscall`, proc(5)); false
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

/// Always false: that cannot be told here.
#[cfg(not(target_os = "linux"))]
fn reads_terminal(_: i32) -> bool {
    false
}
