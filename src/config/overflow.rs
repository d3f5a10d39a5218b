//! What is done with output that is large after everything else: `[overflow]`, and the same keys per tool.

use std::time::Duration;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// A document is given whole up to so many characters of its notation: agents count and sort with programs, and what
/// they read of a larger one they fetch again for these.
const STRUCTURED: usize = 8_000;
/// From this many characters on output is truncated, where that is asked for.
const TRUNCATED: usize = 40_000;
/// More tokens than this are rejected, where that is asked for.
pub const MOST_TOKENS: usize = 25_000;
/// After so many seconds the agent is told where the output of a running command can be read.
const SLOW_AFTER: u64 = 20;
const KEYWORDS: [&str; 4] = ["exception", "error", "fail", "warn"];

/// What the agent gets in place of a large output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Where the output is, and a preview.
    #[default]
    Buffer,
    /// Its first and last characters.
    Truncate,
    /// Its size, and what to do instead.
    Reject,
    /// The output, whatever its size.
    Off,
}

/// `[overflow]` or `[tools.NAME]`; what is not set is the next wider section's, then the default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Overflow {
    /// What the agent gets.
    pub mode: Option<Mode>,
    /// Characters of text (tokens, with `reject`) that still go out whole; not set, with `buffer`: a page.
    pub threshold: Option<usize>,
    /// The same of structured data.
    pub structured_threshold: Option<usize>,
    /// The same of standard error, where it is captured by itself.
    pub stderr_threshold: Option<usize>,
    /// Words whose lines are counted, upper or lower case.
    pub keywords: Option<Vec<String>>,
    /// Seconds after which one line tells where the output of a running command can be read; 0: never.
    pub slow_after: Option<u64>,
}

/// What holds for one stream of one tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// What the agent gets.
    pub mode: Mode,
    /// Characters of text (tokens, with `reject`) that still go out whole; `None`: what its reader's host shows of one
    /// call, a page.
    pub text: Option<usize>,
    /// The same of structured data.
    pub structured: usize,
    /// Words whose lines are counted.
    pub keywords: Vec<String>,
    /// From here on the agent is told where the output of a running command can be read.
    pub slow_after: Option<Duration>,
}

impl Overflow {
    /// This section's values, and where it has none `wider`'s.
    pub(super) fn or(&self, wider: &Self) -> Self {
        Self {
            mode: self.mode.or(wider.mode),
            threshold: self.threshold.or(wider.threshold),
            structured_threshold: self.structured_threshold.or(wider.structured_threshold),
            stderr_threshold: self.stderr_threshold.or(wider.stderr_threshold),
            keywords: self.keywords.clone().or_else(|| wider.keywords.clone()),
            slow_after: self.slow_after.or(wider.slow_after),
        }
    }

    /// As a section with every default filled in.
    pub(super) fn with_defaults(&self) -> Self {
        let (out, err) = (self.clone().limits(false), self.clone().limits(true));
        Self {
            mode: Some(out.mode),
            threshold: out.text,
            structured_threshold: Some(out.structured),
            stderr_threshold: err.text,
            keywords: Some(out.keywords),
            slow_after: Some(out.slow_after.map_or(0, |after| after.as_secs())),
        }
    }

    /// With every default filled in.
    pub(super) fn limits(self, is_stderr: bool) -> Limits {
        let mode = self.mode.unwrap_or_default();
        let (text, structured) = match mode {
            Mode::Buffer | Mode::Off => (None, STRUCTURED),
            Mode::Truncate => (Some(TRUNCATED), TRUNCATED),
            Mode::Reject => (Some(MOST_TOKENS), MOST_TOKENS),
        };
        let threshold = if is_stderr { self.stderr_threshold.or(self.threshold) } else { self.threshold };
        Limits {
            mode,
            text: threshold.or(text),
            structured: self.structured_threshold.unwrap_or(structured),
            keywords: self.keywords.unwrap_or_else(|| KEYWORDS.map(String::from).to_vec()),
            slow_after: Some(self.slow_after.unwrap_or(SLOW_AFTER))
                .filter(|seconds| *seconds > 0)
                .map(Duration::from_secs),
        }
    }
}
