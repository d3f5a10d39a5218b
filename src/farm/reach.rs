//! The files that an agent's own shell reads before each command. They put the farm on PATH, and define other words
//! for tools that would go round it: tools that stand in front of the farm once an environment is activated, that lie
//! in a project, or that an interpreter runs.
//!
//! The words are aliases. The shell replaces the command's word while it reads the line, and then starts the command
//! as usual: `$!`, jobs, pipelines, `exec`, `set -e` and `time` work as without them. docs/farm.md says what else was
//! tried. bash has no aliases with a slash in the name, so there these words are functions.

mod interpreter;

pub use interpreter::runs_own_program;

use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::changes::Changes;
use super::shells::{in_home, quote};
use super::{Farm, refusals};
use crate::sys::directory;

/// Tools that are usually installed in environments (Python's, Node's, Ruby's, PHP's), and not always elsewhere on
/// PATH.
const TOOLS: &str = "pytest py.test mypy ruff pip pip3 pylint flake8 black isort pyright tox nox coverage pre-commit \
    tsc eslint jest vitest prettier mocha playwright turbo nx rspec rubocop rake phpunit phpstan composer";

/// Interpreters and runners, whose arguments name the tool.
const INTERPRETERS: &str = "python python3 node php ruby timeout";

/// Directories in which projects keep tools, and the tools there.
const BY_PATH: &[(&str, &str)] = &[
    (".venv/bin venv/bin", "pytest mypy ruff pip tox coverage python python3"),
    ("node_modules/.bin", "tsc eslint jest vitest prettier playwright"),
    ("vendor/bin", "phpunit simple-phpunit phpstan pest php-cs-fixer"),
    ("bin", "rails rspec rubocop rake phpunit composer golangci-lint"),
    (".", "gradlew mvnw configure"),
];

/// The directory of the links to which the words lead. It is never on PATH.
pub const DIRECTORY: &str = "reach";

/// The file that an agent's shell reads, then the files that this file reads.
pub const FILES: [&str; 3] = ["agent.sh", "agent.bash", "agent.zsh"];

/// Every name that has a link in [`DIRECTORY`].
fn names() -> impl Iterator<Item = &'static str> {
    TOOLS.split(' ').chain(INTERPRETERS.split(' '))
}

/// Writes the files and the links.
pub fn write(farm: &Farm, home: &Path, changes: &mut Changes) -> io::Result<()> {
    let links = farm.home().join(DIRECTORY);
    let target = Path::new("..").join("toto");
    let is_there = |link: &PathBuf| std::fs::read_link(link).is_ok_and(|old| old == target);
    let missing: Vec<PathBuf> = names().map(|name| links.join(name)).filter(|link| !is_there(link)).collect();
    if !missing.is_empty() {
        changes.note("linked", "link", format!("{} ({} tools)", links.display(), missing.len()));
        if !changes.dry {
            fs_err::create_dir_all(&links)?;
            for link in missing {
                let _ = std::fs::remove_file(&link);
                symlink(&target, &link)?;
            }
        }
    }
    let texts =
        [include_str!("reach/agent.sh"), include_str!("reach/agent.bash"), include_str!("reach/agent.zsh")];
    let words = words(farm)?;
    for (file, text) in FILES.into_iter().zip(texts) {
        let text = filled(text, farm, home, &words);
        changes.write(&farm.home().join(file), text.as_bytes())?;
    }
    Ok(())
}

/// Like [`write`], after the farm's links have changed; does nothing if the files are not there.
pub fn renew(farm: &Farm) -> io::Result<()> {
    match crate::env::home() {
        Some(home) if farm.home().join(FILES[0]).exists() => write(farm, &home, &mut Changes::new(false)),
        _ => Ok(()),
    }
}

/// Removes the files and the links.
pub fn remove(farm: &Farm, changes: &mut Changes) -> io::Result<()> {
    let links = farm.home().join(DIRECTORY);
    if links.is_dir() {
        changes.note("removed", "remove", links.display());
    }
    if !changes.dry {
        names().for_each(|name| drop(std::fs::remove_file(links.join(name))));
        // The directory stays if other files are in it.
        let _ = std::fs::remove_dir(&links);
    }
    FILES.iter().try_for_each(|file| changes.remove(&farm.home().join(file)))
}

/// Each word and the path of its link: in the farm, or for other tools in [`DIRECTORY`].
fn words(farm: &Farm) -> io::Result<Vec<(String, String)>> {
    let linked = match directory::entries(&farm.directory()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        entries => entries?,
    };
    let plain = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || "._+-".contains(c));
    let mut words: Vec<(String, String)> = linked
        .iter()
        .filter_map(|path| Some((path.file_name()?.to_str()?.to_owned(), quote(path))))
        // A name that was linked by --force may be a word of the shell's own.
        .filter(|(name, _)| {
            plain(name) && !name.starts_with(['.', '-']) && refusals::reason(name.as_ref()).is_none()
        })
        .filter(|(name, _)| super::OWN_NAMES.iter().all(|own| name != own))
        .collect();
    let links = farm.home().join(DIRECTORY);
    let others = names().filter(|name| linked.iter().all(|path| !path.ends_with(name)));
    words.extend(others.map(|name| (name.to_owned(), quote(&links.join(name)))));
    words.sort_unstable();
    Ok(words)
}

/// The words with a slash: the paths of [`BY_PATH`].
fn paths() -> impl Iterator<Item = String> {
    BY_PATH.iter().flat_map(|(directories, tools)| {
        let one = move |directory: &'static str| {
            tools.split(' ').flat_map(move |tool| match directory {
                "." => vec![format!("./{tool}")],
                _ => vec![format!("{directory}/{tool}"), format!("./{directory}/{tool}")],
            })
        };
        directories.split(' ').flat_map(one)
    })
}

fn filled(text: &str, farm: &Farm, home: &Path, words: &[(String, String)]) -> String {
    let (toto, paths): (_, Vec<String>) = (quote(&farm.binary()), paths().collect());
    // The shell parses an alias's text once more.
    let alias = |name: &str, text: &str| format!("{name}='{}'", text.replace('\'', "'\\''"));
    let (aliases, names): (Vec<_>, Vec<_>) =
        words.iter().map(|(name, path)| (alias(name, path), name.as_str())).unzip();
    let function = |path: &String| format!("function {path} {{ _toto_by_path {path} \"$@\"; }}");
    let functions: Vec<_> = paths.iter().map(function).collect();
    let path_alias = |path: &String| alias(path, &format!("{toto} shim -- {path}"));
    let path_aliases: Vec<_> = paths.iter().map(path_alias).collect();
    text.replace("@HOME@", &in_home(farm.home(), home))
        .replace("@TOTO@", &toto)
        .replace("@ALIASES@", &aliases.join("\n  "))
        .replace("@NAMES@", &names.join(" "))
        .replace("@PATH_FUNCTIONS@", &functions.join("\n  "))
        .replace("@PATH_ALIASES@", &path_aliases.join("\n  "))
        .replace("@PATHS@", &paths.join(" "))
}
