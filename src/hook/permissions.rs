//! Keeps the user's permission rules in force. An agent asks its rules about the text that is run, and a rewrite
//! changes that text: so a command is rewritten only where the rules can be read and still give the same answer.
//!
//! Of Claude Code's `permissions`, `sandbox.excludedCommands` and options every rule is understood (as documented for
//! 2.1 and seen driving 2.1.330: docs/hook.md). Other agents' rules come in many forms: there a command is left alone
//! where a file of rules, or an option that the agent was started with, as much as mentions the command.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::line::Seen;
use super::protocol::Question;
use crate::agents::Rules;
use crate::commands::{FILES, UNASKED};
use crate::glob;
use crate::sys::directory;
use crate::sys::files::{is_absent, read_foreign};
use crate::{consumer, env};

/// Directories of an administrator's settings.
const MANAGED: [&str; 2] = ["/etc/claude-code", "/Library/Application Support/ClaudeCode"];
/// Tools of Claude Code whose rules also hold for the files that a command names.
const FILE_TOOLS: [&str; 7] = ["Read", "Edit", "Write", "MultiEdit", "NotebookEdit", "Grep", "Glob"];

#[derive(Debug, Default)]
struct Lists {
    /// Rules to deny or to ask.
    against: Vec<String>,
    allow: Vec<String>,
    excluded: Vec<String>,
}

/// Whether Claude Code's rules could answer differently for the rewritten command, or cannot be read.
pub fn of_claude_may_differ(question: &Question, seen: &Seen, rewritten: &str, front: &str) -> bool {
    let Some(rules) = lists(question) else { return true };
    if rules.against.iter().any(|rule| could_hold(rule, seen, rewritten))
        || rules.excluded.iter().any(|pattern| could_match(pattern, &seen.forms))
    {
        return true;
    }
    if question.text("permission_mode") == Some("bypassPermissions") {
        return false;
    }
    let mut allowed = rules.allow.iter().filter_map(|rule| bash(rule));
    let original = allowed.clone().any(|pattern| could_match(pattern, &seen.forms));
    match (original, allowed.find(|pattern| matches(pattern, rewritten))) {
        (true, after) => after.is_none(),
        // A rule that allows everything that goes through toto would skip the question about this command.
        (false, Some(pattern)) => literal(pattern).len() <= front.len(),
        (false, None) => UNASKED.of(&seen.name).is_some(),
    }
}

/// Every rule in force; None where a file of rules cannot be read.
fn lists(question: &Question) -> Option<Lists> {
    let mut lists = Lists::default();
    let mut files = Vec::new();
    for managed in MANAGED.map(Path::new) {
        files.extend(["managed-settings.json", "settings.json"].map(|file| managed.join(file)));
        files.extend(directory::entries(&managed.join("managed-settings.d")).unwrap_or_default());
    }
    let user =
        env::absolute(env::CLAUDE_CONFIG_DIR).or_else(|| Some(env::absolute(env::HOME)?.join(".claude")));
    files.extend(
        user.iter().flat_map(|user| ["settings.json", "remote-settings.json"].map(|file| user.join(file))),
    );
    let mut projects: Vec<_> = env::absolute(env::CLAUDE_PROJECT_DIR).into_iter().collect();
    if let Some(cwd) = question.text("cwd").map(PathBuf::from).filter(|cwd| !projects.contains(cwd)) {
        projects.extend(cwd.ancestors().map(Path::to_owned));
    }
    let local = ["settings.json", "settings.local.json"];
    files.extend(projects.iter().flat_map(|project| local.map(|file| project.join(".claude").join(file))));
    for file in files {
        lists.read_file(&file)?;
    }
    lists.read_options(&consumer::caller_arguments(), question)?;
    Some(lists)
}

impl Lists {
    fn read_file(&mut self, path: &Path) -> Option<()> {
        match read_foreign(path) {
            Ok(text) if text.trim_ascii().is_empty() => Some(()),
            Ok(text) => self.read(&serde_json::from_slice(&text).ok()?),
            Err(error) => is_absent(&error).then_some(()),
        }
    }

