//! `[[chunk]]`: the output in blocks, each a record of fields; records of one kind may become one.

use std::collections::HashMap;

use regex::bytes::Regex;

use super::aggregate::Aggregate;
use super::value::Value;
use crate::custom::schema::{Chunk as Rule, Field as FieldRule};
use crate::filter::pattern;
use crate::mistake::Mistake;

/// A compiled chunk.
#[derive(Debug)]
pub struct Chunk {
    split_on: Regex,
    include_split_line: bool,
    name: String,
    head: Option<Field>,
    body: Vec<Field>,
    aggregates: Vec<Aggregate>,
    group_by: Option<String>,
    children_as: Option<String>,
}

#[derive(Debug)]
struct Field {
    pattern: Regex,
    name: String,
    carry_forward: bool,
}

type Fields<'a> = Vec<(String, Value<'a>)>;

impl Chunk {
    /// Compiles a rule that stands in `source`.
    ///
    /// # Errors
    /// An expression that does not compile.
    pub fn new(rule: &Rule, source: &str) -> Result<Self, Mistake> {
        let field = |rule: &FieldRule| {
            let pattern = pattern::one(&rule.pattern, source)?;
            Ok(Field { pattern, name: rule.name.clone(), carry_forward: rule.carry_forward })
        };
        Ok(Self {
            split_on: pattern::one(&rule.split_on, source)?,
            include_split_line: rule.include_split_line,
            name: rule.collect_as.clone(),
            head: rule.extract.as_ref().map(field).transpose()?,
            body: rule.body_extract.iter().map(field).collect::<Result<_, _>>()?,
            aggregates: rule
                .aggregate
                .iter()
                .map(|rule| Aggregate::new(rule, source))
                .collect::<Result<_, _>>()?,
            group_by: rule.group_by.clone(),
            children_as: rule.children_as.clone(),
        })
    }

    /// The name of the records, and the records. Lines in front of the first block belong to none.
    pub fn collect<'a>(&self, lines: &[&'a [u8]]) -> (String, Value<'a>) {
        let starts: Vec<usize> = (0..lines.len()).filter(|at| self.split_on.is_match(lines[*at])).collect();
        let ends = starts.iter().skip(1).copied().chain([lines.len()]);
        let mut carried = HashMap::new();
        let records: Vec<Fields<'a>> = starts
            .iter()
            .zip(ends)
            .map(|(start, end)| self.record(lines[*start], &lines[start + 1..end], &mut carried))
            .collect();
        let records = match &self.group_by {
            Some(field) => self.group(field, records),
            None => records,
        };
        (self.name.clone(), Value::List(records.into_iter().map(Value::Record).collect()))
    }

    fn record<'a>(
        &self,
        head: &'a [u8],
        rest: &[&'a [u8]],
        carried: &mut HashMap<String, Value<'a>>,
    ) -> Fields<'a> {
        let mut fields = Vec::new();
        let first = self.include_split_line.then_some(head);
        let body = || first.into_iter().chain(rest.iter().copied());
        fields.extend(self.head.iter().filter_map(|field| field.find([head].into_iter(), carried)));
        fields.extend(self.body.iter().filter_map(|field| field.find(body(), carried)));
        for aggregate in &self.aggregates {
            fields.extend(aggregate.of(body()));
        }
        fields
    }

    /// Merges records with the same value of `field`: numbers are added, other fields keep the first value.
    fn group<'a>(&self, field: &str, records: Vec<Fields<'a>>) -> Vec<Fields<'a>> {
        let mut groups: Vec<(Fields<'a>, Vec<Value<'a>>)> = Vec::new();
        let mut known: HashMap<Vec<u8>, usize> = HashMap::new();
        for record in records {
            let key = text(record.iter().find(|(name, _)| name == field).map(|(_, value)| value)).to_vec();
            if let Some(at) = known.get(&key) {
                add(&mut groups[*at].0, field, &record);
            } else {
                known.insert(key.clone(), groups.len());
                groups.push((record.clone(), Vec::new()));
            }
            groups[known[&key]].1.push(Value::Record(record));
        }
        let children = |(mut fields, children): (Fields<'a>, Vec<Value<'a>>)| {
            fields.extend(self.children_as.iter().map(|name| (name.clone(), Value::List(children.clone()))));
            fields
        };
        groups.into_iter().map(children).collect()
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
        let value = match found {
            Some(value) if self.carry_forward => {
                carried.insert(self.name.clone(), value.clone());
                value
            }
            Some(value) => value,
            None if self.carry_forward => carried.get(&self.name)?.clone(),
            None => return None,
        };
        Some((self.name.clone(), value))
    }
}

/// Adds the numbers of a record to those of its group.
fn add<'a>(group: &mut Fields<'a>, key: &str, record: &Fields<'a>) {
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
