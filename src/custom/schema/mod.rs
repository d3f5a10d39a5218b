//! The whole schema of filter files: its keys, how a file is parsed, and its parts in which mistakes are looked for
//! before it is used, wherever they stand. A new key with an expression, a template or a path is listed here; else its
//! mistakes are found only by use, and nobody is told.

mod rules;

use std::collections::BTreeMap;

use serde::Deserialize;

pub use rules::*;

use crate::custom::template::Template;
use crate::filter::pattern::{Compile, Compiled, Pattern};
use crate::filter::reshape::Device;
use crate::filter::schema::{Fold, OneOrMany};
use crate::mistake::{self, Mistake};

pub fn parse(text: &str) -> Result<FilterFile, Mistake> {
    mistake::parse(text, false)
}

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

/// A text to compile, if it is given, or a rule that may be wrong as a whole.
pub trait Part {
    /// The mistake in the part, which stands in `source`. A text that will be used `stays` compiled.
    fn mistake(&self, source: &str, stays: bool) -> Option<Mistake>;
}

impl<T: Compile> Part for Compiled<T> {
    fn mistake(&self, source: &str, stays: bool) -> Option<Mistake> {
        if stays { self.check(source).err() } else { self.compile(source).err() }
    }
}

impl<T: Compile> Part for Option<Compiled<T>> {
    fn mistake(&self, source: &str, stays: bool) -> Option<Mistake> {
        self.as_ref()?.mistake(source, stays)
    }
}

impl FilterFile {
    /// The parts in force with `branch`, but the expressions of `skip` and `keep`.
    pub fn parts<'f>(&'f self, branch: &'f Branch) -> Vec<&'f dyn Part> {
        let mut all: Vec<&dyn Part> = Vec::new();
        all.extend(self.replace.iter().flat_map(|rule| [&rule.pattern as &dyn Part, &rule.output]));
        all.extend(self.fold.iter().chain(&branch.fold).map(|fold| &fold.pattern as &dyn Part));
        all.extend(self.tree.iter().flat_map(|rule| [&rule.pattern as &dyn Part, rule]));
        all.extend(self.pipeline.iter().map(|script| script as &dyn Part));
        let outputs = self.match_output.iter();
        all.extend(outputs.flat_map(|rule| [rule as &dyn Part, &rule.pattern, &rule.unless, &rule.output]));
        let sections = self.section.iter();
        all.extend(sections.flat_map(|it| [&it.enter as &dyn Part, &it.exit, &it.pattern, &it.split_on]));
        all.extend(self.chunk.iter().map(|rule| &rule.split_on as &dyn Part));
        let fields = self.chunk.iter().flat_map(|rule| rule.extract.iter().chain(&rule.body_extract));
        all.extend(fields.map(|field| &field.pattern as &dyn Part));
        let numbers = self.chunk.iter().flat_map(|rule| &rule.aggregate).chain(branch.aggregates());
        all.extend(numbers.map(|rule| &rule.pattern as &dyn Part));
        all.extend(self.json.iter().flat_map(|json| &json.extract).map(|rule| &rule.path as &dyn Part));
        let line = self.parse.iter().flat_map(|parse| &parse.branch);
        all.extend(line.flat_map(|rule| [&rule.pattern as &dyn Part, &rule.output]));
        let group = self.parse.iter().flat_map(|parse| &parse.group).map(|group| &group.key);
        let extracts = group.chain(self.extract_with(branch));
        all.extend(extracts.flat_map(|rule| [&rule.pattern as &dyn Part, &rule.output]));
        all.extend_from_slice(&[&self.output.format, &self.output.group_counts_format, &branch.output]);
        all
    }

    pub fn all_parts(&self) -> Vec<&dyn Part> {
        let (success, failure) = (&self.on_success, &self.on_failure);
        let mut all = [self.parts(success), self.parts(failure)].concat();
        let lists = [&self.skip, &self.keep, &success.skip, &success.keep, &failure.skip, &failure.keep];
        all.extend(lists.into_iter().flatten().map(|pattern| pattern as &dyn Part));
        all.extend(self.extract.iter().flat_map(|rule| [&rule.pattern as &dyn Part, &rule.output]));
        let variants = self.variant.iter().map(|variant| &variant.detect);
        all.extend(variants.flat_map(|it| [&it.args_pattern as &dyn Part, &it.output_pattern]));
        let expects = self.test.iter().flat_map(|test| &test.expect);
        all.extend(expects.flat_map(|expect| [&expect.matches as &dyn Part, &expect.not_matches]));
        all
    }

    /// The `extract` in force with `branch`.
    pub fn extract_with<'f>(&'f self, branch: &'f Branch) -> Option<&'f Extract> {
        branch.extract.as_ref().or(self.extract.as_ref())
    }
}

impl Branch {
    /// Every rule that computes a number.
    pub fn aggregates(&self) -> impl Iterator<Item = &Aggregate> {
        self.aggregate.iter().chain(&self.aggregates)
    }
}
