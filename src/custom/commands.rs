//! The commands that a user's own filter names: `run`, in place of the one that was asked for, and `step`, beside it.
//! Here they are read; who calls the filters runs them. The library names none.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

use super::call::Call;
use super::find;
use super::schema::{FilterFile, TemplateText};
use crate::filter::Mistake;
use crate::filter::command::{base_name, unwrap};
use crate::words::split;

/// The arguments of the call, in `run`.
const ARGUMENTS: &str = "{args}";
/// More commands beside one tool are a mistake.
const MOST_STEPS: usize = 4;
/// The longest command that is told whole, in characters.
const LONGEST_TOLD: usize = 300;

/// The words of a command in place of the one that was asked for; `None` where the call is to be run as it is.
///
/// Only a filter of the user's own has a say, and only where nothing of what was asked gets lost: with options in front
/// of the subcommand, behind a wrapper such as `sudo`, or with arguments that `run` has no place for, the call stays.
pub fn in_place(call: &Call<'_>) -> Option<Vec<OsString>> {
    let words: Vec<String> = call.words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    if words.is_empty() || unwrap(&words).len() < words.len() {
        return None;
    }
    let found = find::own(call)?;
    let run = words_of(found.file.run.as_ref()?.get_ref()).ok()?;
    let arguments = found.file.command.0.iter().find_map(|command| behind(command, &words, call.words))?;
    if !arguments.is_empty() && !run.iter().any(|word| word == ARGUMENTS) {
        return None;
    }
    let given = |word: OsString| if word == ARGUMENTS { arguments.to_vec() } else { vec![word] };
    Some(run.into_iter().flat_map(given).collect())
}

/// The words of a command that a filter names: the first is looked for on PATH, or is a path from the root. What lies in
/// the working directory may be another file tomorrow, and nobody would have been asked.
///
/// # Errors
/// In one line: why it cannot be run.
pub fn words_of(command: &str) -> Result<Vec<OsString>, String> {
    let words = split(command.as_bytes()).map_err(|error| error.to_string())?;
    if words[0].contains(&b'/') && !words[0].starts_with(b"/") {
        return Err(format!(
            "{}: a name on PATH, or a path from the root",
            String::from_utf8_lossy(&words[0])
        ));
    }
    Ok(words.into_iter().map(OsString::from_vec).collect())
}

/// The arguments behind a filter's command, where that stands in front of them word by word; what `*` stands for is one
/// of them.
fn behind<'w>(command: &str, words: &[String], given: &'w [OsString]) -> Option<&'w [OsString]> {
    let mut pattern = command.split_whitespace();
    let is_tool = pattern.next().is_some_and(|tool| base_name(tool) == base_name(&words[0]));
    let mut pattern = pattern.filter(|word| !word.starts_with('-'));
    let named: Vec<&str> = pattern.by_ref().take_while(|word| *word != "*").collect();
    let fits = words.len() > named.len() && words[1..].iter().zip(&named).all(|(word, named)| word == named);
    (is_tool && fits && pattern.all(|word| word == "*")).then(|| &given[named.len() + 1..])
}

/// A command as a mark tells it: one line, of what a screen can show.
pub fn told(words: &[OsString]) -> String {
    let line = words.join(OsStr::from_bytes(b" "));
    let shown = |c: char| if c.is_control() { ' ' } else { c };
    format!("ran: {}", line.to_string_lossy().chars().take(LONGEST_TOLD).map(shown).collect::<String>())
}

/// What is wrong with the commands of a filter that stands in `source`.
pub fn mistakes(file: &FilterFile, source: &str) -> Vec<Mistake> {
    let wrong = |text: &TemplateText| {
        let at = text.span().start;
        let words = match words_of(text.get_ref()) {
            Ok(words) => words,
            Err(error) => return Some(Mistake::at(source, at, error)),
        };
        let is_part = |word: &OsString| word != ARGUMENTS && word.to_string_lossy().contains(ARGUMENTS);
        words.iter().any(is_part).then(|| Mistake::at(source, at, "`{args}` is a word of its own"))
    };
    let mut found: Vec<Mistake> = file.run.iter().filter_map(wrong).collect();
    found.extend(file.step.iter().filter_map(|step| wrong(&step.run)));
    if let Some(step) = file.step.get(MOST_STEPS) {
        let message = format!("more than {MOST_STEPS} commands beside one");
        found.push(Mistake::at(source, step.run.span().start, message));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instead(filter: &str, line: &str) -> Option<String> {
        let dir = tempfile::tempdir().unwrap();
        fs_err::write(dir.path().join("git-status.toml"), filter).unwrap();
        let (words, directories) = (crate::filter::library::words(line), [dir.path().to_path_buf()]);
        let call = Call { words: &words, directories: &directories, ..Call::default() };
        in_place(&call).map(|words| told(&words))
    }

    #[test]
    fn a_command_stands_in_for_one_only_where_nothing_of_it_is_lost() {
        let plain = "command = \"git status\"\nrun = \"git status --porcelain -b\"\n";
        let with = "command = \"git status\"\nrun = \"git status -b {args} 'a b'\"\n";
        assert_eq!(instead(plain, "git status").unwrap(), "ran: git status --porcelain -b");
        assert_eq!(instead(with, "/usr/bin/git status -s x").unwrap(), "ran: git status -b -s x a b");
        let any = with.replace("\"git status\"", "\"git status *\"");
        assert_eq!(instead(&any, "git status x -s").unwrap(), "ran: git status -b x -s a b");
        for (filter, line) in [
            (plain, "git status -s"),
            (plain, "git -C /x status"),
            (with, "git -C /x status"),
            (plain, "sudo git status"),
            (plain, "git stash"),
            ("command = \"git status\"\n", "git status"),
        ] {
            assert_eq!(instead(filter, line), None, "{filter} {line}");
        }
    }

    #[test]
    fn what_no_shell_would_run_as_meant_is_a_mistake() {
        for (keys, place) in [
            ("run = \"git status | head\"", (1, 7)),
            ("run = \"git log x{args}\"", (1, 7)),
            ("run = \"\"", (1, 7)),
            ("run = \"./tools/status.sh\"", (1, 7)),
            ("step = [{ run = \"a > b\", as = \"c\" }]", (1, 17)),
            ("[[step]]\nrun = \"a 'b\"\nas = \"c\"", (2, 7)),
        ] {
            let file = super::super::schema::parse(keys).unwrap();
            let found = mistakes(&file, keys);
            assert_eq!(found.iter().map(|m| (m.line, m.column)).collect::<Vec<_>>(), [place], "{keys}");
        }
    }
}
