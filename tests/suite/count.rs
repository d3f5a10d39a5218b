//! `toto count`.

use std::fs::{self, File};

use crate::harness::{Sandbox, run};

#[test]
fn standard_input_is_counted_alone() {
    let sandbox = Sandbox::new();
    let text = sandbox.home_file("text", "Exact token counts\n");
    for args in [&["count"][..], &["count", "--encoding", "cl100k"], &["count", "-e", "cl100k_base"]] {
        let outcome = run(sandbox.toto(args).stdin(File::open(&text).unwrap())).ok();
        assert_eq!(outcome.out(), "4\n");
    }
    assert_eq!(run(&mut sandbox.toto(["count"])).ok().out(), "0\n");
}

#[test]
fn files_are_counted_with_their_names_and_the_total() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.work().join("one"), "Exact token counts\n").unwrap();
    fs::write(sandbox.work().join("many"), "word ".repeat(20_000)).unwrap();
    fs::write(sandbox.work().join("empty"), "").unwrap();
    assert_eq!(run(&mut sandbox.toto(["count", "one"])).ok().out(), "4 one\n");
    let input = File::open(sandbox.work().join("one")).unwrap();
    let outcome = run(sandbox.toto(["count", "one", "many", "empty", "-"]).stdin(input)).ok();
    assert_eq!(outcome.out(), "    4 one\n20001 many\n    0 empty\n    4 -\n20009 total\n");
}

#[test]
fn a_file_that_cannot_be_read_is_named_and_the_others_are_counted() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.work().join("one"), "Exact token counts\n").unwrap();
    let outcome = run(&mut sandbox.toto(["count", "none", "one", "."])).exits(1);
    assert_eq!(outcome.out(), "4 one\n4 total\n");
    let lines: Vec<String> = outcome.err().lines().map(String::from).collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("toto: cannot read none: "), "{lines:?}");
    assert!(lines[1].starts_with("toto: cannot read .: "), "{lines:?}");
}

#[test]
fn an_encoding_that_there_is_not_is_a_usage_error() {
    let sandbox = Sandbox::new();
    let outcome = run(&mut sandbox.toto(["count", "--encoding", "gpt2"])).exits(2);
    assert!(outcome.err().contains("there are cl100k and o200k"), "{}", outcome.err());
    let mut o200k = sandbox.toto(["count", "--encoding", "o200k"]);
    if cfg!(feature = "o200k") {
        assert_eq!(run(&mut o200k).ok().out(), "0\n");
    } else {
        assert!(run(&mut o200k).exits(2).err().contains("built without it"));
    }
}
