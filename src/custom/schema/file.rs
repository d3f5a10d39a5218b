//! A filter file as it stands: its keys.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::rules::{
    Aggregate, Chunk, Extract, Fallback, Json, MatchOutput, Output, Parse, Replace, Script, Section, Step,
    TemplateText, Tree, Variant,
};
use crate::filter::reshape::Device;
use crate::filter::schema::{Fold, OneOrMany, Pattern};

/// A filter file. docs/filters.md explains every key.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of its own")]
pub struct FilterFile {
    /// The commands that it is for.
    pub command: OneOrMany,
    /// The command that is run in place of the one that was asked for.
    pub run: Option<TemplateText>,
    /// Commands that are run beside it, for templates.
    pub step: Vec<Step>,
    /// What it does, for `toto filter ls`.
    pub description: String,
    /// The arguments that it is not for: none of the call's begins with one of these.
    pub passthrough_args: Vec<String>,
    /// What is looked for in the whole output first.
    pub match_output: Vec<MatchOutput>,
    /// Lines that are written anew.
    pub replace: Vec<Replace>,
    /// Lines that match one of these are dropped.
    #[serde(alias = "strip_lines_matching")]
    pub skip: Vec<Pattern>,
    /// Only lines that match one of these stay.
    #[serde(alias = "keep_lines_matching")]
    pub keep: Vec<Pattern>,
    /// Lines that become a count.
    pub fold: Vec<Fold>,
    /// Consecutive equal lines become one.
    pub dedup: bool,
    /// With `dedup`: so do lines that are equal to one of this many before.
    pub dedup_window: Option<usize>,
    /// Runs of empty lines become one.
    pub collapse_empty_lines: bool,
    /// Empty lines are dropped.
    pub strip_empty_lines: bool,
    /// Blanks around lines are dropped.
    pub trim_lines: bool,
    /// Accepted for the sake of older filters: terminal control is always taken out.
    pub strip_ansi: bool,
    /// Lines are cut behind this many characters, with a mark.
    pub truncate_lines_at: Option<usize>,
    /// Only the first lines stay, however the tool ended.
    #[serde(alias = "head_lines")]
    pub head: Option<usize>,
    /// Only the last lines stay, however the tool ended.
    #[serde(alias = "tail_lines")]
    pub tail: Option<usize>,
    /// No more lines than these stay of what the filter made.
    pub max_lines: Option<usize>,
    /// What is written where nothing stays.
    pub on_empty: Option<String>,
    /// The output is the answer itself: nothing is folded beyond what this file says.
    pub verbatim: bool,
    /// Devices for outputs of a known form, in this order.
    pub reshape: Vec<Device>,
    /// Paths as a tree.
    pub tree: Option<Tree>,
    /// A program that makes the output.
    #[serde(alias = "lua_script")]
    pub pipeline: Option<Script>,
    /// Lines collected under names.
    pub section: Vec<Section>,
    /// Blocks collected as records.
    pub chunk: Vec<Chunk>,
    /// Values collected of a JSON document.
    pub json: Option<Json>,
    /// The first line that matches, written anew.
    pub extract: Option<Extract>,
    /// Lines of a status.
    pub parse: Option<Parse>,
    /// How they are written.
    pub output: Option<Output>,
    /// What is done where nothing was written.
    pub fallback: Fallback,
    /// Other filters in place of this one.
    pub variant: Vec<Variant>,
    /// Accepted for the sake of other tools' filters: the whole is always named.
    pub show_history_hint: bool,
    /// Accepted for the sake of other tools' filters: the shims are what does this.
    pub inject_path: bool,
    /// What holds for exit status 0 only.
    pub on_success: Branch,
    /// What holds for every other exit status, and an unknown one.
    pub on_failure: Branch,
    /// The filter's own tests.
    pub test: Vec<Test>,
}

/// Rules for one way of ending.
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
    /// The first line that matches, written anew.
    pub extract: Option<Extract>,
    /// A number computed of collected lines.
    pub aggregate: Option<Aggregate>,
    /// More such numbers.
    pub aggregates: Vec<Aggregate>,
    /// What is written.
    pub output: Option<TemplateText>,
}

/// One of a filter's tests.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Test {
    /// What it shows.
    pub name: String,
    /// The tool's output.
    pub inline: Option<String>,
    /// A file that holds the tool's output, relative to the filter's.
    pub fixture: Option<String>,
    /// The tool's exit status.
    pub exit_code: i32,
    /// The words behind the command's name.
    pub args: Vec<String>,
    /// What each `step` is to have printed, by its name: no test runs a command.
    pub step: BTreeMap<String, String>,
    /// What must hold.
    pub expect: Vec<Expect>,
}

/// What must hold of an output.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    /// It is this.
    pub equals: Option<String>,
    /// This stands in it.
    pub contains: Option<String>,
    /// This does not.
    pub not_contains: Option<String>,
    /// It begins so.
    pub starts_with: Option<String>,
    /// It ends so.
    pub ends_with: Option<String>,
    /// It matches this regular expression.
    pub matches: Option<Pattern>,
    /// It does not.
    pub not_matches: Option<Pattern>,
    /// It has this many lines that are not empty.
    pub line_count: Option<usize>,
}
