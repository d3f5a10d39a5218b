use crate::consumer::process::{MOST, somebody};

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
    assert_eq!(somebody(None, MOST, vec![root], |pid| Some(pid == sleeper)), Some(true));
    assert_eq!(somebody(None, MOST, vec![root], |_| Some(false)), Some(false));
    assert_eq!(somebody(None, MOST, vec![root], |pid| (pid != sleeper).then_some(false)), None);
    rustix::process::kill_process(
        rustix::process::Pid::from_raw(sleeper).unwrap(),
        rustix::process::Signal::KILL,
    )
    .unwrap();
    shell.wait().unwrap();
    assert_eq!(somebody(None, MOST, vec![root], |_| Some(false)), Some(false));
}
