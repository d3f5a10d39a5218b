//! The parts of a filter file in which mistakes are looked for before it is used, wherever they stand. A new key with an
//! expression, a template or a path is listed here; else its mistakes are found only by use, and nobody is told.

use super::file::{Branch, FilterFile};
use super::rules::{Aggregate, Extract};
use crate::filter::pattern::{Compile, Compiled};
use crate::mistake::Mistake;

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
