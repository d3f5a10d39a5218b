//! The files that an agent's own shell reads before each command. They put the farm on PATH, and define other words
//! for the tools of the list, which would go round the farm: tools that stand in front of it once an environment is
//! activated, that lie in a project, or that an interpreter runs.
//!
//! The words are aliases. The shell replaces the command's word while it reads the line, and then starts the command
//! as usual: `$!`, jobs, pipelines, `exec`, `set -e` and `time` work as without them. docs/farm.md says what else was
//! tried. bash has no aliases with a slash in the name, so there these words are functions. An alias leads to a link in
//! `~/.toto/words`, a function to `toto shim --listed`; either becomes the tool at once if that was taken off the list
//! in the meantime. So a link stays, when its tool goes: shells that run may know the word.

mod interpreter;

pub use interpreter::{runs_own_program, stands_before, tool_of};

use std::ffi::OsStr;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::Farm;
use super::changes::Changes;
use super::known::{BY_PATH, WRAPPERS, Way, interpreter_of, way_of, why_not};
use super::list::{Listed, State};
use super::shells::{in_home, quote};
use crate::path::{self, OWN_NAMES};
use crate::sys::directory;

/// The directory of the links to which the aliases lead. It is never on PATH.
const WORDS: &str = "words";

/// The file that an agent's shell reads, then the files that this file reads.
pub const FILES: [&str; 3] = ["agent.sh", "agent.bash", "agent.zsh"];

/// Writes the files, and the links to which the words lead.
pub fn write(farm: &Farm, home: &Path, changes: &mut Changes) -> anyhow::Result<()> {
    let words = Words::of(&farm.listed()?);
    if !changes.dry {
        // Links of earlier versions.
        remove_from(&farm.names(), Path::is_symlink);
        words.link(farm)?;
    }
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

pub fn is_written(farm: &Farm) -> bool {
    farm.home().join(FILES[0]).exists()
}

/// Removes the files, the links, and the names of the list that have no link in the farm.
pub fn remove(farm: &Farm, changes: &mut Changes) -> io::Result<()> {
    let is_ours = |path: &Path| path.is_symlink() || path.metadata().is_ok_and(|file| file.len() == 0);
    for directory in [farm.names(), farm.home().join(WORDS)].into_iter().filter(|path| path.is_dir()) {
        changes.note("removed", "remove", directory.display());
        if !changes.dry {
            remove_from(&directory, is_ours);
        }
    }
    FILES.iter().try_for_each(|file| changes.remove(&farm.home().join(file)))
}

/// Removes the files that are ours. The directory stays if others are in it.
fn remove_from(directory: &Path, is_ours: impl Fn(&Path) -> bool) {
    let files = directory::entries(directory).unwrap_or_default();
    files.iter().filter(|file| is_ours(file)).for_each(|file| drop(std::fs::remove_file(file)));
    let _ = std::fs::remove_dir(directory);
}

/// Whether an alias of an agent's shell is called, by argv[0].
pub fn is_word(argv0: &OsStr) -> bool {
    let directory = Path::new(argv0).parent().filter(|directory| directory.ends_with(WORDS));
    directory.is_some_and(|directory| directory.parent() == path::toto_home().as_deref())
}

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
        let is_wise = |name: &str| way_of(name) == Some(Way::Shell) || why_not(name.as_ref()).is_none();
        let names = listed.iter().map(|(name, _)| *name).filter(|name| is_plain(name) && is_wise(name));
        let mut names: Vec<String> = names.chain(more.iter().copied()).map(str::to_owned).collect();
        names.sort_unstable();
        names.dedup();
        let is_there = |tool: &str| listed.iter().any(|(name, _)| *name == tool) || more.contains(&tool);
        Self { paths: paths(is_there), names }
    }

    fn link(&self, farm: &Farm) -> io::Result<()> {
        let target = Path::new("..").join(OWN_NAMES[0]);
        for link in self.names.iter().map(|name| farm.home().join(WORDS).join(name)) {
            if std::fs::read_link(&link).is_ok_and(|old| old == target) {
                continue;
            }
            fs_err::create_dir_all(farm.home().join(WORDS))?;
            let _ = std::fs::remove_file(&link);
            symlink(&target, &link)?;
        }
        Ok(())
    }

    fn filled(&self, text: &str, farm: &Farm, home: &Path) -> String {
        let toto = quote(&farm.binary());
        // The shell parses an alias's text once more.
        let alias = |word: &str, text: &str| format!("{word}='{}'", text.replace('\'', "'\\''"));
        let words = farm.home().join(WORDS);
        // One word: where a function of this name is defined, bash takes the text for the function's name.
        let aliases: Vec<_> = self.names.iter().map(|name| alias(name, &quote(&words.join(name)))).collect();
        let path_alias = |path: &String| alias(path, &format!("{toto} shim --listed -- {path}"));
        let path_aliases: Vec<_> = self.paths.iter().map(path_alias).collect();
        let function = |path: &String| format!("function {path} {{ _toto_by_path {path} \"$@\"; }}");
        let functions: Vec<_> = self.paths.iter().map(function).collect();
        text.replace("@HOME@", &in_home(farm.home(), home))
            .replace("@TOTO@", &toto)
            .replace("@ALIASES@", &aliases.join("\n  "))
            .replace("@NAMES@", &self.names.join(" "))
            .replace("@PATH_FUNCTIONS@", &functions.join("\n  "))
            .replace("@PATH_ALIASES@", &path_aliases.join("\n  "))
            .replace("@PATHS@", &self.paths.join(" "))
    }
}

/// The paths of [`BY_PATH`] by which these tools are called.
fn paths(is_there: impl Fn(&str) -> bool) -> Vec<String> {
    let mut paths = Vec::new();
    for (directories, tools) in BY_PATH {
        for directory in directories.split(' ') {
            for tool in tools.split(' ').filter(|tool| is_there(tool)) {
                let path = if directory == "." { tool.to_owned() } else { format!("{directory}/{tool}") };
                let dotted = format!("./{path}");
                paths.extend([path, dotted].into_iter().skip(usize::from(directory == ".")));
            }
        }
    }
    paths
}
