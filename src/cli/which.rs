//! `toto which`: the tool that a shim runs, and the files on PATH that were passed over.

use std::ffi::OsString;

use clap::Args;

use super::out;
use crate::path::{Guard, Search, Verdict};

/// Show the tool that a shim runs
#[derive(Args)]
pub struct WhichArgs {
    /// Name of a tool
    #[arg(value_name = "NAME")]
    name: OsString,
    /// Every file of that name on PATH, and what was passed over why
    #[arg(short, long, visible_short_alias = 'v')]
    all: bool,
}

/// Runs `toto which`.
///
/// # Errors
/// Where nothing is found ([`crate::path::NotFound`], with its exit status).
pub fn run(args: &WhichArgs) -> anyhow::Result<i32> {
    let search = Search::from_env();
    let found = search.resolve(&args.name, &Guard::default(), &[]);
    if args.all {
        let chosen = found.as_ref().ok().map(|found| &found.path);
        let rows: Vec<_> = search
            .all(&args.name)
            .iter()
            .map(|file| {
                let runs = Some(&file.path) == chosen;
                let verdict = match file.verdict {
                    _ if runs => "runs this",
                    Verdict::Tool => "behind it",
                    passed => passed.reason(),
                };
                [file.path.display().to_string(), verdict.to_string()]
            })
            .collect();
        out::styled(&out::columns(&rows))?;
        found?;
        return Ok(0);
    }
    let mut line = found?.path.into_os_string().into_encoded_bytes();
    line.push(b'\n');
    out::bytes(&line)?;
    Ok(0)
}
