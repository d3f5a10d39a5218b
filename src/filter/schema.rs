//! What a filter of the library says: a part of the whole schema (`custom/schema/`), which users' own filters have.

use serde::Deserialize;
use toml::Spanned;

use super::reshape::Device;

/// A regular expression (the regex crate's syntax) and where it stands.
pub type Pattern = Spanned<String>;

/// A filter of the library, without its tests.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LibraryFile {
    /// The commands that it is for.
    pub command: OneOrMany,
    /// What it does, for `toto filter ls`.
    pub description: String,
    /// Lines that become a count.
    pub fold: Vec<Fold>,
    /// The output is the answer itself: nothing is folded beyond what this file says.
    pub verbatim: bool,
    /// Devices for outputs of a known form, in this order.
    pub reshape: Vec<Device>,
    /// What holds for exit status 0 only.
    pub on_success: LibraryBranch,
    /// What holds for every other exit status, and an unknown one.
    pub on_failure: LibraryBranch,
}

/// Rules for one way of ending.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LibraryBranch {
    /// As the file's `fold`.
    pub fold: Vec<Fold>,
}

/// Lines that become a count: `… 212 passing tests`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fold {
    /// Which lines.
    #[serde(rename = "match")]
    pub pattern: Pattern,
    /// What they are, in words, in the plural.
    #[serde(rename = "as")]
    pub what: String,
    /// One count for the whole output in place of one a run of lines.
    #[serde(default)]
    pub together: bool,
    /// After a failure, too, a matching line goes that holds a word like "error": it is known to say nothing of it.
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