    /// Adds the rules of one settings file; None where a list is not one of texts.
    fn read(&mut self, settings: &Value) -> Option<()> {
        let text = |rule: &Value| rule.as_str().map(str::to_owned);
        let texts = |list: &Value| list.as_array()?.iter().map(text).collect::<Option<Vec<_>>>();
        for (name, list) in settings.get("permissions").and_then(Value::as_object).into_iter().flatten() {
            match name.as_str() {
                "allow" => self.allow.extend(texts(list)?),
                "deny" | "ask" => self.against.extend(texts(list)?),
                "additionalDirectories" => {}
                // A list that a later version may have: each of its entries counts as a rule to ask.
                _ => self.against.extend(list.as_array().into_iter().flatten().filter_map(text)),
            }
        }
        if let Some(list) = settings.pointer("/sandbox/excludedCommands") {
            self.excluded.extend(texts(list)?);
        }
        Some(())
    }

    /// Adds the rules of `--allowedTools A B --disallowedTools C --settings JSON|FILE`.
    fn read_options(&mut self, options: &[String], question: &Question) -> Option<()> {
        let mut options = options.iter().map(String::as_str).peekable();
        while let Some(option) = options.next() {
            let (name, value) = option.split_once('=').map_or((option, None), |(n, v)| (n, Some(v)));
            let list = match name {
                "--allowedTools" | "--allowed-tools" => &mut self.allow,
                "--disallowedTools" | "--disallowed-tools" => &mut self.against,
                "--settings" => {
                    let value = value.or_else(|| options.next()).unwrap_or_default();
                    if value.trim_start().starts_with('{') {
                        self.read(&serde_json::from_str(value).ok()?)?;
                    } else {
                        self.read_file(&Path::new(question.text("cwd").unwrap_or("/")).join(value))?;
                    }
                    continue;
                }
                _ => continue,
            };
            list.extend(value.into_iter().flat_map(split));
            while let Some(value) = options.next_if(|next| !next.starts_with("--")) {
                list.extend(split(value));
            }
        }
        Some(())
    }
}

/// Splits a list at commas and blanks outside parentheses: `Bash(git *), Read` is two rules.
fn split(value: &str) -> Vec<String> {
    let mut depth = 0;
    let parts = value.split(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0 && (c == ',' || c == ' ')
    });
    parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// The pattern of a rule about commands; `*` where the rule is about all of them.
fn bash(rule: &str) -> Option<&str> {
    match rule.trim().strip_prefix("Bash")? {
        "" => Some("*"),
        rest => rest.strip_prefix('(')?.strip_suffix(')'),
    }
}

/// Whether a rule to deny or ask could hold for the command, as it is or rewritten. A rule that is neither `Tool` nor
/// `Tool(pattern)` is of a later version, so it could hold for anything.
fn could_hold(rule: &str, seen: &Seen, rewritten: &str) -> bool {
    let (tool, pattern) = match rule.trim().split_once('(') {
        Some((tool, rest)) => (tool, rest.strip_suffix(')')),
        None => (rule.trim(), Some("*")),
    };
    let is_name = |c: char| c.is_alphanumeric() || "_-.:*".contains(c);
    match pattern.filter(|_| tool.chars().all(is_name)) {
        None => true,
        Some(_) if FILE_TOOLS.contains(&tool) => FILES.of(&seen.name).is_some(),
        Some(pattern) => {
            glob::matches(&tool.to_lowercase(), b"bash")
                && (could_match(pattern, &seen.forms) || could_match(pattern, &[rewritten.into()]))
        }
    }
}

/// The pattern without its last wildcard: `:*` or `*`.
fn literal(pattern: &str) -> &str {
    let pattern = pattern.trim();
    pattern.strip_suffix(":*").or_else(|| pattern.strip_suffix('*')).unwrap_or(pattern).trim_end()
}

/// Whether the pattern could match one of the forms. This is wider than Claude Code's own matching: any pattern is
/// taken for the beginning of a command, whatever its case and blanks.
fn could_match(pattern: &str, forms: &[String]) -> bool {
    let plain = |text: &str| text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    let pattern = format!("{}*", plain(literal(pattern)));
    forms.iter().any(|form| glob::matches(&pattern, plain(form).as_bytes()))
}

/// Whether the pattern matches the line: at most as wide as Claude Code's own matching.
fn matches(pattern: &str, line: &str) -> bool {
    let begins =
        |front: &str| line.strip_prefix(front).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    match pattern.strip_suffix(":*").or_else(|| pattern.strip_suffix(" *")) {
        _ if pattern == "*" => true,
        Some(front) => !front.contains('*') && begins(front),
        None => pattern == line,
    }
}

/// Whether the command is mentioned, or perhaps in a file that cannot be read, or the agent may run it unasked.
pub fn others_may_differ(rules: &Rules, question: &Question, seen: &Seen) -> bool {
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
#[path = "../../tests/unit/hook/permissions.rs"]
mod tests;
