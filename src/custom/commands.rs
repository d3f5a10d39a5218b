//! The commands that a user's own filter names: `command`, which it is for, `run`, in place of that, and `step`, beside
//! it. They are only read here; the caller of the filters runs them. The library's filters run none.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

use super::schema::{FilterFile, Text};
use crate::mistake::Mistake;
use crate::words::split;

/// Stands for the arguments of the call in `run`.
pub const ARGUMENTS: &str = "{args}";
/// Maximum number of commands beside a tool; more are a mistake.
const MOST_STEPS: usize = 4;
/// Maximum length of a command in a mark, in characters.
const LONGEST_TOLD: usize = 300;

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

/// The text of the mark for a command that was run: one line, with blanks in place of control characters.
pub fn told(words: &[OsString]) -> String {
    let line = words.join(OsStr::from_bytes(b" "));
    let shown = |c: char| if c.is_control() { ' ' } else { c };
    format!("ran: {}", line.to_string_lossy().chars().take(LONGEST_TOLD).map(shown).collect::<String>())
}

/// The mistakes in the commands of a filter that stands in `source`, or that there is none that it is for.
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
    if file.command.0.iter().all(|command| command.trim().is_empty()) {
        found.push(Mistake::at(source, 0, "no `command`: say which command the filter is for"));
    }
    found.extend(file.step.iter().filter_map(|step| wrong(&step.run)));
    if let Some(step) = file.step.get(MOST_STEPS) {
        let message = format!("more than {MOST_STEPS} commands beside one");
        found.push(Mistake::at(source, step.run.span().start, message));
    }
    found
}
