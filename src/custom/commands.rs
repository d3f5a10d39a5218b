//! The commands that a user's own filter names: `run`, in place of the command that was asked for, and `step`, beside
//! it. They are only read here; the caller of the filters runs them. The library's filters name no commands.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

use super::Call;
use super::find;
use super::schema::{FilterFile, Text};
use crate::commands::{as_text, base_name, unwrap};
use crate::mistake::Mistake;
use crate::words::split;

/// Stands for the arguments of the call in `run`.
const ARGUMENTS: &str = "{args}";
/// Maximum number of commands beside a tool; more are a mistake.
const MOST_STEPS: usize = 4;
/// Maximum length of a command in a mark, in characters.
const LONGEST_TOLD: usize = 300;

/// The words of the command to run in place of a call; `None` where the call is run as it is.
///
/// Only a filter of the user's own can replace a call, and only where no part of the call gets lost. A call stays if it
/// has options in front of the subcommand, is behind a wrapper such as `sudo`, or has arguments that `run` has no place
/// for.
pub fn in_place(call: &Call<'_>) -> Option<Vec<OsString>> {
    let words = as_text(call.words);
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

/// The words of a command that a filter names. The first word is a name on PATH or an absolute path: a file of the
/// working directory might change, and the user would not have been asked. The error says in one line why the command
/// cannot be run.
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

/// The arguments behind a filter's command, with which the call begins word by word; what `*` stands for is one.
fn behind<'w>(command: &str, words: &[String], given: &'w [OsString]) -> Option<&'w [OsString]> {
    let mut pattern = command.split_whitespace();
    let is_tool = pattern.next().is_some_and(|tool| base_name(tool) == base_name(&words[0]));
    let mut pattern = pattern.filter(|word| !word.starts_with('-'));
    let named: Vec<&str> = pattern.by_ref().take_while(|word| *word != "*").collect();
    let fits = words.len() > named.len() && words[1..].iter().zip(&named).all(|(word, named)| word == named);
    (is_tool && fits && pattern.all(|word| word == "*")).then(|| &given[named.len() + 1..])
}

/// The text of the mark for a command that was run: one line, with blanks in place of control characters.
pub fn told(words: &[OsString]) -> String {
    let line = words.join(OsStr::from_bytes(b" "));
    let shown = |c: char| if c.is_control() { ' ' } else { c };
    format!("ran: {}", line.to_string_lossy().chars().take(LONGEST_TOLD).map(shown).collect::<String>())
}

/// The mistakes in the commands of a filter that stands in `source`.
pub fn mistakes(file: &FilterFile, source: &str) -> Vec<Mistake> {
    let wrong = |text: &Text| {
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
