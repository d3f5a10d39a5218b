//! Claude Code's rules: `permissions` and `sandbox.excludedCommands` of its settings files, and the options that it
//! was started with. As documented for 2.1 and seen driving 2.1.330: docs/hook.md.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::super::protocol::Question;
use super::super::table::reads_files;
use super::seen::Seen;
use crate::glob;
use crate::sys::{directory, files::is_absent};
use crate::{consumer, env};

/// Directories of an administrator's settings.
const MANAGED: [&str; 2] = ["/etc/claude-code", "/Library/Application Support/ClaudeCode"];
/// Tools of Claude Code whose rules also hold for the files that a command names.
const FILE_TOOLS: [&str; 7] = ["Read", "Edit", "Write", "MultiEdit", "NotebookEdit", "Grep", "Glob"];
/// Commands that Claude Code runs without asking in some of their calls, because these only read: seen or
/// documented.
const READS_UNASKED: &str = "git docker grep egrep fgrep rg find fd fdfind pyright tree ag ugrep pip pip3 gh";

/// The lists below `permissions`: three of rules, one of directories.
const KNOWN_LISTS: [&str; 4] = ["deny", "ask", "allow", "additionalDirectories"];

/// Rules, each with the file or the option that it stands in.
#[derive(Debug, Default)]
struct Rules {
    deny: Vec<(String, String)>,
    ask: Vec<(String, String)>,
    allow: Vec<(String, String)>,
    excluded: Vec<(String, String)>,
}

/// Why the rules would answer differently for the rewritten command; None where they would not.
pub fn differ(question: &Question, seen: &Seen, rewritten: &str, front: &str) -> Option<String> {
    let rules = match rules(question) {
        Ok(rules) => rules,
        Err(place) => return Some(format!("file {place} cannot be read")),
    };
    let named = |(rule, place): &(String, String)| format!("{rule} in {place}");
    let against = rules.deny.iter().chain(&rules.ask);
    if let Some(rule) = against.clone().find(|(rule, _)| could_hold(rule, seen, rewritten)) {
        return Some(named(rule));
    }
    if let Some(rule) = rules.excluded.iter().find(|(pattern, _)| could_match(pattern, &seen.forms)) {
        return Some(named(rule));
    }
    if question.text("permission_mode") == Some("bypassPermissions") {
        return None;
    }
    let original =
        rules.allow.iter().find(|(rule, _)| bash(rule).is_some_and(|p| could_match(p, &seen.forms)));
    let after = rules.allow.iter().find(|(rule, _)| bash(rule).is_some_and(|p| matches(p, rewritten)));
    match (original, after) {
        (Some(_), Some(_)) => None,
        (Some(rule), None) => Some(format!("{}: it does not cover the rewritten command", named(rule))),
        (None, Some(rule)) => {
            // A rule that allows everything that goes through toto would skip the question about this command.
            let beyond = bash(&rule.0).is_some_and(|pattern| literal(pattern).len() > front.len());
            (!beyond).then(|| format!("{}: it says nothing of this command", named(rule)))
        }
        (None, None) => {
            let unasked = READS_UNASKED.split(' ').any(|name| name == seen.name);
            unasked.then(|| format!("of Claude Code's own: {} may be run without asking", seen.name))
        }
    }
}

/// Every rule in force, or the file that cannot be read.
fn rules(question: &Question) -> Result<Rules, String> {
    let mut rules = Rules::default();
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
        rules.read_file(&file)?;
    }
    rules.read_options(&consumer::caller_arguments(), question)?;
    Ok(rules)
}

impl Rules {
    fn read_file(&mut self, path: &Path) -> Result<(), String> {
        let place = path.display().to_string();
        match std::fs::read(path) {
            Ok(text) if text.trim_ascii().is_empty() => Ok(()),
            Ok(text) => self.read(&serde_json::from_slice(&text).map_err(|_| place.clone())?, &place),
            Err(error) if is_absent(&error) => Ok(()),
            Err(_) => Err(place),
        }
    }

