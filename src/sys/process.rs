//! Becoming another program, starting one, and dying as it died.

use std::ffi::{CStr, CString, OsStr, OsString, c_char, c_int};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::ptr;

use super::signals::Watch;

#[derive(Clone)]
/// What is started: a path, its arguments (the first is the name it sees itself by) and its environment.
pub struct Program {
    path: CString,
    argv: Vec<CString>,
    env: Vec<CString>,
    spare: Option<&'static str>,
}

/// The environment as the kernel handed it to us, entry by entry: also those that std's view leaves out
/// (no `=`, not UTF-8).
pub fn environment() -> Vec<CString> {
    unsafe extern "C" {
        static environ: *const *const c_char;
    }
    let mut entries = Vec::with_capacity(64);
    // SAFETY: `environ` is a null-terminated array of C strings, environ(7); nobody writes it in this
    // single-threaded stage.
    unsafe {
        let mut entry = environ;
        while !entry.is_null() && !(*entry).is_null() {
            entries.push(CStr::from_ptr(*entry).to_owned());
            entry = entry.add(1);
        }
    }
    entries
}

impl Program {
    /// # Errors
    /// When the path or an argument holds a NUL byte, which no caller of execve can have passed us.
    pub fn new(path: &Path, argv: &[OsString], env: Vec<CString>) -> io::Result<Self> {
        let argv = argv.iter().map(|a| CString::new(a.as_bytes())).collect::<Result<_, _>>()?;
        Ok(Self { path: CString::new(path.as_os_str().as_bytes())?, argv, env, spare: None })
    }

    /// The path it is started by.
    pub fn path(&self) -> &Path {
        Path::new(OsStr::from_bytes(self.path.to_bytes()))
    }

    /// Sets `NAME=value` in the environment it will see, or takes `NAME` out of it.
    pub fn set_env(&mut self, name: &str, value: Option<&OsStr>) {
        let is_name = |e: &CString| {
            e.to_bytes().strip_prefix(name.as_bytes()).is_some_and(|rest| rest.first() == Some(&b'='))
        };
        self.env.retain(|e| !is_name(e));
        if let Some(value) = value {
            let mut entry = OsString::from(name);
            entry.push("=");
            entry.push(value);
            self.env.extend(CString::new(entry.into_vec()).ok());
        }
    }

    /// This variable may be missing from the environment where it is what does not fit (E2BIG, execve(2)).
    pub fn can_spare(&mut self, name: &'static str) {
        self.spare = Some(name);
    }

    /// Replaces this process; returns only when that failed. A file without `#!` that the kernel does not
    /// know is handed to /bin/sh, as shells and execvp(3) do.
    pub fn exec(&mut self) -> io::Error {
        let error = self.try_exec();
        match self.spare.take().filter(|_| error.raw_os_error() == Some(libc::E2BIG)) {
            Some(name) => {
                self.set_env(name, None);
                self.try_exec()
            }
            None => error,
        }
    }

    fn try_exec(&self) -> io::Error {
        let argv = pointers(&self.argv);
        let env = pointers(&self.env);
        // SAFETY: both arrays are null-terminated and outlive the call.
        unsafe { libc::execve(self.path.as_ptr(), argv.as_ptr(), env.as_ptr()) };
        let error = io::Error::last_os_error();
        if error.raw_os_error() != Some(libc::ENOEXEC) {
            return error;
        }
        let mut script = vec![c"/bin/sh".as_ptr(), self.path.as_ptr()];
        script.extend(&argv[1.min(argv.len() - 1)..]);
        // SAFETY: as above; `argv` ends with the null pointer that closes `script` too.
        unsafe { libc::execve(c"/bin/sh".as_ptr(), script.as_ptr(), env.as_ptr()) };
        error
    }
}

fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    strings.iter().map(|s| s.as_ptr()).chain([ptr::null()]).collect()
}

/// How a child came to rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Ended by exit(3) with this status, 0 to 255.
    Exited(i32),
    /// Ended by this signal.
    Killed(c_int),
    /// Stopped by a signal (^Z, SIGSTOP); it may go on.
    Stopped,
}

/// A started tool, not yet waited for.
pub struct Child {
    pid: libc::pid_t,
}

