//! Regular expressions that cannot run away: the regex crate matches in linear time, and what it builds is limited.

use regex::bytes::{Regex, RegexBuilder};

use super::mistake::Mistake;
use super::schema::Pattern;

/// Most memory that one expression may take, in bytes.
const SIZE_LIMIT: usize = 1 << 20;
/// Compiles one expression.
///
/// # Errors
/// When it does not parse or grows too large, with its place.
pub fn one(pattern: &Pattern, source: &str) -> Result<Regex, Mistake> {
    build(pattern.get_ref()).map_err(|error| {
        let message = format!("`{}`: {}", pattern.get_ref(), reason(&error));
        Mistake::at(source, pattern.span().start, message)
    })
}

/// Compiles one expression, if there is one.
///
/// # Errors
/// As [`one`].
pub fn maybe(pattern: Option<&Pattern>, source: &str) -> Result<Option<Regex>, Mistake> {
    pattern.map(|pattern| one(pattern, source)).transpose()
}

/// What is wrong with an expression, without its picture.
pub fn reason(error: &regex::Error) -> String {
    let text = error.to_string();
    let reason = text.lines().last().unwrap_or_default();
    reason.strip_prefix("error: ").unwrap_or(reason).to_owned()
}

/// Compiles one expression.
///
/// # Errors
/// When it does not parse or grows too large.
pub fn build(pattern: &str) -> Result<Regex, regex::Error> {
    limited(pattern, SIZE_LIMIT)
}

/// Compiles an expression that may take `limit` bytes: without Unicode's classes first, which are large and seldom needed.
///
/// # Errors
/// When it does not parse or grows too large.
pub fn limited(pattern: &str, limit: usize) -> Result<Regex, regex::Error> {
    let with =
        |unicode| RegexBuilder::new(pattern).unicode(unicode).size_limit(limit).dfa_size_limit(limit).build();
    with(false).or_else(|_| with(true))
}
