//! `toto doctor`: checks that everything is in its place.

use std::ffi::OsString;

use clap::Args;

use super::out;
use crate::agent_setup;
use crate::config;
use crate::farm::checkup::{self, Finding, Severity};

/// Check the list, every shell's PATH and the store, and say how to mend them
#[derive(Args)]
pub struct DoctorArgs {
    /// As JSON
    #[arg(long)]
    json: bool,
    /// Check only this PATH: what of the list it misses
    #[arg(long, value_name = "PATH")]
    path: Option<OsString>,
}

/// Exit status 1 if something is broken. Fails without a home directory, or where the farm cannot be read.
pub fn run(args: &DoctorArgs) -> anyhow::Result<i32> {
    let place = super::agents::place()?;
    let findings = if let Some(path) = &args.path {
        checkup::examine_path(&place.farm, path)?
    } else {
        let mut findings = checkup::examine(&place.farm)?;
        findings.extend(agent_setup::examine(&place, &place.farm.listed()?));
        findings.extend(configured());
        findings
    };
    let broken = findings.iter().any(|finding| finding.severity == Severity::Broken);
    if args.json {
        let report = serde_json::json!({ "ok": !broken, "findings": findings });
        out::styled(format!("{report:#}\n"))?;
    } else {
        let line = |finding: &Finding| {
            let word = match finding.severity {
                Severity::Ok => "\x1b[32mok\x1b[0m     ",
                Severity::Note => "\x1b[33mnote\x1b[0m   ",
                Severity::Broken => "\x1b[31mbroken\x1b[0m ",
            };
            let fix = finding.fix.as_ref().map(|fix| format!("\n         fix: {fix}")).unwrap_or_default();
            format!("{word}  {}{fix}\n", finding.message)
        };
        out::styled(findings.iter().map(line).collect::<String>())?;
    }
    Ok(i32::from(broken))
}

/// Findings on the configuration, which a mistake makes every tool's output raw, and on variables that say nothing.
fn configured() -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Err(error) = config::load() {
        findings.push(Finding::broken(
            "config",
            format!("{error}; until then all output is raw"),
            "toto config path",
        ));
    }
    let note = |error: config::Error| Finding::note("config", error.to_string(), Some("unset the variable"));
    findings.extend(config::unheeded().into_iter().map(note));
    findings
}
