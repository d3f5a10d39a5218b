//! `toto completions` and `toto manual`: what shells and `man` know of the command line, made of its definition.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Command};
use clap_complete::{Shell, generate, generate_to};

use super::out;
use crate::farm::changes::Changes;
use crate::sys::directory;

/// Print a shell's completions of toto's own commands
///
/// bash-completion 2.12 finds those that `toto setup` wrote. Else: toto completions bash >
/// ~/.local/share/bash-completion/completions/toto; zsh > DIR/_toto, DIR being in fpath; fish >
/// ~/.config/fish/completions/toto.fish
#[derive(Args)]
pub struct CompletionsArgs {
    shell: Shell,
}

/// Write completions and manual pages, as packages have them, below a directory
#[derive(Args)]
pub struct ManualArgs {
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

pub fn run_completions(args: &CompletionsArgs, mut toto: Command) -> anyhow::Result<i32> {
    out::bytes(completions(args.shell, &mut toto))
}

/// Writes DIR/completions and DIR/man. Fails where a file cannot be written.
pub fn run(args: &ManualArgs, mut toto: Command) -> anyhow::Result<i32> {
    let completions = args.directory.join("completions");
    fs_err::create_dir_all(&completions)?;
    for shell in [Shell::Bash, Shell::Elvish, Shell::Fish, Shell::Zsh] {
        generate_to(shell, &mut toto, "toto", &completions)?;
    }
    pages(toto, &args.directory.join("man"))?;
    Ok(0)
}

/// Writes what `man` and bash look for beside a directory on PATH, below `share`; it is told as one change.
pub(super) fn install(share: &Path, mut toto: Command, changes: &mut Changes) -> anyhow::Result<()> {
    let (mut beside, made) = (Changes::new(changes.dry), tempfile::tempdir()?);
    beside.write(&share.join("bash-completion/completions/toto"), &completions(Shell::Bash, &mut toto))?;
    pages(toto, made.path())?;
    for page in directory::entries(made.path())? {
        let name = page.file_name().unwrap_or_default();
        beside.write(&share.join("man/man1").join(name), &fs_err::read(&page)?)?;
    }
    if !beside.lines.is_empty() {
        changes.note("wrote", "write", format!("{}: manual pages and completions", share.display()));
    }
    Ok(())
}

fn completions(shell: Shell, toto: &mut Command) -> Vec<u8> {
    let mut script = Vec::new();
    generate(shell, toto, "toto", &mut script);
    script
}

/// Writes a page a command. The short help has no room for every command; the manual has.
fn pages(toto: Command, directory: &Path) -> anyhow::Result<()> {
    fs_err::create_dir_all(directory)?;
    let toto = toto.mut_subcommands(|command| command.hide(false));
    clap_mangen::generate_to(toto, directory).with_context(|| directory.display().to_string())
}
