//! Processes and their open files on Linux: /proc, `sock_diag`, kcmp.

mod holders;
mod process;
mod procfs;
mod sock_diag;
mod table;

pub use holders::{Holders, relays, shares_input};
pub use process::Process;

use super::stream::Kind;
use crate::sys::auxv;
use std::mem::MaybeUninit;

/// Where a descriptor of ours leads: `pipe:[123]`, the path of a file. Empty where it is not known.
pub fn link(descriptor: i32) -> Vec<u8> {
    let mut buffer = [MaybeUninit::uninit(); 4096];
    let path = procfs::Path::below_proc(format_args!("self/fd/{descriptor}"));
    path.link(&mut buffer).map(<[u8]>::to_vec).unwrap_or_default()
}

/// The path by which this program was started.
pub fn exec_path() -> Option<&'static [u8]> {
    auxv::execfn().map(std::ffi::CStr::to_bytes)
}

/// Every process that can be seen.
pub fn everybody() -> Vec<i32> {
    procfs::processes()
}

/// What a character device with this number is (Documentation/admin-guide/devices.txt of the kernel).
pub fn device_kind(number: u64) -> Kind {
    match (rustix::fs::major(number), rustix::fs::minor(number)) {
        (1, 3) => Kind::Null,
        (PTY_SLAVES | 4, _) | (5, 0 | 1) => Kind::Terminal,
        _ => Kind::Other,
    }
}

/// Number of the pseudo-terminal whose slave this device is.
pub fn pty_number(device: u64) -> Option<u32> {
    (rustix::fs::major(device) == PTY_SLAVES).then(|| rustix::fs::minor(device))
}

/// Major device number of pseudo-terminals' slaves.
const PTY_SLAVES: u32 = 136;
