//! `toto config`: where the configuration is, what is in force, whether it is sound.

use anyhow::Context as _;
use clap::{Args, Subcommand};

use super::out::{self, Refusal};
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
            let mut mistakes = config::mistakes();
            if let Some(last) = mistakes.pop() {
                for mistake in mistakes {
                    super::complain(&mistake.to_string());
                }
                return Err(Refusal::bad(last.to_string()));
            }
            let found = if path.exists() { "is sound" } else { "is not there: the defaults are in force" };
            out::styled(format!("{} {found}\n", path.display()))
        }
    }
}
