//! What the user can set: defaults, then `~/.config/toto/config.toml`, then the environment, then options.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::PathBuf;

use clap::ValueEnum;
use serde::Deserialize;
use thiserror::Error;

use crate::env;

/// How much may be left out of an output (docs/ARCHITECTURE.md, "Levels").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Presentation only: every leaf's path and text can be read back.
    Lossless,
    /// Also nulls, empty values and opaque base64; the original is kept.
    #[default]
    Standard,
    /// Also duplicate scalars (first seen wins) and epoch-millisecond stamps.
    Max,
}

/// The notation asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// The one with the fewest tokens.
    #[default]
    Auto,
    /// Path-value notation.
    Pvfn,
    /// A `schema:` list and `data:` rows, valid YAML.
    SchemaYaml,
    /// Minified JSON.
    Json,
    /// The original bytes.
    Raw,
}

/// What the receipt on stderr says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum ReceiptMode {
    /// Tokens before and after, the saving, the shape.
    #[default]
    Full,
    /// Tokens before and after.
    Short,
    /// Nothing.
    Off,
}

/// Everything that can be set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// How much may be left out.
    pub level: Level,
    /// The notation asked for.
    pub format: Format,
    /// What the receipt says.
    pub receipt: ReceiptMode,
    /// Per tool, what is passed straight on beside the built-in table: `kubectl = ["logs -f"]`.
    pub passthrough: HashMap<String, Vec<String>>,
}

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
    #[error("{variable}={value}: expected one of {expected}")]
    Variable {
        /// Its name.
        variable: &'static str,
        /// What it holds.
        value: String,
        /// What it may hold.
        expected: String,
    },
}

/// Where the configuration file is looked for; `None` without a home.
pub fn path() -> Option<PathBuf> {
    env::xdg_dir(env::XDG_CONFIG_HOME, ".config", "toto/config.toml")
}

/// The settings in force. A missing file is the defaults.
///
/// # Errors
/// When the file or a variable holds what cannot be used.
pub fn load() -> Result<Settings, Error> {
    let mut settings = match path().map(|path| (fs_err::read_to_string(&path), path)) {
        Some((Ok(text), path)) => parse(&text, &path.display().to_string())?,
        Some((Err(error), _)) if !is_absent(&error) => return Err(Error::Unreadable(error)),
        _ => Settings::default(),
    };
    override_from(env::TOTO_LEVEL, &mut settings.level)?;
    override_from(env::TOTO_FORMAT, &mut settings.format)?;
    override_from(env::TOTO_RECEIPT, &mut settings.receipt)?;
    Ok(settings)
}

fn is_absent(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Parses a configuration; `path` is for the message.
///
/// # Errors
/// [`Error::File`] with line and column.
pub fn parse(text: &str, path: &str) -> Result<Settings, Error> {
    toml::from_str(text).map_err(|error| {
        let before = &text[..error.span().map_or(0, |span| span.start.min(text.len()))];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Error::File {
            path: path.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: error.message().replace('\n', " "),
        }
    })
}

fn override_from<T: ValueEnum>(variable: &'static str, setting: &mut T) -> Result<(), Error> {
    let Some(value) = std::env::var_os(variable).filter(|value| !value.is_empty()) else { return Ok(()) };
    let value = value.to_string_lossy();
    *setting = T::from_str(&value, true).map_err(|_| Error::Variable {
        variable,
        value: value.into_owned(),
        expected: T::value_variants()
            .iter()
            .filter_map(|v| Some(v.to_possible_value()?.get_name().to_owned()))
            .collect::<Vec<_>>()
            .join(", "),
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_value_is_named_with_its_place() {
        let error = parse("receipt = \"full\"\nlevel = \"most\"\n", "c.toml").unwrap_err().to_string();
        assert!(error.starts_with("c.toml:2:9: "), "{error}");
        assert!(error.contains("most") && error.contains("lossless"), "{error}");
    }

    #[test]
    fn an_unknown_key_is_an_error() {
        let error = parse("levle = \"max\"\n", "c.toml").unwrap_err().to_string();
        assert!(error.starts_with("c.toml:1:1: ") && error.contains("levle"), "{error}");
    }

    #[test]
    fn an_empty_file_is_the_defaults() {
        assert_eq!(parse("", "c.toml").unwrap(), Settings::default());
    }
}
