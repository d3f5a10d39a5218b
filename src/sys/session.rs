//! Sessions of processes: a new one for a child, and which one a process is in.

use std::os::unix::process::CommandExt as _;
use std::process::Command;

/// Has the command start in a session of its own (setsid(2)): an interactive shell then finds no terminal to take
/// over, and the child's process id is also that of its process group.
pub fn detach(command: &mut Command) -> &mut Command {
    // SAFETY: setsid is async-signal-safe (signal-safety(7)) and touches no memory of ours.
    unsafe { command.pre_exec(|| Ok(rustix::process::setsid().map(drop)?)) }
}

/// The session of a process, or of this process for 0 (getsid(2)). `Some(0)` where the session's leader is outside
/// our PID namespace; None where there is no such process.
pub fn of(process: i32) -> Option<i32> {
    // SAFETY: integers only.
    let session = unsafe { libc::getsid(process) };
    (session >= 0).then_some(session)
}
