//! The README shows real output: what stands there is what comes out.

use std::fs;
use std::path::Path;

use crate::harness::{Sandbox, run};

#[test]
fn the_example_is_what_the_shim_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let after = readme.split("through the shim, and an agent reads:\n\n```text\n").nth(1).unwrap();
    let shown = after.split("```").next().unwrap();

    let sandbox = Sandbox::new();
    let fixture = root.join("tests/fixtures/aws/ecr__describe-repositories.json");
    let original = fs::read_to_string(&fixture).unwrap();
    let before = readme.split("prints this:\n\n```text\n").nth(1).unwrap();
    let (begin, rest) = before.split_once("            … ").unwrap();
    let left =
        original.strip_prefix(begin).unwrap_or_else(|| panic!("the tool does not print this:\n{begin}"));
    assert!(
        rest.starts_with(&format!("{} lines more\n```", left.lines().count())),
        "{}",
        left.lines().count()
    );

    sandbox.tool("aws", &format!("cat '{}'", fixture.display()));
    sandbox.link("aws");
    let outcome = run(sandbox.command("aws").args(["ecr", "describe-repositories"]).env("TOTO", "on")).ok();
    assert_eq!(format!("{}{}", outcome.out(), outcome.err()), shown);
}

#[test]
fn the_demo_shows_what_an_agent_and_what_a_program_sees() {
    let out = run(&mut Sandbox::new().toto(["demo"])).ok().out();
    assert!(out.contains("| Shape: PVFN") && out.contains("identical to the tool's own"), "{out}");
}
