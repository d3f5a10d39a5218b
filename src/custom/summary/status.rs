//! `[parse]` and `[output]`: one line by its number, the others counted by kind.

use indexmap::IndexMap;

use crate::custom::schema::{Group, Output, Parse};
use crate::custom::value::{Budget, Names, Value, captures_of};

impl Parse {
    /// `branch` and `group_counts` of these lines; `None` where the budget is spent.
    pub(super) fn collect<'a>(
        &self,
        output: &Output,
        lines: &[&'a [u8]],
        budget: &Budget,
    ) -> Option<Names<'a>> {
        let mut names = Vec::new();
        let mut rest = lines;
        if let Some(rule) = &self.branch {
            let line = rule.line.checked_sub(1).and_then(|at| lines.get(at));
            if let Some(captures) = line.and_then(|line| captures_of(&rule.pattern, line)) {
                names.push(("branch".to_owned(), Value::Text(rule.output.with(&captures, budget)?.into())));
            }
            rest = &lines[rule.line.min(lines.len())..];
        }
        if let Some(group) = &self.group {
            names.push(("group_counts".to_owned(), group.counts(output, rest, budget)?));
        }
        Some(names)
    }
}

impl Group {
    fn counts<'a>(&self, output: &Output, lines: &[&[u8]], budget: &Budget) -> Option<Value<'a>> {
        let mut kinds: IndexMap<Vec<u8>, i64> = IndexMap::new();
        for line in lines {
            let captures = captures_of(&self.key.pattern, line);
            if let Some(kind) = captures.and_then(|captures| self.key.output.with(&captures, budget)) {
                *kinds.entry(kind).or_default() += 1;
            }
        }
        if kinds.is_empty() {
            return Some(Value::Text(output.empty.clone().unwrap_or_default().into_bytes().into()));
        }
        let written = kinds.into_iter().map(|(kind, count)| {
            let label = std::str::from_utf8(&kind).ok().and_then(|kind| self.labels.get(kind));
            let label = label.map_or(kind.clone(), |label| label.clone().into_bytes());
            let names = [
                ("label".to_owned(), Value::Text(label.into())),
                ("key".to_owned(), Value::Text(kind.into())),
                ("count".to_owned(), Value::number(count)),
            ];
            Some(Value::Text(output.group_counts_format.with(&names, budget)?.into()))
        });
        Some(Value::List(written.collect::<Option<_>>()?))
    }
}
