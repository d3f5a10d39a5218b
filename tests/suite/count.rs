//! `toto count`.

use std::fs::{self, File};

use crate::harness::{Sandbox, run};

#[test]
fn standard_input_is_counted_alone() {
    let sandbox = Sandbox::new();
    let text = sandbox.home_file("text", "Exact token counts\n");
    let outcome = run(sandbox.toto(["count"]).stdin(File::open(&text).unwrap())).ok();
    assert_eq!(outcome.out(), "4\n");
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
