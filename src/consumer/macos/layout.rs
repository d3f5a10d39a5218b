//! The kernel's structures, as `bsd/sys/proc_info.h` of XNU lays them out on 64 bits: for each its flavour, its size
//! and the offsets of the fields that are read.

/// A structure: the number by which it is asked for, and its size in bytes.
pub type Structure = (i32, usize);

/// `PROC_PIDTBSDINFO`, `struct proc_bsdinfo`, and its `pbi_ppid`, `pbi_comm`, `e_tdev`, `pbi_start_tvsec`,
/// `pbi_start_tvusec`.
pub const BSD_INFO: Structure = (3, 136);
pub const BSD: [usize; 5] = [16, 48, 108, 120, 128];
/// `PROC_PIDT_SHORTBSDINFO`, `struct proc_bsdshortinfo`: fewer fields, and of other users' processes, too; `pbsi_ppid`,
/// `pbsi_comm`.
pub const SHORT_BSD_INFO: Structure = (13, 64);
pub const SHORT_BSD: [usize; 2] = [4, 16];
/// Bytes of a name.
pub const NAME: usize = 16;
/// `PROC_PIDLISTFDS`: many of `struct proc_fdinfo`, a descriptor and its type.
pub const LIST_DESCRIPTORS: Structure = (1, 8);

/// `PROC_PIDFDVNODEINFO`, `struct vnode_fdinfo`; `PROC_PIDFDSOCKETINFO`, `struct socket_fdinfo` with the first member
/// of its `un_sockinfo`; `PROC_PIDFDPIPEINFO`, `struct pipe_fdinfo`.
pub const VNODE_INFO: Structure = (1, 176);
pub const SOCKET_INFO: Structure = (3, 792);
pub const PIPE_INFO: Structure = (6, 184);
/// What each of them begins with: `fi_openflags` and `fi_offset` of `struct proc_fileinfo`; then `vst_dev`, `vst_ino`
/// and `vst_rdev` of `struct vinfo_stat`.
pub const OPEN: [usize; 2] = [0, 8];
pub const STAT: [usize; 3] = [24, 32, 140];
/// `soi_so`, `soi_kind`, `unsi_conn_so`; `pipe_handle`, `pipe_peerhandle`.
pub const SOCKET_OWN: usize = 160;
pub const SOCKET_KIND: usize = 256;
pub const SOCKET_PEER: usize = 264;
pub const PIPE_OWN: usize = 160;
pub const PIPE_PEER: usize = 168;

/// `PROX_FDTYPE_VNODE`, `PROX_FDTYPE_SOCKET`, `PROX_FDTYPE_PIPE`.
pub const VNODE: u32 = 1;
pub const SOCKET: u32 = 2;
pub const PIPE: u32 = 6;
/// `SOCKINFO_UN`: a local socket.
pub const LOCAL: u32 = 3;

#[cfg(target_os = "macos")]
const _: () = {
    use std::mem::offset_of;
    assert!(
        size_of::<libc::proc_bsdinfo>() == BSD_INFO.1 && size_of::<libc::proc_fdinfo>() == LIST_DESCRIPTORS.1
    );
    assert!(
        offset_of!(libc::proc_bsdinfo, pbi_comm) == BSD[1]
            && offset_of!(libc::proc_bsdinfo, e_tdev) == BSD[2]
    );
};
