//! A mistake in a text that people write, with its place; every mistake of a TOML file.

mod toml_values;

use std::ops::Range;

use serde::de::DeserializeOwned;
use thiserror::Error;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

/// Maximum number of mistakes looked for in one file.
const MOST: usize = 100;

#[derive(Clone, Debug, Error, PartialEq, Eq, PartialOrd, Ord)]
#[error("{line}:{column}: {message}")]
pub struct Mistake {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    pub message: String,
}

impl Mistake {
    /// A mistake at a byte of `text`.
    pub fn at(text: &str, byte: usize, message: impl Into<String>) -> Self {
        let before = &text.as_bytes()[..byte.min(text.len())];
        let start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
        Self {
            line: memchr::memchr_iter(b'\n', before).count() + 1,
            column: String::from_utf8_lossy(&before[start..]).chars().count() + 1,
            message: message.into().split_whitespace().collect::<Vec<_>>().join(" "),
        }
    }

    fn in_grammar(error: &toml::de::Error, text: &str) -> Self {
        Self::at(text, error.span().map_or(0, |span| span.start), error.message())
    }

    /// A value of a TOML text that does not fit its type.
    fn in_value(error: &toml_values::Error, text: &str, lists_keys: bool) -> Self {
        let message = of_unknown_key(&error.message, lists_keys).unwrap_or_else(|| error.message.clone());
        Self::at(text, error.span.as_ref().map_or(0, |span| span.start), message)
    }
}

/// Parses a TOML file. An unknown key is told with the nearest valid key; where none is near, with every valid key if
/// `lists_keys`. The error is the first mistake: TOML that does not parse, an unknown key, a wrong type.
pub fn parse<T: DeserializeOwned>(text: &str, lists_keys: bool) -> Result<T, Mistake> {
    let table = DeTable::parse(text).map_err(|error| Mistake::in_grammar(&error, text))?;
    toml_values::read(&toml_values::value(table)).map_err(|error| Mistake::in_value(&error, text, lists_keys))
}

/// The content of a TOML file, as far as it can be read, and every mistake in it, as [`parse`] tells them. The entry
/// with a mistake is left out, to find the next mistake.
pub fn parse_all<T: DeserializeOwned>(text: &str, lists_keys: bool) -> (Option<T>, Vec<Mistake>) {
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut mistakes: Vec<Mistake> = errors.iter().map(|error| Mistake::in_grammar(error, text)).collect();
    let mut root = toml_values::value(table);
    while mistakes.len() < MOST {
        let error = match toml_values::read(&root) {
            Ok(content) => return (Some(content), mistakes),
            Err(error) => error,
        };
        mistakes.push(Mistake::in_value(&error, text, lists_keys));
        if !error.span.is_some_and(|span| remove(root.get_mut(), span.start)) {
            break;
        }
    }
    (None, mistakes)
}

/// Removes the innermost entry that a byte of the text belongs to; returns whether there was one.
fn remove(value: &mut DeValue<'_>, byte: usize) -> bool {
    let holds = |span: Range<usize>| span.start <= byte && byte < span.end.max(span.start + 1);
    match value {
        DeValue::Table(table) => {
            let inside = table.iter_mut().any(|(_, value)| remove(value.get_mut(), byte));
            let found = table.iter().find(|(key, value)| holds(key.span()) || holds(value.span()));
            let key = found.filter(|_| !inside).map(|(key, _)| key.clone());
            inside || key.is_some_and(|key| table.remove(&key).is_some())
        }
        DeValue::Array(array) => {
            let inside = array
                .iter_mut()
                .any(|item| matches!(item.get_ref(), DeValue::Table(_)) && remove(item.get_mut(), byte));
            let all = array.len();
            if !inside {
                let stays = |item: &Spanned<DeValue<'_>>| !holds(item.span());
                *array = std::mem::replace(array, DeArray::new()).into_iter().filter(stays).collect();
            }
            inside || array.len() < all
        }
        _ => false,
    }
}

/// What is told in place of serde's message for an unknown key; `None` for every other message.
fn of_unknown_key(message: &str, lists_keys: bool) -> Option<String> {
    let (key, valid) = message.strip_prefix("unknown field `")?.split_once('`')?;
    let valid: Vec<&str> = valid.split('`').skip(1).step_by(2).collect();
    Some(match nearest(key, valid.iter().copied()) {
        Some(near) => format!("unknown key `{key}`; did you mean `{near}`?"),
        None if lists_keys => format!("unknown key `{key}`; valid keys: {}", valid.join(", ")),
        None => format!("unknown key `{key}`"),
    })
}

/// The nearest of the valid words, where it is near enough to have been meant.
pub fn nearest<'a>(word: &str, valid: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let nearest = valid.min_by_key(|valid| strsim::levenshtein(word, valid))?;
    (strsim::levenshtein(word, nearest) <= nearest.len() / 2).then_some(nearest)
}
