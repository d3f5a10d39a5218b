//! Parses filter files. Where a filter is run, the first mistake is reported; where its author checks it, every
//! mistake.

use serde::Deserialize as _;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue, Deserializer};

use super::file::{FilterFile, Test};
use crate::filter::Mistake;

/// Maximum number of mistakes looked for in one file.
const MOST: usize = 100;

/// A mistake that the TOML reader found in `text`.
fn mistake(error: &toml::de::Error, text: &str) -> Mistake {
    Mistake::at(text, error.span().map_or(0, |span| span.start), with_nearest(error.message()))
}

/// Parses a filter file.
///
/// # Errors
/// The first mistake: TOML that does not parse, an unknown key, a wrong type.
pub fn parse(text: &str) -> Result<FilterFile, Mistake> {
    toml::from_str(text).map_err(|error| mistake(&error, text))
}

/// Parses a test that has a file of its own.
///
/// # Errors
/// As [`parse`].
pub fn parse_test(text: &str) -> Result<Test, Mistake> {
    toml::from_str(text).map_err(|error| mistake(&error, text))
}

/// The filter file, as far as it can be read, and every mistake in it. The entry with a mistake is left out, to find
/// the next mistake.
pub fn parse_all(text: &str) -> (Option<FilterFile>, Vec<Mistake>) {
    let (mut table, errors) = DeTable::parse_recoverable(text);
    let mut mistakes: Vec<Mistake> = errors.iter().map(|error| mistake(error, text)).collect();
    while mistakes.len() < MOST {
        let error = match FilterFile::deserialize(Deserializer::from(table.clone())) {
            Ok(file) => return (Some(file), mistakes),
            Err(error) => error,
        };
        mistakes.push(mistake(&error, text));
        let removed = error.span().is_some_and(|span| remove(table.get_mut(), span.start));
        if !removed {
            break;
        }
    }
    (None, mistakes)
}

/// Removes the innermost entry that a byte of the text belongs to; returns whether there was one.
fn remove(table: &mut DeTable<'_>, byte: usize) -> bool {
    let holds = |span: std::ops::Range<usize>| span.start <= byte && byte < span.end.max(span.start + 1);
    let inside = table.iter_mut().any(|(_, value)| match value.get_mut() {
        DeValue::Table(table) => remove(table, byte),
        DeValue::Array(array) => {
            let inside = array.iter_mut().any(|item| match item.get_mut() {
                DeValue::Table(table) => remove(table, byte),
                _ => false,
            });
            let stays = |item: &Spanned<DeValue<'_>>| !holds(item.span());
            let all = array.len();
            if !inside {
                *array = std::mem::replace(array, DeArray::new()).into_iter().filter(stays).collect();
            }
            inside || array.len() < all
        }
        _ => false,
    });
    let found = table.iter().find(|(key, value)| holds(key.span()) || holds(value.span()));
    let key: Option<Spanned<_>> = (!inside).then(|| found.map(|(key, _)| key.clone())).flatten();
    inside || key.is_some_and(|key| table.remove(&key).is_some())
}

/// serde's message for an unknown key, with the nearest valid key in place of the list of valid keys; every other
/// message as it is.
fn with_nearest(message: &str) -> String {
    let mut quoted = message.split('`').skip(1).step_by(2);
    if !message.starts_with("unknown field") {
        return message.to_owned();
    }
    let Some(key) = quoted.next() else { return message.to_owned() };
    match nearest(key, quoted) {
        Some(valid) => format!("unknown key `{key}`; did you mean `{valid}`?"),
        None => format!("unknown key `{key}`"),
    }
}

/// The nearest of the valid words, where it is near enough to have been meant.
pub fn nearest<'a>(word: &str, valid: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let nearest = valid.min_by_key(|valid| strsim::levenshtein(word, valid))?;
    (strsim::levenshtein(word, nearest) <= nearest.len() / 2).then_some(nearest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_is_named_with_its_place() {
        for (text, expected) in [
            ("command = \"a\"\nskp = []\n", "2:1: unknown key `skp`; did you mean `skip`?"),
            (
                "command = \"a\"\n[[fold]]\nmatch = \"x\"\nas = \"y\"\nzzzzzz = 1\n",
                "5:1: unknown key `zzzzzz`",
            ),
            ("command = \"a\"\n[on_sucess]\n", "2:2: unknown key `on_sucess`; did you mean `on_success`?"),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), expected);
        }
        let error = parse("command = \"a\"\nskip = 1\n").unwrap_err().to_string();
        assert!(error.starts_with("2:8: ") && error.contains("sequence"), "{error}");
    }

    #[test]
    fn every_mistake_is_found() {
        let text = "command = 1\nskp = []\nkeep = [1, \"a\"]\n[[fold]]\nmatch = \"x\"\n[[section]]\nentr = \"x\"\n\
                    nope = { a = 1 }\n[on_success]\nhead = -1\noutput = []\n[tst]\n";
        let (file, mistakes) = parse_all(text);
        let mut places: Vec<(usize, usize)> =
            mistakes.iter().map(|found| (found.line, found.column)).collect();
        places.sort_unstable();
        assert_eq!(
            places,
            [(1, 11), (2, 1), (3, 9), (4, 1), (7, 1), (8, 1), (10, 8), (11, 10), (12, 2)],
            "{mistakes:#?}"
        );
        assert!(file.is_some());
        let (_, mistakes) = parse_all("command = \"a\nskip = [\nx y z\n[[\n");
        assert!(mistakes.len() > 1, "{mistakes:#?}");
    }
}
