//! XNU's answers, made out of /proc and `sock_diag`: what the same processes would look like on a Mac. Debug builds
//! on Linux only.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;

use rustix::io::Errno;

use crate::consumer::linux;
use crate::consumer::stream::pty_number;
use crate::sys::libproc::layout::{
    self, BsdInfo, Descriptor, FileInfo, PipeInfo, Plain, SocketInfo, VnodeInfo, VnodeStat,
};
use crate::sys::libproc::{Kernel, Side};

pub struct Simulated;

impl Kernel for Simulated {
    fn process(&self, pid: i32, flavor: i32, buffer: &mut [u8]) -> Result<usize, Errno> {
        match flavor {
            layout::BSD_INFO => write(buffer, &bsd_info(pid)?),
            layout::LIST_DESCRIPTORS => {
                let mut length = 0;
                for number in numbers(&format!("/proc/{pid}/fd"))? {
                    let Ok(link) = fs::read_link(format!("/proc/{pid}/fd/{number}")) else { continue };
                    let link = link.to_string_lossy();
                    let kind = match link.split(':').next().unwrap_or_default() {
                        "pipe" => layout::PIPE,
                        "socket" => layout::SOCKET,
                        "anon_inode" => 5,
                        _ => layout::VNODE,
                    };
                    length +=
                        write(&mut buffer[length..], &Descriptor { proc_fd: number, proc_fdtype: kind })?;
                }
                Ok(length)
            }
            _ => Err(Errno::INVAL),
        }
    }

    fn descriptor(&self, pid: i32, descriptor: i32, flavor: i32, buffer: &mut [u8]) -> Result<usize, Errno> {
        let path = format!("/proc/{pid}/fd/{descriptor}");
        let link = fs::read_link(&path).map_err(|error| errno(&error))?;
        let link = link.to_string_lossy().into_owned();
        let stat = fs::metadata(&path).map_err(|error| errno(&error))?;
        let pfi = file_info(pid, descriptor)?;
        let vnode = vnode_stat(&stat);
        match flavor {
            layout::PIPE_INFO if link.starts_with("pipe:") => {
                // Both ends share one inode on Linux, and have a handle each on a Mac.
                let ends = (stat.ino() << 1, stat.ino() << 1 | 1);
                let is_writer = pfi.fi_openflags & 3 == 1;
                let (own, peer) = if is_writer { (ends.1, ends.0) } else { ends };
                let info =
                    PipeInfo { pfi, pipe_stat: vnode, pipe_handle: own, pipe_peerhandle: peer, ..zeroed() };
                write(buffer, &info)
            }
            layout::SOCKET_INFO if link.starts_with("socket:") => {
                let mut info = zeroed::<SocketInfo>();
                (info.pfi, info.soi_stat, info.soi_so) = (pfi, vnode, stat.ino());
                if let Some(peer) = linux::unix_peer(stat.ino() as u32) {
                    (info.soi_kind, info.unsi_conn_so) = (layout::LOCAL, peer.into());
                }
                write(buffer, &info)
            }
            layout::VNODE_INFO if !link.starts_with("pipe:") && !link.starts_with("socket:") => {
                let mut vi_stat = vnode;
                if let Some(unit) = master_unit(pid, descriptor) {
                    vi_stat.vst_rdev = 15 << 24 | unit;
                }
                write(buffer, &VnodeInfo { pfi, vi_stat, ..zeroed() })
            }
            _ => Err(Errno::BADF),
        }
    }

    fn list(&self, of: Option<i32>, buffer: &mut [i32]) -> Result<usize, Errno> {
        let found = match of {
            Some(parent) => linux::children(parent).ok_or(Errno::PERM)?,
            None => numbers("/proc")?,
        };
        buffer.iter_mut().zip(&found).for_each(|(place, pid)| *place = *pid);
        Ok(found.len().min(buffer.len()))
    }

