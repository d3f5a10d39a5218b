//! The command line's frame: help, usage errors, exit statuses.

use std::process::Stdio;

use crate::harness::{Sandbox, installed, run};

#[test]
fn help_is_short_shows_examples_and_has_no_colours_in_a_pipe() {
    let outcome = run(&mut Sandbox::new().toto(["-h"])).ok();
    let help = outcome.out();
    assert!(help.contains("Examples:") && help.contains("toto link aws kubectl"), "{help}");
    assert!(help.lines().count() <= 48, "{help}");
    assert!(!help.contains('\x1b'));
    assert_eq!(outcome.err(), "");
}

#[test]
fn every_subcommand_has_help_and_one_line_for_a_usage_error() {
    let sandbox = Sandbox::new();
    let definition = llm_toto::cli::definition();
    assert!(["link", "report"].iter().all(|name| definition.find_subcommand(name).is_some()));
    for command in definition.get_subcommands() {
        let name = command.get_name();
        assert!(run(&mut sandbox.toto([name, "--help"])).ok().out().contains("Usage: toto"), "{name}");
        // What follows is another command's.
        if command.get_arguments().any(clap::Arg::is_trailing_var_arg_set) {
            continue;
        }
        let outcome = run(&mut sandbox.toto([name, "--nonsense"])).exits(2);
        assert_eq!(outcome.err().lines().count(), 1, "{name}: {}", outcome.err());
    }
}

#[test]
fn a_usage_error_is_one_line_and_status_2() {
    let sandbox = Sandbox::new();
    for args in [&["lnk"][..], &["link"], &["--level", "huge"], &["--nonsense"], &["which", "a", "b"]] {
        let outcome = run(&mut sandbox.toto(args)).exits(2);
        assert_eq!(outcome.err().lines().count(), 1, "{}", outcome.err());
        assert!(outcome.err().starts_with("toto: "), "{}", outcome.err());
        assert_eq!(outcome.out(), "");
    }
    let line = run(&mut sandbox.toto(["--levle", "max"])).exits(2).err();
    assert!(line.starts_with("toto: unexpected argument '--levle' found; "), "{line}");
    assert!(line.contains("'--level'") && line.ends_with("(see toto --help)\n"), "{line}");
}

#[test]
fn the_version_is_the_packages() {
    let outcome = run(&mut Sandbox::new().toto(["--version"])).ok();
    // A release build in a checkout has its commit behind it.
    let commit =
        outcome.out().strip_prefix(concat!("toto ", env!("CARGO_PKG_VERSION"))).map(str::to_owned).unwrap();
    let is_commit = |it: &str| it.starts_with(" (") && it.len() >= 11;
    assert!(commit == "\n" || !cfg!(debug_assertions) && is_commit(&commit), "{commit}");
}

#[test]
fn shells_take_the_completions() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = run(&mut sandbox.toto(["completions", shell])).ok().out();
        assert!(script.contains("openmetrics"), "{shell}");
        let file = sandbox.home_file(shell, script);
        if installed(shell) {
            assert_eq!(run(sandbox.command(shell).arg("-n").arg(file)).ok().err(), "");
        }
    }
}

#[test]
fn manual_pages_and_completions_come_with_setup_and_go_alone() {
    let sandbox = Sandbox::new();
    run(&mut sandbox.toto(["setup", "--no-modify-path"])).ok();
    let share = sandbox.toto_home().join("share");
    let page = std::fs::read_to_string(share.join("man/man1/toto-gain.1")).unwrap();
    assert!(page.contains("openmetrics"), "{page}");
    assert!(share.join("bash-completion/completions/toto").is_file());
    let foreign = share.join("man/man1/another.1");
    std::fs::write(&foreign, "").unwrap();
    run(&mut sandbox.toto(["uninstall"])).ok();
    assert_eq!(crate::harness::files_below(&share), [foreign]);
}

#[test]
fn a_reader_that_has_gone_away_is_no_failure() {
    let sandbox = Sandbox::new();
    let script = format!("trap '' PIPE; {{ '{}' -h; echo $? >&2; }} | :", env!("CARGO_BIN_EXE_toto"));
    for _ in 0..5 {
        let outcome = run(&mut sandbox.shell("bash", &script)).ok();
        assert_eq!(outcome.err(), "0\n");
    }
}

#[test]
fn closed_streams_do_no_harm() {
    let sandbox = Sandbox::new();
    sandbox.tool("aws", "echo real");
    sandbox.link("aws");
    let script = format!("'{}' which aws >&- 2>&- <&-; echo $?; aws <&-", env!("CARGO_BIN_EXE_toto"));
    let outcome = run(sandbox.shell("sh", &script).stdin(Stdio::null())).ok();
    assert_eq!(outcome.out(), "0\nreal\n");
}

/// The variables are checked as the file is, in upper and lower case.
#[test]
fn a_variable_or_a_setting_that_says_nothing_is_a_mistake() {
    let sandbox = Sandbox::new();
    for (name, value, said) in
        [("TOTO", "maybe", "one of on, off, raw"), ("TOTO_TIME_LIMIT", "abc", "a number of seconds")]
    {
        let outcome = run(sandbox.toto(["config", "check"]).env(name, value)).exits(2);
        assert!(outcome.err().contains(&format!("{name}={value}: expected {said}")), "{}", outcome.err());
    }
    run(sandbox.toto(["config", "check"]).env("TOTO", "OFF")).ok();
    sandbox.tool("list", "seq 200 | sed 's/.*/an equal line/'");
    let given = run(sandbox.command(sandbox.link("list")).env("TOTO", "ON")).ok().out();
    assert!(given.contains("×200"), "{given}");
    sandbox.home_file(".config/toto/config.toml", "[ledger]\nprice = -3\n[passthrough]\ngit = [\"\"]\n");
    let outcome = run(&mut sandbox.toto(["config", "check"])).exits(2).err();
    assert!(outcome.contains("config.toml:2:9: expected dollars"), "{outcome}");
    assert!(outcome.contains("config.toml:3:1: an empty pattern"), "{outcome}");
}

#[test]
fn the_last_output_of_a_session_is_never_anothers() {
    let sandbox = Sandbox::new();
    sandbox.tool("make", "seq 100000");
    run(sandbox.command(sandbox.link("make")).env("TOTO", "on").env("TOTO_SESSION", "a")).ok();
    assert!(run(sandbox.toto(["show", "last"]).env("TOTO_SESSION", "a")).ok().out().starts_with("1\n2\n"));
    let other = run(sandbox.toto(["show", "last"]).env("TOTO_SESSION", "b")).exits(2);
    assert!(other.err().contains("in session b"), "{}", other.err());
    // Whoever has no session is shown the last of any.
    run(sandbox.toto(["show", "last"]).env_remove("TOTO_SESSION")).ok();
}
