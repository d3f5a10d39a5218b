//! The tables of a filter file that compute something: what they look for, and what they write.

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
    /// A text that the output contains.
    pub contains: Option<String>,
    /// An expression that the output matches.
    pub pattern: Option<Pattern>,
    /// The text that is written.
    #[serde(alias = "message")]
    pub output: Template,
    /// The rule does not match where the output matches this.
    pub unless: Option<Pattern>,
}

/// A rule that rewrites matching lines.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replace {
    /// The expression that a line must match.
    pub pattern: Pattern,
    /// The new line; `{1}` or `$1` is a capture.
    #[serde(alias = "replacement", deserialize_with = "with_braces")]
    pub output: Template,
    /// Replaces each match, and not the whole line.
    #[serde(default)]
    pub replace_all: bool,
}

/// A rule that rewrites the first line that matches.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extract {
    /// The expression that the line must match.
    pub pattern: Pattern,
    /// The new line, from the captures.
    pub output: Template,
}

/// Lines collected under a name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// A name for the reader of the file.
    pub name: Option<String>,
    /// The section begins behind a line that matches this.
    pub enter: Option<Pattern>,
    /// The section ends in front of a line that matches this.
    pub exit: Option<Pattern>,
    /// The line that opens the section is part of it.
    #[serde(default)]
    pub include_enter: bool,
    /// Only lines that match this are collected.
    #[serde(rename = "match")]
    pub pattern: Option<Pattern>,
    /// Each line that matches this starts a new block, and is not part of it.
    pub split_on: Option<Pattern>,
    /// Name of the lines in templates.
    pub collect_as: Option<String>,
}

/// A number computed from collected lines.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Aggregate {
    /// Name under which the lines were collected; a chunk's rule has none.
    pub from: Option<String>,
    /// The expression that a line must match; its first capture is the number.
    pub pattern: Pattern,
    /// Name of the sum.
    pub sum: Option<String>,
    /// Name of the number of matching lines.
    pub count_as: Option<String>,
}

/// The output in blocks, each a record of fields.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chunk {
    /// A block begins at a line that matches this.
    pub split_on: Pattern,
    /// That line is the first of the block's lines.
    #[serde(default = "yes")]
    pub include_split_line: bool,
    /// Name of the records in templates.
    pub collect_as: String,
    /// A field from the line at which the block begins.
    pub extract: Option<Field>,
    /// Fields, each from the block's first line that matches it.
    #[serde(default)]
    pub body_extract: Vec<Field>,
    /// Numbers computed from the block's lines.
    #[serde(default)]
    pub aggregate: Vec<Aggregate>,
    /// Records with the same value of this field become one record; their numbers are added.
    pub group_by: Option<String>,
    /// Name under which such a record holds its parts.
    pub children_as: Option<String>,
}

/// A field of a chunk.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// The expression whose first capture is the value.
    pub pattern: Pattern,
    /// Name of the field.
    #[serde(rename = "as")]
    pub name: String,
    /// A block without a match has the value of the last block with one.
    #[serde(default)]
    pub carry_forward: bool,
}

/// The lines of a status: one by its number, those behind it counted by kind.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Parse {
    /// The line that becomes `{branch}`.
    pub branch: Option<LineExtract>,
    /// The counts that become `{group_counts}`.
    pub group: Option<Group>,
}

/// One line, by its number.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineExtract {
    /// Number of the line, from 1.
    pub line: usize,
    /// The expression that the line must match.
    pub pattern: Pattern,
    /// The text that is written, from the captures.
    pub output: Template,
}

/// Lines counted by kind.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Gives the kind of a line; a line without a kind is not counted.
    pub key: Extract,
    /// Labels of the kinds.
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
}

/// How the result of `parse` is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Output {
    /// Template of the whole text.
    pub format: Template,
    /// Template of one kind: `{label}`, `{count}`.
    pub group_counts_format: Template,
    /// The text in place of the counts, where no line has a kind.
    pub empty: Option<String>,
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

/// Values collected from a JSON document.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Json {
    /// The values, and their names.
    pub extract: Vec<JsonExtract>,
}

/// Values of a JSON document under a name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JsonExtract {
    /// Path of the values (RFC 9535).
    pub path: Compiled<JsonPath>,
    /// Name of the values in templates.
    #[serde(rename = "as")]
    pub name: String,
    /// The fields to take from each value; all its scalars where none is given.
    #[serde(default)]
    pub fields: Vec<JsonField>,
}

/// A field of a JSON value.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JsonField {
    /// Path of the field: keys and indices joined by dots.
    #[serde(alias = "path")]
    pub field: String,
    /// Name of the field in templates.
    #[serde(rename = "as")]
    pub name: String,
}

/// Another filter in place of this one.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// A name for the reader of the file.
    pub name: String,
    /// When the variant is used.
    pub detect: Detect,
    /// The other filter: its file's path without `.toml`, or its name in the library.
    pub filter: Text,
}

/// When a variant is used: one of these conditions is enough. Those that need no output are tried first.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Detect {
    /// One of these files is in the working directory.
    pub files: Vec<String>,
    /// The arguments, joined by blanks, match this.
    pub args_pattern: Option<Pattern>,
    /// The output matches this.
    pub output_pattern: Option<Pattern>,
}

/// A script in Luau that gets the output and returns another text.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Script {
    /// The language: `luau` is the only one.
    pub lang: Option<Lang>,
    /// The script's text.
    #[serde(alias = "script")]
    pub source: Option<Text>,
    /// A file that holds the script, relative to the filter's directory.
    pub file: Option<Text>,
}

/// The languages of scripts.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// Luau.
    Luau,
}

/// A command that is run beside the tool, once the tool has ended.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The command, which is split into words as by a shell; no shell runs it.
    pub run: Text,
    /// Name of its output in templates.
    #[serde(rename = "as", default)]
    pub name: String,
    /// Accepted for the sake of other tools' filters, where it has no effect either.
    pub pipeline: Option<bool>,
}

/// Draws paths as a tree, with each directory once.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tree {
    /// An expression with two captures: the text in front of a path, then the path.
    pub pattern: Pattern,
    /// Lines that do not match stay, in front of the tree and behind it.
    #[serde(default = "yes")]
    pub passthrough_unmatched: bool,
    /// Minimum number of paths.
    #[serde(default = "four")]
    pub min_files: usize,
    /// Minimum number of directories that the paths have in common.
    #[serde(default = "one")]
    pub min_shared_depth: usize,
    /// How the tree is drawn.
    #[serde(default)]
    pub style: Style,
    /// A directory with one entry stands on a line with it.
    #[serde(default = "yes")]
    pub collapse_single_child: bool,
    /// Entries are sorted by name, in place of their order in the output.
    #[serde(default)]
    pub sort: bool,
}

/// How a tree is drawn.
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
    /// Only the last lines stay.
    pub tail: Option<usize>,
}

/// A template in which a capture may also be written as `$1` or `${1}`.
fn with_braces<'de, D: Deserializer<'de>>(from: D) -> Result<Template, D::Error> {
    static CAPTURE: Lazy<Regex> =
        Lazy::new(|| Regex::new(r"\$(?:\{+([0-9]+)\}?|([0-9]+))").expect("a pattern of our own"));
    let text = Text::deserialize(from)?;
    Ok(Spanned::new(text.span(), CAPTURE.replace_all(text.get_ref(), "{$1$2}").into()).into())
}

fn yes() -> bool {
    true
}

fn one() -> usize {
    1
}

fn four() -> usize {
    4
}