    fn program_area(&self, pid: i32, buffer: &mut [u8]) -> Result<usize, Errno> {
        let arguments = linux::arguments(pid).ok_or(Errno::INVAL)?;
        let count = memchr::memchr_iter(0, &arguments).count() as i32;
        let path = fs::read_link(format!("/proc/{pid}/exe")).map_err(|error| errno(&error))?;
        // The system's own programs show no environment: here these are the programs in /usr/bin, except Python,
        // which the players are.
        let path = path.to_string_lossy().into_owned();
        let is_protected = path.starts_with("/usr/bin/") && !path.contains("python");
        let environment = if is_protected { None } else { linux::environment(pid) };
        let area = [
            &count.to_ne_bytes()[..],
            path.as_bytes(),
            b"\0\0\0",
            &arguments,
            &environment.unwrap_or_default(),
            b"\0",
        ];
        let area = area.concat();
        buffer.get_mut(..area.len()).ok_or(Errno::NOMEM)?.copy_from_slice(&area);
        Ok(area.len())
    }

    fn terminal_unit(&self, device: u64, side: Side) -> Option<u32> {
        match side {
            Side::Slave => pty_number(device),
            Side::Master => (device >> 24 == 15).then_some((device & 0x00ff_ffff) as u32),
        }
    }
}

fn errno(error: &io::Error) -> Errno {
    match Errno::from_io_error(error) {
        Some(Errno::NOENT) => Errno::BADF,
        Some(Errno::ACCESS) => Errno::PERM,
        other => other.unwrap_or(Errno::IO),
    }
}

fn write<T: Plain>(buffer: &mut [u8], value: &T) -> Result<usize, Errno> {
    let bytes = layout::bytes(value);
    buffer.get_mut(..bytes.len()).ok_or(Errno::NOMEM)?.copy_from_slice(bytes);
    Ok(bytes.len())
}

fn zeroed<T: Plain>() -> T {
    layout::read(&vec![0; size_of::<T>()]).expect("as many bytes as it has")
}

fn numbers(directory: &str) -> Result<Vec<i32>, Errno> {
    let entries = crate::sys::directory::entries(directory.as_ref())
        .map_err(|error| if error.kind() == io::ErrorKind::NotFound { Errno::SRCH } else { errno(&error) })?;
    Ok(entries.iter().filter_map(|path| path.file_name()?.to_str()?.parse().ok()).collect())
}

fn bsd_info(pid: i32) -> Result<BsdInfo, Errno> {
    let stat = linux::stat(pid).ok_or(Errno::SRCH)?;
    let mut info = zeroed::<BsdInfo>();
    info.pbi_comm[..stat.comm.len()].copy_from_slice(&stat.comm);
    (info.pbi_ppid, info.e_tdev) = (stat.parent as u32, stat.terminal as u32);
    (info.pbi_start_tvsec, info.pbi_start_tvusec) = (stat.started / 100, stat.started % 100 * 10_000);
    Ok(info)
}

/// The value of a key in /proc/PID/fdinfo/FD; empty where the key is not there.
fn told(pid: i32, descriptor: i32, key: &str) -> Result<String, Errno> {
    let text = fs::read_to_string(format!("/proc/{pid}/fdinfo/{descriptor}"));
    let text = text.map_err(|error| errno(&error))?;
    Ok(text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default().trim().to_owned())
}

fn file_info(pid: i32, descriptor: i32) -> Result<FileInfo, Errno> {
    let flags = u32::from_str_radix(&told(pid, descriptor, "flags:")?, 8).unwrap_or_default();
    let fi_offset = told(pid, descriptor, "pos:")?.parse().unwrap_or_default();
    Ok(FileInfo { fi_openflags: flags & !0o2_000_000, fi_offset, ..zeroed() })
}

fn vnode_stat(stat: &fs::Metadata) -> VnodeStat {
    let mut vnode = zeroed::<VnodeStat>();
    (vnode.vst_dev, vnode.vst_ino, vnode.vst_rdev) = (stat.dev() as u32, stat.ino(), stat.rdev() as u32);
    vnode
}

fn master_unit(pid: i32, descriptor: i32) -> Option<u32> {
    told(pid, descriptor, "tty-index:").ok()?.parse().ok()
}
