//! Tells a signal that was sent to our whole process group from one that was sent to us alone.

use std::ffi::c_int;
use std::io;
use std::ptr;

use super::end::die_with;

/// A child in our process group that only collects signals, so that a signal to the whole group can be told from a
/// signal to us alone: the tool has already received the first kind.
pub struct Canary {
    pid: libc::pid_t,
}

impl Canary {
    /// Forks the canary, with every signal blocked and no descriptor kept.
    /// Fails when fork fails (EAGAIN, ENOMEM).
    pub fn start() -> io::Result<Self> {
        let parent = std::process::id();
        // SAFETY: the child calls only async-signal-safe functions and never returns.
        match unsafe { libc::fork() } {
            -1 => Err(io::Error::last_os_error()),
            0 => Self::collect(parent),
            pid => Ok(Self { pid }),
        }
    }

    /// Runs in the canary until it is killed.
    fn collect(parent: u32) -> ! {
        let ends_with_us = die_with(parent);
        // SAFETY: a fork that shares nothing with us any more; plain structs on its own stack.
        unsafe {
            if !ends_with_us {
                // Where we are killed, nothing would then end the canary.
                libc::_exit(1);
            }
            let mut all: libc::sigset_t = std::mem::zeroed();
            libc::sigfillset(&raw mut all);
            libc::sigprocmask(libc::SIG_SETMASK, &raw const all, ptr::null_mut());
            close_all_descriptors();
            loop {
                libc::pause();
            }
        }
    }

    /// Whether the canary was sent `signal`: read from the pending set in /proc/PID/status, proc(5).
    pub fn was_sent(&self, signal: c_int) -> bool {
        let Ok(status) = std::fs::read_to_string(format!("/proc/{}/status", self.pid)) else { return false };
        let pending = |field| status.lines().find_map(|line: &str| line.strip_prefix(field));
        ["SigPnd:", "ShdPnd:"]
            .into_iter()
            .filter_map(pending)
            .any(|mask| u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask >> (signal - 1) & 1 == 1))
    }
}

impl Drop for Canary {
    fn drop(&mut self) {
        // SAFETY: the pid is our unreaped child's.
        unsafe {
            libc::kill(self.pid, libc::SIGKILL);
            libc::waitpid(self.pid, ptr::null_mut(), 0);
        }
    }
}

/// Closes every descriptor: an inherited copy of the agent's pipe would keep the pipe open.
unsafe fn close_all_descriptors() {
    // SAFETY: the caller is a fork that uses no descriptor any more.
    unsafe {
        #[cfg(target_os = "linux")]
        if libc::close_range(0, libc::c_uint::MAX, 0) == 0 {
            return;
        }
        for fd in 0..libc::getdtablesize() {
            libc::close(fd);
        }
    }
}
