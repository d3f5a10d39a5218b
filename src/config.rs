//! What the user can set: defaults, then `~/.config/toto/config.toml`, then the environment, then options.

use serde::Deserialize;

/// How much may be left out of an output (docs/ARCHITECTURE.md, "Levels").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Presentation only: every leaf's path and scalar text can be read back from the output.
    Lossless,
    /// Also nulls, empty values and opaque base64; the original is kept and named.
    #[default]
    Standard,
    /// Also duplicate scalars (the first seen wins) and epoch-millisecond stamps.
    Max,
}

/// The notation asked for; `Auto` lets the router take the one with the fewest tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// The fewest tokens win.
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReceiptMode {
    /// Tokens before and after, the saving, the shape.
    #[default]
    Full,
    /// The saving only.
    Short,
    /// Nothing.
    Off,
}
