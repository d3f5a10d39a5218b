//! Runs a program in which one system call fails: ptrace(2) suppresses the call and hands back an error. Only the shim
//! is traced, and its children up to the exec that makes another program of them.
#![expect(unsafe_code, reason = "ptrace(2), waitpid(2): each call with integers and buffers of its own")]

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Command, ExitStatus};
use std::ptr;
use std::thread;
use std::time::{Duration, Instant};

use crate::harness::{LIMIT, spawn};

/// How long the shim's children may outlive it.
const GRACE: Duration = Duration::from_secs(10);

/// The events that the kernel is to report (ptrace(2)).
const OPTIONS: i32 = libc::PTRACE_O_TRACESYSGOOD
    | libc::PTRACE_O_TRACEFORK
    | libc::PTRACE_O_TRACEVFORK
    | libc::PTRACE_O_TRACECLONE
    | libc::PTRACE_O_TRACEEXEC
    | libc::PTRACE_O_EXITKILL;

/// The process that makes a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The shim's own.
    Shim,
    /// A child's, on its way to the tool.
    Child,
}

/// A system call: the process that makes it, its number, and its place among the calls of that number, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Call {
    pub role: Role,
    pub number: i64,
    pub nth: usize,
}

/// The result of a run.
#[derive(Debug)]
pub struct Traced {
    pub status: ExitStatus,
    pub out: Vec<u8>,
    pub err: Vec<u8>,
    /// Every call in order, with its first argument.
    pub calls: Vec<(Call, u64)>,
    /// Whether the call that was to fail was made.
    pub injected: bool,
    /// Number of processes that did not end in time.
    pub left: usize,
}

#[derive(Default)]
struct Process {
    role: Option<Role>,
    is_inside: bool,
    fails: bool,
    /// The call's own first argument, where another was put in its place.
    argument: Option<u64>,
}

/// Runs a command to its end; `fault` is the call that fails, with its errno. `None` where processes cannot be traced.
pub fn run(command: &mut Command, fault: Option<(Call, i32)>) -> Option<Traced> {
    let streams = [tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap()];
    command.stdout(streams[0].try_clone().unwrap()).stderr(streams[1].try_clone().unwrap());
    // SAFETY: between fork and exec only ptrace is called.
    unsafe {
        command.pre_exec(|| {
            match libc::ptrace(libc::PTRACE_TRACEME, 0, ptr::null_mut::<u8>(), ptr::null_mut::<u8>()) {
                -1 => Err(std::io::Error::last_os_error()),
                _ => Ok(()),
            }
        });
    }
    // A traced child stops at its exec, which is where this returns.
    #[expect(clippy::zombie_processes, reason = "the tracer waits for it, and for its children")]
    let child = spawn(command);
    let shim = child.id() as i32;
    let mut tracer = Tracer::new(shim, fault);
    if !tracer.follow() {
        return None;
    }
    let (status, [out, err]) = (tracer.ended?, streams.map(content));
    Some(Traced { status, out, err, calls: tracer.calls, injected: tracer.injected, left: tracer.left })
}

fn content(mut file: File) -> Vec<u8> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0)).unwrap();
    file.read_to_end(&mut bytes).unwrap();
    bytes
}

fn request(request: u32, pid: i32, data: u64) -> bool {
    // SAFETY: requests that take no address, or an integer as data.
    unsafe { libc::ptrace(request, pid, ptr::null_mut::<u8>(), data as *mut u8) != -1 }
}

fn registers(pid: i32) -> Option<libc::user_regs_struct> {
    // SAFETY: the kernel fills in the structure, which is plain integers.
    unsafe {
        let mut registers: libc::user_regs_struct = std::mem::zeroed();
        let read = libc::ptrace(libc::PTRACE_GETREGS, pid, ptr::null_mut::<u8>(), &raw mut registers);
        (read != -1).then_some(registers)
    }
}

fn set_registers(pid: i32, registers: &libc::user_regs_struct) {
    // SAFETY: the kernel reads the structure.
    unsafe { libc::ptrace(libc::PTRACE_SETREGS, pid, ptr::null_mut::<u8>(), ptr::from_ref(registers)) };
}

/// Waits until `due` for the next change of a process that this thread traces. Children of other threads are left to
/// them.
fn next_change(due: Instant) -> Change {
    let mut status = 0;
    loop {
        // SAFETY: waitpid fills in the integer.
        let pid =
            unsafe { libc::waitpid(-1, &raw mut status, libc::__WALL | libc::__WNOTHREAD | libc::WNOHANG) };
        match pid {
            1.. => return Change::Of(pid, status),
            0 if Instant::now() < due => thread::sleep(Duration::from_micros(50)),
            0 => return Change::NoMore,
            _ => return Change::NobodyLeft,
        }
    }
}

