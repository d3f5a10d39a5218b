//! XNU's answers, made out of /proc and `sock_diag`: what the same processes would look like on a Mac. Debug builds
//! on Linux only.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;

use rustix::io::Errno;

use super::layout;
use crate::consumer::linux;
use crate::consumer::stream::pty_number;

pub fn process(pid: i32, flavor: i32, buffer: &mut [u8]) -> Result<usize, Errno> {
    if flavor == layout::BSD_INFO.0 {
        let stat = linux::stat(pid).ok_or(Errno::SRCH)?;
        let [parent, comm, terminal, started, micros] = layout::BSD;
        return Ok(write(
            buffer,
            layout::BSD_INFO,
            &[
                (parent, &stat.parent.to_ne_bytes()),
                (comm, &stat.comm),
                (terminal, &stat.terminal.to_ne_bytes()),
                (started, &(stat.started / 100).to_ne_bytes()),
                (micros, &(stat.started % 100 * 10_000).to_ne_bytes()),
            ],
        ));
    }
    if flavor != layout::LIST_DESCRIPTORS.0 {
        return Err(Errno::INVAL);
    }
    let mut length = 0;
    for number in numbers(&format!("/proc/{pid}/fd"))? {
        let Ok(link) = fs::read_link(format!("/proc/{pid}/fd/{number}")) else { continue };
        let kind: u32 = match link.to_string_lossy().split(':').next().unwrap_or_default() {
            "pipe" => layout::PIPE,
            "socket" => layout::SOCKET,
            "anon_inode" => 5,
            _ => layout::VNODE,
        };
        let fields: [(usize, &[u8]); 2] = [(0, &number.to_ne_bytes()), (4, &kind.to_ne_bytes())];
        length += write(&mut buffer[length..], layout::LIST_DESCRIPTORS, &fields);
    }
    Ok(length)
}

pub fn descriptor(pid: i32, descriptor: i32, flavor: i32, buffer: &mut [u8]) -> Result<usize, Errno> {
    let path = format!("/proc/{pid}/fd/{descriptor}");
    let link = fs::read_link(&path).map_err(|error| errno(&error))?;
    let link = link.to_string_lossy().into_owned();
    let stat = fs::metadata(&path).map_err(|error| errno(&error))?;
    let flags = u32::from_str_radix(&told(pid, descriptor, "flags:")?, 8).unwrap_or_default() & !0o2_000_000;
    let offset: i64 = told(pid, descriptor, "pos:")?.parse().unwrap_or_default();
    let unit: Option<u32> = told(pid, descriptor, "tty-index:")?.parse().ok();
    let special = unit.map_or(stat.rdev() as u32, |unit| 15 << 24 | unit);
    let [device, inode, number] = layout::STAT;
    let open = [
        (layout::OPEN[0], flags.to_ne_bytes().to_vec()),
        (layout::OPEN[1], offset.to_ne_bytes().to_vec()),
        (device, (stat.dev() as u32).to_ne_bytes().to_vec()),
        (inode, stat.ino().to_ne_bytes().to_vec()),
        (number, special.to_ne_bytes().to_vec()),
    ];
    let (structure, own) = if flavor == layout::PIPE_INFO.0 && link.starts_with("pipe:") {
        // Both ends share one inode on Linux, and have a handle each on a Mac.
        let ends = (stat.ino() << 1, stat.ino() << 1 | 1);
        let (own, peer) = if flags & 3 == 1 { (ends.1, ends.0) } else { ends };
        (layout::PIPE_INFO, vec![(layout::PIPE_OWN, own), (layout::PIPE_PEER, peer)])
    } else if flavor == layout::SOCKET_INFO.0 && link.starts_with("socket:") {
        let peer = linux::unix_peer(stat.ino() as u32).map(u64::from);
        let kind = u64::from(peer.map_or(0, |_| layout::LOCAL).to_le());
        let own = [(layout::SOCKET_OWN, stat.ino()), (layout::SOCKET_KIND, kind)];
        (layout::SOCKET_INFO, own.into_iter().chain(peer.map(|peer| (layout::SOCKET_PEER, peer))).collect())
    } else if flavor == layout::VNODE_INFO.0 && !link.starts_with("pipe:") && !link.starts_with("socket:") {
        (layout::VNODE_INFO, Vec::new())
    } else {
        return Err(Errno::BADF);
    };
    let own = own.into_iter().map(|(at, number)| (at, number.to_ne_bytes().to_vec()));
    let fields: Vec<_> = open.into_iter().chain(own).collect();
    Ok(write(buffer, structure, &fields.iter().map(|(at, bytes)| (*at, &bytes[..])).collect::<Vec<_>>()))
}

pub fn list(of: Option<i32>, buffer: &mut [i32]) -> Result<usize, Errno> {
    let found = match of {
        Some(parent) => linux::children(parent).ok_or(Errno::PERM)?,
        None => numbers("/proc")?,
    };
    buffer.iter_mut().zip(&found).for_each(|(place, pid)| *place = *pid);
    Ok(found.len().min(buffer.len()))
}

pub fn program_area(pid: i32, buffer: &mut [u8]) -> Result<usize, Errno> {
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

pub fn slave_unit(device: u64) -> Option<u32> {
    pty_number(device)
}

fn errno(error: &io::Error) -> Errno {
    match Errno::from_io_error(error) {
        Some(Errno::NOENT) => Errno::BADF,
        Some(Errno::ACCESS) => Errno::PERM,
        other => other.unwrap_or(Errno::IO),
    }
}

/// Writes a structure with these fields, each at its offset, and nothing else.
fn write(buffer: &mut [u8], (_, size): layout::Structure, fields: &[(usize, &[u8])]) -> usize {
    buffer[..size].fill(0);
    for (at, bytes) in fields {
        buffer[*at..at + bytes.len()].copy_from_slice(bytes);
    }
    size
}

fn numbers(directory: &str) -> Result<Vec<i32>, Errno> {
    let entries = crate::sys::directory::entries(directory.as_ref())
        .map_err(|error| if error.kind() == io::ErrorKind::NotFound { Errno::SRCH } else { errno(&error) })?;
    Ok(entries.iter().filter_map(|path| path.file_name()?.to_str()?.parse().ok()).collect())
}

/// The value of a key in /proc/PID/fdinfo/FD; empty where the key is not there.
fn told(pid: i32, descriptor: i32, key: &str) -> Result<String, Errno> {
    let text = fs::read_to_string(format!("/proc/{pid}/fdinfo/{descriptor}"));
    let text = text.map_err(|error| errno(&error))?;
    Ok(text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default().trim().to_owned())
}
