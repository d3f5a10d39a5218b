//! A short command beside the tool, of a filter or a shell that is asked: it gives its output in time, and is ended in
//! any case.

use std::ffi::OsString;
use std::io::{self, Read as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::retry_on_intr;
use rustix::process::{Pid, Signal, kill_process_group};

use super::wait;
use crate::env;

/// Runs the file `path` with the arguments `words` (the first is its name) and returns what it prints to standard
/// output. Its standard input and standard error are /dev/null, and [`env::TOTO`] is "off" in its environment. The
/// error is one line that says why: the command cannot be started, fails, runs for longer than `within` or prints more
/// than `most` bytes. In the last two cases it is killed, with what it started.
pub fn output_of(path: &Path, words: &[OsString], within: Duration, most: u64) -> Result<Vec<u8>, String> {
    #[expect(clippy::disallowed_methods, reason = "this is where such a command is run")]
    let mut command = Command::new(path);
    command.arg0(&words[0]).args(&words[1..]).env(env::TOTO, "off").process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let until = Instant::now() + within;
    let is_too_long = |output: &[u8]| output.len() as u64 > most;
    let too_late = || format!("took longer than {} ms", within.as_millis());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let output = output_by(child.stdout.take(), until, is_too_long);
    let is_whole = output.as_ref().is_ok_and(|output| !is_too_long(output));
    let status = end_by(&mut child, if is_whole { until } else { Instant::now() });
    match (output, status) {
        (Err(error), _) if error.kind() == io::ErrorKind::TimedOut => Err(too_late()),
        (Err(error), _) => Err(error.to_string()),
        (Ok(_), _) if !is_whole => Err(format!("printed more than {most} bytes")),
        (Ok(_), None) => Err(too_late()),
        (Ok(output), Some(status)) if status.success() => Ok(output),
        (Ok(_), Some(status)) => {
            let code = status.code().map(|code| format!("exit status {code}"));
            Err(code.unwrap_or_else(|| "ended by a signal".into()))
        }
    }
}

/// What comes from the pipe until its end, or until `is_enough` holds of it. `TimedOut` where neither is the case when
/// nothing more comes before `until`.
pub fn output_by(
    pipe: Option<ChildStdout>,
    until: Instant,
    is_enough: impl Fn(&[u8]) -> bool,
) -> io::Result<Vec<u8>> {
    let (mut output, mut chunk) = (Vec::new(), [0; 4096]);
    let Some(mut pipe) = pipe else { return Ok(output) };
    loop {
        let readable = || poll(&mut [PollFd::new(&pipe, PollFlags::IN)], wait::until(Some(until)).as_ref());
        if retry_on_intr(readable)? == 0 {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let length = pipe.read(&mut chunk)?;
        output.extend_from_slice(&chunk[..length]);
        if length == 0 || is_enough(&output) {
            return Ok(output);
        }
    }
}

/// The end of a command that leads a process group. `None` where the command runs on `until` then: it is killed, with
/// what it started.
pub fn end_by(child: &mut Child, until: Instant) -> Option<ExitStatus> {
    let mut pause = Duration::ZERO;
    while Instant::now() < until {
        if let Some(status) = child.try_wait().ok().flatten() {
            return Some(status);
        }
        std::thread::sleep(pause);
        pause = (pause + Duration::from_micros(200)).min(Duration::from_millis(10));
    }
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.wait();
    None
}

#[cfg(test)]
#[path = "../../tests/unit/run/aside.rs"]
mod tests;
