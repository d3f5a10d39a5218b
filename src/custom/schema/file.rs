//! The keys of a filter file.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::rules::{
    Aggregate, Chunk, Extract, Fallback, Json, MatchOutput, Output, Parse, Replace, Script, Section, Step,
    Text, Tree, Variant,
};
use crate::custom::template::Template;
use crate::filter::pattern::Pattern;
use crate::filter::reshape::Device;
use crate::filter::schema::{Fold, OneOrMany};

/// A filter file. docs/filters.md explains every key.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of its own")]
pub struct FilterFile {
    /// The commands that the filter is for.
    pub command: OneOrMany,
    /// The command that is run in place of the one that was asked for.
    pub run: Option<Text>,
    /// Commands that are run beside the tool, for templates.
    pub step: Vec<Step>,
    /// One line that says what the filter does, for `toto filter ls`.
    pub description: String,
    /// The filter is not for a call with an argument that begins with one of these.
    pub passthrough_args: Vec<String>,
    /// Rules about the whole output, which come first.
    pub match_output: Vec<MatchOutput>,
    /// Rules that rewrite lines.
    pub replace: Vec<Replace>,
    /// Lines that match one of these are dropped.
    #[serde(alias = "strip_lines_matching")]
    pub skip: Vec<Pattern>,
    /// Only lines that match one of these stay.
    #[serde(alias = "keep_lines_matching")]
    pub keep: Vec<Pattern>,
    /// Rules that replace lines by a count.
    pub fold: Vec<Fold>,
    /// Consecutive equal lines become one.
    pub dedup: bool,
    /// Drops a line that is equal to one of this many lines before it, also without `dedup`.
    pub dedup_window: Option<usize>,
    /// Runs of empty lines become one.
    pub collapse_empty_lines: bool,
    /// Empty lines are dropped.
    pub strip_empty_lines: bool,
    /// Blanks around lines are dropped.
    pub trim_lines: bool,
    /// Accepted for the sake of older filters, without effect: terminal control is always taken out.
    pub strip_ansi: bool,
    /// Lines are cut behind this many characters, with a mark.
    pub truncate_lines_at: Option<usize>,
    /// Only the first lines stay, however the tool ended.
    #[serde(alias = "head_lines")]
    pub head: Option<usize>,
    /// Only the last lines stay, however the tool ended.
    #[serde(alias = "tail_lines")]
    pub tail: Option<usize>,
    /// Maximum number of lines that stay of what the filter made.
    pub max_lines: Option<usize>,
    /// The text that is written where nothing stays.
    pub on_empty: Option<String>,
    /// The output is the answer itself: nothing is folded beyond what this file says.
    pub verbatim: bool,
    /// Devices for outputs of a known form, in this order.
    pub reshape: Vec<Device>,
    /// Draws paths as a tree.
    pub tree: Option<Tree>,
    /// A script that makes the output.
    #[serde(alias = "lua_script")]
    pub pipeline: Option<Script>,
    /// Lines collected under names.
    pub section: Vec<Section>,
    /// Blocks collected as records.
    pub chunk: Vec<Chunk>,
    /// Values collected from a JSON document.
    pub json: Option<Json>,
    /// Rewrites the first line that matches.
    pub extract: Option<Extract>,
    /// Counts the lines of a status by kind.
    pub parse: Option<Parse>,
    /// How the result of `parse` is written.
    pub output: Output,
    /// What stays where no text was written.
    pub fallback: Fallback,
    /// Other filters in place of this one.
    pub variant: Vec<Variant>,
    /// Accepted for the sake of other tools' filters, without effect: the command that shows the whole output is always
    /// named.
    pub show_history_hint: bool,
    /// Accepted for the sake of other tools' filters, without effect: the shims do this.
    pub inject_path: bool,
    /// Rules for exit status 0 only.
    pub on_success: Branch,
    /// Rules for every other exit status, and for an unknown one.
    pub on_failure: Branch,
    /// The filter's own tests.
    pub test: Vec<Test>,
}

/// Rules for commands that succeeded, or for commands that failed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Branch {
    /// As the file's `skip`.
    pub skip: Vec<Pattern>,
    /// As the file's `keep`.
    pub keep: Vec<Pattern>,
    /// As the file's `fold`.
    pub fold: Vec<Fold>,
    /// Only the first lines stay.
    pub head: Option<usize>,
    /// Only the last lines stay.
    pub tail: Option<usize>,
    /// Rewrites the first line that matches.
    pub extract: Option<Extract>,
    /// A number computed from collected lines.
    pub aggregate: Option<Aggregate>,
    /// More such numbers.
    pub aggregates: Vec<Aggregate>,
    /// The template of the text that is written.
    pub output: Option<Template>,
}

/// One of a filter's tests.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Test {
    /// What the test shows.
    pub name: String,
    /// The tool's output.
    pub inline: Option<String>,
    /// A file that holds the tool's output, relative to the filter's directory.
    pub fixture: Option<String>,
    /// The tool's exit status.
    pub exit_code: i32,
    /// The arguments behind the words of the filter's command.
    pub args: Vec<String>,
    /// The output of each `step`, by its name: no test runs a command.
    pub step: BTreeMap<String, String>,
    /// What must hold.
    pub expect: Vec<Expect>,
}

/// What must hold of an output.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    /// The output is this text, apart from white space at its end.
    pub equals: Option<String>,
    /// The output contains this text.
    pub contains: Option<String>,
    /// The output does not contain this text.
    pub not_contains: Option<String>,
    /// The output begins with this text.
    pub starts_with: Option<String>,
    /// The output ends with this text, apart from white space at its end.
    pub ends_with: Option<String>,
    /// The output matches this regular expression.
    pub matches: Option<Pattern>,
    /// The output does not match this regular expression.
    pub not_matches: Option<Pattern>,
    /// The output has this many lines that are not blank.
    pub line_count: Option<usize>,
}
