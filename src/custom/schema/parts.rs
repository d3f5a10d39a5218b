//! The texts of a filter file that are compiled before they are used, wherever they stand.

use super::file::{Branch, FilterFile};
use super::rules::{Aggregate, Extract};
use crate::filter::pattern::{Compile, Compiled};
use crate::mistake::Mistake;

/// A text to compile, if it is given.
pub trait Part {
    /// The mistake in the text, which stands in `source`.
    fn mistake(&self, source: &str) -> Option<Mistake>;
}

impl<T: Compile> Part for Compiled<T> {
    fn mistake(&self, source: &str) -> Option<Mistake> {
        self.check(source).err()
    }
}

impl<T: Compile> Part for Option<Compiled<T>> {
    fn mistake(&self, source: &str) -> Option<Mistake> {
        self.as_ref()?.mistake(source)
    }
}

impl FilterFile {
    /// The expressions, templates and paths of the rules in force with `branch`, but those of `skip` and `keep`.
    pub fn parts<'f>(&'f self, branch: &'f Branch) -> Vec<&'f dyn Part> {
        let mut all: Vec<&dyn Part> = Vec::new();
        for rule in &self.replace {
            all.extend_from_slice(&[&rule.pattern, &rule.output]);
        }
        all.extend(self.fold.iter().chain(&branch.fold).map(|fold| &fold.pattern as &dyn Part));
        all.extend(self.tree.iter().map(|rule| &rule.pattern as &dyn Part));
        for rule in &self.match_output {
            all.extend_from_slice(&[&rule.pattern, &rule.unless, &rule.output]);
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

    /// Every expression, template and path of the file.
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
