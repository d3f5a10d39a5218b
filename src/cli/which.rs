//! `toto which`: the tool that a shim runs, and the files on PATH that were passed over.

use std::ffi::OsString;

use clap::Args;

use super::out;
use crate::path::{Candidate, Guard, Search, Verdict};

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

/// Fails where nothing is found ([`crate::path::NotFound`], with its exit status).
pub fn run(args: &WhichArgs) -> anyhow::Result<i32> {
    let search = Search::from_env();
    let found = search.resolve(&args.name, &Guard::default(), &[]);
    if args.all {
        let chosen = found.as_ref().ok().map(|found| &found.path);
        let row = |file: Candidate| {
            let verdict = match file.verdict {
                _ if Some(&file.path) == chosen => "runs this",
                Verdict::Tool => "behind it",
                Verdict::Farm => "in the farm",
                Verdict::Ourselves => "toto itself",
                Verdict::Copy => "another copy of toto",
                Verdict::NotExecutable => "not executable",
            };
            [file.path.display().to_string(), verdict.to_string()]
        };
        out::styled(out::columns(&search.all(&args.name).map(row).collect::<Vec<_>>()))?;
        found?;
        return Ok(0);
    }
    let mut line = found?.path.into_os_string().into_encoded_bytes();
    line.push(b'\n');
    out::bytes(line)
}
