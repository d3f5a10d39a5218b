//! Command lines as their programs read them: the operands of a viewer, and what a shell is to run.

use super::super::process::Process;
use super::super::processes::{base, is_shell};
use crate::words::Call;

/// The operands that a viewer may have and still read its standard input.
#[derive(Clone, Copy)]
pub(super) enum Operands {
    None,
    Any,
    /// A pattern, unless an option has given it.
    Pattern,
    /// A script, unless an option has given it.
    Script,
    /// Commands to the viewer itself: `+G`.
    Commands,
}

impl Operands {
    pub(super) fn allow(self, call: &Call<'_>) -> bool {
        let most = match self {
            Self::Any => usize::MAX,
            Self::Pattern if call.last_of(&["e", "f", "regexp", "file"]).is_none() => 1,
            Self::Script if call.last_of(&["e", "expression"]).is_none() => 1,
            Self::Commands => {
                return call.operands.iter().all(|operand| *operand == "-" || operand.starts_with('+'));
            }
            _ => 0,
        };
        call.operands.iter().skip(most).all(|operand| *operand == "-")
    }
}

/// What a shell runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Runs<'a> {
    /// A command line that was handed to it: `-c`, or its standard input.
    Line,
    /// A script file.
    Script(&'a [u8]),
}

/// What this shell runs; `None` where it is no shell, or in the middle of execve(2).
pub(super) fn shell_runs(process: &Process) -> Option<Runs<'_>> {
    is_shell(process).then(|| of_arguments(process.arguments()))?
}

/// The same by a shell's arguments.
pub(super) fn of_arguments(arguments: &[u8]) -> Option<Runs<'_>> {
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
            b"--" => return Some(words.next().map_or(Runs::Line, Runs::Script)),
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
    Some(Runs::Line)
}
