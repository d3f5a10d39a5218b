//! Kinds of processes by name, and what a shell runs: the tables of `processes.toml`, laid out by `agents/codegen.rs`.

use super::process::Process;

include!(concat!(env!("OUT_DIR"), "/processes.rs"));

/// The last part of a path.
pub fn base(path: &[u8]) -> &[u8] {
    path.rsplit(|&b| b == b'/').next().unwrap_or(path)
}

/// Whether the name is in the sorted table.
pub fn is_in(table: &[&str], name: &[u8]) -> bool {
    table.binary_search_by(|entry| entry.as_bytes().cmp(name)).is_ok()
}

/// Whether the name, or its first word (`tmux: server`, `npm run x`), is in the sorted table.
pub(super) fn heads(table: &[&str], name: &[u8]) -> bool {
    let word = name.split(|b| matches!(b, b' ' | b':')).next().unwrap_or(name);
    is_in(table, name) || is_in(table, word)
}

/// The last part of `argv[0]`, without a login shell's dash; the kernel's name of the process where `argv[0]`
/// cannot be read.
pub fn argv0(process: &Process) -> &[u8] {
    let Some(first) = process.words().next().filter(|first| !first.is_empty()) else { return process.name() };
    let name = base(first);
    name.strip_prefix(b"-").unwrap_or(name)
}

/// Whether the process is a shell, by either of its names: `bash` may be started as `sh`.
pub fn is_shell(process: &Process) -> bool {
    is_in(SHELLS, process.name()) || is_in(SHELLS, argv0(process))
}

/// Whether the process is never the eyes, by the kernel's name for it. Reads nothing more of the process.
pub fn is_never_by_name(process: &Process) -> bool {
    is_in(SHELLS, process.name()) || heads(NEVER, process.name())
}

/// Whether the process is never the eyes, by either of its names.
pub fn is_never(process: &Process) -> bool {
    is_never_by_name(process) || is_in(SHELLS, argv0(process)) || heads(NEVER, argv0(process))
}

/// Whether this is the name of an interpreter, its version aside: `python3.12` is `python`.
pub(super) fn is_interpreter(name: &[u8]) -> bool {
    let end = name.iter().rposition(|b| !b.is_ascii_digit() && *b != b'.').map_or(0, |at| at + 1);
    is_in(INTERPRETERS, &name[..end])
}

/// The script that an interpreter runs: its first argument that is no option.
pub fn script(process: &Process) -> Option<&[u8]> {
    if !is_interpreter(argv0(process)) && !is_interpreter(process.name()) {
        return None;
    }
    process.words().skip(1).find(|a| !a.is_empty() && !a.starts_with(b"-"))
}

/// Whether this is a shell that reads its commands from standard input, as far as its arguments can be read.
pub fn reads_commands(process: &Process) -> bool {
    is_shell(process) && of_arguments(process.arguments()).is_none_or(|runs| runs == Runs::Input)
}

/// What a shell runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs<'a> {
    /// A command line that was handed to it: `-c`.
    Line,
    /// Its standard input.
    Input,
    /// A script file.
    Script(&'a [u8]),
}

/// Whether this is a shell that runs a command line, handed to it or from its standard input; not in the middle of
/// execve(2).
pub fn runs_a_line(process: &Process) -> bool {
    let runs = of_arguments(process.arguments());
    is_shell(process) && runs.is_some_and(|runs| !matches!(runs, Runs::Script(_)))
}

/// What a shell runs, by its arguments.
pub fn of_arguments(arguments: &[u8]) -> Option<Runs<'_>> {
    /// Long options whose value is the next argument (bash; fish).
    const VALUES: [&[u8]; 4] = [b"--rcfile", b"--init-file", b"--init-command", b"--features"];
    let mut words = arguments.split(|&byte| byte == 0).filter(|word| !word.is_empty());
    if base(words.next()?) == b"busybox" {
        words.next()?;
    }
    while let Some(word) = words.next() {
        match word {
            b"--command" => return Some(Runs::Line),
            _ if word.starts_with(b"--command=") => return Some(Runs::Line),
            _ if VALUES.contains(&word) => drop(words.next()),
            b"--" => return Some(words.next().map_or(Runs::Input, Runs::Script)),
            _ if word.starts_with(b"--") => {}
            [b'-' | b'+', letters @ ..] => {
                if letters.contains(&b'c') && word[0] == b'-' {
                    return Some(Runs::Line);
                }
                if letters.last().is_some_and(|letter| matches!(letter, b'o' | b'O')) {
                    words.next();
                }
            }
            _ => return Some(Runs::Script(word)),
        }
    }
    Some(Runs::Input)
}
