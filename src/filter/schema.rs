//! The schema of the library's filters, which is a part of that of users' own filters (`custom/schema/`).

use serde::Deserialize;

use super::pattern::Pattern;
use super::reshape::Device;

/// A filter of the library, without its tests.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LibraryFile {
    /// The commands that the filter is for.
    pub command: OneOrMany,
    /// One line that says what the filter does, for `toto filter ls`.
    pub description: String,
    /// Rules that replace lines by a count.
    pub fold: Vec<Fold>,
    /// The output is the answer itself: nothing is folded beyond what this file says.
    pub verbatim: bool,
    /// Devices for outputs of a known form, in this order.
    pub reshape: Vec<Device>,
    /// Rules for exit status 0 only.
    pub on_success: LibraryBranch,
    /// Rules for every other exit status, and for an unknown one.
    pub on_failure: LibraryBranch,
}

/// Rules for commands that succeeded, or for commands that failed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LibraryBranch {
    /// As the file's `fold`.
    pub fold: Vec<Fold>,
}

/// A rule that replaces lines by a count: `… 212 passing tests`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fold {
    /// The expression that a line must match.
    #[serde(rename = "match")]
    pub pattern: Pattern,
    /// A name for the lines, in the plural.
    #[serde(rename = "as")]
    pub what: String,
    /// One count for the whole output, in place of one per run of lines.
    #[serde(default)]
    pub together: bool,
    /// After a failure, matching lines with a word like "error" are counted too: they are known not to explain it.
    #[serde(default)]
    pub harmless: bool,
}

/// A string, or a list of strings.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "OneOrManyText")]
pub struct OneOrMany(pub Vec<String>);

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrManyText {
    One(String),
    Many(Vec<String>),
}

impl From<OneOrManyText> for OneOrMany {
    fn from(text: OneOrManyText) -> Self {
        match text {
            OneOrManyText::One(command) => Self(vec![command]),
            OneOrManyText::Many(commands) => Self(commands),
        }
    }
}
