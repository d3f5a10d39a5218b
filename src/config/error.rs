//! Errors of settings, in one line: the mistake, its place, and the key that was probably meant.

use thiserror::Error;

/// A setting that cannot be used.
#[derive(Debug, Error)]
pub enum Error {
    /// The file does not parse.
    #[error("{path}:{line}:{column}: {message}")]
    File {
        /// Path of the file.
        path: String,
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// The mistake, on one line.
        message: String,
    },
    /// The file is there but cannot be read.
    #[error("{0}")]
    Unreadable(std::io::Error),
    /// An environment variable has an invalid value.
    #[error("{variable}={value}: expected {expected}")]
    Variable {
        /// Name of the variable.
        variable: &'static str,
        /// Its invalid value.
        value: String,
        /// Its valid values, in words.
        expected: String,
    },
}

impl Error {
    /// Line of the mistake in the file; 0 for every other error.
    pub(super) fn line(&self) -> usize {
        if let Self::File { line, .. } = self { *line } else { 0 }
    }

    /// The error for a mistake that the TOML parser found in `text`.
    pub(super) fn in_file(error: &toml::de::Error, text: &str, path: &str) -> Self {
        let before = &text[..error.span().map_or(0, |span| span.start.min(text.len()))];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let message = error.message().replace('\n', " ");
        Self::File {
            path: path.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: with_nearest(&message).unwrap_or(message),
        }
    }
}

/// serde's message for an unknown key, with the key that was probably meant in place of the list of valid keys. The
/// list stays where no key is near. `None` for every other message.
fn with_nearest(message: &str) -> Option<String> {
    let (unknown, valid) = message.strip_prefix("unknown field `")?.split_once("`, expected ")?;
    let valid: Vec<&str> = valid.split('`').skip(1).step_by(2).collect();
    let likeness = |key: &&str| strsim::jaro_winkler(key, unknown);
    let nearest = valid.iter().copied().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    Some(if likeness(&nearest) > 0.7 {
        format!("unknown key `{unknown}`; did you mean `{nearest}`?")
    } else {
        format!("unknown key `{unknown}`; valid keys: {}", valid.join(", "))
    })
}
