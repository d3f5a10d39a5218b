//! The kernel's structures, as `bsd/sys/proc_info.h` of XNU lays them out on 64 bits. Debug builds of other systems
//! compile this module, too, so that the sizes and the offsets of the fields that are read are checked there. Fields
//! that nobody reads are gathered to `unread`.
#![expect(clippy::struct_field_names, reason = "the kernel's own names")]

use std::mem::{MaybeUninit, offset_of};

/// A structure of plain integers without padding: any bytes are a valid value of it, and every byte of a value is
/// initialised.
///
/// # Safety
/// The type is such a structure.
pub unsafe trait Plain: Copy {}

/// The structure at the beginning of `bytes`, as the kernel wrote it; None where they are too few.
pub fn read<T: Plain>(bytes: &[u8]) -> Option<T> {
    let mut value = MaybeUninit::<T>::uninit();
    let bytes = bytes.get(..size_of::<T>())?;
    // SAFETY: as many bytes are copied as the structure has, and any bytes are a valid value of it.
    unsafe {
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), value.as_mut_ptr().cast(), bytes.len());
        Some(value.assume_init())
    }
}

/// The bytes of a structure, for the Mac that other systems play.
#[cfg(not(target_os = "macos"))]
pub fn bytes<T: Plain>(value: &T) -> &[u8] {
    // SAFETY: no byte of a plain structure is padding.
    unsafe { std::slice::from_raw_parts(std::ptr::from_ref(value).cast(), size_of::<T>()) }
}

/// `PROC_PIDTBSDINFO`.
pub const BSD_INFO: i32 = 3;
/// `PROC_PIDT_SHORTBSDINFO`: fewer fields, and of other users' processes, too.
pub const SHORT_BSD_INFO: i32 = 13;
/// `PROC_PIDLISTFDS`.
pub const LIST_DESCRIPTORS: i32 = 1;
/// `PROC_PIDFDVNODEINFO`.
pub const VNODE_INFO: i32 = 1;
/// `PROC_PIDFDSOCKETINFO`.
pub const SOCKET_INFO: i32 = 3;
/// `PROC_PIDFDPIPEINFO`.
pub const PIPE_INFO: i32 = 6;
/// `PROX_FDTYPE_VNODE`, `PROX_FDTYPE_SOCKET`, `PROX_FDTYPE_PIPE`.
pub const VNODE: u32 = 1;
pub const SOCKET: u32 = 2;
pub const PIPE: u32 = 6;
/// `SOCKINFO_UN`: a local socket.
pub const LOCAL: i32 = 3;

/// `struct proc_bsdinfo`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct BsdInfo {
    pub unread_1: [u32; 4],
    pub pbi_ppid: u32,
    pub unread_2: [u32; 7],
    pub pbi_comm: [u8; 16],
    pub unread_3: [u32; 11],
    pub e_tdev: u32,
    pub unread_4: [u32; 2],
    pub pbi_start_tvsec: u64,
    pub pbi_start_tvusec: u64,
}

/// `struct proc_bsdshortinfo`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ShortBsdInfo {
    pub pbsi_pid: u32,
    pub pbsi_ppid: u32,
    pub unread_1: [u32; 2],
    pub pbsi_comm: [u8; 16],
    pub unread_2: [u32; 8],
}

/// `struct proc_fdinfo`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Descriptor {
    pub proc_fd: i32,
    pub proc_fdtype: u32,
}

/// `struct proc_fileinfo`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileInfo {
    pub fi_openflags: u32,
    pub fi_status: u32,
    pub fi_offset: i64,
    pub fi_type: i32,
    pub fi_guardflags: u32,
}

/// `struct vinfo_stat`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct VnodeStat {
    pub vst_dev: u32,
    pub unread_1: u32,
    pub vst_ino: u64,
    pub unread_2: [u32; 25],
    pub vst_rdev: u32,
    pub unread_3: [i64; 2],
}

/// `struct pipe_fdinfo`, with the fields of its `pipe_info`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PipeInfo {
    pub pfi: FileInfo,
    pub pipe_stat: VnodeStat,
    pub pipe_handle: u64,
    pub pipe_peerhandle: u64,
    pub unread: [i32; 2],
}

/// `struct vnode_fdinfo`, with the fields of its `vnode_info`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct VnodeInfo {
    pub pfi: FileInfo,
    pub vi_stat: VnodeStat,
    pub unread: [i32; 4],
}

/// `struct socket_fdinfo`, with the fields of its `socket_info`; of the union at its end, the first member of
/// `un_sockinfo`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SocketInfo {
    pub pfi: FileInfo,
    pub soi_stat: VnodeStat,
    pub soi_so: u64,
    pub unread_1: [u64; 11],
    pub soi_kind: i32,
    pub unread_2: u32,
    pub unsi_conn_so: u64,
    pub unread_3: [u64; 65],
}

macro_rules! laid_out {
    ($type:ty, $size:literal $(, $field:ident at $offset:literal)*) => {
        // SAFETY: integers, arrays of them and such structures; the sizes leave no room for padding.
        unsafe impl Plain for $type {}
        const _: () = assert!(size_of::<$type>() == $size);
        $(const _: () = assert!(offset_of!($type, $field) == $offset);)*
    };
}

laid_out!(BsdInfo, 136, pbi_ppid at 16, pbi_comm at 48, e_tdev at 108, pbi_start_tvsec at 120);
laid_out!(ShortBsdInfo, 64, pbsi_ppid at 4, pbsi_comm at 16);
laid_out!(Descriptor, 8, proc_fd at 0, proc_fdtype at 4);
laid_out!(FileInfo, 24, fi_offset at 8, fi_type at 16);
laid_out!(VnodeStat, 136, vst_ino at 8, vst_rdev at 116);
laid_out!(PipeInfo, 184, pipe_stat at 24, pipe_handle at 160, pipe_peerhandle at 168);
laid_out!(VnodeInfo, 176, vi_stat at 24);
laid_out!(SocketInfo, 792, soi_stat at 24, soi_so at 160, soi_kind at 256, unsi_conn_so at 264);

#[cfg(target_os = "macos")]
const _: () = assert!(
    size_of::<BsdInfo>() == size_of::<libc::proc_bsdinfo>()
        && size_of::<Descriptor>() == size_of::<libc::proc_fdinfo>()
        && offset_of!(BsdInfo, pbi_comm) == offset_of!(libc::proc_bsdinfo, pbi_comm)
        && offset_of!(BsdInfo, e_tdev) == offset_of!(libc::proc_bsdinfo, e_tdev)
        && offset_of!(BsdInfo, pbi_start_tvsec) == offset_of!(libc::proc_bsdinfo, pbi_start_tvsec)
);
