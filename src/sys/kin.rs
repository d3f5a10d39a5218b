//! Our place among the processes: our ancestors, and when a process began (`proc_pid_stat(5)`).
//!
//! Without /proc only our own process id and our parent's are known.

use std::io::Read as _;

/// The id of this process.
pub fn own_pid() -> i32 {
    rustix::process::getpid().as_raw_nonzero().get()
}

/// Time since boot, sleep included, in hundredths of a second (`USER_HZ`): the clock and unit of `starttime`.
pub fn now() -> u64 {
    #[cfg(target_os = "linux")]
    let clock = libc::CLOCK_BOOTTIME;
    #[cfg(not(target_os = "linux"))]
    let clock = libc::CLOCK_MONOTONIC;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // The C library found the vDSO at the start; rustix would look for it again.
    // SAFETY: `time` is ours to write.
    unsafe { libc::clock_gettime(clock, &raw mut time) };
    time.tv_sec.unsigned_abs() * 100 + time.tv_nsec.unsigned_abs() / 10_000_000
}

/// When the process began, in the unit of [`now`]; None where that cannot be read.
pub fn start_of(process: u32) -> Option<u64> {
    stat_field(process, 22)
}

/// Whether `process` is `from` or an ancestor of it, at most 64 steps up.
pub fn is_ancestor(process: u32, from: u32) -> bool {
    let mut current = from;
    for _ in 0..64 {
        if current == process {
            return true;
        }
        match stat_field(current, 4) {
            Some(parent) if parent > 0 => current = parent as u32,
            _ => return false,
        }
    }
    false
}

/// The name in a line of /proc/PID/stat (field 2, which may contain parentheses and blanks), and the fields behind
/// it.
pub fn stat_fields(line: &[u8]) -> Option<(&[u8], impl Iterator<Item = &[u8]>)> {
    /// Where the name has ended at the latest: `fs/proc/array.c` cuts it at 64 bytes.
    const NAMED: usize = 96;
    let open = line.iter().position(|&b| b == b'(')?;
    let close = line.iter().take(NAMED).rposition(|&b| b == b')')?;
    Some((line.get(open + 1..close)?, line.get(close + 2..)?.split(|&b| b == b' ')))
}

/// A numeric field of /proc/PID/stat, counted from 1 as in the manual.
fn stat_field(process: u32, number: usize) -> Option<u64> {
    let mut text = [0u8; 1024];
    let mut file = std::fs::File::open(format!("/proc/{process}/stat")).ok()?;
    let length = file.read(&mut text).ok()?;
    let (_, mut fields) = stat_fields(&text[..length])?;
    std::str::from_utf8(fields.nth(number - 3)?).ok()?.parse().ok()
}

#[cfg(test)]
#[path = "../../tests/unit/sys/kin.rs"]
mod tests;
