//! The README shows real output: what stands there is what comes out.

use std::fs;
use std::path::Path;

use crate::harness::{Sandbox, run};

#[test]
fn the_picture_shows_what_the_tool_and_the_shim_print() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(fs::read_to_string(root.join("README.md")).unwrap().contains("(docs/picture.svg)"));
    let picture = fs::read_to_string(root.join("docs/picture.svg")).unwrap();
    let drawn: String = picture.lines().filter(|line| line.starts_with("<text")).map(plain).collect();

    let sandbox = Sandbox::new();
    let fixture = root.join("tests/fixtures/aws/ecr__describe-repositories.json");
    sandbox.tool("aws", &format!("cat '{}'", fixture.display()));
    sandbox.link("aws");
    let outcome = run(sandbox.command("aws").args(["ecr", "describe-repositories"]).env("TOTO", "on")).ok();
    // A picture wraps lines: blanks tell nothing.
    let packed = |text: &str| text.split_whitespace().collect::<String>();
    let said = packed(&format!("{}{}", outcome.out(), outcome.err()));
    assert!(packed(&drawn).ends_with(&said), "packaging/picture.py draws it anew:\n{drawn}\n{said}");

    let original = fs::read_to_string(&fixture).unwrap();
    let (shown, rest) = drawn.split_once("… ").unwrap();
    let shown = shown.split_once("repositories\n").unwrap().1.lines().count();
    assert!(rest.starts_with(&format!("{} lines more", original.lines().count() - shown)), "{drawn}");
}

#[test]
fn the_failure_is_what_cargo_prints_and_what_an_agent_reads() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let mut examples = readme.split("```text\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let printed = examples.next().unwrap().strip_suffix("… 17 lines more\n").unwrap();
    let read = examples.next().unwrap();
    let fixture = root.join("tests/fixtures/report/cargo/cargo-test-q.txt");
    let original = fs::read_to_string(&fixture).unwrap();
    let (_, rest) = original.split_once(printed).unwrap();
    assert_eq!(rest.split_once("\n\n").unwrap().0.lines().count(), 17);
    assert!(readme.contains(&format!("prints {} lines", original.lines().count())));

    let sandbox = Sandbox::new();
    sandbox.tool("cargo", &format!("cat '{}'; exit 101", fixture.display()));
    sandbox.link("cargo");
    let outcome = run(sandbox.command("cargo").args(["test", "-q"]).env("TOTO", "on"));
    let (failure, receipt) = read.split_once("[toto]").unwrap();
    assert!(outcome.out().contains(failure), "{}", outcome.out());
    // The name of the saved output is a few tokens, now more, now fewer.
    let counts = |text: &str| -> Vec<i32> { text.split(' ').filter_map(|word| word.parse().ok()).collect() };
    let (told, found) = (counts(receipt), counts(&outcome.err()));
    assert!(
        told.len() == 3 && told.iter().zip(&found).all(|(told, found)| (told - found).abs() < 5),
        "{found:?}"
    );
}

/// The text of an element.
fn plain(element: &str) -> String {
    let text = &element[element.find('>').unwrap() + 1..element.rfind("</text>").unwrap()];
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") + "\n"
}

#[test]
fn the_demo_shows_what_an_agent_and_what_a_program_sees() {
    let out = run(&mut Sandbox::new().toto(["demo"])).ok().out();
    assert!(out.contains("| Shape: PVFN") && out.contains("identical to the tool's own"), "{out}");
}
