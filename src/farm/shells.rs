//! Which start files each shell reads, and what toto writes into them: marked lines, put in, found again, and taken out
//! without a byte left behind.
//!
//! | shell | login | interactive | plain `-c` |
//! |---|---|---|---|
//! | bash | `.bash_profile`, `.bash_login` or `.profile` | `.bashrc` | inherits PATH |
//! | zsh  | `.zshenv`, `.zprofile` | `.zshenv`, `.zshrc` | `.zshenv` |
//! | fish | `conf.d/*.fish`, `config.fish` | the same | the same |
//! | sh, dash, ksh | `.profile` | inherits PATH | inherits PATH |
//!
//! zsh gets three lines because each file may be followed by something that reorders PATH: /etc/zprofile (macOS's
//! `path_helper`, distributions that read /etc/profile there) and the user's own `.zshrc`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::probe;
use crate::agents::STANDARD_MARKS;
use crate::{env, words};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartFile {
    /// The path by which the shell opens it; links are not resolved.
    pub path: PathBuf,
    pub language: Language,
    pub place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Posix,
    Fish,
}

/// Where shells look for their start files.
#[derive(Clone, Debug)]
pub struct Homes {
    pub home: PathBuf,
    /// `$ZDOTDIR` as zsh itself sees it.
    pub zsh: PathBuf,
    pub fish: PathBuf,
}

impl Homes {
    /// The directories by this process's environment; ZDOTDIR as zsh itself reports it, since `.zshenv` may set it.
    pub fn of(home: &Path) -> Self {
        let fish = env::xdg_dir(env::XDG_CONFIG_HOME, ".config", "fish");
        Self {
            home: home.into(),
            zsh: probe::zsh_home().unwrap_or_else(|| home.into()),
            fish: fish.unwrap_or_else(|| home.join(".config/fish")),
        }
    }

    /// The files that get a line, for shells that are installed or have start files here.
    pub fn start_files(&self) -> Vec<StartFile> {
        let installed = |shell| probe::installed(shell).is_some();
        let in_home = |name: &str| self.home.join(name);
        let posix = |path, place| StartFile { path, language: Language::Posix, place };
        let fish = |path| StartFile { path, language: Language::Fish, place: Place::End };
        let mut files = vec![posix(in_home(".profile"), Place::End)];
        if installed("bash") || is_there(&in_home(".bashrc")) {
            let login = [".bash_profile", ".bash_login"].map(in_home).into_iter().find(|path| is_there(path));
            files.extend(login.map(|path| posix(path, Place::End)));
            files.push(posix(in_home(".bashrc"), Place::TopAndEnd));
        }
        if installed("zsh") || is_there(&self.zsh.join(".zshrc")) {
            // It is read before it can set ZDOTDIR: where it sets ZDOTDIR itself, it lies in the home directory.
            let is_set = std::env::var_os(env::ZDOTDIR).is_some_and(|value| Path::new(&value) == self.zsh);
            let home = if is_set { &self.zsh } else { &self.home };
            files.push(posix(home.join(".zshenv"), Place::End));
            files.extend([".zprofile", ".zshrc"].map(|name| posix(self.zsh.join(name), Place::End)));
        }
        if installed("fish") || is_there(&self.fish) {
            files.push(fish(self.fish.join("conf.d/toto.fish")));
            files.extend(Some(self.fish.join("config.fish")).filter(|path| is_there(path)).map(fish));
        }
        files
    }

    /// Every file that may have got a line at some time.
    pub fn all_start_files(&self) -> Vec<PathBuf> {
        let in_home =
            [".profile", ".bash_profile", ".bash_login", ".bashrc", ".zshenv", ".zprofile", ".zshrc"];
        let in_zsh = [".zshenv", ".zprofile", ".zshrc"];
        let mut files: Vec<_> = in_home.map(|name| self.home.join(name)).into();
        files.extend(in_zsh.map(|name| self.zsh.join(name)).into_iter().filter(|_| self.zsh != self.home));
        files.extend(["conf.d/toto.fish", "config.fish"].map(|name| self.fish.join(name)));
        files
    }
}

fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

