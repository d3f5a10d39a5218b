//! Asks real shells for their PATH and what they would run, each started as by a terminal, an agent or a script.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::agents::Mode;
use crate::env;
use crate::run::aside::{end_by, output_by};
use crate::sys::session;

/// Longest time that a shell's start files may take before the shell is killed.
const LIMIT: Duration = Duration::from_secs(2);
const BEGIN: &str = "toto-probe {";
/// What the text of an alias of ours has in it.
const WORD: &str = "/words/";
const END: &str = "toto-probe }";

/// The shells that are asked, each in the modes whose start files `setup` writes to.
pub const SHELLS: [(&str, &[Mode]); 6] = [
    ("sh", &[Mode::Login, Mode::Plain]),
    ("bash", &[Mode::Login, Mode::Interactive, Mode::Plain]),
    ("zsh", &[Mode::Login, Mode::Interactive, Mode::Plain]),
    ("fish", &[Mode::Login, Mode::Interactive, Mode::Plain]),
    ("ksh", &[Mode::Login, Mode::Plain]),
    ("mksh", &[Mode::Login, Mode::Plain]),
];

#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    pub path: OsString,
    /// What it would run for each name that was asked about.
    pub names: Vec<(String, Meaning)>,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Meaning {
    File(PathBuf),
    /// A function or a builtin.
    Function,
    Alias,
    /// The word that an agent's own shell has for the tool.
    Word,
    /// The shell does not know the name.
    Nothing,
}

/// The path of an installed shell, from PATH and the usual directories: a login shell need not be on PATH.
pub fn installed(shell: &str) -> Option<PathBuf> {
    let path = std::env::var_os(env::PATH).unwrap_or_default();
    let directories = std::env::split_paths(&path).filter(|directory| directory.is_absolute());
    let usual = ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map(PathBuf::from);
    directories.chain(usual).map(|directory| directory.join(shell)).find(|file| {
        file.is_file() && rustix::fs::access(file.as_path(), rustix::fs::Access::EXEC_OK).is_ok()
    })
}

/// What an agent puts around a command of its shell.
#[derive(Debug, Default)]
pub struct Around {
    pub variables: Vec<(String, String)>,
    /// Lines of sh before the command.
    pub before: String,
}

/// Starts the shell with this PATH and with what an agent puts around a command, and asks for the PATH that the shell
/// has then and for the meaning of `names`. None if the shell does not answer in time.
pub fn ask(shell: &Path, mode: Mode, path: &OsStr, names: &[String], around: &Around) -> Option<Answer> {
    let script = if is_fish(shell) {
        format!(
            "echo '{BEGIN}'; string join : -- $PATH; for n in $argv; if functions -q $n; echo $n=$n; else; \
             echo $n=(command -s $n); end; end; echo '{END}'"
        )
    } else {
        format!(
            "{}\necho '{BEGIN}'; echo \"$PATH\"; for n in \"$@\"; do case $(alias \"$n\" 2>/dev/null) in \
             *\"{WORD}\"*) echo \"$n={WORD}\" ;; *) echo \"$n=$(command -v \"$n\")\" ;; esac; done; echo '{END}'",
            around.before
        )
    };
    let mut command = shell_command(shell, mode, path);
    command.envs(around.variables.iter().map(|(name, value)| (name, value)));
    command.arg(script).args((!is_fish(shell)).then_some("toto")).args(names);
    let text = answer(&mut command)?;
    let mut lines = text.split(|byte| *byte == b'\n');
    let path = OsString::from_vec(lines.next()?.to_vec());
    let lines: Vec<_> = lines.map(String::from_utf8_lossy).collect();
    let meaning = |name: &String| {
        let said = lines.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        (name.clone(), meaning(said.unwrap_or_default()))
    };
    Some(Answer { path, names: names.iter().map(meaning).collect() })
}

/// The directory in which zsh looks for `.zshrc`; `.zshenv` may set it. None if it is the home directory.
pub fn zsh_home() -> Option<PathBuf> {
    let path = std::env::var_os(env::PATH).unwrap_or_default();
    let mut command = shell_command(&installed("zsh")?, Mode::Plain, &path);
    command.arg(format!("echo '{BEGIN}'; echo \"$ZDOTDIR\"; echo '{END}'"));
    let text = answer(&mut command)?;
    let directory = PathBuf::from(OsString::from_vec(text.split(|byte| *byte == b'\n').next()?.to_vec()));
    directory.is_absolute().then_some(directory)
}

fn is_fish(shell: &Path) -> bool {
    shell.file_name().is_some_and(|name| name == "fish")
}

fn meaning(said: &str) -> Meaning {
    match said {
        "" => Meaning::Nothing,
        WORD => Meaning::Word,
        file if file.starts_with('/') => Meaning::File(file.into()),
        alias if alias.starts_with("alias ") => Meaning::Alias,
        _ => Meaning::Function,
    }
}

fn shell_command(shell: &Path, mode: Mode, path: &OsStr) -> Command {
    #[expect(clippy::disallowed_methods, reason = "asks a shell; no tool is run")]
    let mut command = Command::new(shell);
    command.args(mode.words().1.into_iter().chain(["-c"])).envs([
        (env::PATH, path),
        (env::TOTO, "off".as_ref()),
        ("HISTFILE", "/dev/null".as_ref()),
    ]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    session::detach(&mut command);
    command
}

/// The child's output between the two marks; start files may print anything around them.
fn answer(command: &mut Command) -> Option<Vec<u8>> {
    const MOST: usize = 1 << 20;
    let until = Instant::now() + LIMIT;
    let mut child = command.spawn().ok()?;
    let is_enough = |text: &[u8]| between_marks(text).is_some() || text.len() > MOST;
    let text = output_by(child.stdout.take(), until, is_enough);
    end_by(&mut child, until);
    between_marks(&text.ok()?).map(<[u8]>::to_vec)
}

fn between_marks(text: &[u8]) -> Option<&[u8]> {
    let found = |mark: &str| memchr::memmem::rfind(text, format!("{mark}\n").as_bytes());
    text.get(found(BEGIN)? + BEGIN.len() + 1..found(END)?)
}