    /// Adds the rules of one settings file. Where a list is not one of texts, the file counts as unreadable.
    fn read(&mut self, settings: &Value, place: &str) -> Result<(), String> {
        for (pointer, list) in [
            ("/permissions/deny", &mut self.deny),
            ("/permissions/ask", &mut self.ask),
            ("/permissions/allow", &mut self.allow),
            ("/sandbox/excludedCommands", &mut self.excluded),
        ] {
            for rule in settings
                .pointer(pointer)
                .map_or(Ok(&Vec::new()), |value| value.as_array().ok_or(place.to_owned()))?
            {
                list.push((rule.as_str().ok_or(place.to_owned())?.to_owned(), place.to_owned()));
            }
        }
        // Lists that a later version may have: each of their entries counts as a rule to ask.
        let permissions = settings.pointer("/permissions").and_then(Value::as_object);
        for (_, list) in
            permissions.into_iter().flatten().filter(|(name, _)| !KNOWN_LISTS.contains(&name.as_str()))
        {
            let texts = list.as_array().into_iter().flatten().filter_map(Value::as_str);
            self.ask.extend(texts.map(|rule| (rule.to_owned(), place.to_owned())));
        }
        Ok(())
    }

    /// Adds the rules of `--allowedTools A B --disallowedTools C --settings JSON|FILE`.
    fn read_options(&mut self, options: &[String], question: &Question) -> Result<(), String> {
        let mut options = options.iter().peekable();
        while let Some(option) = options.next() {
            let (name, value) =
                option.split_once('=').map_or((option.as_str(), None), |(n, v)| (n, Some(v.to_owned())));
            let list = match name {
                "--allowedTools" | "--allowed-tools" => &mut self.allow,
                "--disallowedTools" | "--disallowed-tools" => &mut self.deny,
                "--settings" => {
                    let value = value.or_else(|| options.next().cloned()).unwrap_or_default();
                    if value.trim_start().starts_with('{') {
                        self.read(&serde_json::from_str(&value).map_err(|_| name.to_owned())?, name)?;
                    } else {
                        self.read_file(&Path::new(question.text("cwd").unwrap_or("/")).join(value))?;
                    }
                    continue;
                }
                _ => continue,
            };
            let mut values: Vec<String> = value.into_iter().collect();
            while let Some(value) = options.next_if(|next| !next.starts_with("--")) {
                values.push(value.clone());
            }
            list.extend(values.iter().flat_map(|value| split(value)).map(|rule| (rule, name.to_owned())));
        }
        Ok(())
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

/// Whether a rule to deny or ask could hold for the command, as it is or rewritten.
fn could_hold(rule: &str, seen: &Seen, rewritten: &str) -> bool {
    let tool = rule.split('(').next().unwrap_or_default().trim();
    if FILE_TOOLS.contains(&tool) {
        return reads_files(&seen.name);
    }
    tool == "*"
        || bash(rule).is_some_and(|pattern| {
            could_match(pattern, &seen.forms) || could_match(pattern, &[rewritten.into()])
        })
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

#[cfg(test)]
mod tests {
    use super::super::super::protocol;
    use super::*;

    #[test]
    fn rules_against_are_read_widely_and_rules_for_narrowly() {
        let forms = ["aws ec2  describe-instances".to_owned()];
        for pattern in [
            "aws:*",
            "aws *",
            "aws",
            "*",
            "AWS ec2:*",
            "aws ec2 describe*",
            "* describe-instances",
            "aws * --x*",
            "a*",
        ] {
            assert_eq!(could_match(pattern, &forms), pattern != "aws * --x*", "{pattern}");
        }
        assert!(
            matches("/t shim -- aws:*", "/t shim -- aws x")
                && !matches("/t shim -- aws:*", "/t shim -- awsx")
        );
        assert!(!matches("/t*", "/t shim") && !matches("/t * aws:*", "/t shim -- aws"));
    }

    #[test]
    fn options_hold_rules_too() {
        let claude = crate::agents::AGENTS.iter().find(|agent| agent.id == "claude").unwrap();
        let input = br#"{"tool_name":"Bash","tool_input":{"command":"x"}}"#;
        let question = protocol::question(claude.hook.as_ref().unwrap(), input).unwrap();
        let mut rules = Rules::default();
        let options = [
            "claude",
            "-p",
            "--allowedTools",
            "Bash(git log:*),Read",
            "Edit",
            "--disallowedTools=Bash(aws *)",
            "--settings",
            r#"{"permissions":{"ask":["Bash(x)"]}}"#,
        ];
        rules.read_options(&options.map(String::from), &question).unwrap();
        let texts = |list: &[(String, String)]| list.iter().map(|(rule, _)| rule.clone()).collect::<Vec<_>>();
        assert_eq!(texts(&rules.allow), ["Bash(git log:*)", "Read", "Edit"]);
        assert_eq!(
            (texts(&rules.deny), texts(&rules.ask)),
            (vec!["Bash(aws *)".into()], vec!["Bash(x)".into()])
        );
    }
}
