//! `toto gain merge`: takes in the spools of other machines and containers.

use std::io::Read;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use super::figures::grouped;
use crate::cli::out::{self, refuse_unless};
use crate::ledger::database::Ledger;
use crate::ledger::fold::merge;
use crate::ledger::spool;

/// Take in the spools of CI machines and containers; the same twice counts once
#[derive(Args)]
pub struct MergeArgs {
    /// Spool files (2026-11-21.jsonl), or directories of them; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// Merges all files, or none. Fails when a file cannot be read, or the ledger cannot be written.
pub fn run(args: &MergeArgs, ledger: &mut Ledger) -> anyhow::Result<i32> {
    let mut sources: Vec<Box<dyn Read>> = Vec::new();
    for file in &args.files {
        if file.as_os_str() == "-" {
            sources.push(Box::new(std::io::stdin().lock()));
        } else if file.is_dir() {
            let segments =
                spool::segments(file).with_context(|| format!("cannot read {}", file.display()))?;
            let name = file.display();
            refuse_unless!(!segments.is_empty(), "{name} holds no spool files (2026-11-21.jsonl)");
            for segment in segments.into_values() {
                sources.push(Box::new(fs_err::File::open(segment)?));
            }
        } else {
            sources.push(Box::new(fs_err::File::open(file)?));
        }
    }
    let merged = merge(&mut ledger.connection, &mut sources)?;
    let known = merged.runs - merged.new;
    out::styled(format!("{} merged, {} known already\n", out::counted(merged.new, "run"), grouped(known)))?;
    merged.uncounted().for_each(|line| out::complain(&line));
    Ok(i32::from(merged.runs == 0 && merged.damaged > 0))
}
