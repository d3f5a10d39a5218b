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
