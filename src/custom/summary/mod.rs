//! What a filter computes from an output: texts collected under names, and the templates that write them.
//!
//! A line that a template writes and that is not the tool's goes behind a mark: see [`super::marks`].

mod aggregate;
mod chunk;
mod json;
mod section;
mod status;

use super::schema::{Branch, FilterFile, MatchOutput, Part};
use super::value::{Budget, Names, Value, capture_names, captures_of};
use crate::filter::lines::lines_of;
use crate::mistake::Mistake;

/// Whether rules may write a text from the lines.
pub fn reads_lines(file: &FilterFile, branch: &Branch) -> bool {
    file.extract_with(branch).is_some() || file.parse.is_some() || branch.output.is_some()
}

/// The text in place of the output `raw`; `None` where there is nothing to write, or the budget is spent. `lines` are
/// those that the line rules left, `beside` the outputs of other commands by name.
pub fn of_lines(
    file: &FilterFile,
    branch: &Branch,
    raw: &[u8],
    lines: &[&[u8]],
    beside: &[(String, Vec<u8>)],
    budget: &Budget,
) -> Option<Vec<u8>> {
    if !reads_lines(file, branch) {
        return None;
    }
    let raw_lines: Vec<&[u8]> = lines_of(raw).collect();
    let mut names: Names<'_> =
        file.section.iter().filter_map(|section| section.collect(&raw_lines)).collect();
    let nothing = !names.is_empty() && names.iter().all(|(_, value)| value.length() == 0);
    names.extend(beside.iter().map(|(name, text)| (name.clone(), Value::Text(text.into()))));
    names.extend(file.chunk.iter().map(|chunk| chunk.collect(&raw_lines)));
    if let Some(json) = &file.json {
        names.extend(json.collect(raw, budget)?);
    }
    let mut extracted = None;
    if let Some(extract) = file.extract_with(branch)
        && let Some(captures) = lines.iter().find_map(|line| captures_of(&extract.pattern, line))
    {
        names.extend(captures);
        extracted = Some(extract.output.with(&names, budget)?);
    }
    if let Some(parse) = &file.parse {
        names.extend(parse.collect(&file.output, lines, budget)?);
    }
    for aggregate in branch.aggregates() {
        let numbers = aggregate.of_collected(&names, budget)?;
        names.extend(numbers);
    }
    let Some(template) = &branch.output else {
        return if file.parse.is_some() { file.output.format.with(&names, budget) } else { extracted };
    };
    if nothing {
        return None; // the sections collected nothing: the fallback applies
    }
    names.push(("output".to_owned(), Value::Text(lines.join(&b'\n').into())));
    names.extend(extracted.map(|text| ("extract".to_owned(), Value::Text(text.into()))));
    template.with(&names, budget)
}

impl Part for MatchOutput {
    /// The mistake that the rule matches nothing.
    fn mistake(&self, source: &str, _: bool) -> Option<Mistake> {
        let message = "`match_output` wants `contains` or `pattern`";
        let is_empty = self.contains.is_none() && self.pattern.is_none();
        is_empty.then(|| Mistake::at(source, self.output.at(), message))
    }
}

impl MatchOutput {
    /// The text in place of a whole output; `None` where the rule does not match, or the budget is spent.
    pub(super) fn apply(&self, text: &[u8], budget: &Budget) -> Option<Vec<u8>> {
        let found = self.contains.as_ref().and_then(|wanted| memchr::memmem::find(text, wanted.as_bytes()));
        let (at, mut names) = if let Some(at) = found {
            (at, Vec::new())
        } else {
            let pattern = self.pattern.as_ref()?.get()?;
            let captures = pattern.captures(text)?;
            (captures.get(0)?.start(), capture_names(pattern, &captures))
        };
        if self.unless.as_ref().is_some_and(|unless| unless.is_match(text)) {
            return None;
        }
        let start = memchr::memrchr(b'\n', &text[..at]).map_or(0, |newline| newline + 1);
        let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |newline| at + newline);
        names.push(("line_containing".to_owned(), Value::Text(text[start..end].into())));
        names.push(("output".to_owned(), Value::Text(text.into())));
        self.output.with(&names, budget)
    }
}
