//! Settings for output that is still large after every other step: `[overflow]`, and the same keys per tool.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::failure::KEYWORDS;

/// Default threshold of structured data, in characters of its notation. Agents count and sort with programs, and fetch
/// a larger document again for these even if they have read it.
const STRUCTURED: usize = 8_000;
/// Default threshold with mode `truncate`, in characters.
const TRUNCATED: usize = 40_000;
/// Default threshold with mode `reject`, in tokens.
pub const MOST_TOKENS: usize = 25_000;

/// A size up to which an output goes out whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threshold {
    Characters(usize),
    Tokens(usize),
}

impl Threshold {
    pub fn number(self) -> usize {
        match self {
            Self::Characters(number) | Self::Tokens(number) => number,
        }
    }
}

/// What the agent gets in place of a large output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// A page, an outline, a digest or a preview, by its kind, and where the whole is.
    #[default]
    Buffer,
    /// Its first and last characters.
    Truncate,
    /// Its size, and what to do instead.
    Reject,
    /// The output, whatever its size.
    Off,
}

/// The section `[overflow]` or `[tools.NAME]`. A key that is not set is as in the next wider section, else the default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Overflow {
    pub mode: Option<Mode>,
    /// Size up to which text goes out whole, in characters (tokens, with `reject`); by default, with `buffer`, a page.
    pub threshold: Option<usize>,
    /// The same for structured data.
    pub structured_threshold: Option<usize>,
    /// The same for standard error, where it is captured separately.
    pub stderr_threshold: Option<usize>,
    /// Words whose lines are counted, in upper or lower case.
    pub keywords: Option<Vec<String>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    pub mode: Mode,
    /// Up to this, text goes out whole; `None` for a page: as much as the reader's host shows of one call.
    pub text: Option<Threshold>,
    /// The same for structured data.
    pub structured: Threshold,
    /// Whether the user chose that.
    pub is_structured_chosen: bool,
    pub keywords: Vec<String>,
}

impl Overflow {
    /// This section's values; where a key is not set, the value of `wider`.
    pub(super) fn or(&self, wider: &Self) -> Self {
        Self {
            mode: self.mode.or(wider.mode),
            threshold: self.threshold.or(wider.threshold),
            structured_threshold: self.structured_threshold.or(wider.structured_threshold),
            stderr_threshold: self.stderr_threshold.or(wider.stderr_threshold),
            keywords: self.keywords.clone().or_else(|| wider.keywords.clone()),
        }
    }

    /// This section with every default filled in.
    pub(super) fn with_defaults(&self) -> Self {
        let (out, err) = (self.clone().limits(false), self.clone().limits(true));
        Self {
            mode: Some(out.mode),
            threshold: out.text.map(Threshold::number),
            structured_threshold: Some(out.structured.number()),
            stderr_threshold: err.text.map(Threshold::number),
            keywords: Some(out.keywords),
        }
    }

    /// The limits of one stream, with every default filled in.
    pub(super) fn limits(self, is_stderr: bool) -> Limits {
        let mode = self.mode.unwrap_or_default();
        let (text, structured) = match mode {
            Mode::Buffer | Mode::Off => (None, STRUCTURED),
            Mode::Truncate => (Some(TRUNCATED), TRUNCATED),
            Mode::Reject => (Some(MOST_TOKENS), MOST_TOKENS),
        };
        let unit = if mode == Mode::Reject { Threshold::Tokens } else { Threshold::Characters };
        let threshold = if is_stderr { self.stderr_threshold.or(self.threshold) } else { self.threshold };
        Limits {
            mode,
            text: threshold.or(text).map(unit),
            structured: unit(self.structured_threshold.unwrap_or(structured)),
            is_structured_chosen: self.structured_threshold.is_some(),
            keywords: self.keywords.unwrap_or_else(|| KEYWORDS.map(String::from).to_vec()),
        }
    }
}
