//! A short command beside the tool, run for a filter: it gives its output or a reason, and is ended in any case.

use std::ffi::OsString;
use std::io::Read as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::env;

/// Runs the file `path` with the arguments `words` (the first is its name) and returns what it prints to standard
/// output. Its standard input and standard error are /dev/null, and [`env::TOTO`] is "off" in its environment. The error
/// is one line that says why: the command cannot be started, fails, runs for longer than `within` or prints more than
/// `most` bytes. In the last two cases it is killed, with what it started.
pub fn output_of(path: &Path, words: &[OsString], within: Duration, most: u64) -> Result<Vec<u8>, String> {
    #[expect(clippy::disallowed_methods, reason = "this is where such a command is run")]
    let mut command = Command::new(path);
    command.arg0(&words[0]).args(&words[1..]).env(env::TOTO, "off").process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let until = Instant::now() + within;
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let (sender, receiver) = mpsc::sync_channel(1);
    if let Some(pipe) = child.stdout.take() {
        // This thread is not joined: it ends with the pipe, or with the process.
        std::thread::spawn(move || {
            let mut output = Vec::new();
            let read = pipe.take(most + 1).read_to_end(&mut output);
            let _ = sender.send(read.map(|_| output));
        });
    }
    let too_long = || format!("took longer than {} ms", within.as_millis());
    let reason = match receiver.recv_timeout(within) {
        Ok(Ok(output)) if output.len() as u64 <= most => match end_of(&mut child, until) {
            Some(status) if status.success() => return Ok(output),
            Some(status) => {
                let code = status.code().map(|code| format!("exit status {code}"));
                return Err(code.unwrap_or_else(|| "ended by a signal".into()));
            }
            None => too_long(),
        },
        Ok(Ok(_)) => format!("printed more than {most} bytes"),
        Ok(Err(error)) => error.to_string(),
        Err(_) => too_long(),
    };
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.wait();
    Err(reason)
}

/// The end of a command that has closed its output; `None` where the command runs on `until` then.
fn end_of(child: &mut Child, until: Instant) -> Option<ExitStatus> {
    let mut pause = Duration::ZERO;
    loop {
        let status = child.try_wait().ok().flatten();
        if status.is_some() || Instant::now() >= until {
            return status;
        }
        std::thread::sleep(pause);
        pause = (pause + Duration::from_micros(200)).min(Duration::from_millis(10));
    }
}

#[cfg(test)]
#[path = "../../tests/unit/run/aside.rs"]
mod tests;
