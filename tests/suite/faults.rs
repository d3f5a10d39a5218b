//! A fault of ours costs only the savings: the tool's bytes, the tool's status, at most one line on stderr.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::harness::{Outcome, Sandbox, run};

/// Compresses well, and the standard level leaves something out of it.
fn listing() -> String {
    let row = |n: usize| {
        format!(
            "    {{\n      \"Name\": \"item-{n}\",\n      \"Note\": null,\n      \"Kind\": \"thing\"\n    }}"
        )
    };
    let rows: Vec<String> = (0..40).map(row).collect();
    format!("{{\n  \"Items\": [\n{}\n  ]\n}}\n", rows.join(",\n"))
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.home_file("listing.json", listing());
    sandbox.tool("aws", "cat \"$LISTING\"; exit 7");
    sandbox.link("aws");
    sandbox
}

fn captured(sandbox: &Sandbox) -> Command {
    let mut command = sandbox.command("aws");
    command.env("TOTO", "on").env("LISTING", sandbox.home().join("listing.json"));
    command
}

#[track_caller]
fn is_untouched(outcome: &Outcome) {
    assert_eq!(outcome.code(), 7, "{}", outcome.err());
    assert_eq!(outcome.out(), listing());
    assert!(outcome.err().lines().count() <= 1, "{}", outcome.err());
}

#[track_caller]
fn is_compressed(outcome: &Outcome) {
    assert_eq!(outcome.code(), 7, "{}", outcome.err());
    assert!(outcome.out.len() < listing().len() / 2, "{}", outcome.out());
    assert!(outcome.out().contains("item-39"), "{}", outcome.out());
}

#[test]
fn without_a_fault_it_is_compressed_and_the_original_is_one_command_away() {
    let sandbox = sandbox();
    let outcome = run(&mut captured(&sandbox));
    is_compressed(&outcome);
    let id = outcome.out().split("toto show ").nth(1).unwrap().chars().take(5).collect::<String>();
    assert_eq!(run(&mut sandbox.toto(["show", &id])).ok().out(), listing());
    assert_eq!(run(&mut sandbox.toto(["show", "last"])).ok().out(), listing());
}

#[test]
fn a_panic_in_the_pipeline() {
    let outcome = run(captured(&sandbox()).env("_TOTO_FAULT", "panic"));
    is_untouched(&outcome);
    assert!(outcome.err().starts_with("toto: internal error at src/"), "{}", outcome.err());
}

#[test]
fn a_configuration_that_does_not_parse() {
    let sandbox = sandbox();
    sandbox.home_file(".config/toto/config.toml", "level = \"max\"\nreceipt = full\n");
    let outcome = run(&mut captured(&sandbox));
    is_untouched(&outcome);
    assert!(outcome.err().contains("config.toml:2:11: "), "{}", outcome.err());
}

#[test]
fn a_configuration_that_cannot_be_read() {
    let sandbox = sandbox();
    fs::create_dir_all(sandbox.home().join(".config/toto/config.toml")).unwrap();
    is_untouched(&run(&mut captured(&sandbox)));
}

#[test]
fn a_setting_that_is_none() {
    let outcome = run(captured(&sandbox()).env("TOTO_LEVEL", "most"));
    is_untouched(&outcome);
    assert!(
        outcome.err().contains("TOTO_LEVEL=most") && outcome.err().contains("lossless"),
        "{}",
        outcome.err()
    );
}

#[test]
fn no_home() {
    let sandbox = sandbox();
    let outcome = run(captured(&sandbox).env_remove("HOME"));
    is_compressed(&outcome);
    let id = outcome.out().split("toto show ").nth(1).unwrap().chars().take(5).collect::<String>();
    assert_eq!(run(sandbox.toto(["show", &id]).env_remove("HOME")).ok().out(), listing());
    let outcome = run(captured(&sandbox).env_remove("HOME").env("TMPDIR", "/dev/null"));
    is_compressed(&outcome);
    assert!(!outcome.out().contains("toto show"), "nothing could be saved, so nothing may be left out");
}

#[test]
fn a_store_that_cannot_be_written() {
    let sandbox = sandbox();
    // A file where the directory should be: also root cannot write there.
    sandbox.home_file(".local/state", "");
    let outcome = run(captured(&sandbox).env("TMPDIR", "/dev/null"));
    is_compressed(&outcome);
    assert!(!outcome.out().contains("toto show"), "{}", outcome.out());
}

#[test]
fn a_full_disk_where_the_output_goes() {
    let sandbox = sandbox();
    let outcome =
        run(sandbox.shell("sh", "aws > /dev/full").env("LISTING", sandbox.home().join("listing.json")));
    assert_ne!(outcome.code(), 0);
    let outcome = run(sandbox
        .shell("sh", "aws > /dev/full")
        .env("TOTO", "on")
        .env("LISTING", sandbox.home().join("listing.json")));
    assert_ne!(outcome.code(), 0);
    assert!(outcome.err().lines().count() <= 2, "{}", outcome.err());
}

#[test]
fn a_saved_output_is_for_its_owner_only() {
    let sandbox = sandbox();
    is_compressed(&run(&mut captured(&sandbox)));
    let session = sandbox.home().join(".local/state/toto/outputs/default");
    assert_eq!(session.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    let saved: Vec<_> = fs::read_dir(&session).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(saved.len(), 2, "the output and what is known of it: {saved:?}");
    assert!(saved.iter().all(|path| path.metadata().unwrap().permissions().mode() & 0o777 == 0o600));
}

#[test]
fn an_unknown_id_is_one_clear_line() {
    let outcome = run(&mut sandbox().toto(["show", "zzzzz"])).exits(2);
    assert_eq!(outcome.err().lines().count(), 1);
    assert!(outcome.err().contains("zzzzz"), "{}", outcome.err());
}
