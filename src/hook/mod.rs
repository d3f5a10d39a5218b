//! Rewrites a command before an agent runs it, for those who want that: `aws x` becomes `toto shim -- aws x`.
//!
//! A rewritten command runs as a shim (`shim.rs`): who reads, what is passed straight on, and what happens on a
//! fault are decided when it runs, by what is seen then. So an unneeded rewrite costs a millisecond and nothing
//! else. A rewrite inserts text and never prints the command anew. In doubt the command stays as it is.
//! docs/hook.md is the reference.
#![forbid(unsafe_code)]

pub mod definitions;
pub mod filters;
pub mod lexer;
pub mod line;
mod lists;
pub mod permissions;
pub mod protocol;
pub mod rules;
mod table;
pub mod word;

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use crate::agents::{Agent, Hook};
use crate::filter::command::base_name;
use crate::sys::auxv;
use crate::{env, path};
use line::Simple;
use protocol::Question;
use rules::Rules;
use table::{Listed, listed};

/// Why a command stays as it is.
#[derive(Debug, PartialEq, Eq)]
pub enum Reason {
    /// More than a lone command, or text that cannot be read for certain.
    Shape,
    /// The command's name is not a plain word.
    Word,
    /// The command is toto or a link of the farm, or it sets a variable of toto's.
    Already,
    /// A variable in front changes where toto finds the tool or its own files.
    Variable(String),
    /// This pattern in `skip` matches.
    Skip(String),
    /// The tables say so, for this reason.
    Table(&'static str),
    /// This pattern of the pass-through table matches.
    Passthrough(String),
    /// Behind the command there is a pipe to a filter that stays.
    Pipe,
    /// The name is an alias or a function, defined in this place.
    Defined(String),
    /// This permission rule of the user's would give another answer.
    Permission(String),
    /// `rewrites.toml` has a mistake.
    Rules(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape => f.write_str("it is not a lone command that can be read for certain"),
            Self::Word => f.write_str("its name is not a plain word"),
            Self::Already => f.write_str("it is toto's already"),
            Self::Variable(name) => write!(f, "{name} in front of it would change what toto finds"),
            Self::Skip(pattern) => write!(f, "skip = {pattern:?} in rewrites.toml"),
            Self::Table(reason) => f.write_str(reason),
            Self::Passthrough(pattern) => {
                write!(f, "it talks with its user or does not end by itself ({pattern:?})")
            }
            Self::Pipe => f.write_str("a program reads its output"),
            Self::Defined(place) => write!(f, "the name is an alias or a function ({place})"),
            Self::Permission(rule) => write!(f, "the permission rule {rule}"),
            Self::Rules(fault) => f.write_str(fault),
        }
    }
}

/// The front of a rewritten command: this very program by its absolute path, since an agent's shell may have
/// another PATH. None where that path is not UTF-8.
pub fn front() -> Option<String> {
    Some(format!("{} shim --", word::quoted(own_program().to_str()?)))
}

/// The path of this program: the one where `toto setup` put it, if that is this very file, so that `toto rewrite`
/// and a hook say the same; else the path that we were started by.
pub fn own_program() -> PathBuf {
    let installed = path::toto_home().map(|home| home.join(path::OWN_NAMES[0]));
    if let Some(installed) = installed.filter(|installed| path::is_own(installed)) {
        return installed;
    }
    let started = auxv::execfn().map(|path| PathBuf::from(OsStr::from_bytes(path.to_bytes())));
    let absolute = started.filter(|path| path.is_absolute()).or_else(|| std::env::current_exe().ok());
    absolute.unwrap_or_else(|| path::OWN_NAMES[0].into())
}

