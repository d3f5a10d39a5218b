//! The texts of a filter that are compiled before their use. Regular expressions have a bounded cost: the regex crate
//! matches in linear time, and the size of a compiled expression is limited.

use once_cell::unsync::OnceCell;
use regex::bytes::{Captures, Regex, RegexBuilder};
use serde::Deserialize;
use toml::Spanned;

use crate::mistake::Mistake;

/// Maximum memory of one compiled expression, in bytes.
const SIZE_LIMIT: usize = 1 << 20;

/// What a filter's text can be compiled to.
pub trait Compile: Sized {
    /// Compiles a text; the error says in one line what is wrong with it.
    fn compile(text: &str) -> Result<Self, String>;
}

/// A text of a filter and its place in the file, compiled when it is first checked or used.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "Spanned<String>", bound = "")]
pub struct Compiled<T> {
    text: Spanned<String>,
    compiled: OnceCell<T>,
}

/// A regular expression (the regex crate's syntax).
pub type Pattern = Compiled<Regex>;

impl<T> From<Spanned<String>> for Compiled<T> {
    fn from(text: Spanned<String>) -> Self {
        Self { text, compiled: OnceCell::new() }
    }
}

impl<T: Compile> Compiled<T> {
    /// The text as it stands in the filter.
    pub fn text(&self) -> &str {
        self.text.get_ref()
    }

    /// Position of the text in the filter, in bytes.
    pub fn at(&self) -> usize {
        self.text.span().start
    }

    /// Compiles the text, which stands in `source`, and keeps nothing: all texts of a file may not fit into memory.
    pub fn compile(&self, source: &str) -> Result<T, Mistake> {
        T::compile(self.text()).map_err(|message| Mistake::at(source, self.at(), message))
    }

    /// Compiles the text, which stands in `source`, for its use, unless that was done before.
    pub fn check(&self, source: &str) -> Result<&T, Mistake> {
        self.compiled.get_or_try_init(|| self.compile(source))
    }

    /// The compiled text; `None` where [`Compiled::check`] finds a mistake.
    pub fn get(&self) -> Option<&T> {
        self.compiled.get_or_try_init(|| T::compile(self.text())).ok()
    }
}

impl Pattern {
    /// Whether the expression matches.
    pub fn is_match(&self, text: &[u8]) -> bool {
        self.get().is_some_and(|regex| regex.is_match(text))
    }

    /// The text behind the first match.
    pub fn behind<'t>(&self, text: &'t [u8]) -> Option<&'t [u8]> {
        Some(&text[self.get()?.find(text)?.end()..])
    }

    /// The captures of the first match.
    pub fn captures<'t>(&self, text: &'t [u8]) -> Option<Captures<'t>> {
        self.get()?.captures(text)
    }
}

impl Compile for Regex {
    fn compile(text: &str) -> Result<Self, String> {
        limited(text, SIZE_LIMIT).map_err(|error| {
            // The last line has the reason; the lines above are a picture of the expression.
            let message = error.to_string();
            let reason = message.lines().last().unwrap_or_default();
            format!("`{text}`: {}", reason.strip_prefix("error: ").unwrap_or(reason))
        })
    }
}

/// Compiles an expression that stands in toto's own code.
///
/// # Panics
/// Where the expression does not parse.
pub fn ours(pattern: &str) -> Regex {
    limited(pattern, SIZE_LIMIT).expect("a pattern of our own")
}

/// Compiles an expression that may take `limit` bytes of memory. Tries first without Unicode classes, which are large
/// and seldom needed. Fails when it does not parse or grows too large.
pub fn limited(pattern: &str, limit: usize) -> Result<Regex, regex::Error> {
    let with =
        |unicode| RegexBuilder::new(pattern).unicode(unicode).size_limit(limit).dfa_size_limit(limit).build();
    with(false).or_else(|_| with(true))
}
