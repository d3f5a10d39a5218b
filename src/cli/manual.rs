//! `toto completions` and `toto manual`: what shells and `man` know of the command line, made of its definition.

use std::path::{Path, PathBuf};

use clap::Args;
use clap_complete::{Shell, generate};
use clap_mangen::Man;

use super::{definition, out};
use crate::farm::changes::Changes;

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

pub fn run_completions(args: &CompletionsArgs) -> anyhow::Result<i32> {
    out::bytes(completions(args.shell))
}

/// Writes DIR/completions and DIR/man. Fails where a file cannot be written.
pub fn run(args: &ManualArgs) -> anyhow::Result<i32> {
    let names = [
        (Shell::Bash, "toto.bash"),
        (Shell::Elvish, "toto.elv"),
        (Shell::Fish, "toto.fish"),
        (Shell::Zsh, "_toto"),
    ];
    let mut changes = Changes::default();
    for (shell, name) in names {
        changes.write(&args.directory.join("completions").join(name), &completions(shell))?;
    }
    for (name, page) in pages()? {
        changes.write(&args.directory.join("man").join(name), &page)?;
    }
    Ok(0)
}

/// Writes what `man` and bash look for beside a directory on PATH, below `share`; it is told as one change.
pub(super) fn install(share: &Path, changes: &mut Changes) -> anyhow::Result<()> {
    let mut beside = Changes::new(changes.dry);
    beside.write(&share.join("bash-completion/completions/toto"), &completions(Shell::Bash))?;
    for (name, page) in pages()? {
        beside.write(&share.join("man/man1").join(name), &page)?;
    }
    if !beside.lines.is_empty() {
        changes.note("wrote", "write", format!("{}: manual pages and completions", share.display()));
    }
    Ok(())
}

fn completions(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    generate(shell, &mut definition(), "toto", &mut script);
    script
}

/// A page a command, by its file name. The short help has no room for every command; the manual has.
fn pages() -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let mut toto = definition().mut_subcommands(|command| command.hide(false));
    toto.build();
    let (mut waiting, mut pages) = (vec![toto], Vec::new());
    while let Some(command) = waiting.pop() {
        waiting.extend(command.get_subcommands().cloned());
        let (man, mut page) = (Man::new(command), Vec::new());
        man.render(&mut page)?;
        pages.push((man.get_filename(), page));
    }
    Ok(pages)
}
