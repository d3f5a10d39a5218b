//! Command lines as their programs read them: a viewer's options, their values and its operands; and what a shell
//! is to run.

use super::super::process::Process;
use super::super::processes::{base, is_shell};

/// A viewer's options and operands.
pub(super) struct Call {
    /// Options without their dashes, each with its value or nothing.
    pub(super) options: Vec<(String, String)>,
    pub(super) operands: Vec<String>,
}

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
    pub(super) fn allow(self, call: &Call) -> bool {
        let most = match self {
            Self::Any => usize::MAX,
            Self::Pattern if call.last_of(&["e", "f", "regexp", "file"]).is_none() => 1,
            Self::Script if call.last_of(&["e", "expression"]).is_none() => 1,
            Self::Commands => {
                return call.operands.iter().all(|operand| operand == "-" || operand.starts_with('+'));
            }
            _ => 0,
        };
        call.operands.iter().skip(most).all(|operand| operand == "-")
    }
}

impl Call {
    /// Reads arguments as `getopt_long(3)` does, with the options that take a value: letters, then long ones.
    /// `None` where the arguments are not UTF-8 or a value is missing.
    pub(super) fn read(values: &str, long_values: &str, arguments: &[&[u8]]) -> Option<Self> {
        let mut call = Self { options: Vec::new(), operands: Vec::new() };
        let mut arguments = arguments.iter().map(|argument| std::str::from_utf8(argument).ok());
        let mut only_operands = false;
        while let Some(argument) = arguments.next() {
            let argument = argument?;
            if only_operands || argument == "-" || !argument.starts_with('-') {
                call.operands.push(argument.into());
            } else if argument == "--" {
                only_operands = true;
            } else if let Some(long) = argument.strip_prefix("--") {
                let (name, value) = match long.split_once('=') {
                    Some((name, value)) => (name, value.to_owned()),
                    None if long_values.split_whitespace().any(|word| word == long) => {
                        (long, arguments.next()??.to_owned())
                    }
                    None => (long, String::new()),
                };
                call.options.push((name.into(), value));
            } else {
                call.read_letters(values, &argument[1..], &mut || Some(arguments.next()??.to_owned()))?;
            }
        }
        Some(call)
    }

    fn read_letters(
        &mut self,
        values: &str,
        mut letters: &str,
        next: &mut dyn FnMut() -> Option<String>,
    ) -> Option<()> {
        while let Some(letter) = letters.chars().next() {
            let digits = letters.len() - letters.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            if digits > 0 {
                // `tail -80`. No viewer but `head` and `tail` has its number of lines told by this.
                self.options.push(("n".into(), letters[..digits].into()));
                letters = &letters[digits..];
                continue;
            }
            letters = &letters[letter.len_utf8()..];
            if values.contains(letter) {
                let value = if letters.is_empty() { next()? } else { letters.to_owned() };
                self.options.push((letter.into(), value));
                return Some(());
            }
            self.options.push((letter.into(), String::new()));
        }
        Some(())
    }

    /// The last of these options that is given, with its value.
    pub(super) fn last_of(&self, names: &[&str]) -> Option<(&str, &str)> {
        let found = self.options.iter().rev().find(|(name, _)| names.contains(&name.as_str()));
        found.map(|(name, value)| (name.as_str(), value.as_str()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_told_from_a_command_line() {
        let line =
            |text: &str| of_arguments(text.replace(' ', "\0").as_bytes()).map(|runs| runs == Runs::Line);
        for text in [
            "bash -c x",
            "-bash",
            "bash -lc x",
            "sh -euo pipefail -c x",
            "bash --rcfile f -c x",
            "busybox sh -c x",
            "/bin/zsh -f -c x",
            "fish --no-config -c x",
            "fish --command=x",
            "bash -s",
            "bash +o posix -c x",
        ] {
            assert_eq!(line(text), Some(true), "{text}");
        }
        for text in [
            "bash s.sh",
            "sh -e ./s",
            "bash -o pipefail s.sh -c",
            "busybox sh s",
            "zsh -- s",
            "bash --norc s -c",
        ] {
            assert_eq!(line(text), Some(false), "{text}");
        }
        assert_eq!(line(""), None);
    }
}
