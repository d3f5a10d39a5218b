//! Searches the descendants of processes.

use super::answers::End;
use super::platform::{self, Holders};
use super::stream::Fd;
use crate::sys::kin::own_pid;

/// Whether `test` holds for one of `roots` and their descendants, of which at most 256 are looked at: more than one
/// command starts in sane use.
pub fn somebody(roots: Vec<i32>, test: impl FnMut(i32) -> Option<bool>) -> Option<bool> {
    somebody_but(None, 256, roots, test)
}

/// The same of at most `most` processes, without `except` and its descendants.
///
/// `test` returns `None` for a process that it cannot read. The answer is `None` where no process is known to pass
/// and one could not be read, or where there are too many processes.
pub fn somebody_but(
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
    somebody(vec![root], |pid| if pid == own { Some(false) } else { holders.has_end(pid, fd, end, false) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a child to be found")]
    fn a_grandchild_is_found_and_an_ended_root_is_nobody() {
        let mut shell = std::process::Command::new("sh")
            .args(["-c", "sleep 30 & echo $!; wait"])
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(shell.stdout.as_mut().unwrap()), &mut line)
            .unwrap();
        let sleeper: i32 = line.trim().parse().unwrap();
        let root = shell.id() as i32;
        assert_eq!(somebody(vec![root], |pid| Some(pid == sleeper)), Some(true));
        assert_eq!(somebody(vec![root], |_| Some(false)), Some(false));
        assert_eq!(somebody(vec![root], |pid| (pid != sleeper).then_some(false)), None);
        rustix::process::kill_process(
            rustix::process::Pid::from_raw(sleeper).unwrap(),
            rustix::process::Signal::KILL,
        )
        .unwrap();
        shell.wait().unwrap();
        assert_eq!(somebody(vec![root], |_| Some(false)), Some(false));
    }
}
