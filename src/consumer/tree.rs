//! Searches the descendants of processes.

use super::answers::End;
use super::platform::{self, Holders};
use super::stream::Fd;
use crate::sys::kin::own_pid;

/// Most processes that one command starts in sane use; past it nothing is proved.
pub const MOST: usize = 256;

/// Whether `test` holds for one of `pending` and their descendants, of which at most `most` are looked at, without
/// `except` and its descendants.
///
/// `test` returns `None` for a process that it cannot read. The answer is `None` where no process is known to pass
/// and one could not be read, or where there are too many processes.
pub fn somebody(
    except: Option<i32>,
    most: usize,
    mut pending: Vec<i32>,
    mut test: impl FnMut(i32) -> Option<bool>,
) -> Option<bool> {
    let mut unread = false;
    let mut seen = 0;
    while let Some(pid) = pending.pop() {
        seen += 1;
        if seen > most {
            return None;
        }
        if except == Some(pid) {
            continue;
        }
        match test(pid) {
            Some(true) => return Some(true),
            Some(false) => {}
            None => unread = true,
        }
        match platform::children(pid) {
            Some(children) => pending.extend(children),
            None => unread = true,
        }
    }
    if unread { None } else { Some(false) }
}

/// The same question of `root`, its descendants, ourselves aside, and that end of our stream at `fd`.
pub fn somebody_has(end: End, fd: Fd, root: i32, holders: &Holders) -> Option<bool> {
    let own = own_pid();
    somebody(None, MOST, vec![root], |pid| {
        if pid == own { Some(false) } else { holders.has_end(pid, fd, end, false) }
    })
}
