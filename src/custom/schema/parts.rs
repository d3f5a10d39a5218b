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
        for rule in &self.replace {
            all.extend_from_slice(&[&rule.pattern, &rule.output]);
        }
        all.extend(self.fold.iter().chain(&branch.fold).map(|fold| &fold.pattern as &dyn Part));
        if let Some(rule) = &self.tree {
            all.extend_from_slice(&[&rule.pattern, rule]);
        }
        all.extend(self.pipeline.iter().map(|script| script as &dyn Part));
        for rule in &self.match_output {
            all.extend_from_slice(&[rule, &rule.pattern, &rule.unless, &rule.output]);
        }
        for rule in &self.section {
            all.extend_from_slice(&[&rule.enter, &rule.exit, &rule.pattern, &rule.split_on]);
        }
        for rule in &self.chunk {
            all.push(&rule.split_on);
            all.extend(
                rule.extract.iter().chain(&rule.body_extract).map(|field| &field.pattern as &dyn Part),
            );
            all.extend(rule.aggregate.iter().map(|rule| &rule.pattern as &dyn Part));
        }
        all.extend(self.json.iter().flat_map(|json| &json.extract).map(|rule| &rule.path as &dyn Part));
        if let Some(rule) = self.extract_with(branch) {
            all.extend_from_slice(&[&rule.pattern, &rule.output]);
        }
        all.extend_from_slice(&[&self.output.format, &self.output.group_counts_format]);
        if let Some(rule) = self.parse.as_ref().and_then(|parse| parse.branch.as_ref()) {
            all.extend_from_slice(&[&rule.pattern, &rule.output]);
        }
        if let Some(rule) = self.parse.as_ref().and_then(|parse| parse.group.as_ref()) {
            all.extend_from_slice(&[&rule.key.pattern, &rule.key.output]);
        }
        all.extend(branch.aggregates().map(|rule| &rule.pattern as &dyn Part));
        all.push(&branch.output);
        all
    }

    pub fn all_parts(&self) -> Vec<&dyn Part> {
        let mut all = [self.parts(&self.on_success), self.parts(&self.on_failure)].concat();
        let (success, failure) = (&self.on_success, &self.on_failure);
        for list in [&self.skip, &self.keep, &success.skip, &success.keep, &failure.skip, &failure.keep] {
            all.extend(list.iter().map(|pattern| pattern as &dyn Part));
        }
        if let Some(rule) = &self.extract {
            all.extend_from_slice(&[&rule.pattern, &rule.output]);
        }
        for rule in &self.variant {
            all.extend_from_slice(&[&rule.detect.args_pattern, &rule.detect.output_pattern]);
        }
        for expect in self.test.iter().flat_map(|test| &test.expect) {
            all.extend_from_slice(&[&expect.matches, &expect.not_matches]);
        }
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
