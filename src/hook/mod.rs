//! Rewrites a command before an agent runs it, for those who want that: `aws x` becomes `toto shim -- aws x`.
//!
//! A rewritten command runs as a shim (`shim.rs`): who reads, what is passed straight on, and what happens on a
//! fault are decided when it runs, by what is seen then. So an unneeded rewrite costs a millisecond and nothing
//! else. A rewrite inserts text and never prints the command anew. In doubt the command stays as it is.
//! docs/hook.md is the reference.
#![forbid(unsafe_code)]

mod definitions;
mod filters;
pub mod lexer;
pub mod line;
mod permissions;
pub mod protocol;
pub mod rules;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::agents::{Agent, Hook};
use crate::commands::{EXCEPT, REWRITTEN, STAYS, base_name};
use crate::sys::auxv;
use crate::words::quote;
use crate::{commands, env, path};
use line::{Seen, Simple};
use protocol::Question;
use rules::Rules;

/// The front of a rewritten command: this very program by its absolute path, since an agent's shell may have
/// another PATH. None where that path is not UTF-8.
pub fn front() -> Option<String> {
    Some(format!("{} shim --", quote(own_program().to_str()?)))
}

/// The path of this program: the one where `toto setup` put it, if that is this very file, so that `toto rewrite`
/// and a hook say the same; else the path that we were started by.
pub fn own_program() -> PathBuf {
    let installed = path::toto_home().map(|home| home.join(path::OWN_NAMES[0]));
    if let Some(installed) = installed.filter(|installed| path::is_own(installed)) {
        return installed;
    }
    let started = auxv::execfn().filter(|path| path.is_absolute()).map(Path::to_owned);
    started.or_else(|| std::env::current_exe().ok()).unwrap_or_else(|| path::OWN_NAMES[0].into())
}

/// Rewrites the line by the tables and the user's rules; returns it with the rule in words, for `toto rewrite
/// --explain`. The agent's permission rules are not asked here. The error is the reason to leave the line as it is, in
/// words.
pub fn rewrite(line: &str, rules: &Rules, front: &str) -> Result<(String, String), String> {
    let stages = line::pipeline(line).ok_or("it is not a lone command that can be read for certain")?;
    let (command, filters) = (&stages[0], &stages[1..]);
    if !filters.iter().all(|stage| rules.strip_filters && filters::shows_a_part(stage)) {
        return Err("a program reads its output".into());
    }
    let (text, because) = replacement(command, rules, front)?;
    let merge_end = command.merge.as_ref().map_or(command.end(), |merge| merge.end);
    let end = filters.last().map_or(merge_end, Simple::end);
    let merge = if rules.strip_merge { "" } else { &line[command.end()..merge_end] };
    Ok(([&line[..command.words[0].start], &text, merge, &line[end..]].concat(), because))
}

/// The text that takes the place of the command's words, and why.
fn replacement(command: &Simple<'_>, rules: &Rules, front: &str) -> Result<(String, String), String> {
    let plain = |c: char| c.is_alphanumeric() || "/._-+".contains(c);
    let name = line::value(command.word(0)).filter(|name| name.chars().all(plain));
    let name = name.filter(|name| !name.is_empty() && !name.ends_with('/'));
    let name = name.ok_or("its name is not a plain word")?;
    let base = base_name(&name).to_owned();
    let speaks_to_toto = |variable: &str| {
        [env::TOTO, "LLM_TOTO_"].iter().any(|prefix| variable.trim_start_matches('_').starts_with(prefix))
    };
    let in_farm = || path::farm().is_some_and(|farm| Path::new(&name).parent() == Some(&farm));
    if path::OWN_NAMES.contains(&base.as_str()) || command.assigned().any(speaks_to_toto) || in_farm() {
        return Err("it is toto's already".into());
    }
    // Shells do not agree on whether a PATH in front holds for the very command that it stands in front of.
    let moves_files = [env::PATH, env::HOME, env::XDG_CONFIG_HOME, env::XDG_STATE_HOME];
    if let Some(variable) = command.assigned().find(|variable| moves_files.contains(variable)) {
        return Err(format!("{variable} in front of it would change what toto finds"));
    }
    if let Some(pattern) = rules.skip.iter().find(|pattern| rules::matched(pattern, command).is_some()) {
        return Err(format!("skip = {pattern:?} in rewrites.toml"));
    }
    if let Some((rule, text)) = rules.apply(command, front) {
        return Ok((text, format!("rule {:?} in rewrites.toml", rule.pattern)));
    }
    let words: Vec<String> = [base.clone()].into_iter().chain(command.values().into_iter().skip(1)).collect();
    if let Some(reasons) = STAYS.of(&base) {
        return Err(reasons[0][0].into());
    }
    if REWRITTEN.of(&base).is_none() {
        return Err("it is not on the list".into());
    }
    if !REWRITTEN.holds_for(&words) || EXCEPT.holds_for(&words) {
        return Err("this subcommand is not on the list".into());
    }
    let arguments: Vec<OsString> = words[1..].iter().map(OsString::from).collect();
    if let Some(pattern) = commands::raw_pattern(&base, &arguments, &[]) {
        return Err(format!("it talks with its user or does not end by itself ({pattern:?})"));
    }
    Ok((format!("{front} {}", command.text()), format!("{base} is on the list")))
}

/// The command that is to run in place of the one asked about; None where that is to run as it is.
pub fn ask(agent: &Agent, hook: &Hook, question: &Question) -> Option<String> {
    let (rules, front, command) = (rules::load().ok()?, front()?, question.command());
    let (line, _) = rewrite(command, &rules, &front).ok()?;
    let seen = Seen::new(command, line::pipeline(command)?.first()?);
    let may_differ = || match agent.id {
        "claude" => permissions::of_claude_may_differ(question, &seen, &line, &front),
        _ => permissions::others_may_differ(&hook.rules, question, &seen),
    };
    (defined(command).is_none() && !may_differ()).then_some(line)
}

/// In words, where the command's name is defined as an alias or a function, or the error that leaves that in doubt.
pub fn defined(line: &str) -> Option<String> {
    let stages = line::pipeline(line)?;
    let place = definitions::of(&line::value(stages[0].word(0))?)?;
    Some(format!("the name is an alias or a function ({place})"))
}

#[cfg(test)]
#[path = "../../tests/unit/hook.rs"]
mod tests;
