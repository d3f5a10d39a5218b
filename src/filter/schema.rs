//! The schema of the library's filters, which is a part of that of users' own filters (`custom/schema/`).
//! docs/filters.md explains every key.

use serde::Deserialize;

use super::pattern::Pattern;
use super::reshape::Device;

/// A filter of the library, without its tests.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LibraryFile {
    pub(crate) command: OneOrMany,
    pub(crate) description: String,
    pub(crate) fold: Vec<Fold>,
    pub(crate) verbatim: bool,
    pub(crate) reshape: Vec<Device>,
    /// Rules for exit status 0 only.
    pub(crate) on_success: LibraryBranch,
    /// Rules for every other exit status, and for an unknown one.
    pub(crate) on_failure: LibraryBranch,
}

/// Rules for commands that succeeded, or for commands that failed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LibraryBranch {
    pub(crate) fold: Vec<Fold>,
}

/// A rule that replaces lines by a count: `… 212 passing tests`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fold {
    #[serde(rename = "match")]
    pub(crate) pattern: Pattern,
    /// A name for the lines, in the plural.
    #[serde(rename = "as")]
    pub(crate) what: String,
    /// One count for the whole output, in place of one per run of lines.
    #[serde(default)]
    pub(crate) together: bool,
    /// After a failure, matching lines with a word like "error" are counted too: they are known not to explain it.
    #[serde(default)]
    pub(crate) harmless: bool,
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
