//! Stopping and ending as the tool did.

use std::ffi::c_int;
use std::ptr;

use rustix::process::{Signal, getpid, kill_process};

use super::Status;

/// Stops this process as the tool was stopped; returns after SIGCONT.
pub fn stop_self() {
    let _ = kill_process(getpid(), Signal::STOP);
}

/// Ends this process by the signal that ended the tool, without a core file of our own.
pub fn die_by(signal: c_int) -> ! {
    // SAFETY: integers and plain structs on our stack. _exit is reached only where the signal does not kill.
    unsafe {
        #[cfg(target_os = "linux")]
        libc::prctl(libc::PR_SET_DUMPABLE, 0);
        let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        libc::setrlimit(libc::RLIMIT_CORE, &raw const none);
        libc::signal(signal, libc::SIG_DFL);
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigaddset(&raw mut set, signal);
        libc::sigprocmask(libc::SIG_UNBLOCK, &raw const set, ptr::null_mut());
        libc::kill(libc::getpid(), signal);
        libc::_exit(128 + signal)
    }
}

/// Forks a copy of this process and ends this process with `status`. Returns true in the copy; false where fork
/// failed and there is no copy.
pub fn leave_behind(status: Status) -> bool {
    // SAFETY: one thread; the parent ends at once without running destructors, the child goes on.
    match unsafe { libc::fork() } {
        -1 => false,
        0 => true,
        _ => end_with(status),
    }
}

/// Ends this process as the tool ended.
pub fn end_with(status: Status) -> ! {
    match status {
        Status::Killed(signal) => die_by(signal),
        ended => leave_with(ended.code()),
    }
}

pub(super) fn leave_with(code: i32) -> ! {
    // SAFETY: nothing of ours is buffered; running exit handlers of a C library would only cost time.
    unsafe { libc::_exit(code) }
}
