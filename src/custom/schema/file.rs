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
    pub command: OneOrMany,
    /// The command that is run in place of the one that was asked for.
    pub run: Option<Text>,
    /// Commands that are run beside the tool, for templates.
    pub step: Vec<Step>,
    pub(crate) description: String,
    pub(crate) passthrough_args: Vec<String>,
    pub(crate) match_output: Vec<MatchOutput>,
    pub(crate) replace: Vec<Replace>,
    #[serde(alias = "strip_lines_matching")]
    pub(crate) skip: Vec<Pattern>,
    #[serde(alias = "keep_lines_matching")]
    pub(crate) keep: Vec<Pattern>,
    pub(crate) fold: Vec<Fold>,
    pub(crate) dedup: bool,
    pub(crate) dedup_window: Option<usize>,
    pub(crate) collapse_empty_lines: bool,
    pub(crate) strip_empty_lines: bool,
    pub(crate) trim_lines: bool,
    /// Accepted for the sake of older filters, without effect: terminal control is always taken out.
    pub(crate) strip_ansi: bool,
    pub(crate) truncate_lines_at: Option<usize>,
    #[serde(alias = "head_lines")]
    pub(crate) head: Option<usize>,
    #[serde(alias = "tail_lines")]
    pub(crate) tail: Option<usize>,
    pub(crate) max_lines: Option<usize>,
    pub(crate) on_empty: Option<String>,
    pub(crate) verbatim: bool,
    pub(crate) reshape: Vec<Device>,
    pub(crate) tree: Option<Tree>,
    #[serde(alias = "lua_script")]
    pub(crate) pipeline: Option<Script>,
    pub(crate) section: Vec<Section>,
    pub(crate) chunk: Vec<Chunk>,
    pub(crate) json: Option<Json>,
    pub(crate) extract: Option<Extract>,
    pub(crate) parse: Option<Parse>,
    pub(crate) output: Output,
    pub(crate) fallback: Fallback,
    pub(crate) variant: Vec<Variant>,
    /// Accepted for the sake of other tools' filters, without effect: the way to the whole output is always named.
    pub(crate) show_history_hint: bool,
    /// Accepted for the sake of other tools' filters, without effect: the shims do this.
    pub(crate) inject_path: bool,
    /// Rules for exit status 0 only.
    pub(crate) on_success: Branch,
    /// Rules for every other exit status, and for an unknown one.
    pub(crate) on_failure: Branch,
    pub test: Vec<Test>,
}

/// Rules for commands that succeeded, or for commands that failed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Branch {
    pub(crate) skip: Vec<Pattern>,
    pub(crate) keep: Vec<Pattern>,
    pub(crate) fold: Vec<Fold>,
    pub(crate) head: Option<usize>,
    pub(crate) tail: Option<usize>,
    pub(crate) extract: Option<Extract>,
    pub(crate) aggregate: Option<Aggregate>,
    pub(crate) aggregates: Vec<Aggregate>,
    pub(crate) output: Option<Template>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Test {
    pub name: String,
    pub inline: Option<String>,
    /// A file that holds the tool's output, relative to the filter's directory.
    pub fixture: Option<String>,
    pub exit_code: i32,
    /// The arguments behind the words of the filter's command.
    pub args: Vec<String>,
    /// The output of each `step`, by its name: no test runs a command.
    pub step: BTreeMap<String, String>,
    pub expect: Vec<Expect>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    /// The output is this text, apart from white space at its end.
    pub(crate) equals: Option<String>,
    pub(crate) contains: Option<String>,
    pub(crate) not_contains: Option<String>,
    pub(crate) starts_with: Option<String>,
    /// The output ends with this text, apart from white space at its end.
    pub(crate) ends_with: Option<String>,
    pub(crate) matches: Option<Pattern>,
    pub(crate) not_matches: Option<Pattern>,
    /// The output has this many lines that are not blank.
    pub(crate) line_count: Option<usize>,
}
