//! Agents whose rules come in many forms: a command is left alone where a file of rules, or an option that the
//! agent was started with, as much as mentions the command.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::line::Seen;
use super::protocol::Question;
use crate::agents::Rules;
use crate::commands::FILES;
use crate::glob;
use crate::sys::directory;
use crate::sys::files::{is_absent, read_foreign};
use crate::{consumer, env};

/// Whether the command is mentioned, or perhaps in a file that cannot be read, or the agent may run it unasked.
pub fn may_differ(rules: &Rules, question: &Question, seen: &Seen) -> bool {
    let asked = question.text("permission_mode").is_some_and(|mode| mode != "bypassPermissions");
    let cwd = Path::new(question.text("cwd").unwrap_or("/"));
    asked && FILES.of(&seen.name).is_some()
        || texts(rules, cwd)
            .into_iter()
            .any(|text| text.map_or(true, |text| mentions(&String::from_utf8_lossy(&text), seen)))
}

/// The bytes of a text that may hold rules.
type Text = std::io::Result<Vec<u8>>;

fn texts(rules: &Rules, cwd: &Path) -> Vec<Text> {
    let home = std::env::var_os(env::HOME).map(PathBuf::from);
    let home = home.iter().flat_map(|home| rules.home.iter().map(|path| home.join(path)));
    let project = cwd.ancestors().flat_map(|above| rules.project.iter().map(|path| above.join(path)));
    let mut paths: Vec<_> = home.chain(project).chain(rules.system.iter().map(PathBuf::from)).collect();
    let mut texts = vec![Ok(options(&consumer::caller_arguments()).into_bytes())];
    for value in rules.variables.iter().filter_map(std::env::var_os) {
        paths.push(PathBuf::from(&value));
        texts.push(Ok(value.into_encoded_bytes()));
    }
    texts.extend(paths.iter().flat_map(|path| read(path)));
    texts
}

/// The options that may hold rules, with their values; not the prompt.
fn options(arguments: &[String]) -> String {
    let mut holds_rules = false;
    let is_rule = |argument: &&String| {
        if argument.starts_with('-') {
            let name = argument.split('=').next().unwrap_or_default();
            holds_rules = name == "-c"
                || ["tool", "polic", "permission", "rule", "config"].iter().any(|part| name.contains(part));
        }
        holds_rules
    };
    arguments.iter().filter(is_rule).cloned().collect::<Vec<_>>().join("\n")
}

/// The text of the file, or of each in the directory whose suffix is of rules: packages may lie there, too.
fn read(path: &Path) -> Vec<Text> {
    let Ok(entries) = directory::entries(path) else { return read_file(path).into_iter().collect() };
    let files = entries.into_iter().filter(|path| path.is_file());
    let is_rules = |path: &PathBuf| {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        ["json", "jsonc", "toml", "rules", "md"].contains(&ending)
    };
    files.filter(is_rules).filter_map(|path| read_file(&path)).collect()
}

fn read_file(path: &Path) -> Option<Text> {
    match read_foreign(path) {
        Err(error) if is_absent(&error) || error.kind() == ErrorKind::InvalidFilename => None,
        result => Some(result),
    }
}

/// Whether the text contains the tool's name as a word, a pattern that matches the command, or a regular expression
/// for commands, whose content is not looked at.
fn mentions(text: &str, seen: &Seen) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let is_word =
        |at: usize| !text[..at].ends_with(is_part) && !text[at + seen.name.len()..].starts_with(is_part);
    let pattern = |piece: &str| {
        piece.len() > 1
            && piece.contains('*')
            && seen.forms.iter().any(|form| glob::matches(&format!("{piece}*"), form.as_bytes()))
    };
    let is_regex = ["commandRegex", "argsPattern"].iter().any(|key| text.contains(key));
    is_regex
        || text.match_indices(&seen.name).any(|(at, _)| is_word(at))
        || text.split(|c: char| c.is_whitespace() || "\"'(),[]{}:=".contains(c)).any(pattern)
}

#[cfg(test)]
#[path = "../../tests/unit/hook/permissions/mentions.rs"]
mod tests;
