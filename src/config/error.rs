//! A setting that cannot be used, told in one line: what, where, and what was probably meant.

use thiserror::Error;

/// A setting that cannot be used.
#[derive(Debug, Error)]
pub enum Error {
    /// The file does not parse.
    #[error("{path}:{line}:{column}: {message}")]
    File {
        /// The file.
        path: String,
        /// From 1.
        line: usize,
        /// From 1, in characters.
        column: usize,
        /// What is wrong, on one line.
        message: String,
    },
    /// The file is there but cannot be read.
    #[error("{0}")]
    Unreadable(std::io::Error),
    /// A variable holds a word that is none of its values.
    #[error("{variable}={value}: expected {expected}")]
    Variable {
        /// Its name.
        variable: &'static str,
        /// What it holds.
        value: String,
        /// What it may hold.
        expected: String,
    },
}

impl Error {
    /// The line of the file that it stands in; 0 elsewhere.
    pub(super) fn line(&self) -> usize {
        if let Self::File { line, .. } = self { *line } else { 0 }
    }

    /// A fault that the TOML parser found in `text`.
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

/// serde's list of every valid key, put as the one that was probably meant.
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
