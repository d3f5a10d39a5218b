//! A child without our terminal.

use std::os::unix::process::CommandExt as _;
use std::process::Command;

/// Has the command start in a session of its own (setsid(2)): an interactive shell then finds no terminal to take
/// over, and the child's number is its process group's.
pub fn detach(command: &mut Command) -> &mut Command {
    // SAFETY: setsid is async-signal-safe (signal-safety(7)) and touches no memory of ours.
    #[expect(unsafe_code, reason = "runs between fork and exec")]
    unsafe {
        command.pre_exec(|| Ok(rustix::process::setsid().map(drop)?))
    }
}

/// The session of a process, 0 being this one (getsid(2)); `Some(0)` where its leader is outside our PID namespace, and
/// None where there is no such process.
pub fn of(process: i32) -> Option<i32> {
    // SAFETY: integers only.
    let session = unsafe { libc::getsid(process) };
    (session >= 0).then_some(session)
}
