//! The tables of a filter file that compute something. docs/filters.md explains their keys.

use std::collections::BTreeMap;

use once_cell::sync::Lazy;
use regex::Regex;
use serde::{Deserialize, Deserializer};
use serde_json_path::JsonPath;
use toml::Spanned;

use crate::custom::template::Template;
use crate::filter::pattern::{Compiled, Pattern};

/// A text of a filter, and its place in the file.
pub type Text = Spanned<String>;

/// A rule about the whole output. The first rule that matches writes a text in place of the output.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchOutput {
    pub(crate) contains: Option<String>,
    pub(crate) pattern: Option<Pattern>,
    #[serde(alias = "message")]
    pub(crate) output: Template,
    pub(crate) unless: Option<Pattern>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replace {
    pub(crate) pattern: Pattern,
    #[serde(alias = "replacement", deserialize_with = "with_braces")]
    pub(crate) output: Template,
    #[serde(default, rename = "replace_all")]
    pub(crate) all: bool,
}

/// A rule that rewrites the first line that matches.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extract {
    pub(crate) pattern: Pattern,
    pub(crate) output: Template,
}

/// Lines collected under a name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    pub name: Option<String>,
    /// The section begins behind a line that matches this.
    pub(crate) enter: Option<Pattern>,
    /// The section ends in front of a line that matches this.
    pub(crate) exit: Option<Pattern>,
    #[serde(default)]
    pub(crate) include_enter: bool,
    #[serde(rename = "match")]
    pub(crate) pattern: Option<Pattern>,
    /// Each line that matches this starts a new block, and is not part of it.
    pub(crate) split_on: Option<Pattern>,
    pub(crate) collect_as: Option<String>,
}

/// A number computed from collected lines.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Aggregate {
    /// Name under which the lines were collected; a chunk's rule has none.
    pub(crate) from: Option<String>,
    /// The expression that a line must match; its first capture is the number.
    pub(crate) pattern: Pattern,
    pub(crate) sum: Option<String>,
    pub(crate) count_as: Option<String>,
}

/// The output in blocks, each a record of fields.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chunk {
    /// A block begins at a line that matches this.
    pub(crate) split_on: Pattern,
    pub(crate) include_split_line: Option<bool>,
    pub(crate) collect_as: String,
    pub(crate) extract: Option<Field>,
    #[serde(default)]
    pub(crate) body_extract: Vec<Field>,
    #[serde(default)]
    pub(crate) aggregate: Vec<Aggregate>,
    /// Records with the same value of this field become one record; their numbers are added.
    pub(crate) group_by: Option<String>,
    pub(crate) children_as: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    pub(crate) pattern: Pattern,
    #[serde(rename = "as")]
    pub(crate) name: String,
    /// A block without a match has the value of the last block with one.
    #[serde(default)]
    pub(crate) carry_forward: bool,
}

/// The lines of a status: one by its number, those behind it counted by kind.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Parse {
    pub(crate) branch: Option<LineExtract>,
    pub(crate) group: Option<Group>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineExtract {
    pub(crate) line: usize,
    pub(crate) pattern: Pattern,
    pub(crate) output: Template,
}

/// Lines counted by kind.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Gives the kind of a line; a line without a kind is not counted.
    pub(crate) key: Extract,
    #[serde(default)]
    pub(crate) labels: BTreeMap<String, String>,
}

/// How the result of `parse` is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Output {
    pub(crate) format: Template,
    pub(crate) group_counts_format: Template,
    pub(crate) empty: Option<String>,
}

impl Default for Output {
    fn default() -> Self {
        let template = |text: &str| Spanned::new(0..0, text.to_owned()).into();
        Self {
            format: template("{branch}\n{group_counts}"),
            group_counts_format: template("  {label}: {count}"),
            empty: None,
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Json {
    pub(crate) extract: Vec<JsonExtract>,
}

/// Values of a JSON document under a name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JsonExtract {
    pub(crate) path: Compiled<JsonPath>,
    #[serde(rename = "as")]
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) fields: Vec<JsonField>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JsonField {
    #[serde(alias = "path")]
    pub(crate) field: String,
    #[serde(rename = "as")]
    pub(crate) name: String,
}

/// Another filter in place of this one.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    pub name: String,
    pub(crate) detect: Detect,
    pub(crate) filter: Text,
}

/// When a variant is used: one of these conditions is enough. Those that need no output are tried first.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Detect {
    pub(crate) files: Vec<String>,
    pub(crate) args_pattern: Option<Pattern>,
    pub(crate) output_pattern: Option<Pattern>,
}

/// A script in Luau that gets the output and returns another text.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Script {
    pub(crate) lang: Option<Lang>,
    #[serde(alias = "script")]
    pub(crate) source: Option<Text>,
    pub(crate) file: Option<Text>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    Luau,
}

/// A command that is run beside the tool, once the tool has ended.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    pub(crate) run: Text,
    #[serde(rename = "as", default)]
    pub(crate) name: String,
    /// Accepted for the sake of other tools' filters, where it has no effect either.
    pub pipeline: Option<bool>,
}

/// Draws paths as a tree, with each directory once.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tree {
    /// An expression with two captures: the text in front of a path, then the path.
    pub(crate) pattern: Pattern,
    /// Lines that do not match stay, in front of the tree and behind it.
    pub(crate) passthrough_unmatched: Option<bool>,
    pub(crate) min_files: Option<usize>,
    pub(crate) min_shared_depth: Option<usize>,
    #[serde(default)]
    pub(crate) style: Style,
    pub(crate) collapse_single_child: Option<bool>,
    #[serde(default)]
    pub(crate) sort: bool,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// `├─ `, `│  `, `└─ `.
    #[default]
    Unicode,
    /// `|- `, `|  `, `` `- ``.
    Ascii,
    /// Two blanks a level.
    Indent,
}

/// What stays where no text was written.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Fallback {
    pub(crate) tail: Option<usize>,
}

/// A template in which a capture may also be written as `$1` or `${1}`.
fn with_braces<'de, D: Deserializer<'de>>(from: D) -> Result<Template, D::Error> {
    static CAPTURE: Lazy<Regex> =
        Lazy::new(|| Regex::new(r"\$(?:\{+([0-9]+)\}?|([0-9]+))").expect("a pattern of our own"));
    let text = Text::deserialize(from)?;
    Ok(Spanned::new(text.span(), CAPTURE.replace_all(text.get_ref(), "{$1$2}").into()).into())
}
