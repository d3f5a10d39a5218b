//! `toto check`.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::out::{self, Refusal};
use crate::custom::schema::FilterFile;
use crate::custom::testing;
use crate::mistake::Mistake;
use crate::sys::files::read_text;
use crate::trust::LONGEST_FILE;

/// Say what is wrong with filter files, with line and column
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Filter files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Prints every mistake of every file, one per line; exit status 1 if there is one.
pub fn run_check(args: &CheckArgs) -> anyhow::Result<i32> {
    let mut status = 0;
    for path in &args.files {
        let placed = |mistake: &Mistake| format!("{}:{mistake}", path.display());
        let mistakes = match read(path) {
            Ok(source) => testing::check_all(&source, beside(path)).1.iter().map(placed).collect(),
            Err(error) => vec![error.to_string()],
        };
        for mistake in &mistakes {
            out::complain(mistake);
            status = 1;
        }
        if mistakes.is_empty() {
            out::bytes(format!("{}: ok\n", path.display()))?;
        }
    }
    Ok(status)
}

pub(super) fn read(path: &Path) -> anyhow::Result<String> {
    read_text(path, LONGEST_FILE).map_err(|error| Refusal::bad(format!("{}: {error}", path.display())))
}

/// The directory of a filter.
fn beside(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// A filter file and its text. A mistake in it is an error, which names the first one.
pub(super) fn load(path: &Path) -> anyhow::Result<(FilterFile, String)> {
    let source = read(path)?;
    let (file, mistakes) = testing::check_all(&source, beside(path));
    match (file, mistakes.first()) {
        (Some(file), None) => Ok((file, source)),
        (_, first) => {
            let more = mistakes.len().saturating_sub(1);
            let more = if more > 0 { format!(" (and {more} more: toto check)") } else { String::new() };
            let first = first.map_or_else(|| "not a filter".to_owned(), Mistake::to_string);
            Err(Refusal::bad(format!("{}:{first}{more}", path.display())))
        }
    }
}
