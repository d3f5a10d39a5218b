//! What a filter computes from an output: texts collected under names, and the templates that write them.
//!
//! A line that a template writes and that is not the tool's goes behind a mark: see [`super::engine`].

mod json;

use std::collections::HashMap;

use indexmap::IndexMap;

use super::schema::{
    Aggregate, Branch, Chunk, Field, FilterFile, Group, MatchOutput, Output, Parse, Part, Section,
};
use super::value::{Budget, Names, Value, capture_names, captures_of};
use crate::filter::lines::lines_of;
use crate::filter::pattern::Pattern;
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

impl Section {
    /// The section's name, and its lines; `None` for a section without a name. The line that closes the section is not
    /// part of it; the line that opens it is, if the rule says so (`include_enter`). In that case a line that closes
    /// one section can open the next.
    fn collect<'a>(&self, lines: &[&'a [u8]]) -> Option<(String, Value<'a>)> {
        let is =
            |pattern: &Option<Pattern>, line| pattern.as_ref().is_some_and(|pattern| pattern.is_match(line));
        let name = self.collect_as.clone()?;
        let mut open = self.enter.is_none();
        let mut collected: Vec<&'a [u8]> = Vec::new();
        for line in lines {
            if !open || self.enter.is_some() && is(&self.exit, line) {
                open = (!open || self.include_enter) && is(&self.enter, line);
                if open && self.include_enter {
                    collected.push(line);
                }
            } else if self.pattern.is_none() || is(&self.pattern, line) {
                collected.push(line);
            }
        }
        let Some(split_on) = &self.split_on else { return Some((name, Value::lines(collected))) };
        let blocks = collected.split(|line| split_on.is_match(line)).filter(|block| !block.is_empty());
        Some((name, Value::List(blocks.map(|block| Value::Text(block.join(&b'\n').into())).collect())))
    }
}

impl Chunk {
    /// The name of the records, and the records. Lines in front of the first block belong to none.
    fn collect<'a>(&self, lines: &[&'a [u8]]) -> (String, Value<'a>) {
        let starts: Vec<usize> = (0..lines.len()).filter(|at| self.split_on.is_match(lines[*at])).collect();
        let ends = starts.iter().skip(1).copied().chain([lines.len()]);
        let mut carried = HashMap::new();
        let record =
            |(start, end): (&usize, usize)| self.record(lines[*start], &lines[start + 1..end], &mut carried);
        let records: Vec<Names<'a>> = starts.iter().zip(ends).map(record).collect();
        let records = match &self.group_by {
            Some(field) => self.group(field, records),
            None => records,
        };
        (self.collect_as.clone(), Value::List(records.into_iter().map(Value::Record).collect()))
    }

    fn record<'a>(
        &self,
        head: &'a [u8],
        rest: &[&'a [u8]],
        carried: &mut HashMap<String, Value<'a>>,
    ) -> Names<'a> {
        let mut fields = Vec::new();
        let first = self.include_split_line.unwrap_or(true).then_some(head);
        let body = || first.into_iter().chain(rest.iter().copied());
        fields.extend(self.extract.iter().filter_map(|field| field.find([head].into_iter(), carried)));
        fields.extend(self.body_extract.iter().filter_map(|field| field.find(body(), carried)));
        fields.extend(self.aggregate.iter().flat_map(|aggregate| aggregate.of(body())));
        fields
    }

    /// Merges records with the same value of `field`: numbers are added, other fields keep the first value.
    fn group<'a>(&self, field: &str, records: Vec<Names<'a>>) -> Vec<Names<'a>> {
        let mut groups: IndexMap<Vec<u8>, (Names<'a>, Vec<Value<'a>>)> = IndexMap::new();
        for record in records {
            let key = text(record.iter().find(|(name, _)| name == field).map(|(_, value)| value)).to_vec();
            let (group, children) = groups.entry(key).or_default();
            if children.is_empty() {
                group.clone_from(&record);
            } else {
                add(group, field, &record);
            }
            children.push(Value::Record(record));
        }
        let with_children = |(mut fields, children): (Names<'a>, _)| {
            fields.extend(self.children_as.clone().map(|name| (name, Value::List(children))));
            fields
        };
        groups.into_values().map(with_children).collect()
    }
}

impl Field {
    fn find<'a>(
        &self,
        mut lines: impl Iterator<Item = &'a [u8]>,
        carried: &mut HashMap<String, Value<'a>>,
    ) -> Option<(String, Value<'a>)> {
        let found = lines.find_map(|line| {
            let captures = self.pattern.captures(line)?;
            Some(Value::Text(captures.get(1).or(captures.get(0))?.as_bytes().into()))
        });
        let value = if self.carry_forward {
            carried.extend(found.map(|value| (self.name.clone(), value)));
            carried.get(&self.name)?.clone()
        } else {
            found?
        };
        Some((self.name.clone(), value))
    }
}

fn add<'a>(group: &mut Names<'a>, key: &str, record: &Names<'a>) {
    let number = |value: &Value<'_>| std::str::from_utf8(text(Some(value))).ok()?.parse::<i64>().ok();
    for (name, value) in record.iter().filter(|(name, _)| name != key) {
        match group.iter_mut().find(|(known, _)| known == name) {
            Some((_, sum)) => {
                if let (Some(a), Some(b)) = (number(sum), number(value)) {
                    *sum = Value::number(a.saturating_add(b));
                }
            }
            None => group.push((name.clone(), value.clone())),
        }
    }
}

fn text<'v>(value: Option<&'v Value<'_>>) -> &'v [u8] {
    match value {
        Some(Value::Text(text)) => text,
        _ => b"",
    }
}

impl Aggregate {
    /// The sum and the count of these lines, by name. The sum saturates; a capture that is no 64-bit integer is 0.
    fn of<'a, 'b>(&self, lines: impl Iterator<Item = &'b [u8]>) -> Names<'a> {
        let (mut sum, mut count) = (0_i64, 0_i64);
        for captures in lines.filter_map(|line| self.pattern.captures(line)) {
            count += 1;
            let number = captures.get(1).map(|number| String::from_utf8_lossy(number.as_bytes()));
            sum = sum.saturating_add(number.and_then(|number| number.trim().parse().ok()).unwrap_or(0));
        }
        let named = [(&self.sum, sum), (&self.count_as, count)];
        named.into_iter().filter_map(|(name, number)| Some((name.clone()?, Value::number(number)))).collect()
    }

    /// The sum and the count of the lines that were collected under `from`; `None` where the budget is spent.
    fn of_collected<'a>(&self, names: &Names<'a>, budget: &Budget) -> Option<Names<'a>> {
        let from = self.from.as_deref().unwrap_or_default();
        let collected = names.iter().rev().find(|(name, _)| name == from);
        let text = collected.map_or(Some(Vec::new()), |(_, value)| value.to_text(budget))?;
        Some(self.of(lines_of(&text)))
    }
}

impl Parse {
    /// `branch` and `group_counts` of these lines; `None` where the budget is spent.
    fn collect<'a>(&self, output: &Output, lines: &[&'a [u8]], budget: &Budget) -> Option<Names<'a>> {
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
