//! Regular expressions that cannot run away: the regex crate matches in linear time, and what it builds is limited.

use regex::bytes::{Regex, RegexBuilder};

use super::schema::{Mistake, Pattern};

/// Most memory that one expression may take, in bytes.
const SIZE_LIMIT: usize = 1 << 20;
/// Most memory that all expressions of a list may take together, in bytes.
const JOINED_LIMIT: usize = 4 << 20;

/// Lines that match one of several expressions.
#[derive(Debug, Default)]
pub struct AnyOf(Option<Regex>);

impl AnyOf {
    /// Compiles `patterns`, which stand in `source`.
    ///
    /// # Errors
    /// The first expression that does not parse or grows too large, with its place.
    pub fn new<'a>(
        patterns: impl IntoIterator<Item = &'a Pattern> + Clone,
        source: &str,
    ) -> Result<Self, Mistake> {
        let joined: Vec<String> =
            patterns.clone().into_iter().map(|pattern| format!("(?:{})", pattern.get_ref())).collect();
        if joined.is_empty() {
            return Ok(Self(None));
        }
        if let Ok(regex) = limited(&joined.join("|"), JOINED_LIMIT) {
            return Ok(Self(Some(regex)));
        }
        for pattern in patterns {
            one(pattern, source)?;
        }
        Err(Mistake::at(source, 0, "these expressions are too large together"))
    }

    /// Whether there is no expression.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Whether one of them matches.
    pub fn matches(&self, line: &[u8]) -> bool {
        self.0.as_ref().is_some_and(|regex| regex.is_match(line))
    }
}

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

/// Without Unicode's classes first: they are large, and few filters need them.
fn limited(pattern: &str, limit: usize) -> Result<Regex, regex::Error> {
    let with =
        |unicode| RegexBuilder::new(pattern).unicode(unicode).size_limit(limit).dfa_size_limit(limit).build();
    with(false).or_else(|_| with(true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::schema::parse;

    #[test]
    fn an_expression_that_is_wrong_or_too_large_is_named_with_its_place() {
        for (pattern, reason) in [("(", "unclosed group"), ("(?:a{1000}){1000}", "size limit")] {
            let source = format!("skip = [\n  \"ok\",\n  \"{pattern}\",\n]\n");
            let error = AnyOf::new(&parse(&source).unwrap().skip, &source).unwrap_err();
            assert_eq!((error.line, error.column), (3, 3));
            assert!(error.message.contains(reason), "{error}");
        }
    }

    #[test]
    fn bytes_and_characters_match() {
        let source = "skip = [\"^[✓✔] ok\", '^\\xff']\n";
        let any = AnyOf::new(&parse(source).unwrap().skip[..1], source).unwrap();
        assert!(any.matches("✔ ok".as_bytes()) && !any.matches(b"ok"));
    }
}
