use std::process::{Command, Stdio};
use std::time::Duration;

use crate::consumer::terminal::let_fall_asleep;

#[test]
fn a_reader_that_is_busy_is_waited_for() {
    let script = "i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done; echo done >&2; exec sleep 60";
    #[expect(clippy::disallowed_methods, reason = "a stand-in for an agent")]
    let mut reader = Command::new("/bin/sh").args(["-c", script]).stderr(Stdio::piped()).spawn().unwrap();
    let_fall_asleep(reader.id() as i32, Duration::from_secs(60));
    let mut said = reader.stderr.take().unwrap();
    let waiting = rustix::io::ioctl_fionread(&said).unwrap();
    reader.kill().unwrap();
    reader.wait().unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut said, &mut text).unwrap();
    assert_eq!((waiting, text.as_str()), (5, "done\n"));
    let_fall_asleep(reader.id() as i32, Duration::from_secs(60)); // there is no such process any more
}
