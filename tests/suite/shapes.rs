//! `toto why --shapes`: what each notation costs an output.

use serde_json::{Value, json};

use crate::harness::{Sandbox, run, run_with};

/// Long enough for thousands, and alike enough for a table.
fn rows() -> String {
    let rows: Vec<Value> =
        (0..150).map(|at| json!({ "id": at, "name": format!("web-{at}"), "state": "running" })).collect();
    serde_json::to_string_pretty(&rows).unwrap()
}

#[test]
fn each_shape_is_told_with_its_count_for_piped_saved_and_run_output() {
    let sandbox = Sandbox::new();
    let file = sandbox.home_file("rows", rows());
    sandbox.tool("rows", "cat \"$HOME/rows\"; exit 3");
    let piped = run_with(&mut sandbox.toto(["why", "--shapes"]), rows().as_bytes()).ok().out();
    let count = |bytes: &[u8]| {
        let counted = run_with(&mut sandbox.toto(["count"]), bytes).ok().out();
        counted.split_whitespace().next().unwrap().parse::<usize>().unwrap()
    };
    let original = count(rows().as_bytes());
    let taken = count(&run_with(&mut sandbox.toto(["--receipt", "off"]), rows().as_bytes()).ok().out);
    assert!(original > 1000 && taken < 1000, "{original} {taken}");
    let thousands = format!("{},{:03}", original / 1000, original % 1000);
    let lines: Vec<Vec<&str>> = piped
        .lines()
        .map(|line| line.split("  ").filter(|part| !part.is_empty()).map(str::trim).collect())
        .collect();
    assert_eq!(lines[0], ["original", &format!("{thousands} tokens")], "{piped}");
    assert!(lines.contains(&vec!["PVFN", &format!("{taken} tokens"), "taken"]), "{piped}");
    assert!(lines.contains(&vec!["minified JSON", &format!("more than {taken}, not finished")]), "{piped}");
    let of_file = run(sandbox.toto(["why", "--shapes"]).arg(&file)).ok().out();
    assert_eq!(of_file, piped);
    let of_command = run(&mut sandbox.toto(["why", "--shapes", "--", "rows"])).exits(3);
    assert_eq!((of_command.out(), of_command.err().as_str()), (piped, "toto: exit status 3\n"));
}

#[test]
fn a_saved_output_is_told_by_its_id_and_json_for_programs() {
    let sandbox = Sandbox::new();
    let input =
        json!({ "a": null, "e": { "i": null, "j": [], "k": "", "l": {}, "m": 1 }, "f": 1.5, "g": "x".repeat(300) })
            .to_string();
    let out = run_with(&mut sandbox.toto(["--format", "pvfn"]), input.as_bytes()).ok().out();
    let id = out.split("toto show ").nth(1).unwrap().split(')').next().unwrap();
    let told = run(&mut sandbox.toto(["why", "--json", "--shapes", id])).ok().out;
    let told: Vec<Value> = serde_json::from_slice(&told).unwrap();
    assert_eq!(told[0]["shape"], "Raw");
    assert!(
        told[0]["tokens"].is_u64() && told.iter().filter(|one| one["taken"] == true).count() == 1,
        "{told:?}"
    );
    let outcome = run(&mut sandbox.toto(["why", "--shapes", "nowhere"])).exits(2);
    assert_eq!(outcome.err().lines().count(), 1);
}
