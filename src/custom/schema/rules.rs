//! The tables of a filter file that compute something: what they look for, and what they write.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use crate::filter::schema::Pattern;

/// A text that a filter writes, and where it stands.
pub type TemplateText = Spanned<String>;

/// Looks at the whole output; the first that matches stands in its place.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchOutput {
    /// This stands in it.
    pub contains: Option<TemplateText>,
    /// It matches this.
    pub pattern: Option<Pattern>,
    /// What is written then.
    #[serde(alias = "message")]
    pub output: TemplateText,
    /// But not where it matches this.
    pub unless: Option<Pattern>,
}

/// A line that matches becomes the output.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replace {
    /// Which lines.
    pub pattern: Pattern,
    /// What they become; `{1}` or `$1` is a capture.
    #[serde(alias = "replacement")]
    pub output: TemplateText,
    /// Only what matches is replaced, each time it does, in place of the line.
    #[serde(default)]
    pub replace_all: bool,
}

/// The first line that matches, written anew.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extract {
    /// Which line.
    pub pattern: Pattern,
    /// What is written of it.
    pub output: TemplateText,
}

/// Lines collected under a name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// For the reader of the file.
    pub name: Option<String>,
    /// Lines behind one that matches this.
    pub enter: Option<Pattern>,
    /// Up to one that matches this.
    pub exit: Option<Pattern>,
    /// The line that opens it is part of it.
    #[serde(default)]
    pub include_enter: bool,
    /// Only lines that match this.
    #[serde(rename = "match")]
    pub pattern: Option<Pattern>,
    /// Each line that matches starts a new block.
    pub split_on: Option<Pattern>,
    /// Their name in templates.
    pub collect_as: Option<String>,
}

/// A number computed of collected lines.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Aggregate {
    /// The name that they were collected under; a chunk's rule has none.
    pub from: Option<String>,
    /// Which of them; its first capture is the number.
    pub pattern: Pattern,
    /// The sum's name.
    pub sum: Option<String>,
    /// The name of the number of lines that match.
    pub count_as: Option<String>,
}

/// The output in blocks, each a record of fields.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chunk {
    /// A block begins at a line that matches this.
    pub split_on: Pattern,
    /// That line is the block's first.
    #[serde(default = "yes")]
    pub include_split_line: bool,
    /// The records' name in templates.
    pub collect_as: String,
    /// A field of the first line.
    pub extract: Option<Field>,
    /// Fields of the first line that matches, each.
    #[serde(default)]
    pub body_extract: Vec<Field>,
    /// Numbers of the block's lines.
    #[serde(default)]
    pub aggregate: Vec<Aggregate>,
    /// Records that agree in this field become one; their numbers are added.
    pub group_by: Option<String>,
    /// The name under which such a one holds its parts.
    pub children_as: Option<String>,
}

/// A field of a chunk.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// Its first capture is the value.
    pub pattern: Pattern,
    /// The field's name.
    #[serde(rename = "as")]
    pub name: String,
    /// A block without it has the value of the one before.
    #[serde(default)]
    pub carry_forward: bool,
}

/// Lines of a status: one for itself, the others counted by kind.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Parse {
    /// `{branch}`.
    pub branch: Option<LineExtract>,
    /// `{group_counts}`.
    pub group: Option<Group>,
}

/// One line, by its number.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineExtract {
    /// From 1.
    pub line: usize,
    /// What it must match.
    pub pattern: Pattern,
    /// What is written of it.
    pub output: TemplateText,
}

/// Lines counted by kind.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The kind of a line; a line without is not counted.
    pub key: Extract,
    /// What the kinds are called.
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
}

/// How what `parse` found is written.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Output {
    /// All of it.
    pub format: Option<TemplateText>,
    /// One kind: `{label}`, `{count}`.
    pub group_counts_format: Option<TemplateText>,
    /// In place of the kinds, where there is none.
    pub empty: Option<String>,
}

/// Values of a JSON document.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Json {
    /// Which, and their names.
    pub extract: Vec<JsonExtract>,
}

/// Values of a JSON document under a name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JsonExtract {
    /// Where they stand (RFC 9535).
    pub path: TemplateText,
    /// Their name in templates.
    #[serde(rename = "as")]
    pub name: String,
    /// Of each value, which fields.
    #[serde(default)]
    pub fields: Vec<JsonField>,
}

/// A field of a JSON value.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JsonField {
    /// Where it stands: keys and indices joined by dots.
    #[serde(alias = "path")]
    pub field: String,
    /// Its name.
    #[serde(rename = "as")]
    pub name: String,
}

/// Another filter in place of this one.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// For the reader of the file.
    pub name: String,
    /// When.
    pub detect: Detect,
    /// Which: its file's path without `.toml`.
    pub filter: TemplateText,
}

/// When a variant is taken: one of these is enough, tried in this order.
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

/// A program in Luau that is given the output and returns another.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Script {
    /// `luau`, the only one.
    pub lang: Option<Lang>,
    /// The program.
    #[serde(alias = "script")]
    pub source: Option<TemplateText>,
    /// A file that holds it, beside the filter's.
    pub file: Option<TemplateText>,
}

/// The languages of scripts.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// Luau.
    Luau,
}

/// A command that is run beside the tool, once that has ended.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Its words, as a shell would take them apart; no shell runs it.
    pub run: TemplateText,
    /// The name of what it prints, in templates.
    #[serde(rename = "as", default)]
    pub name: String,
    /// Accepted for the sake of other tools' filters, where it has no effect either.
    pub pipeline: Option<bool>,
}

/// Paths as a tree: each directory once.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tree {
    /// What stands in front of a path, then the path: two captures.
    pub pattern: Pattern,
    /// Lines that do not match stay, in front of the tree and behind it.
    #[serde(default = "yes")]
    pub passthrough_unmatched: bool,
    /// Fewer paths stay as they are.
    #[serde(default = "four")]
    pub min_files: usize,
    /// So do paths that have fewer directories in common.
    #[serde(default = "one")]
    pub min_shared_depth: usize,
    /// How it is drawn.
    #[serde(default)]
    pub style: Style,
    /// A directory with one entry stands on a line with it.
    #[serde(default = "yes")]
    pub collapse_single_child: bool,
    /// Entries by name, in place of their order in the output.
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

/// What is done where nothing was written.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Fallback {
    /// Only the last lines stay.
    pub tail: Option<usize>,
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
