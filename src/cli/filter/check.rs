//! `toto filter check`: prints every mistake in filter files.

use std::path::PathBuf;

use clap::Args;

use super::source;
use crate::cli::out;
use crate::custom::testing;

/// Say what is wrong with filter files, with line and column
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Filter files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Prints every mistake of every file, one per line; exit status 1 if there is one.
pub fn run(args: &CheckArgs) -> anyhow::Result<i32> {
    let mut status = 0;
    for path in &args.files {
        let mistakes = match source::read(path) {
            Ok(source) => testing::check_all(&source).1,
            Err(error) => {
                out::complain(&error.to_string());
                status = 1;
                continue;
            }
        };
        for mistake in &mistakes {
            out::complain(&format!("{}:{mistake}", path.display()));
            status = 1;
        }
        if mistakes.is_empty() {
            out::bytes(format!("{}: ok\n", path.display()).as_bytes())?;
        }
    }
    Ok(status)
}
