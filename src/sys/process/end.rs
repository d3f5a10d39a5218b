//! How a process ends or stops: as the tool did, or with its parent.

use std::ffi::c_int;
#[cfg(target_os = "linux")]
use std::os::unix::process::parent_id;
use std::ptr;

use rustix::process::{Signal, getpid, kill_process};

/// How a child ended or was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Ended by exit(3) with this status, 0 to 255.
    Exited(i32),
    /// Ended by this signal.
    Killed(c_int),
    /// Stopped by a signal (^Z, SIGSTOP); it may be continued.
    Stopped,
}

impl Status {
    /// As an exit status, as a shell tells it; 1 for a child that was stopped.
    pub const fn code(self) -> i32 {
        match self {
            Self::Exited(code) => code,
            Self::Killed(signal) => 128 + signal,
            Self::Stopped => 1,
        }
    }
}

/// Stops this process as the tool was stopped; returns after SIGCONT.
pub fn stop_self() {
    let _ = kill_process(getpid(), Signal::STOP);
}

/// Ends this process by the signal that ended the tool, without a core file of our own.
fn die_by(signal: c_int) -> ! {
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
    // SAFETY: the parent ends at once without running destructors, the child goes on. A script of a filter that took
    // too long may still run in another thread: the C library's heap stays usable in the child (fork(3) of glibc, musl
    // and macOS), and no other lock of that thread's is taken there.
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

fn leave_with(code: i32) -> ! {
    // SAFETY: nothing of ours is buffered; running exit handlers of a C library would only cost time.
    unsafe { libc::_exit(code) }
}

/// Has the kernel end this process by SIGTERM when `parent` ends, if that is our parent: a shell that stands where
/// the tool itself would (`PR_SET_PDEATHSIG`, prctl(2); execve keeps it). Does nothing except on Linux.
pub fn end_with_parent(parent: i32) {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::set_parent_process_death_signal;
        let is_parent = || parent_id() as i32 == parent;
        if is_parent() && set_parent_process_death_signal(Some(Signal::TERM)).is_ok() && !is_parent() {
            let _ = kill_process(getpid(), Signal::TERM);
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = parent;
}

/// Asks the kernel to kill this process when its parent ends; false where the kernel refuses. If the parent ended
/// before the request, the kernel never sends that signal: then this process exits at once.
#[cfg(target_os = "linux")]
pub(super) fn die_with(parent: u32) -> bool {
    let asked = rustix::process::set_parent_process_death_signal(Some(Signal::KILL)).is_ok();
    if parent_id() != parent {
        leave_with(1);
    }
    asked
}

#[cfg(not(target_os = "linux"))]
pub(super) fn die_with(_parent: u32) -> bool {
    true
}
