//! Every expression and every template of a filter file, wherever it stands.

use super::file::{Branch, Expect, FilterFile};
use super::rules::{Chunk, TemplateText};
use crate::filter::schema::Pattern;

impl FilterFile {
    /// Every expression.
    pub fn patterns(&self) -> impl Iterator<Item = &Pattern> {
        let mut all: Vec<&Pattern> = self.skip.iter().chain(&self.keep).collect();
        all.extend(self.fold.iter().map(|fold| &fold.pattern));
        all.extend(self.replace.iter().map(|rule| &rule.pattern));
        all.extend(self.match_output.iter().flat_map(|rule| rule.pattern.iter().chain(&rule.unless)));
        for section in &self.section {
            let patterns = [&section.enter, &section.exit, &section.pattern, &section.split_on];
            all.extend(patterns.into_iter().flatten());
        }
        all.extend(self.tree.iter().map(|tree| &tree.pattern));
        all.extend(self.chunk.iter().flat_map(Chunk::patterns));
        all.extend(self.extract.iter().map(|rule| &rule.pattern));
        if let Some(parse) = &self.parse {
            all.extend(parse.branch.iter().map(|branch| &branch.pattern));
            all.extend(parse.group.iter().map(|group| &group.key.pattern));
        }
        all.extend(
            self.variant
                .iter()
                .flat_map(|rule| rule.detect.args_pattern.iter().chain(&rule.detect.output_pattern)),
        );
        all.extend(self.on_success.patterns().chain(self.on_failure.patterns()));
        all.extend(self.test.iter().flat_map(|test| &test.expect).flat_map(Expect::patterns));
        all.into_iter()
    }

    /// Every template but those of `replace`, which may also have `$1`.
    pub fn templates(&self) -> impl Iterator<Item = &TemplateText> {
        let mut all: Vec<&TemplateText> = self.match_output.iter().map(|rule| &rule.output).collect();
        all.extend(self.extract.iter().map(|rule| &rule.output));
        if let Some(parse) = &self.parse {
            all.extend(parse.branch.iter().map(|branch| &branch.output));
            all.extend(parse.group.iter().map(|group| &group.key.output));
        }
        all.extend(
            self.output.iter().flat_map(|output| output.format.iter().chain(&output.group_counts_format)),
        );
        for branch in [&self.on_success, &self.on_failure] {
            all.extend(branch.output.iter().chain(branch.extract.iter().map(|rule| &rule.output)));
        }
        all.into_iter()
    }
}

impl Branch {
    fn patterns(&self) -> impl Iterator<Item = &Pattern> {
        let lines = self.skip.iter().chain(&self.keep).chain(self.fold.iter().map(|fold| &fold.pattern));
        let aggregates = self.aggregate.iter().chain(&self.aggregates).map(|rule| &rule.pattern);
        lines.chain(aggregates).chain(self.extract.iter().map(|rule| &rule.pattern))
    }
}

impl Chunk {
    fn patterns(&self) -> impl Iterator<Item = &Pattern> {
        let fields = self.extract.iter().chain(&self.body_extract).map(|field| &field.pattern);
        std::iter::once(&self.split_on).chain(fields).chain(self.aggregate.iter().map(|rule| &rule.pattern))
    }
}

impl Expect {
    fn patterns(&self) -> impl Iterator<Item = &Pattern> {
        self.matches.iter().chain(&self.not_matches)
    }
}