/// Rewrites the line by the tables and the user's rules; returns it with the rule in words, for `toto rewrite
/// --explain`. The agent's permission rules are not asked here.
///
/// # Errors
/// The reason to leave the line as it is.
pub fn rewrite(line: &str, rules: &Rules, front: &str) -> Result<(String, String), Reason> {
    let stages = line::pipeline(line).ok_or(Reason::Shape)?;
    let (command, filters) = (&stages[0], &stages[1..]);
    let comes_off = |stage| rules.strip_filters && filters::shows_a_part(stage);
    if !filters.iter().all(comes_off) {
        return Err(Reason::Pipe);
    }
    let (text, because) = replacement(command, rules, front)?;
    let words_end = command.words[command.words.len() - 1].end;
    let merge_end = command.merge.as_ref().map_or(words_end, |merge| merge.end);
    let last = &stages[stages.len() - 1];
    let end = if filters.is_empty() { merge_end } else { last.words[last.words.len() - 1].end };
    let merge = if rules.strip_merge { "" } else { &line[words_end..merge_end] };
    Ok(([&line[..command.words[0].start], &text, merge, &line[end..]].concat(), because))
}

/// The text that takes the place of the command's words, and why.
fn replacement(command: &Simple<'_>, rules: &Rules, front: &str) -> Result<(String, String), Reason> {
    let values = command.values();
    let name = word::value(command.word(0)).filter(|name| is_plain(name)).ok_or(Reason::Word)?;
    let base = base_name(&name).to_owned();
    let in_farm = || path::farm().is_some_and(|farm| Path::new(&name).parent() == Some(&farm));
    if path::OWN_NAMES.contains(&base.as_str()) || command.assigned().any(speaks_to_toto) || in_farm() {
        return Err(Reason::Already);
    }
    if let Some(variable) = command.assigned().find(|variable| moves_files(variable)) {
        return Err(Reason::Variable(variable.to_owned()));
    }
    if let Some(pattern) = rules.skips(command) {
        return Err(Reason::Skip(pattern.to_owned()));
    }
    if let Some((rule, text)) = rules.apply(command, front) {
        return Ok((text, format!("rule {:?} in rewrites.toml", rule.pattern)));
    }
    let words: Vec<String> = std::iter::once(base.clone()).chain(values.into_iter().skip(1)).collect();
    if let Listed::No(reason) = listed(&words) {
        return Err(Reason::Table(reason));
    }
    let arguments: Vec<OsString> = words[1..].iter().map(OsString::from).collect();
    if let Some(pattern) = crate::passthrough::matches(&base, &arguments, &[]) {
        return Err(Reason::Passthrough(pattern));
    }
    Ok((format!("{front} {}", command.text()), format!("{base} is on the list")))
}

/// The command that is to run in place of the one asked about. None where that is to run as it is, for whatever
/// reason.
pub fn ask(agent: &Agent, hook: &Hook, question: &Question) -> Option<String> {
    replace(agent, hook, question).ok()
}

/// As [`ask`], with the reason.
///
/// # Errors
/// The reason to leave the command alone.
pub fn replace(agent: &Agent, hook: &Hook, question: &Question) -> Result<String, Reason> {
    let rules = rules::load().map_err(|fault| Reason::Rules(fault.to_string()))?;
    let front = front().ok_or(Reason::Shape)?;
    let (line, _) = rewrite(question.command(), &rules, &front)?;
    if let Some(place) = defined(question.command()) {
        return Err(Reason::Defined(place));
    }
    let rule = permissions::differ(agent, hook, question, &line, &front);
    rule.map_or(Ok(line), |rule| Err(Reason::Permission(rule)))
}

/// Where the command's name is defined as an alias or a function, or the error that leaves it in doubt.
pub fn defined(line: &str) -> Option<String> {
    let stages = line::pipeline(line)?;
    match definitions::of(&word::value(stages[0].word(0))?) {
        Ok(place) => place,
        Err(error) => Some(error.to_string()),
    }
}

/// Whether this is a name or a path of ordinary characters.
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && !name.ends_with('/')
        && name.chars().all(|c| c.is_alphanumeric() || "/._-+".contains(c))
}

fn speaks_to_toto(variable: &str) -> bool {
    [env::TOTO, "LLM_TOTO_"].iter().any(|prefix| variable.trim_start_matches('_').starts_with(prefix))
}

fn moves_files(variable: &str) -> bool {
    // Shells do not agree on whether a PATH in front holds for the very command that it stands in front of.
    [env::PATH, env::HOME, env::XDG_CONFIG_HOME, env::XDG_STATE_HOME].contains(&variable)
}
