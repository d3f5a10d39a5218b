//! The files that an agent's own shell reads before each command. They put the farm on PATH, and define other words
//! for the tools of the list, which would go round the farm: tools that stand in front of it once an environment is
//! activated, that lie in a project, or that an interpreter runs.
//!
//! The words are aliases. The shell replaces the command's word while it reads the line, and then starts the command
//! as usual: `$!`, jobs, pipelines, `exec`, `set -e` and `time` work as without them. docs/farm.md says what else was
//! tried. bash has no aliases with a slash in the name, so there these words are functions. Either leads to
//! `toto shim --listed`, which becomes the tool at once if that was taken off the list in the meantime.

mod interpreter;

pub use interpreter::{runs_own_program, stands_before, tool_of};

use std::io;
use std::path::Path;

use super::changes::Changes;
use super::known::{BY_PATH, WRAPPERS, Way, interpreter_of, way_of};
use super::list::{Listed, State};
use super::shells::{in_home, quote};
use super::{Farm, refusals};
use crate::sys::directory;

/// The file that an agent's shell reads, then the files that this file reads.
pub const FILES: [&str; 3] = ["agent.sh", "agent.bash", "agent.zsh"];

/// Writes the files.
pub fn write(farm: &Farm, home: &Path, changes: &mut Changes) -> anyhow::Result<()> {
    if !changes.dry {
        remove_names(farm, |path| path.is_symlink());
    }
    let words = Words::of(&farm.listed()?);
    let texts = [
        (include_str!("reach/agent.sh"), ""),
        (include_str!("reach/agent.bash"), include_str!("reach/words.bash")),
        (include_str!("reach/agent.zsh"), include_str!("reach/words.zsh")),
    ];
    for (file, (text, around)) in FILES.into_iter().zip(texts) {
        let around = if words.names.is_empty() && words.paths.is_empty() { "" } else { around };
        let text = words.filled(&text.replace("@WORDS@\n", around), farm, home);
        changes.write(&farm.home().join(file), text.as_bytes())?;
    }
    Ok(())
}

/// Like [`write`], after the list has changed; does nothing if the files are not there.
pub fn renew(farm: &Farm) -> anyhow::Result<()> {
    match crate::env::home() {
        Some(home) if is_written(farm) => write(farm, &home, &mut Changes::new(false)),
        _ => Ok(()),
    }
}

/// Whether the files are there.
pub fn is_written(farm: &Farm) -> bool {
    farm.home().join(FILES[0]).exists()
}

/// Removes the files, and the names of the list that have no link.
pub fn remove(farm: &Farm, changes: &mut Changes) -> io::Result<()> {
    if farm.names().is_dir() {
        changes.note("removed", "remove", farm.names().display());
    }
    if !changes.dry {
        remove_names(farm, |path| path.is_symlink() || path.metadata().is_ok_and(|file| file.len() == 0));
    }
    FILES.iter().try_for_each(|file| changes.remove(&farm.home().join(file)))
}

/// Removes those names. The directory stays if others are in it.
fn remove_names(farm: &Farm, are_meant: impl Fn(&Path) -> bool) {
    let names = directory::entries(&farm.names()).unwrap_or_default();
    names.iter().filter(|name| are_meant(name)).for_each(|name| drop(std::fs::remove_file(name)));
    let _ = std::fs::remove_dir(farm.names());
}

/// The words of an agent's shell.
#[derive(Debug, Default)]
pub struct Words {
    /// Those that are names.
    pub names: Vec<String>,
    /// Those with a slash.
    pub paths: Vec<String>,
}

impl Words {
    /// The words for this list: its names, the interpreters of its tools, and commands that only start other ones if a
    /// tool is in environments, where those would find it.
    pub fn of(list: &[Listed]) -> Self {
        let ours = list.iter().filter(|listed| !matches!(listed.state, State::Foreign));
        let listed: Vec<(&str, bool)> =
            ours.filter_map(|listed| Some((listed.name.to_str()?, listed.in_farm))).collect();
        let mut more: Vec<&str> =
            listed.iter().flat_map(|(name, _)| interpreter_of(name).split(' ')).collect();
        if listed.iter().any(|(name, in_farm)| match way_of(name) {
            Some(way) => way == Way::Environments,
            None => !in_farm,
        }) {
            more.extend(WRAPPERS.split(' '));
        }
        more.retain(|word| !word.is_empty());
        let is_plain = |name: &str| {
            name.chars().all(|c| c.is_ascii_alphanumeric() || "._+-".contains(c)) && !name.starts_with('.')
        };
        // A name that was linked by --force may be a word of the shell's own.
        let is_wise =
            |name: &str| way_of(name) == Some(Way::Shell) || refusals::reason(name.as_ref()).is_none();
        let names = listed.iter().map(|(name, _)| *name).filter(|name| is_plain(name) && is_wise(name));
        let mut names: Vec<String> = names.chain(more.iter().copied()).map(str::to_owned).collect();
        names.sort_unstable();
        names.dedup();
        let is_there = |tool: &str| listed.iter().any(|(name, _)| *name == tool) || more.contains(&tool);
        Self { paths: paths(is_there), names }
    }

    fn filled(&self, text: &str, farm: &Farm, home: &Path) -> String {
        let toto = quote(&farm.binary());
        // The shell parses an alias's text once more.
        let alias = |word: &String| {
            let text = format!("{toto} shim --listed -- {word}");
            format!("{word}='{}'", text.replace('\'', "'\\''"))
        };
        let aliases = |words: &[String]| words.iter().map(alias).collect::<Vec<_>>().join("\n  ");
        let function = |path: &String| format!("function {path} {{ _toto_by_path {path} \"$@\"; }}");
        let functions: Vec<_> = self.paths.iter().map(function).collect();
        text.replace("@HOME@", &in_home(farm.home(), home))
            .replace("@TOTO@", &toto)
            .replace("@ALIASES@", &aliases(&self.names))
            .replace("@NAMES@", &self.names.join(" "))
            .replace("@PATH_FUNCTIONS@", &functions.join("\n  "))
            .replace("@PATH_ALIASES@", &aliases(&self.paths))
            .replace("@PATHS@", &self.paths.join(" "))
    }
}

/// The paths of [`BY_PATH`] by which these tools are called.
fn paths(is_there: impl Fn(&str) -> bool) -> Vec<String> {
    let mut paths = Vec::new();
    for (directories, tools) in BY_PATH {
        for directory in directories.split(' ') {
            for tool in tools.split(' ').filter(|tool| is_there(tool)) {
                if directory != "." {
                    paths.push(format!("{directory}/{tool}"));
                }
                paths.push(match directory {
                    "." => format!("./{tool}"),
                    _ => format!("./{directory}/{tool}"),
                });
            }
        }
    }
    paths
}
