//! Was a signal sent to our whole process group, or to us alone?

use std::ffi::c_int;
use std::io;
use std::ptr;

use super::die_with;

/// A process of our group that only collects signals, so that one sent to the whole group can be told
/// from one sent to us alone: the tool has had the first kind already.
pub struct Canary {
    pid: libc::pid_t,
}

impl Canary {
    /// Forks it: every signal blocked, no descriptor kept.
    ///
    /// # Errors
    /// When fork fails (EAGAIN, ENOMEM).
    pub fn start() -> io::Result<Self> {
        let parent = std::process::id();
        // SAFETY: one thread; the child calls only async-signal-safe functions and never returns.
        match unsafe { libc::fork() } {
            -1 => Err(io::Error::last_os_error()),
            0 => Self::collect(parent),
            pid => Ok(Self { pid }),
        }
    }

    /// The canary's whole life.
    fn collect(parent: u32) -> ! {
        let ends_with_us = die_with(parent);
        // SAFETY: a fork that shares nothing with us any more; plain structs on its own stack.
        unsafe {
            if !ends_with_us {
                // Nobody would end it where we end without a word.
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

    /// Has it been sent `signal`? Read from the pending set in /proc/PID/status, proc(5).
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

/// An inherited copy of the agent's pipe would keep it open.
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
