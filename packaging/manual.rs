//! Writes what a package has beside the binary, out of the command line's own definition:
//! `cargo run --example manual -- DIR` leaves `DIR/completions/` (bash, zsh, fish, elvish) and `DIR/man/` (a page a
//! subcommand). An example, so that the binary carries no generator.

use std::path::Path;

use anyhow::Context as _;
use clap_complete::{Shell, generate_to};

fn main() -> anyhow::Result<()> {
    let directory = std::env::args_os().nth(1).context("say where: manual DIR")?;
    let directory = Path::new(&directory);
    let (completions, pages) = (directory.join("completions"), directory.join("man"));
    fs_err::create_dir_all(&completions)?;
    fs_err::create_dir_all(&pages)?;
    for shell in [Shell::Bash, Shell::Elvish, Shell::Fish, Shell::Zsh] {
        generate_to(shell, &mut llm_toto::cli::definition(), "toto", &completions)?;
    }
    // The short help has no room for every command; the manual has.
    clap_mangen::generate_to(llm_toto::cli::definition().mut_subcommands(|it| it.hide(false)), &pages)?;
    Ok(())
}
