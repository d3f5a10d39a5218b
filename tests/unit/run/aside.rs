use super::*;

fn run(script: &str, within: u64) -> Result<String, String> {
    let words = ["sh", "-c", script].map(OsString::from);
    let output = output_of(Path::new("/bin/sh"), &words, Duration::from_millis(within), 1000)?;
    Ok(String::from_utf8(output).unwrap())
}

#[test]
fn its_output_or_why_there_is_none() {
    assert_eq!(run("echo a; echo b >&2; cat; echo $TOTO", 60_000).unwrap(), "a\noff\n");
    assert_eq!(run("echo a; exit 3", 60_000).unwrap_err(), "exit status 3");
    assert_eq!(run("echo a; exec >&-; sleep 0.4", 60_000).unwrap(), "a\n");
    assert_eq!(run("kill $$", 60_000).unwrap_err(), "ended by a signal");
    assert_eq!(run("yes", 60_000).unwrap_err(), "printed more than 1000 bytes");
    assert_eq!(run("sleep 600", 20).unwrap_err(), "took longer than 20 ms");
    // It has ended, and what it started holds its output open.
    assert_eq!(run("sleep 600 &", 20).unwrap_err(), "took longer than 20 ms");
}
