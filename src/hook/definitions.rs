//! Aliases and functions of an agent's shell: `aws` may be one, and `toto shim -- aws` would bypass it.
//!
//! A hook does not see the shell, only the files that the shell reads when it starts. They are searched as text:
//! what looks like a definition of the name counts as one.

use std::ffi::OsStr;
use std::path::PathBuf;

use memchr::memmem;

use crate::env;
use crate::sys::directory;
use crate::sys::files::{is_absent, read_foreign};

/// Start files of shells, below the home directory.
const START_FILES: &str = ".bashrc .bash_profile .bash_login .bash_aliases .profile .aliases .zshenv .zprofile .zshrc \
                           .zlogin .kshrc .config/fish/config.fish";

/// Directories, below the home directory, in which agents keep what a shell had defined when they were started.
const SNAPSHOTS: &[&str] = &[".claude/shell-snapshots", ".codex/shell_snapshots"];

/// Where the name is defined as an alias or a function; None where nothing says so. Where a file exists and cannot be
/// read, its error stands for the place.
pub fn of(name: &str) -> Option<String> {
    if name.contains('/') {
        return None;
    }
    if std::env::var_os(format!("BASH_FUNC_{name}%%")).is_some() {
        return Some("the environment".into());
    }
    files().into_iter().find_map(|path| match read_foreign(&path) {
        Ok(text) => defines(&text, name).then(|| path.display().to_string()),
        Err(error) if is_absent(&error) => None,
        Err(error) => Some(error.to_string()),
    })
}

fn files() -> Vec<PathBuf> {
    let mut files: Vec<_> = [env::BASH_ENV, env::ENV].into_iter().filter_map(env::absolute).collect();
    let home = env::absolute(env::HOME);
    files.extend(home.iter().flat_map(|home| START_FILES.split(' ').map(|file| home.join(file))));
    if let Some(directory) = env::absolute(env::ZDOTDIR) {
        let of_zsh = START_FILES.split(' ').filter(|file| file.starts_with(".z"));
        files.extend(of_zsh.map(|file| directory.join(file)));
    }
    let own = env::absolute(env::CLAUDE_CONFIG_DIR).map(|directory| directory.join("shell-snapshots"));
    let usual = home.iter().flat_map(|home| SNAPSHOTS.iter().map(|directory| home.join(directory)));
    for directory in own.into_iter().chain(usual) {
        let mut snapshots = directory::entries(&directory).unwrap_or_default();
        snapshots.retain(|path| path.extension() == Some(OsStr::new("sh")));
        snapshots.sort_unstable();
        files.extend(snapshots.into_iter().rev().take(16));
    }
    files
}

/// Whether something in the text looks like a definition of the name.
pub(super) fn defines(text: &[u8], name: &str) -> bool {
    let holds = |text: &[u8], sign: &str| memmem::find(text, sign.as_bytes()).is_some();
    let functions = [format!("{name}()"), format!("{name} ()"), format!("function {name}")];
    functions.iter().any(|sign| holds(text, sign))
        || memmem::find_iter(text, &format!("{name}=")).any(|at| {
            let line = memchr::memrchr(b'\n', &text[..at]).map_or(0, |newline| newline + 1);
            holds(&text[line..at], "alias") && !text[..at].last().is_some_and(u8::is_ascii_alphanumeric)
        })
}