impl Language {
    /// The line that reads a file below `toto_home` if the file is there: a missing file must not disturb a shell.
    pub fn reading(self, file: &str, toto_home: &Path, home: &Path) -> String {
        let quoted = in_home(&toto_home.join(file), home);
        match self {
            Self::Posix => format!("if [ -r {quoted} ]; then . {quoted}; fi"),
            Self::Fish => format!("test -r {quoted}; and source {quoted}"),
        }
    }

    /// The name of the file that puts the farm in front.
    pub fn env_file(self) -> &'static str {
        match self {
            Self::Posix => "env",
            Self::Fish => "env.fish",
        }
    }

    /// The expansions of every variable that may mark an agent, one after another: together empty if none is set.
    fn marks(self) -> String {
        let known = crate::agents::all()
            .flat_map(|agent| agent.marks.names.iter().chain(agent.marks.tool_only).copied());
        let marks: BTreeSet<&str> = known.chain([env::TOTO_AGENT]).chain(STANDARD_MARKS).collect();
        let one = |mark: &&str| match self {
            Self::Posix => format!("${{{mark}-}}"),
            Self::Fish => format!("${mark}"),
        };
        marks.iter().map(one).collect()
    }

    /// The text of the `env` file. It moves the farm to the front of PATH, wherever the farm is, and keeps an empty
    /// entry, which means the working directory.
    pub fn env_text(self, toto_home: &Path, home: &Path) -> String {
        let text = match self {
            Self::Posix => include_str!("env.sh"),
            Self::Fish => include_str!("env.fish"),
        };
        text.replace("@FARM@", &in_home(&toto_home.join("bin"), home))
            .replace("@HOME@", &in_home(toto_home, home))
            .replace("@MARKS@", &self.marks())
    }
}

/// A path as one word of sh and fish, with `$HOME` if possible: start files may be shared between machines.
pub fn in_home(path: &Path, home: &Path) -> String {
    match path.strip_prefix(home) {
        Ok(rest) => format!("\"$HOME\"/{}", quote(rest)),
        Err(_) => quote(path),
    }
}

/// A path as one word of sh and fish, quoted only if necessary.
pub fn quote(path: &Path) -> String {
    words::quote(&path.to_string_lossy())
}

/// The end of every line of ours. The words in brackets say what else was added with the line.
const MARK: &str = "# toto setup";
const WITH_LINE_BREAK: &str = "# toto setup (line break added)";
const WITH_FILE: &str = "# toto setup (file added)";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// At its end: behind whatever else changes PATH.
    End,
    /// Also at its top: some files return early when the shell is not interactive.
    TopAndEnd,
}

/// The file's text with our line in it and no older line of ours; `old` is None if there is no file.
pub fn with_line(old: Option<&[u8]>, line: &str, place: Place) -> Vec<u8> {
    let Some(old) = old.and_then(without_lines) else {
        return format!("{line} {WITH_FILE}\n").into_bytes();
    };
    let mut new = old.clone();
    if place == Place::TopAndEnd && !old.is_empty() {
        let newline = memchr::memchr(b'\n', &old).filter(|_| old.starts_with(b"#!"));
        let top = newline.map_or(0, |newline| newline + 1);
        new.splice(top..top, format!("{line} {MARK}\n").into_bytes());
    }
    let (line_break, mark) =
        if old.is_empty() || old.ends_with(b"\n") { ("", MARK) } else { ("\n", WITH_LINE_BREAK) };
    new.extend_from_slice(format!("{line_break}{line} {mark}\n").as_bytes());
    new
}

/// The text without our lines; None if the file was ours alone.
pub fn without_lines(text: &[u8]) -> Option<Vec<u8>> {
    let mut new = Vec::with_capacity(text.len());
    let mut ours_alone = false;
    let mut end = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        end += line.len();
        let bare = line.strip_suffix(b"\n").unwrap_or(line);
        if bare.ends_with(WITH_LINE_BREAK.as_bytes()) {
            if end == text.len() {
                new.pop();
            }
        } else if bare.ends_with(WITH_FILE.as_bytes()) {
            ours_alone = true;
        } else if !bare.ends_with(MARK.as_bytes()) {
            new.extend_from_slice(line);
        }
    }
    (!new.is_empty() || !ours_alone).then_some(new)
}
