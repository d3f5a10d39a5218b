//! Hands our interval timers on to the tool, which fork would lose and execve keeps.

use std::ffi::c_int;
use std::ptr;

/// The timers of setitimer(2), alarm(2) among them, as they run.
pub(super) struct Timers([libc::itimerval; TIMERS.len()]);

const TIMERS: [c_int; 3] = [libc::ITIMER_REAL as _, libc::ITIMER_VIRTUAL as _, libc::ITIMER_PROF as _];

impl Timers {
    pub(super) fn running() -> Self {
        // SAFETY: getitimer fills in a plain struct, for which all-zero is a valid value (no timer).
        Self(TIMERS.map(|timer| unsafe {
            let mut value = std::mem::zeroed();
            libc::getitimer(timer as _, &raw mut value);
            value
        }))
    }

    /// Starts the timers in this process.
    pub(super) fn start(&self) {
        for (timer, value) in TIMERS.iter().zip(&self.0) {
            if value.it_value.tv_sec != 0 || value.it_value.tv_usec != 0 {
                // SAFETY: setitimer reads a plain struct.
                unsafe { libc::setitimer(*timer as _, value, ptr::null_mut()) };
            }
        }
    }

    /// Stops this process's timers: they are the tool's now.
    pub(super) fn stop() {
        let none = libc::timeval { tv_sec: 0, tv_usec: 0 };
        let none = libc::itimerval { it_interval: none, it_value: none };
        for timer in TIMERS {
            // SAFETY: setitimer reads a plain struct.
            unsafe { libc::setitimer(timer as _, &raw const none, ptr::null_mut()) };
        }
    }
}
