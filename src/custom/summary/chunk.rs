//! `[[chunk]]`: the output in blocks, each a record of fields; records of one kind may become one.

use std::collections::HashMap;

use indexmap::IndexMap;

use crate::custom::schema::{Chunk, Field};
use crate::custom::value::{Names, Value};

impl Chunk {
    /// The name of the records, and the records. Lines in front of the first block belong to none.
    pub(super) fn collect<'a>(&self, lines: &[&'a [u8]]) -> (String, Value<'a>) {
        let starts: Vec<usize> = (0..lines.len()).filter(|at| self.split_on.is_match(lines[*at])).collect();
        let ends = starts.iter().skip(1).copied().chain([lines.len()]);
        let mut carried = HashMap::new();
        let records: Vec<Names<'a>> = starts
            .iter()
            .zip(ends)
            .map(|(start, end)| self.record(lines[*start], &lines[start + 1..end], &mut carried))
            .collect();
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