enum Change {
    Of(i32, i32),
    NoMore,
    NobodyLeft,
}

/// A run under way.
struct Tracer {
    shim: i32,
    fault: Option<(Call, i32)>,
    processes: HashMap<i32, Process>,
    counts: HashMap<(Role, i64), usize>,
    calls: Vec<(Call, u64)>,
    injected: bool,
    ended: Option<ExitStatus>,
    left: usize,
    due: Instant,
}

impl Tracer {
    fn new(shim: i32, fault: Option<(Call, i32)>) -> Self {
        Self {
            shim,
            fault,
            processes: HashMap::new(),
            counts: HashMap::new(),
            calls: Vec::new(),
            injected: false,
            ended: None,
            left: 0,
            due: Instant::now() + LIMIT,
        }
    }

    /// Follows every process to its end, or to the exec that makes another program of it. False where processes cannot
    /// be traced.
    fn follow(&mut self) -> bool {
        loop {
            match next_change(self.due) {
                Change::NobodyLeft => return self.ended.is_some(),
                Change::Of(pid, status) => {
                    if !self.on_change(pid, status) {
                        return false;
                    }
                }
                Change::NoMore => {
                    self.left = self.processes.len();
                    for pid in self.processes.keys() {
                        // SAFETY: a tracee of ours, not yet waited for.
                        unsafe { libc::kill(*pid, libc::SIGKILL) };
                    }
                    self.due = Instant::now() + LIMIT;
                }
            }
        }
    }

    fn on_change(&mut self, pid: i32, status: i32) -> bool {
        if libc::WIFEXITED(status) || libc::WIFSIGNALED(status) {
            if pid == self.shim {
                self.ended = Some(ExitStatus::from_raw(status));
                self.due = Instant::now() + GRACE;
            }
            self.processes.remove(&pid);
            return true;
        }
        let (signal, is_shim) = (libc::WSTOPSIG(status), pid == self.shim);
        let Some(role) = self.processes.entry(pid).or_default().role else {
            let role = if is_shim { Role::Shim } else { Role::Child };
            self.processes.entry(pid).or_default().role = Some(role);
            let is_traced = !is_shim || request(libc::PTRACE_SETOPTIONS, pid, OPTIONS as u64);
            request(libc::PTRACE_SYSCALL, pid, 0);
            return is_traced;
        };
        if status >> 16 == libc::PTRACE_EVENT_EXEC {
            // The tool is not traced.
            request(libc::PTRACE_DETACH, pid, 0);
            self.processes.remove(&pid);
        } else if signal == libc::SIGTRAP | 0x80 {
            self.on_call(pid, role);
            request(libc::PTRACE_SYSCALL, pid, 0);
        } else {
            let is_event = signal == libc::SIGTRAP;
            request(libc::PTRACE_SYSCALL, pid, if is_event { 0 } else { signal as u64 });
        }
        true
    }

    /// Handles the beginning or the end of a call.
    fn on_call(&mut self, pid: i32, role: Role) {
        let (Some(process), Some(mut registers)) = (self.processes.get_mut(&pid), registers(pid)) else {
            return;
        };
        process.is_inside = !process.is_inside;
        if !process.is_inside {
            if let Some(argument) = process.argument.take() {
                registers.rdi = argument;
            } else if std::mem::take(&mut process.fails)
                && let Some((_, errno)) = self.fault
            {
                registers.rax = i64::from(-errno) as u64;
            } else {
                return;
            }
            return set_registers(pid, &registers);
        }
        let number = registers.orig_rax as i64;
        let nth = self.counts.entry((role, number)).or_default();
        let call = Call { role, number, nth: *nth };
        *nth += 1;
        self.calls.push((call, registers.rdi));
        if self.fault.is_none_or(|(wanted, _)| wanted != call) {
            return;
        }
        self.injected = true;
        process.fails = number != libc::SYS_brk;
        match number {
            // A close that fails has closed all the same (close(2)), so the call is made.
            libc::SYS_close => {}
            // brk(2) returns the current break instead of an error, as it does for an argument of 0.
            libc::SYS_brk => process.argument = Some(std::mem::take(&mut registers.rdi)),
            _ => registers.orig_rax = u64::MAX,
        }
        set_registers(pid, &registers);
    }
}
