//! Terminals whose reader, when the tool ends, may lose what it has not read.
//!
//! Gemini CLI and Qwen Code read their terminals by libuv, which takes a hang-up for the end once a read has not
//! filled its buffer (`uv__stream_io` in unix/stream.c). A read of a pseudo-terminal never fills it: what is still
//! in the terminal when the last process that holds it ends is lost, in silence. Aider reads by pexpect, a thousand
//! bytes at a time, and no more once the process has ended (`interact` in `pty_spawn.py`). So we end only when the
//! reader sleeps: with something left to read it would not.

use std::thread::sleep;
use std::time::{Duration, Instant};

use super::platform;

/// Most bytes that are not waited for, because one read of a pseudo-terminal returns them: 4,095 (`N_TTY_BUF_SIZE`,
/// `drivers/tty/n_tty.c`) where the reader asks for as many, 1,000 where it is pexpect. We may have written half as
/// many, since the terminal makes two bytes of each line end.
pub const ONE_READ: u64 = 1000 / 2;
/// Interval between two looks at the reader.
const BETWEEN: Duration = Duration::from_millis(5);
/// Looks in a row that have to find the reader asleep: on a busy machine what was written takes a moment to reach
/// it.
const TIMES: u32 = 8;
/// Longest wait: the reader may have something else to do that never ends.
pub const LONGEST: Duration = Duration::from_secs(3);

/// Waits until the process sleeps, for at most `longest`; not at all where the system does not tell.
pub fn let_fall_asleep(process: i32, longest: Duration) {
    let begun = Instant::now();
    let mut times = 0;
    while times < TIMES && begun.elapsed() < longest {
        sleep(BETWEEN);
        times = match platform::stat(process).and_then(|stat| stat.asleep) {
            None => return,
            Some(true) => times + 1,
            Some(false) => 0,
        };
    }
}
