//! Becoming another program, starting one as a child, and ending as it ended.

use std::borrow::Cow;
use std::ffi::{CStr, CString, OsStr, OsString, c_char, c_int};
use std::io;
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::ptr;

use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

mod canary;
mod end;
mod timers;

pub use canary::Canary;
use end::die_with;
pub use end::{Status, end_with, end_with_parent, leave_behind, stop_self};
use timers::Timers;

use super::signals::Watch;

/// A program to run: its path, its arguments (the first is the name by which it sees itself) and its environment.
#[derive(Clone)]
pub struct Program {
    path: CString,
    argv: Vec<CString>,
    env: Vec<Cow<'static, CStr>>,
    spare: Option<&'static str>,
}

/// The environment as the kernel handed it to us, entry by entry, including entries without `=`, which
/// `std::env::vars_os` leaves out.
fn environment() -> Vec<Cow<'static, CStr>> {
    unsafe extern "C" {
        static environ: *const *const c_char;
    }
    let mut entries = Vec::with_capacity(64);
    // SAFETY: `environ` is a null-terminated array of C strings, environ(7), to which nothing of ours ever writes.
    unsafe {
        let mut entry = environ;
        while !entry.is_null() && !(*entry).is_null() {
            entries.push(CStr::from_ptr(*entry).into());
            entry = entry.add(1);
        }
    }
    entries
}

impl Program {
    /// A program with this path, these arguments and our own environment.
    /// Fails when the path or an argument holds a NUL byte, which no caller of execve can have passed us.
    pub fn new(path: &Path, argv: &[OsString]) -> io::Result<Self> {
        let words = argv.iter().map(|word| CString::new(word.as_bytes()));
        let (path, argv) = (CString::new(path.as_os_str().as_bytes())?, words.collect::<Result<_, _>>()?);
        Ok(Self { path, argv, env: environment(), spare: None })
    }

    /// The path by which the program is started.
    pub fn path(&self) -> &Path {
        Path::new(OsStr::from_bytes(self.path.to_bytes()))
    }

    /// Sets `NAME=value` in the program's environment, or removes `NAME` where there is no value.
    pub fn set_env(&mut self, name: &str, value: Option<&OsStr>) {
        let is_name = |entry: &[u8]| {
            entry.strip_prefix(name.as_bytes()).is_some_and(|rest| rest.first() == Some(&b'='))
        };
        self.env.retain(|entry| !is_name(entry.to_bytes()));
        if let Some(value) = value {
            let mut entry = OsString::from(name);
            entry.push("=");
            entry.push(value);
            self.env.extend(CString::new(entry.into_vec()).ok().map(Cow::Owned));
        }
    }

    /// Lets [`Program::exec`] leave this variable out where the environment does not fit otherwise (E2BIG,
    /// execve(2)).
    pub fn can_spare(&mut self, name: &'static str) {
        self.spare = Some(name);
    }

    /// Replaces this process; returns only where that failed. A file without `#!` that the kernel cannot run is
    /// handed to /bin/sh, as shells and execvp(3) do.
    pub fn exec(&mut self) -> io::Error {
        let error = self.try_exec();
        let is_too_big = error.raw_os_error() == Some(libc::E2BIG);
        let Some(name) = self.spare.take().filter(|_| is_too_big) else { return error };
        self.set_env(name, None);
        self.try_exec()
    }

    fn try_exec(&self) -> io::Error {
        let argv = pointers(self.argv.iter().map(CString::as_c_str));
        let env = pointers(self.env.iter().map(Cow::as_ref));
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

fn pointers<'s>(strings: impl Iterator<Item = &'s CStr>) -> Vec<*const c_char> {
    strings.map(CStr::as_ptr).chain([ptr::null()]).collect()
}

/// A started tool, not yet waited for.
pub struct Child {
    pid: libc::pid_t,
}

impl Child {
    /// Forks and execs `program` with `stdout` in place of descriptor 1 and, where given, `stderr` in place of
    /// descriptor 2. The child is killed by SIGKILL when this process ends (`PR_SET_PDEATHSIG`, Linux), and has the
    /// signal dispositions and mask that we were started with. `prepare` runs in the child before exec and gets the
    /// child's process id.
    /// Fails when fork fails (EAGAIN, ENOMEM). A failing exec is no error: the child writes a line to stderr and exits
    /// with status 126 or 127.
    pub fn spawn(
        program: &Program,
        stdout: BorrowedFd<'_>,
        stderr: Option<BorrowedFd<'_>>,
        watch: &Watch,
        prepare: impl FnOnce(&mut Program, u32),
    ) -> io::Result<Self> {
        let parent = std::process::id();
        let timers = Timers::running();
        // SAFETY: tools are started before an output is looked at, and so before any thread, so the child may use the
        // heap; it only rearranges descriptors and signal state and then execs or exits.
        match unsafe { libc::fork() } {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                die_with(parent);
                timers.start();
                let _ = rustix::stdio::dup2_stdout(stdout);
                let _ = stderr.map(rustix::stdio::dup2_stderr);
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

    /// The child's process id.
    pub fn pid(&self) -> i32 {
        self.pid
    }

    /// Sends the child a signal; a child that has ended already is no error.
    pub fn signal(&self, signal: c_int) {
        if let Some((child, signal)) = Pid::from_raw(self.pid).zip(Signal::from_named_raw(signal)) {
            let _ = kill_process(child, signal);
        }
    }

    /// The child's new status, if it has changed; never blocks. After `Exited` or `Killed` the process is reaped.
    pub fn try_wait(&self) -> Option<Status> {
        let options = WaitOptions::NOHANG | WaitOptions::UNTRACED;
        let (_, status) = waitpid(Pid::from_raw(self.pid), options).ok()??;
        Some(match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Status::Exited(code),
            (None, Some(signal)) => Status::Killed(signal),
            (None, None) => Status::Stopped,
        })
    }
}

/// Puts /dev/null in place of descriptor 1 and, with `errors`, of descriptor 2, so that their readers come to the
/// end of the input. False where that fails; the end of this process closes them in any case.
pub fn close_output(errors: bool) -> bool {
    let flags = rustix::fs::OFlags::RDWR | rustix::fs::OFlags::CLOEXEC;
    let Ok(nothing) = rustix::fs::open(c"/dev/null", flags, rustix::fs::Mode::empty()) else { return false };
    rustix::stdio::dup2_stdout(&nothing).is_ok() && (!errors || rustix::stdio::dup2_stderr(&nothing).is_ok())
}

/// Puts /dev/null in the place of descriptor 2 if that is closed: a file opened there would get what is said to it.
pub fn occupy_stderr() {
    if rustix::io::fcntl_getfd(rustix::stdio::stderr()) != Err(rustix::io::Errno::BADF) {
        return;
    }
    let flags = rustix::fs::OFlags::RDWR;
    if let Ok(nothing) = rustix::fs::open(c"/dev/null", flags, rustix::fs::Mode::empty()) {
        let _ = rustix::stdio::dup2_stderr(&nothing);
        // The descriptor may be that one.
        std::mem::forget(nothing);
    }
}

/// Exit status of a shell for a command that was found but cannot be run.
pub const NOT_STARTED: i32 = 126;

/// Exit status that shells give a command that could not be started: 127 not found, [`NOT_STARTED`] otherwise.
pub fn exec_failure_status(error: &io::Error) -> i32 {
    if error.raw_os_error() == Some(libc::ENOENT) { 127 } else { NOT_STARTED }
}
