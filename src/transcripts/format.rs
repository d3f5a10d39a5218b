//! The formats in which agents keep their sessions, read from `formats.toml`.

use std::collections::BTreeMap;

use regex::Regex;
use serde::Deserialize;
use serde_json::Value;

use crate::mistake::{self, Mistake};

/// The format in which one agent keeps its sessions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Format {
    pub agent: String,
    /// A variable that names a directory, and the directory below the home directory that is used without it.
    pub root: [String; 2],
    /// Pattern of the files below that directory.
    pub files: String,
    pub form: Encoding,
    /// Query for a database; each row is a session's name and a document.
    pub query: Option<String>,
    /// Path to the session's name in a document; without it each file is a session.
    pub session: Option<String>,
    call: Entries,
    output: Entries,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    Lines,
    Document,
    Database,
}

/// Where the calls of a document are, with their commands; or the outputs, with their texts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entries {
    each: Vec<String>,
    is: BTreeMap<String, Vec<String>>,
    id: String,
    #[serde(alias = "command")]
    text: Vec<String>,
    #[serde(default)]
    after: Vec<String>,
    #[serde(default)]
    before: Vec<String>,
    failed: Option<String>,
    exit: Option<String>,
    #[serde(default, deserialize_with = "pattern")]
    status: Option<Regex>,
}

fn pattern<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Regex>, D::Error> {
    let pattern = String::deserialize(deserializer)?;
    Regex::new(&pattern).map(Some).map_err(serde::de::Error::custom)
}

/// A command's output as the model was given it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    pub text: String,
    /// Its exit status, where the transcript tells.
    pub status: Option<i32>,
}

/// Every format; or the mistake in the table, which a test rules out.
pub fn formats() -> Result<Vec<Format>, Mistake> {
    let formats = mistake::parse::<BTreeMap<String, Vec<Format>>>(include_str!("formats.toml"), false);
    formats.map(|formats| formats.into_values().flatten().collect())
}

impl Format {
    /// The commands in a document, by their calls' ids.
    pub fn commands(&self, document: &Value) -> Vec<(String, String)> {
        let Entries { text, .. } = &self.call;
        self.call.read(document, |call| {
            text.iter().flat_map(|path| find(call, path)).find_map(|value| command_line(&value))
        })
    }

    /// The outputs in a document, by their calls' ids.
    pub fn outputs(&self, document: &Value) -> Vec<(String, Output)> {
        self.output.read(document, |output| self.output.output(output))
    }

    pub fn session_of(&self, document: &Value) -> Option<String> {
        self.session.as_ref().and_then(|path| text_at(document, path))
    }
}

impl Entries {
    /// What `read` reads out of each entry, by the entry's id.
    fn read<T>(&self, document: &Value, read: impl Fn(&Value) -> Option<T>) -> Vec<(String, T)> {
        let is_like = |value: &Value| {
            let is = |key: &str, allowed: &[String]| {
                let value = value.get(key).and_then(Value::as_str);
                value.is_some_and(|value| allowed.iter().any(|one| one == value))
            };
            self.is.iter().all(|(key, allowed)| is(key, allowed))
        };
        let values = self.each.iter().flat_map(|path| find(document, path)).filter(|value| is_like(value));
        values.filter_map(|value| Some((text_at(&value, &self.id)?, read(&value)?))).collect()
    }

    fn output(&self, value: &Value) -> Option<Output> {
        let texts = |path: &String| -> Vec<String> {
            find(value, path).iter().filter_map(|part| Some(part.as_str()?.to_owned())).collect()
        };
        let whole = self.text.iter().map(texts).find(|texts| !texts.is_empty())?.join("\n");
        let told =
            self.status.as_ref().and_then(|pattern| pattern.captures(&whole)?.get(1)?.as_str().parse().ok());
        let exit = self.exit.as_ref().and_then(|path| find(value, path).first()?.as_i64());
        let failed = self.failed.as_ref().and_then(|path| find(value, path).first()?.as_bool());
        let status = exit.map(|exit| exit as i32).or(told).or(failed.map(i32::from));
        // An agent that tells its status only of failures.
        let status = status.or_else(|| self.status.as_ref().map(|_| 0));
        Some(Output { text: self.unwrapped(&whole).to_owned(), status })
    }

    /// What the command printed, without what the agent puts around it.
    fn unwrapped<'t>(&self, whole: &'t str) -> &'t str {
        let mut text = whole;
        if let Some(found) = self.after.iter().find_map(|mark| Some(text.find(mark.as_str())? + mark.len())) {
            text = &text[found..];
        }
        for mark in &self.before {
            text = text.rfind(mark.as_str()).map_or(text, |at| &text[..at]);
        }
        // The status may stand in front of the output.
        let status = self.status.as_ref().filter(|pattern| pattern.as_str().starts_with('^'));
        status.and_then(|pattern| pattern.find(text)).map_or(text, |found| &text[found.end()..])
    }
}

fn text_at(value: &Value, path: &str) -> Option<String> {
    find(value, path).first()?.as_str().map(str::to_owned)
}

/// The command line in a value: a string, or a list of words; of a shell's words only its script.
pub(super) fn command_line(value: &Value) -> Option<String> {
    match value {
        Value::String(line) => Some(line.clone()),
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            match words[..] {
                [] => None,
                [_, flags, script] if flags.starts_with('-') && flags.ends_with('c') => Some(script.into()),
                _ => Some(words.join(" ")),
            }
        }
        _ => None,
    }
}

/// The values at a path: `a.b` is a key in a key, `[]` every element of a list, `{}` the document in a string.
pub(super) fn find(value: &Value, path: &str) -> Vec<Value> {
    if path.is_empty() {
        return vec![value.clone()];
    }
    let (step, rest) = path.split_once('.').unwrap_or((path, ""));
    let name = step.trim_end_matches("[]").trim_end_matches("{}");
    match value.get(name) {
        Some(member) if step == name => find(member, rest),
        Some(Value::Array(elements)) if step.ends_with("[]") => {
            elements.iter().flat_map(|element| find(element, rest)).collect()
        }
        Some(Value::String(text)) if step.ends_with("{}") => {
            serde_json::from_str(text).map_or(Vec::new(), |document| find(&document, rest))
        }
        _ => Vec::new(),
    }
}
