//! `[parse]` and `[output]`: one line by its number, the others counted by kind.

use std::collections::BTreeMap;

use regex::bytes::Regex;

use super::extract::Extract;
use super::template::Template;
use super::value::{Budget, Value, capture_names};
use crate::custom::schema::FilterFile;
use crate::filter::pattern;
use crate::mistake::Mistake;

/// The default of `output.format`.
const FORMAT: &str = "{branch}\n{group_counts}";
/// The default of `output.group_counts_format`.
const COUNT_FORMAT: &str = "  {label}: {count}";

/// A compiled `[parse]` with its `[output]`.
#[derive(Debug)]
pub struct Status {
    branch: Option<(usize, Regex, Template)>,
    group: Option<(Extract, BTreeMap<String, String>)>,
    format: Template,
    count_format: Template,
    empty: Option<String>,
}

impl Status {
    /// Compiles the rules of `file`, which stands in `source`; `None` without `[parse]`.
    ///
    /// # Errors
    /// An expression or a template with a mistake.
    pub fn new(file: &FilterFile, source: &str) -> Result<Option<Self>, Mistake> {
        let output = file.output.clone().unwrap_or_default();
        let template = |text: Option<_>, default: &str| match text {
            Some(text) => Template::new(&text, source),
            None => Template::new(&toml::Spanned::new(0..0, default.to_owned()), source),
        };
        let format = template(output.format, FORMAT)?;
        let count_format = template(output.group_counts_format, COUNT_FORMAT)?;
        let Some(parse) = &file.parse else { return Ok(None) };
        let branch = parse.branch.as_ref().map(|branch| {
            let pattern = pattern::one(&branch.pattern, source)?;
            Ok((branch.line, pattern, Template::new(&branch.output, source)?))
        });
        let group =
            parse.group.as_ref().map(|group| Ok((Extract::new(&group.key, source)?, group.labels.clone())));
        Ok(Some(Self {
            branch: branch.transpose()?,
            group: group.transpose()?,
            format,
            count_format,
            empty: output.empty,
        }))
    }

    /// `branch` and `group_counts` of these lines; `None` where the budget is spent.
    pub fn collect<'a>(&self, lines: &[&'a [u8]], budget: &Budget) -> Option<Vec<(String, Value<'a>)>> {
        let mut names = Vec::new();
        let mut rest = lines;
        if let Some((number, pattern, output)) = &self.branch {
            let captures = number.checked_sub(1).and_then(|at| pattern.captures(lines.get(at)?));
            if let Some(captures) = captures {
                let branch = output.with(&capture_names(pattern, &captures), budget)?;
                names.push(("branch".to_owned(), Value::Text(branch.into())));
            }
            rest = &lines[(*number).min(lines.len())..];
        }
        if let Some((key, labels)) = &self.group {
            names.push(("group_counts".to_owned(), self.counts(key, labels, rest, budget)?));
        }
        Some(names)
    }

    fn counts<'a>(
        &self,
        key: &Extract,
        labels: &BTreeMap<String, String>,
        lines: &[&[u8]],
        budget: &Budget,
    ) -> Option<Value<'a>> {
        let mut kinds: BTreeMap<Vec<u8>, (usize, i64)> = BTreeMap::new();
        for (at, line) in lines.iter().enumerate() {
            if let Some(kind) = key.of_line(line, budget) {
                kinds.entry(kind).or_insert((at, 0)).1 += 1;
            }
        }
        let mut kinds: Vec<_> =
            kinds.into_iter().map(|(kind, (first, count))| (first, kind, count)).collect();
        kinds.sort_unstable();
        if kinds.is_empty() {
            return Some(Value::Text(self.empty.clone().unwrap_or_default().into_bytes().into()));
        }
        let written = kinds.into_iter().map(|(_, kind, count)| {
            let label = std::str::from_utf8(&kind).ok().and_then(|kind| labels.get(kind));
            let label = label.map_or(kind.clone(), |label| label.clone().into_bytes());
            let names = [
                ("label".to_owned(), Value::Text(label.into())),
                ("key".to_owned(), Value::Text(kind.into())),
                ("count".to_owned(), Value::number(count)),
            ];
            Some(Value::Text(self.count_format.with(&names, budget)?.into()))
        });
        Some(Value::List(written.collect::<Option<_>>()?))
    }

    /// Fills the format with the collected names.
    pub fn render(&self, names: &[(String, Value<'_>)], budget: &Budget) -> Option<Vec<u8>> {
        self.format.with(names, budget)
    }
}
