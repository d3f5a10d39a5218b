//! Signals as bytes on a pipe, so that one `poll` loop sees them beside the tool's output (signal-safety(7)).

use std::ffi::{c_int, c_void};
use std::io;
use std::mem::{MaybeUninit, zeroed};
use std::os::fd::{AsRawFd, OwnedFd};
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

#[cfg(target_os = "linux")]
use libc::__errno_location as errno_location;
#[cfg(not(target_os = "linux"))]
use libc::__error as errno_location;

/// The signals that a terminal, an agent or a service manager sends to end or notify a program, and SIGCHLD. A
/// signal that is not in the list ends us, and what was collected is lost.
pub const WATCHED: [c_int; 14] = [
    libc::SIGCHLD,
    libc::SIGTERM,
    libc::SIGINT,
    libc::SIGHUP,
    libc::SIGQUIT,
    libc::SIGUSR1,
    libc::SIGUSR2,
    libc::SIGABRT,
    libc::SIGALRM,
    libc::SIGVTALRM,
    libc::SIGPROF,
    libc::SIGXCPU,
    libc::SIGIO,
    // Sent to us alone, this signal has to stop the tool; the tool's stop then stops us.
    libc::SIGTSTP,
];

static NOTICE_PIPE: AtomicI32 = AtomicI32::new(-1);

/// Watches [`WATCHED`] until the process ends. A signal that was ignored when we were started stays ignored, so
/// that `nohup` goes on working; SIGCHLD alone is always watched.
pub struct Watch {
    read_end: OwnedFd,
    _write_end: OwnedFd,
    previous: [libc::sigaction; WATCHED.len()],
    previous_mask: libc::sigset_t,
}

extern "C" fn on_signal(signal: c_int, info: *mut libc::siginfo_t, _context: *mut c_void) {
    // SAFETY: only async-signal-safe calls; `info` is valid because SA_SIGINFO is set; errno, the thread's own, is put
    // back because the interrupted code may be about to read it.
    unsafe {
        let errno = errno_location();
        let saved = *errno;
        let from_process = !info.is_null() && (*info).si_code <= 0 || cfg!(not(target_os = "linux"));
        let bytes = [signal as u8, u8::from(from_process)];
        libc::write(NOTICE_PIPE.load(Ordering::Relaxed), bytes.as_ptr().cast(), bytes.len());
        *errno = saved;
    }
}

impl Watch {
    /// Installs the handlers and leaves the watched signals *blocked*, so that none arrives between this and the
    /// fork; [`Watch::unblock`] unblocks them.
    /// Fails when no pipe can be made (EMFILE, ENFILE).
    pub fn start() -> io::Result<Self> {
        let (read_end, write_end) = io::pipe()?;
        let (read_end, write_end) = (OwnedFd::from(read_end), OwnedFd::from(write_end));
        rustix::io::ioctl_fionbio(&read_end, true)?;
        rustix::io::ioctl_fionbio(&write_end, true)?;
        NOTICE_PIPE.store(write_end.as_raw_fd(), Ordering::Relaxed);
        let previous_mask = block_watched();
        let previous = WATCHED.map(install);
        Ok(Self { read_end, _write_end: write_end, previous, previous_mask })
    }

    /// Unblocks the signals that [`Watch::start`] blocked.
    pub fn unblock(&self) {
        // SAFETY: the mask was filled in by sigprocmask in `start`.
        unsafe { libc::sigprocmask(libc::SIG_SETMASK, &raw const self.previous_mask, ptr::null_mut()) };
    }

    /// Restores the dispositions and the mask that we were started with (execve resets caught signals to the
    /// default by itself, but an ignored signal has to be ignored again).
    pub fn restore(&self) {
        for (signal, previous) in WATCHED.iter().zip(&self.previous) {
            // SAFETY: `previous` was filled in by sigaction in `start`.
            unsafe { libc::sigaction(*signal, previous, ptr::null_mut()) };
        }
        self.unblock();
    }

    /// The descriptor to poll: readable when a signal arrived.
    pub fn fd(&self) -> &OwnedFd {
        &self.read_end
    }

    /// The oldest signal not yet taken, and whether a process sent it with kill(2), and not the kernel (a terminal's ^C
    /// reaches the whole group).
    pub fn next(&self) -> Option<(c_int, bool)> {
        let mut bytes = [0; 2];
        let is_read = rustix::io::read(&self.read_end, &mut bytes) == Ok(2);
        is_read.then(|| (c_int::from(bytes[0]), bytes[1] == 1))
    }
}

/// Ignores SIGXFSZ: from here on a write beyond `RLIMIT_FSIZE` fails with EFBIG and does not end this process
/// (setrlimit(2)).
pub fn survive_file_size_limit() {
    // SAFETY: no handler is installed, nothing of ours is called.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}

/// The disposition of SIGPIPE that we were started with; put back by [`BrokenPipe::restore`].
pub struct BrokenPipe(libc::sighandler_t);

impl BrokenPipe {
    /// Ignores SIGPIPE: from here on a write to a pipe that nobody reads fails with EPIPE and does not end this
    /// process.
    pub fn ignore() -> Self {
        // SAFETY: no handler is installed, nothing of ours is called.
        Self(unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) })
    }

    /// Whether such a write would have ended this process before.
    pub fn ended_us(&self) -> bool {
        self.0 == libc::SIG_DFL
    }

    /// Restores the disposition that we were started with, for a tool to inherit.
    pub fn restore(&self) {
        // SAFETY: what was returned by `signal` is given back to it.
        unsafe { libc::signal(libc::SIGPIPE, self.0) };
    }
}

/// Blocks the watched signals, so that none arrives between a fork and its exec, and returns the previous mask.
pub fn block_watched() -> libc::sigset_t {
    // SAFETY: plain structs on our stack, for which all-zero is a valid value to fill in.
    unsafe {
        let (mut watched, mut previous): (libc::sigset_t, libc::sigset_t) = (zeroed(), zeroed());
        libc::sigemptyset(&raw mut watched);
        for signal in WATCHED {
            libc::sigaddset(&raw mut watched, signal);
        }
        libc::sigprocmask(libc::SIG_BLOCK, &raw const watched, &raw mut previous);
        previous
    }
}

fn install(signal: c_int) -> libc::sigaction {
    let mut previous = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: sigaction reads and fills plain structs on our stack; the handler is async-signal-safe.
    unsafe {
        libc::sigaction(signal, ptr::null(), previous.as_mut_ptr());
        let previous = previous.assume_init();
        if previous.sa_sigaction != libc::SIG_IGN || signal == libc::SIGCHLD {
            let mut ours: libc::sigaction = zeroed();
            ours.sa_sigaction = on_signal as *const () as usize;
            ours.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
            libc::sigaction(signal, &raw const ours, ptr::null_mut());
        }
        previous
    }
}
