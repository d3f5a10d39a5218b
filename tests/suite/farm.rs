//! The farm's links: made, renewed, refused, removed.

use std::fs;
use std::os::unix::fs::symlink;

use crate::harness::{Sandbox, copy_executable, run, toto_binary};

#[test]
fn link_and_unlink_twice_change_nothing_the_second_time() {
    let sandbox = Sandbox::new();
    sandbox.tool("aws", "echo real");
    let says = |args: &[&str]| run(&mut sandbox.toto(args)).ok().out();
    assert_eq!(says(&["link", "aws"]), "aws: linked\n");
    assert_eq!(says(&["link", "aws"]), "aws: already linked\n");
    assert_eq!(run(&mut sandbox.command("aws")).ok().out(), "real\n");
    assert_eq!(says(&["unlink", "aws"]), "aws: unlinked\n");
    assert_eq!(says(&["unlink", "aws"]), "aws: not linked\n");
    assert_eq!(fs::read_dir(sandbox.farm()).unwrap().count(), 0);
}

#[test]
fn an_installed_binary_is_linked_so_that_the_farm_can_be_moved() {
    let sandbox = Sandbox::new();
    sandbox.tool("aws", "echo real");
    copy_executable(toto_binary(), &sandbox.toto_home().join("toto"));
    run(&mut sandbox.toto(["link", "aws"])).ok();
    assert_eq!(fs::read_link(sandbox.farm().join("aws")).unwrap().to_str(), Some("../toto"));
    assert_eq!(run(&mut sandbox.command("aws")).ok().out(), "real\n");
}

#[test]
fn links_of_ours_that_lead_nowhere_are_renewed_and_can_be_removed() {
    let sandbox = Sandbox::new();
    for name in ["aws", "gh"] {
        symlink("/nowhere/target/release/toto", sandbox.farm().join(name)).unwrap();
    }
    let list = run(&mut sandbox.toto(["list"])).ok().out();
    assert_eq!(list.matches("leads nowhere").count(), 2, "{list}");
    assert!(run(&mut sandbox.toto(["link", "aws"])).ok().out().starts_with("aws: renewed"));
    assert_eq!(run(&mut sandbox.toto(["unlink", "gh"])).ok().out(), "gh: unlinked\n");
    assert_eq!(fs::read_link(sandbox.farm().join("aws")).unwrap(), toto_binary());
}

#[test]
fn a_foreign_file_stays_and_the_others_are_still_linked() {
    let sandbox = Sandbox::new();
    let script = sandbox.script("home/.toto/bin/aws", "#!/bin/sh\necho mine\n");
    symlink("/usr/bin/env", sandbox.farm().join("gh")).unwrap();
    let outcome = run(&mut sandbox.toto(["link", "aws", "gh", "git"])).exits(1);
    assert_eq!(outcome.err().lines().count(), 2);
    assert!(outcome.err().starts_with(&format!("toto: {}: is not a shim of toto's", script.display())));
    assert!(outcome.out().starts_with("git: linked"), "{}", outcome.out());
    run(&mut sandbox.toto(["unlink", "aws"])).exits(1);
    assert_eq!(fs::read_to_string(&script).unwrap(), "#!/bin/sh\necho mine\n");
}

#[test]
fn what_would_do_harm_is_refused_with_the_reason_unless_forced() {
    let sandbox = Sandbox::new();
    let cases = [
        ("bash", "a shell"),
        ("claude", "launcher"),
        ("python3.13", "an interpreter"),
        ("cut", "core utility"),
        ("sudo", "starts other commands"),
        ("a/b", "not the name of a tool"),
        ("..", "not the name of a tool"),
        ("", "not the name of a tool"),
    ];
    for (name, reason) in cases {
        let outcome = run(&mut sandbox.toto(["link", name])).exits(1);
        assert!(outcome.err().contains(reason), "{}", outcome.err());
        assert_eq!(outcome.err().lines().count(), 1);
    }
    assert_eq!(fs::read_dir(sandbox.farm()).unwrap().count(), 0);
    run(&mut sandbox.toto(["link", "--force", "cut"])).ok();
    run(&mut sandbox.toto(["link", "--force", "toto"])).exits(1);
    assert!(sandbox.farm().join("cut").is_symlink());
}

#[test]
fn list_shows_the_tool_behind_each_shim() {
    let sandbox = Sandbox::new();
    let tool = sandbox.tool("aws", "");
    run(&mut sandbox.toto(["link", "aws", "not-there"])).ok();
    symlink("../toto", sandbox.farm().join("toto")).unwrap();
    let list = run(&mut sandbox.toto(["list"])).ok().out();
    let lines: Vec<_> = list.lines().collect();
    assert_eq!(lines.len(), 3, "{list}");
    assert_eq!(lines[1].split_whitespace().collect::<Vec<_>>(), ["aws", "farm", tool.to_str().unwrap()]);
    assert!(lines[2].starts_with("not-there  farm") && lines[2].ends_with("not here now"), "{list}");
}

#[test]
fn a_read_only_home_or_none_is_one_clear_line() {
    let sandbox = Sandbox::new();
    let outcome = run(sandbox.toto(["link", "aws"]).env_remove("HOME")).exits(1);
    assert_eq!(outcome.err(), "toto: there is no home directory: HOME is not set to an absolute path\n");
    let outcome = run(sandbox.toto(["link", "aws"]).env("TOTO_HOME", "/tmp/a:b")).exits(1);
    assert!(outcome.err().contains("cannot stand on PATH"), "{}", outcome.err());
    let outcome = run(sandbox.toto(["link", "aws"]).env("HOME", "/proc/1")).exits(1);
    assert_eq!(outcome.err().lines().count(), 1, "{}", outcome.err());
    assert!(outcome.err().contains("/proc/1/.toto"), "{}", outcome.err());
}
