//! `toto config`: where the configuration is, what is in force, whether it is sound.

use anyhow::Context as _;
use clap::{Args, Subcommand};

use super::out;
use crate::config;

/// Show the configuration: its path, what is in force, whether it is sound
#[derive(Debug, Args)]
pub struct ConfigArgs {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Print where the file is, or would be
    Path,
    /// Print every setting in force, as a configuration file
    Show,
    /// Say whether the file and the variables can be used
    Check,
}

/// Fails without a home directory, or when a setting cannot be used.
pub fn run(args: &ConfigArgs) -> anyhow::Result<i32> {
    let path = config::path().context("no home directory, so there is no configuration file")?;
    match args.what {
        Some(What::Path) => out::styled(format!("{}\n", path.display())),
        None | Some(What::Show) => {
            out::styled(format!("# {}\n{}", path.display(), config::load()?.to_toml()))
        }
        Some(What::Check) => {
            let mistakes = config::mistakes();
            for mistake in &mistakes {
                out::complain(&mistake.to_string());
            }
            if !mistakes.is_empty() {
                return Ok(out::USAGE);
            }
            let found = if path.exists() { "is sound" } else { "is not there: the defaults are in force" };
            out::styled(format!("{} {found}\n", path.display()))
        }
    }
}
