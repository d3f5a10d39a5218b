//! Regular expressions with bounded cost: the regex crate matches in linear time, and the size of a compiled expression
//! is limited.

use regex::bytes::{Regex, RegexBuilder};

use super::schema::Pattern;
use crate::mistake::Mistake;

/// Maximum memory of one compiled expression, in bytes.
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

/// The message of a regex error, without the picture of the expression.
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

/// Compiles an expression that may take `limit` bytes of memory. Tries first without Unicode classes, which are large
/// and seldom needed.
///
/// # Errors
/// When it does not parse or grows too large.
pub fn limited(pattern: &str, limit: usize) -> Result<Regex, regex::Error> {
    let with =
        |unicode| RegexBuilder::new(pattern).unicode(unicode).size_limit(limit).dfa_size_limit(limit).build();
    with(false).or_else(|_| with(true))
}
