//! Nowhere to save: a full disk, a read-only home, none at all, something else in the way. The output is given, or
//! kept where temporary files are, and nothing half is left behind.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::harness::{Sandbox, run, toto_binary, words};
use crate::large::{LINES, captured, kept, sandbox};

/// No directory, so nothing can be saved below it.
const NOWHERE: &str = "/dev/null";
const THREE_HUNDRED: &str = "cat \"$HOME/three-hundred\"";

/// Runs with three hundred lines that are given as they are.
fn three_hundred(sandbox: &Sandbox) {
    let lines: String = (0..300).map(|n| format!("{n} {}\n", words(n))).collect();
    sandbox.home_file("three-hundred", lines);
}

/// A directory of 4 MiB, gone at the end. None where mounting is not allowed, which CI has to allow.
#[expect(clippy::print_stderr, reason = "a test that is left out says so")]
fn tiny_disk(sandbox: &Sandbox, script: &str) -> Option<Command> {
    let mount = "mount -t tmpfs -o size=4m,mode=700 tmpfs \"$HOME/.local\"";
    fs::create_dir_all(sandbox.home().join(".local")).unwrap();
    let works = Command::new("unshare").args(["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).output();
    if !works.is_ok_and(|output| output.status.success()) {
        assert!(std::env::var_os("CI").is_none(), "a small tmpfs cannot be mounted");
        eprintln!("left out: a small tmpfs cannot be mounted here");
        return None;
    }
    let mut command = sandbox.command("unshare");
    command.args(["-rm", "sh", "-c", &format!("{mount}; {script}")]).env("TOTO", "on").env("TMPDIR", NOWHERE);
    Some(command)
}

#[test]
fn without_a_store_the_output_is_given_and_a_very_large_one_truncated() {
    let sandbox = sandbox(LINES);
    // A file where the directory should be: also root cannot write there.
    sandbox.home_file(".local/state", "");
    let small = run(captured(&sandbox).env("TOTO_THRESHOLD", "3000").env("TMPDIR", NOWHERE)).ok();
    assert!(small.out().starts_with("Output truncated: "), "{}", small.out());
    assert!(small.out().contains("could not be saved"), "{}", small.out());
    three_hundred(&sandbox);
    sandbox.tool("make", THREE_HUNDRED);
    let out = run(captured(&sandbox).env("TMPDIR", NOWHERE)).ok().out();
    assert_eq!(out.lines().count(), 300, "{out}");
}

/// For whom copies on disk are not allowed: what would need one stays as it is.
#[test]
fn where_saving_is_off_nothing_is_written_and_nothing_left_out() {
    let sandbox = sandbox(THREE_HUNDRED);
    sandbox.home_file(".config/toto/config.toml", "[store]\nenabled = false\n");
    three_hundred(&sandbox);
    let out = run(&mut captured(&sandbox)).ok().out();
    assert_eq!(out.lines().count(), 300, "{out}");
    sandbox.tool("make", LINES);
    let large = run(&mut captured(&sandbox)).ok().out();
    assert!(large.contains("could not be saved (store.enabled is false)"), "{large}");
    assert_eq!(kept(&sandbox), Vec::<PathBuf>::new());
}

#[test]
fn a_full_disk_in_mid_copy_costs_only_the_savings() {
    // A limit on file sizes stands in for a full disk: also without root.
    let sandbox = sandbox("seq 1000000 | head -c 6000000");
    let script = "ulimit -f 4096; make";
    let outcome = run(sandbox.shell("sh", script).env("TOTO", "on")).ok();
    assert!(outcome.out().starts_with("Output truncated: 6000000 characters"), "{}", outcome.out());
    assert!(outcome.out().contains("could not be saved (File too large"), "{}", outcome.out());
    assert_eq!(kept(&sandbox), Vec::<PathBuf>::new(), "the half of it is of no use");
}

#[test]
fn a_disk_that_fills_up_in_mid_copy() {
    let sandbox = sandbox("seq 10000000 | head -c 9000000; exit 4");
    let Some(mut command) =
        tiny_disk(&sandbox, "make; echo \"status $?\"; find \"$HOME/.local/state\" -type f | wc -l")
    else {
        return;
    };
    let out = run(&mut command).ok().out();
    assert!(out.starts_with("Output truncated: 9000000 characters in 1263888 lines"), "{out}");
    assert!(out.contains("could not be saved (No space left on device"), "{out}");
    assert!(out.ends_with("status 4\n0\n"), "no half of a file is left: {out}");
}

#[test]
fn a_disk_that_fills_up_under_more_than_memory_holds() {
    let sandbox = sandbox("yes 0123456789abcdef | head -c 90000000");
    let Some(mut command) =
        tiny_disk(&sandbox, "make | cksum; yes 0123456789abcdef | head -c 90000000 | cksum")
    else {
        return;
    };
    let out = run(&mut command).ok().out();
    let sums: Vec<_> = out.lines().collect();
    assert_eq!(sums[0], sums[1], "it passes through, every byte");
}

#[test]
fn a_pipe_into_a_full_disk_fails_and_leaves_no_file_without_its_facts() {
    let sandbox = Sandbox::new();
    let members: Vec<_> =
        (0..400).map(|n| format!(r#"{{"id": {n}, "name": "{}", "x": null}}"#, words(n))).collect();
    sandbox.home_file("document", format!("[{}]", members.join(",\n")));
    let script = format!("{} <\"$HOME/document\" >/dev/full", toto_binary().display());
    let outcome = run(sandbox.shell("sh", &script).env("TOTO", "on")).exits(1);
    assert!(outcome.err().contains("No space left on device"), "{}", outcome.err());
    assert!(kept(&sandbox).iter().all(|file| file.with_extension("json").exists()), "{:?}", kept(&sandbox));
}

/// A tool that prints without an end writes into a pipe of ours: no error of the disk reaches the tool.
#[test]
fn what_passes_through_to_a_full_disk_is_no_success() {
    let sandbox = sandbox("yes 0123456789abcdef | head -c 90000000; exit 0");
    sandbox.home_file(".config/toto/config.toml", "[store]\nenabled = false\n");
    let outcome = run(sandbox.shell("sh", "make >/dev/full").env("TOTO", "on")).exits(1);
    assert!(
        outcome.err().contains("toto: cannot write the output: No space left on device"),
        "{}",
        outcome.err()
    );
    run(sandbox.shell("sh", "make >/dev/null").env("TOTO", "on")).ok();
}

#[test]
fn a_read_only_home() {
    let sandbox = sandbox(LINES);
    let script = "mount -o remount,ro \"$HOME/.local\"; make -v";
    let Some(mut command) = tiny_disk(&sandbox, script) else { return };
    let out = run(&mut command).ok().out();
    assert!(out.starts_with("Output truncated: ") && out.contains("(Read-only file system"), "{out}");
}

#[test]
fn something_else_where_the_store_should_be() {
    let sandbox = sandbox(THREE_HUNDRED);
    three_hundred(&sandbox);
    fs::create_dir_all(sandbox.home().join(".local/state/toto")).unwrap();
    let outputs = sandbox.home().join(".local/state/toto/outputs");
    assert!(Command::new("mkfifo").arg(&outputs).status().unwrap().success());
    let out = run(captured(&sandbox).env("TMPDIR", NOWHERE)).ok().out();
    assert_eq!(out.lines().count(), 300, "{out}");
    assert!(run(&mut sandbox.toto(["history"])).ok().out().starts_with("nothing is saved"));
}

/// What is saved where temporary files are.
fn spared(sandbox: &Sandbox) -> Vec<PathBuf> {
    let entries = |dir: &Path| fs::read_dir(dir).into_iter().flatten().map(|entry| entry.unwrap().path());
    let places: Vec<_> = entries(&sandbox.temporary()).collect();
    assert!(
        places.len() <= 1 && places.iter().all(|place| place.to_str().unwrap().contains("/toto-")),
        "{places:?}"
    );
    let roots = places.iter().flat_map(|place| entries(place));
    let mut paths: Vec<_> =
        roots.flat_map(|root| entries(&root.join("default")).collect::<Vec<_>>()).collect();
    paths.sort();
    paths
}

#[test]
fn without_a_writable_home_the_output_is_kept_with_the_temporary_files() {
    for home in ["unset", "a file", "read-only"] {
        let sandbox = sandbox(&format!("{LINES}; exit 3"));
        let mut command = match home {
            "read-only" => {
                let script = "mount -o remount,ro \"$HOME/.local\"; make";
                let Some(mut command) = tiny_disk(&sandbox, script) else { continue };
                command.env("TMPDIR", sandbox.temporary());
                command
            }
            _ => captured(&sandbox),
        };
        match home {
            "unset" => drop(command.env_remove("HOME")),
            "a file" => drop(sandbox.home_file(".local/state", "")),
            _ => {}
        }
        let out = run(&mut command).exits(3).out();
        let files = spared(&sandbox);
        assert!(files.len() >= 2, "{home}: {files:?}");
        let expected = format!("Output buffered to {} (2000 lines)\n", files[1].display());
        assert!(out.starts_with(&expected), "{home}: {out}");
        for (path, mode) in [(files[1].as_path(), 0o600), (files[1].parent().unwrap(), 0o700)] {
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, mode, "{home}");
        }
        let shown = run(sandbox.toto(["show", "last", "--lines", "2:2"]).env_remove("HOME")).ok().out();
        assert!(shown.starts_with("12:30:01 compiling unit 1 of the program;"), "{home}: {shown}");
        assert_eq!(run(&mut sandbox.toto(["history"])).ok().out().lines().count(), 1, "{home}");
        // Another home's are not listed; what was saved without a home may be anybody's.
        let other = run(sandbox.toto(["history"]).env("HOME", sandbox.root())).ok().out();
        assert_eq!(other.starts_with("nothing is saved"), home != "unset", "{home}: {other}");
    }
}

#[test]
fn what_fits_nowhere_in_mid_copy_is_kept_with_the_temporary_files() {
    let sandbox = sandbox("seq 10000000 | head -c 9000000; exit 4");
    let Some(mut command) = tiny_disk(&sandbox, "make; find \"$HOME/.local/state\" -type f | wc -l") else {
        return;
    };
    let out = run(command.env("TMPDIR", sandbox.temporary())).ok().out();
    let files = spared(&sandbox);
    assert!(out.starts_with("1\n2\n3\n") && out.contains("… exit status 4; "), "{out}");
    assert!(out.contains("\n1263888\n") && out.contains("(page 1 of "), "{out}");
    assert_eq!(files[1].metadata().unwrap().len(), 9_000_000);
    assert!(out.ends_with("\n0\n"), "no half of a file is left: {out}");
}

#[test]
fn what_another_could_have_put_there_is_not_used() {
    let sandbox = sandbox(THREE_HUNDRED);
    three_hundred(&sandbox);
    sandbox.home_file(".local/state", "");
    let user = String::from_utf8(Command::new("id").arg("-u").output().unwrap().stdout).unwrap();
    let place = sandbox.temporary().join(format!("toto-{}", user.trim()));
    let elsewhere = sandbox.root().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    symlink(&elsewhere, &place).unwrap();
    assert_eq!(run(&mut captured(&sandbox)).ok().out().lines().count(), 300);
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0, "nothing is written behind a link");
    // What lies there is not shown, either: it may tell an agent what no tool has said.
    fs::create_dir_all(elsewhere.join("outputs/default")).unwrap();
    fs::write(elsewhere.join("outputs/default/20261121T000000.000Z-make-zzzzz.out"), "planted\n").unwrap();
    run(&mut sandbox.toto(["show", "last"])).exits(2);
}

#[test]
fn a_fifo_in_the_place_of_the_store_is_not_waited_for_nor_taken_for_an_id() {
    // Nulls are left out, which needs a place for the original.
    let sandbox = sandbox("cat \"$HOME/data\"");
    let rows: Vec<_> = (0..40).map(|n| format!("{{\"id\": {n}, \"none\": null}}")).collect();
    sandbox.home_file("data", format!("[{}]\n", rows.join(",\n")));
    fs::create_dir_all(sandbox.home().join(".local/state/toto")).unwrap();
    let outputs = sandbox.home().join(".local/state/toto/outputs");
    assert!(Command::new("mkfifo").arg(&outputs).status().unwrap().success());
    let out = run(captured(&sandbox).env("TMPDIR", NOWHERE)).ok().out();
    assert!(out.contains("39") && !out.contains("left out"), "{out}");
}
