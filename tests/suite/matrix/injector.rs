//! Runs a program with one of its system calls failing: ptrace(2) takes the call away and hands back an error. Only
//! the shim is looked at, and its children up to the exec that makes another program of them.
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

/// Whose call it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The shim's own.
    Shim,
    /// A child's, on its way to the tool.
    Child,
}

/// A system call: whose, its number, and which of those of that number, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Call {
    pub role: Role,
    pub number: i64,
    pub nth: usize,
}

/// What became of a run.
#[derive(Debug)]
pub struct Traced {
    pub status: ExitStatus,
    pub out: Vec<u8>,
    pub err: Vec<u8>,
    /// Every call in order, with its first argument.
    pub calls: Vec<(Call, u64)>,
    /// The call that was to fail was made.
    pub injected: bool,
    /// Processes that would not end.
    pub left: usize,
}

#[derive(Default)]
struct Process {
    role: Option<Role>,
    is_inside: bool,
    fails: bool,
    /// What the call was given, where it was given something else on the way.
    argument: Option<u64>,
}

/// Runs a command to its end; `fault` is the call that fails, and its errno. `None` where processes cannot be traced.
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
    let child = spawn(command);
    let shim = child.id() as i32;
    let Followed { status, calls, injected, left } = follow(shim, fault)?;
    let [out, err] = streams.map(content);
    Some(Traced { status, out, err, calls, injected, left })
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

/// The next change of a process that this thread traces, until `due`; other threads' children are theirs.
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

struct Followed {
    status: ExitStatus,
    calls: Vec<(Call, u64)>,
    injected: bool,
    left: usize,
}

fn follow(shim: i32, fault: Option<(Call, i32)>) -> Option<Followed> {
    let mut processes: HashMap<i32, Process> = HashMap::new();
    let mut counts: HashMap<(Role, i64), usize> = HashMap::new();
    let (mut calls, mut injected, mut ended, mut left) = (Vec::new(), false, None, 0);
    let mut due = Instant::now() + LIMIT;
    loop {
        let (pid, status) = match next_change(due) {
            Change::Of(pid, status) => (pid, status),
            Change::NobodyLeft => break,
            Change::NoMore => {
                left = processes.len();
                for pid in processes.keys() {
                    // SAFETY: a tracee of ours, not yet waited for.
                    unsafe { libc::kill(*pid, libc::SIGKILL) };
                }
                due = Instant::now() + LIMIT;
                continue;
            }
        };
        if libc::WIFEXITED(status) || libc::WIFSIGNALED(status) {
            if pid == shim {
                ended = Some(ExitStatus::from_raw(status));
                due = Instant::now() + GRACE;
            }
            processes.remove(&pid);
            continue;
        }
        let signal = libc::WSTOPSIG(status);
        let process = processes.entry(pid).or_default();
        let Some(role) = process.role else {
            process.role = Some(if pid == shim { Role::Shim } else { Role::Child });
            let options = libc::PTRACE_O_TRACESYSGOOD
                | libc::PTRACE_O_TRACEFORK
                | libc::PTRACE_O_TRACEVFORK
                | libc::PTRACE_O_TRACECLONE
                | libc::PTRACE_O_TRACEEXEC
                | libc::PTRACE_O_EXITKILL;
            if pid == shim && !request(libc::PTRACE_SETOPTIONS, pid, options as u64) {
                return None;
            }
            request(libc::PTRACE_SYSCALL, pid, 0);
            continue;
        };
        if status >> 16 == libc::PTRACE_EVENT_EXEC {
            // The tool: none of ours.
            request(libc::PTRACE_DETACH, pid, 0);
            processes.remove(&pid);
            continue;
        }
        if signal != libc::SIGTRAP | 0x80 {
            let is_event = signal == libc::SIGTRAP;
            request(libc::PTRACE_SYSCALL, pid, if is_event { 0 } else { signal as u64 });
            continue;
        }
        process.is_inside = !process.is_inside;
        if process.is_inside {
            if let Some(mut registers) = registers(pid) {
                let number = registers.orig_rax as i64;
                let nth = counts.entry((role, number)).or_default();
                let call = Call { role, number, nth: *nth };
                *nth += 1;
                calls.push((call, registers.rdi));
                if fault.is_some_and(|(wanted, _)| wanted == call) {
                    injected = true;
                    process.fails = true;
                    match number {
                        // It has closed all the same, close(2).
                        libc::SYS_close => {}
                        // It tells where the break is, brk(2), and no error.
                        libc::SYS_brk => {
                            process.argument = Some(std::mem::take(&mut registers.rdi));
                            process.fails = false;
                        }
                        _ => registers.orig_rax = u64::MAX,
                    }
                    set_registers(pid, &registers);
                }
            }
        } else if let Some(argument) = process.argument.take() {
            if let Some(mut registers) = registers(pid) {
                registers.rdi = argument;
                set_registers(pid, &registers);
            }
        } else if std::mem::take(&mut process.fails)
            && let (Some(mut registers), Some((_, errno))) = (registers(pid), fault)
        {
            registers.rax = i64::from(-errno) as u64;
            set_registers(pid, &registers);
        }
        request(libc::PTRACE_SYSCALL, pid, 0);
    }
    Some(Followed { status: ended?, calls, injected, left })
}
