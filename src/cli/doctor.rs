//! `toto doctor`: checks that everything is in its place.

use clap::Args;

use super::out;
use crate::farm::checkup::{self, Finding, Severity};
use crate::integration;

/// Check shims, every shell's PATH and the store, and say how to mend them
#[derive(Args)]
pub struct DoctorArgs {
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// Exit status 1 if something is broken. Fails without a home directory, or where the farm cannot be read.
pub fn run(args: &DoctorArgs) -> anyhow::Result<i32> {
    let place = super::agents::place()?;
    let mut findings = checkup::examine(&place.farm)?;
    let names: Vec<_> =
        place.farm.shims()?.into_iter().filter_map(|shim| shim.name.into_string().ok()).collect();
    findings.extend(integration::examine(&place, &names));
    let broken = findings.iter().any(|finding| finding.severity == Severity::Broken);
    if args.json {
        let report = serde_json::json!({ "ok": !broken, "findings": findings });
        out::styled(format!("{report:#}\n"))?;
    } else {
        out::styled(findings.iter().map(line).collect::<String>())?;
    }
    Ok(i32::from(broken))
}

fn line(finding: &Finding) -> String {
    let word = match finding.severity {
        Severity::Ok => "\x1b[32mok\x1b[0m     ",
        Severity::Note => "\x1b[33mnote\x1b[0m   ",
        Severity::Broken => "\x1b[31mbroken\x1b[0m ",
    };
    let fix = finding.fix.as_ref().map(|fix| format!("\n         fix: {fix}")).unwrap_or_default();
    format!("{word}  {}{fix}\n", finding.message)
}
