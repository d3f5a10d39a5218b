//! `toto fetch`: real processes, one answer.

mod answer;
mod calls;
mod ends;
mod joined;

use std::process::Command;

use serde_json::{Value, json};

use crate::harness::{Outcome, Sandbox, run};

/// A sandbox whose `aws` prints the file of its region below $HOME; `bad` fails, `none` has nothing, `slow` is late.
fn regions() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.tool(
        "aws",
        "for word; do case $last in --region) region=$word;; esac; last=$word; done\n\
         case $region in\n\
         bad) echo 'denied in bad' >&2; exit 254;;\n\
         worse) echo 'denied in worse' >&2; exit 3;;\n\
         none*) echo '{\"Reservations\": []}';;\n\
         slow) sleep 0.3; cat \"$HOME/slow\";;\n\
         *) cat \"$HOME/$region\";;\n\
         esac",
    );
    for region in ["us-east-1", "eu-west-1", "slow"] {
        let rows: Vec<Value> = (0..6).map(|at| instance(region, at)).collect();
        sandbox.home_file(region, serde_json::to_string_pretty(&json!({ "Reservations": rows })).unwrap());
    }
    sandbox
}

fn instance(region: &str, at: usize) -> Value {
    json!({
        "InstanceId": format!("i-{region}-{at}"), "InstanceType": "t3.micro", "State": { "Name": "running" },
        "Placement": { "AvailabilityZone": format!("{region}a"), "Tenancy": "default" }, "EbsOptimized": false,
    })
}

/// `toto fetch ARGS…` as an agent reads it.
fn seen(sandbox: &Sandbox, args: &[&str]) -> Outcome {
    run(&mut fetch(sandbox, args))
}

fn fetch(sandbox: &Sandbox, args: &[&str]) -> Command {
    let mut command = sandbox.toto(["fetch"]);
    command.args(args).env("TOTO", "on");
    command
}

/// The same as a program reads it.
fn read(sandbox: &Sandbox, args: &[&str]) -> Outcome {
    run(sandbox.toto(["fetch"]).args(args))
}

const EACH: [&str; 5] = ["--", "aws", "describe", "--region", "{}"];

fn each<'a>(regions: &'a str, options: &[&'a str]) -> Vec<&'a str> {
    [options, &["--each", regions], &EACH].concat()
}

#[test]
fn a_call_is_named_by_what_sets_it_apart() {
    for (calls, expected) in [
        (&["aws x --region us-east-1", "aws x --region eu-west-1"][..], &["us-east-1", "eu-west-1"][..]),
        (&["kubectl get pods -n a", "kubectl get svc -n b"], &["pods a", "svc b"]),
        (&["git log", "git status -s"], &["log", "status -s"]),
        (&["git", "git status"], &["git", "git status"]),
        (&["git log -1", "git log -1 a"], &["-1", "-1 a"]),
        (&["ls /a"], &["ls /a"]),
        (&["ls", "ls", "ls"], &["ls", "ls (2)", "ls (3)"]),
        (&["e a", "e a", "e b"], &["a", "a (2)", "b"]),
        (&["e x (2)", "e x y", "e x y"], &["(2)", "y", "y (2)"]),
        (&["e a", "e a (2)", "e a", "e a"], &["a", "a (2)", "a (3)", "a (4)"]),
        (&["e b\nc", "e d"], &["b c", "d"]),
    ] {
        let calls: Vec<Vec<String>> =
            calls.iter().map(|line| line.split(' ').map(str::to_owned).collect()).collect();
        assert_eq!(llm_toto::fetch::names(&calls), expected);
    }
}