impl Child {
    /// Forks and execs `program` with `stdout` and `stderr` in place of descriptors 1 and 2 where given.
    /// The child is ended by SIGKILL when this process is (`PR_SET_PDEATHSIG`, Linux), and has the signal
    /// state that we were started with. `prepare` runs in the child before exec and gets its process id.
    ///
    /// # Errors
    /// When fork fails (EAGAIN, ENOMEM). A failing exec shows as exit status 126 or 127 and a line on stderr.
    pub fn spawn(
        program: &Program,
        stdout: BorrowedFd<'_>,
        stderr: Option<BorrowedFd<'_>>,
        watch: &Watch,
        prepare: impl FnOnce(&mut Program, u32),
    ) -> io::Result<Self> {
        let parent = std::process::id();
        let timers = Timers::running();
        // SAFETY: this process has one thread, so the child may use the heap; it only rearranges
        // descriptors and signal state and then execs or exits.
        match unsafe { libc::fork() } {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                die_with(parent);
                timers.start();
                replace(stdout, libc::STDOUT_FILENO);
                if let Some(stderr) = stderr {
                    replace(stderr, libc::STDERR_FILENO);
                }
                let mut program = program.clone();
                prepare(&mut program, std::process::id());
                watch.restore();
                let error = program.exec();
                let line = format!("toto: cannot run {}: {error}\n", program.path().display());
                // SAFETY: plain write and exit; _exit because this is a fork of our own process.
                unsafe {
                    libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), line.len());
                    libc::_exit(exec_failure_status(&error))
                }
            }
            pid => {
                Timers::stop();
                Ok(Self { pid })
            }
        }
    }

    /// Its process id.
    pub fn pid(&self) -> i32 {
        self.pid
    }

    /// Sends it a signal; one that is gone already is no error.
    pub fn signal(&self, signal: c_int) {
        // SAFETY: no memory is involved; the pid is ours until it is reaped by `try_wait`.
        unsafe { libc::kill(self.pid, signal) };
    }

    /// Its news, if there is any; never blocks. After `Exited` or `Killed` the process is reaped.
    pub fn try_wait(&self) -> Option<Status> {
        let mut status = 0;
        // SAFETY: waitpid fills in the integer it is given.
        let pid = unsafe { libc::waitpid(self.pid, &raw mut status, libc::WNOHANG | libc::WUNTRACED) };
        if pid != self.pid {
            return None;
        }
        Some(if libc::WIFSTOPPED(status) {
            Status::Stopped
        } else if libc::WIFSIGNALED(status) {
            Status::Killed(libc::WTERMSIG(status))
        } else {
            Status::Exited(libc::WEXITSTATUS(status))
        })
    }
}

/// Exit status that shells give a command that could not be started: 127 not found, 126 otherwise.
pub fn exec_failure_status(error: &io::Error) -> i32 {
    if error.raw_os_error() == Some(libc::ENOENT) { 127 } else { 126 }
}

fn replace(from: BorrowedFd<'_>, to: c_int) {
    // SAFETY: dup2 on descriptors that the caller keeps open; the copy is not close-on-exec.
    unsafe { libc::dup2(from.as_raw_fd(), to) };
}

/// A parent that ended before this was asked for is never told of again: then this is the end at once.
#[cfg(target_os = "linux")]
fn die_with(parent: u32) {
    // SAFETY: prctl(2) and _exit(2) with integers only.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        if std::os::unix::process::parent_id() != parent {
            libc::_exit(1);
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn die_with(_parent: u32) {}

/// The timers of setitimer(2), alarm(2) among them: execve keeps them, fork does not.
struct Timers([libc::itimerval; TIMERS.len()]);

const TIMERS: [c_int; 3] = [libc::ITIMER_REAL as _, libc::ITIMER_VIRTUAL as _, libc::ITIMER_PROF as _];

impl Timers {
    fn running() -> Self {
        // SAFETY: getitimer fills in a plain struct, for which all-zero is a valid value (no timer).
        Self(TIMERS.map(|timer| unsafe {
            let mut value = std::mem::zeroed();
            libc::getitimer(timer as _, &raw mut value);
            value
        }))
    }

    /// Goes on with them in this process.
    fn start(&self) {
        for (timer, value) in TIMERS.iter().zip(&self.0) {
            if value.it_value.tv_sec != 0 || value.it_value.tv_usec != 0 {
                // SAFETY: setitimer reads a plain struct.
                unsafe { libc::setitimer(*timer as _, value, ptr::null_mut()) };
            }
        }
    }

    /// They are the tool's now, not ours.
    fn stop() {
        let none = libc::timeval { tv_sec: 0, tv_usec: 0 };
        let none = libc::itimerval { it_interval: none, it_value: none };
        for timer in TIMERS {
            // SAFETY: setitimer reads a plain struct.
            unsafe { libc::setitimer(timer as _, &raw const none, ptr::null_mut()) };
        }
    }
}

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
        die_with(parent);
        // SAFETY: a fork that shares nothing with us any more; plain structs on its own stack.
        unsafe {
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

/// Stops this process as the tool was stopped; returns when somebody sends SIGCONT.
pub fn stop_self() {
    // SAFETY: integers only.
    unsafe { libc::kill(libc::getpid(), libc::SIGSTOP) };
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

/// Leaves a copy of this process behind and ends this one with `status`: returns in the copy only. False
/// when fork failed and there is no copy.
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
        Status::Exited(code) => leave_with(code),
        Status::Stopped => leave_with(1),
    }
}

fn leave_with(code: i32) -> ! {
    // SAFETY: nothing of ours is buffered; running exit handlers of a C library would only cost time.
    unsafe { libc::_exit(code) }
}
