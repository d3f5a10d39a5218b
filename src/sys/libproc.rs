//! macOS: what libproc(3) and `sysctl` tell about processes and their descriptors. Compiled for macOS, never run there.

use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd};

/// `struct vinfo_stat` of `sys/proc_info.h`.
#[repr(C)]
#[derive(Clone, Copy)]
#[expect(missing_docs, reason = "the kernel's own names")]
pub struct VnodeStat {
    pub vst_dev: u32,
    pub vst_mode: u16,
    pub vst_nlink: u16,
    pub vst_ino: u64,
    pub vst_owner: [u32; 2],
    pub vst_times: [i64; 8],
    pub vst_size: i64,
    pub vst_blocks: i64,
    pub vst_blksize: i32,
    pub vst_flags: u32,
    pub vst_gen: u32,
    pub vst_rdev: u32,
    pub vst_qspare: [i64; 2],
}

/// `struct proc_fileinfo`.
#[repr(C)]
#[derive(Clone, Copy)]
struct FileInfo {
    open_flags: u32,
    status: u32,
    offset: i64,
    kind: i32,
    guard_flags: u32,
}

/// `struct pipe_fdinfo`, its `pipe_info` unfolded.
#[repr(C)]
#[derive(Clone, Copy)]
struct PipeInfo {
    file: FileInfo,
    stat: VnodeStat,
    handle: u64,
    peer_handle: u64,
    status: i32,
    reserved: i32,
}

/// `struct vnode_fdinfo`, its `vnode_info` unfolded.
#[repr(C)]
#[derive(Clone, Copy)]
struct VnodeInfo {
    file: FileInfo,
    stat: VnodeStat,
    kind: i32,
    padding: i32,
    file_system: [i32; 2],
}

const PROC_PIDFDVNODEINFO: c_int = 1;
const PROC_PIDFDPIPEINFO: c_int = 6;

/// Parent, names, terminal and start of a process; `None` when it is gone or hidden.
pub fn bsd_info(pid: i32) -> Option<libc::proc_bsdinfo> {
    let mut info = MaybeUninit::<libc::proc_bsdinfo>::uninit();
    let size = size_of::<libc::proc_bsdinfo>() as c_int;
    // SAFETY: libproc writes at most `size` bytes, and all of them when it returns `size`.
    let written =
        unsafe { libc::proc_pidinfo(pid, libc::PROC_PIDTBSDINFO, 0, info.as_mut_ptr().cast(), size) };
    // SAFETY: plain integers, all written.
    (written == size).then(|| unsafe { info.assume_init() })
}

fn descriptor_info<T: Copy>(pid: i32, descriptor: i32, flavor: c_int) -> Option<T> {
    let mut info = MaybeUninit::<T>::uninit();
    let size = size_of::<T>() as c_int;
    // SAFETY: libproc writes at most `size` bytes, and all of them when it returns `size`.
    let written = unsafe { libc::proc_pidfdinfo(pid, descriptor, flavor, info.as_mut_ptr().cast(), size) };
    // SAFETY: T is one of the kernel's structures of plain integers above, all written.
    (written == size).then(|| unsafe { info.assume_init() })
}

/// The handles of a pipe's end and of its other end.
pub fn pipe(pid: i32, descriptor: i32) -> Option<(u64, u64)> {
    descriptor_info(pid, descriptor, PROC_PIDFDPIPEINFO).map(|i: PipeInfo| (i.handle, i.peer_handle))
}

/// The file or device that a descriptor leads to.
pub fn vnode(pid: i32, descriptor: i32) -> Option<VnodeStat> {
    descriptor_info(pid, descriptor, PROC_PIDFDVNODEINFO).map(|i: VnodeInfo| i.stat)
}

/// Numbers of a process's open descriptors.
pub fn descriptors(pid: i32) -> Option<Vec<i32>> {
    const MOST: usize = 16 << 10;
    let mut list = Vec::<libc::proc_fdinfo>::with_capacity(MOST);
    let entry = size_of::<libc::proc_fdinfo>();
    // SAFETY: libproc writes whole entries into the capacity that it is told of.
    let written = unsafe {
        libc::proc_pidinfo(pid, libc::PROC_PIDLISTFDS, 0, list.as_mut_ptr().cast(), (MOST * entry) as c_int)
    };
    if written <= 0 {
        return None;
    }
    // SAFETY: so many entries were written.
    unsafe { list.set_len(written as usize / entry) };
    Some(list.iter().map(|entry| entry.proc_fd).collect())
}

/// Process ids of a process's children.
pub fn children(pid: i32) -> Option<Vec<i32>> {
    const MOST: usize = 4 << 10;
    let mut list = Vec::<i32>::with_capacity(MOST);
    // SAFETY: libproc writes process ids into the capacity that it is told of, and returns their number.
    let count = unsafe {
        libc::proc_listchildpids(pid, list.as_mut_ptr().cast(), (MOST * size_of::<i32>()) as c_int)
    };
    if count < 0 {
        return None;
    }
    // SAFETY: so many entries were written.
    unsafe { list.set_len((count as usize).min(MOST)) };
    Some(list)
}

/// `KERN_PROCARGS2`: the number of arguments, the program's path, the arguments, the environment.
pub fn program_area(pid: i32) -> Option<Vec<u8>> {
    let mut name = [libc::CTL_KERN, libc::KERN_PROCARGS2, pid];
    let mut size = 1 << 20;
    let mut area = Vec::<u8>::with_capacity(size);
    // SAFETY: the kernel writes at most `size` bytes and puts their number there.
    let status = unsafe {
        libc::sysctl(name.as_mut_ptr(), 3, area.as_mut_ptr().cast(), &raw mut size, std::ptr::null_mut(), 0)
    };
    if status != 0 {
        return None;
    }
    // SAFETY: so many bytes were written.
    unsafe { area.set_len(size) };
    Some(area)
}

/// `LOCAL_PEERPID`: the process at the other end of a local socket.
pub fn socket_peer(socket: BorrowedFd) -> Option<i32> {
    let mut pid: libc::pid_t = 0;
    let mut size = size_of::<libc::pid_t>() as libc::socklen_t;
    // SAFETY: the kernel writes at most `size` bytes, the size of `pid`.
    let status = unsafe {
        libc::getsockopt(
            socket.as_raw_fd(),
            libc::SOL_LOCAL,
            libc::LOCAL_PEERPID,
            (&raw mut pid).cast(),
            &raw mut size,
        )
    };
    (status == 0 && pid > 0).then_some(pid)
}
