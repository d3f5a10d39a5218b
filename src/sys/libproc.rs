//! macOS: what libproc(3) and `sysctl` tell about processes and their descriptors. An answer is written to the buffer;
//! the length returned is that of the answer, in bytes unless said otherwise. Compiled for macOS, never run there.

use rustix::io::Errno;

/// `proc_pidinfo`: a structure of this flavour, or a list of descriptors.
/// Fails with ESRCH where the process is gone, EPERM where it is hidden.
pub fn process(pid: i32, flavor: i32, buffer: &mut [u8]) -> Result<usize, Errno> {
    // SAFETY: libproc writes at most as many bytes as the length that it is given.
    written(|| unsafe {
        libc::proc_pidinfo(pid, flavor, 0, buffer.as_mut_ptr().cast(), buffer.len() as libc::c_int)
    })
}

/// `proc_pidfdinfo`: a structure of this flavour about a descriptor of a process.
/// Fails with EBADF where there is no such descriptor, or it is of another kind.
pub fn descriptor(pid: i32, descriptor: i32, flavor: i32, buffer: &mut [u8]) -> Result<usize, Errno> {
    let length = buffer.len() as libc::c_int;
    // SAFETY: as above.
    written(|| unsafe { libc::proc_pidfdinfo(pid, descriptor, flavor, buffer.as_mut_ptr().cast(), length) })
}

/// `proc_listpids`: the children of a process (`PROC_PPID_ONLY`), or all processes. The length is a number of process
/// ids.
pub fn list(of: Option<i32>, buffer: &mut [i32]) -> Result<usize, Errno> {
    const ALL: u32 = 1;
    const BY_PARENT: u32 = 6;
    let (kind, number) = of.map_or((ALL, 0), |parent| (BY_PARENT, parent as u32));
    // SAFETY: as above.
    let bytes = written(|| unsafe {
        libc::proc_listpids(kind, number, buffer.as_mut_ptr().cast(), size_of_val(buffer) as libc::c_int)
    })?;
    Ok(bytes / size_of::<i32>())
}

/// `KERN_PROCARGS2`: the number of arguments, the program's path, the arguments, the environment.
/// Fails with EINVAL where the process is gone or hidden.
pub fn program_area(pid: i32, buffer: &mut [u8]) -> Result<usize, Errno> {
    let mut name = [libc::CTL_KERN, libc::KERN_PROCARGS2, pid];
    let (to, none, mut size) = (buffer.as_mut_ptr().cast(), std::ptr::null_mut(), buffer.len());
    // SAFETY: the kernel writes at most `size` bytes and stores their number in `size`.
    let status = unsafe { libc::sysctl(name.as_mut_ptr(), 3, to, &raw mut size, none, 0) };
    if status == 0 { Ok(size) } else { Err(last()) }
}

/// The unit of the pseudo-terminal whose slave this device number is; None for any other device. Slaves have the major
/// number 16, `/dev/ptmx` has 15; the minor number is the unit (`bsd/sys/conf.h`, `bsd/kern/tty_ptmx.c`).
pub fn slave_unit(device: u64) -> Option<u32> {
    ((device >> 24) & 0xff == 16).then_some((device & 0x00ff_ffff) as u32)
}

/// The length that a call of libproc returned. On failure that is 0 with errno set, but an empty list is 0, too.
fn written(call: impl FnOnce() -> libc::c_int) -> Result<usize, Errno> {
    // SAFETY: errno is this thread's own.
    unsafe { *libc::__error() = 0 };
    let length = call();
    let failed = std::io::Error::last_os_error().raw_os_error().unwrap_or_default() != 0;
    match usize::try_from(length) {
        Ok(length) if length > 0 || !failed => Ok(length),
        _ if failed => Err(last()),
        _ => Err(Errno::IO),
    }
}

fn last() -> Errno {
    Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::IO)
}
