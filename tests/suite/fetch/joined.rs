//! Documents joined into one: each call gets its own back.

use std::collections::HashSet;

use llm_toto::document::{Layout, scan};
use llm_toto::fetch::{Merged, joined};
use llm_toto::render::{expand::expand, pvfn};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{each, instance, regions, seen};
use crate::harness::run_with;

#[test]
fn the_notation_reads_back_to_what_was_joined() {
    let sandbox = regions();
    let args = each("us-east-1,none,eu-west-1", &["--level", "lossless", "--format", "pvfn"]);
    let shown = seen(&sandbox, &args).ok().out;
    let expanded: Value =
        serde_json::from_slice(&run_with(&mut sandbox.toto(["expand"]), &shown).ok().out).unwrap();
    let documents: Vec<(String, Value)> = ["us-east-1", "none", "eu-west-1"]
        .map(|region| {
            let rows =
                if region == "none" { Vec::new() } else { (0..6).map(|at| instance(region, at)).collect() };
            (region.to_owned(), json!({ "Reservations": rows }))
        })
        .to_vec();
    let documents: Vec<(&String, &Value)> = documents.iter().map(|(name, value)| (name, value)).collect();
    for (name, document) in &documents {
        assert_eq!(apart(&expanded, name, document, &documents), **document, "{name}");
    }
}

/// Keys of objects anywhere that may stand beside ours.
fn taken(documents: &[(&String, &Value)]) -> HashSet<String> {
    let objects = |value: &Value| -> Vec<Map<String, Value>> {
        let rows = |value: &Value| {
            value.as_array().into_iter().flatten().filter_map(Value::as_object).cloned().collect()
        };
        let mut found: Vec<Map<String, Value>> = rows(value);
        if let Some(object) = value.as_object() {
            let is_table = |value: &&Value| {
                value.as_array().is_some_and(|list| !list.is_empty() && list.iter().all(Value::is_object))
            };
            found.extend(object.values().filter(is_table).flat_map(rows));
            found.push(object.clone());
        }
        found
    };
    let is_table = |value: &Value| value.as_array().is_none_or(|list| list.iter().all(Value::is_object));
    let joinable = documents.iter().filter(|(_, document)| is_table(document));
    joinable
        .flat_map(|(_, document)| objects(document))
        .flat_map(|object| object.keys().cloned().collect::<Vec<_>>())
        .collect()
}

/// What the joined answer says of one call; `group` are the documents that were joined with it, itself included.
fn apart(joined: &Value, name: &str, document: &Value, group: &[(&String, &Value)]) -> Value {
    let taken = taken(group);
    let free = |key: &str| {
        (0..99).map(|n| format!("{key}{}", "_".repeat(n))).find(|key| !taken.contains(key)).unwrap()
    };
    let (source, none, calls) = (free("source"), free("none"), free("calls"));
    let is_named = |value: &Value| {
        value == name || value.as_array().is_some_and(|names| names.iter().any(|one| one == name))
    };
    let own = |list: &Value| -> Vec<Value> {
        let rows = list.as_array().unwrap().iter().filter(|row| is_named(&row[&source]));
        rows.map(|row| {
            let mut row = row.as_object().unwrap().clone();
            row.remove(&source);
            Value::Object(row)
        })
        .collect()
    };
    if joined.is_array() {
        let rows = own(joined);
        return match document {
            Value::Array(list) if !list.is_empty() => Value::Array(rows),
            Value::Array(_) => rows[0]["output"].clone(),
            _ => rows[0].clone(),
        };
    }
    let mut found = Map::new();
    for (key, value) in joined.as_object().unwrap() {
        if *key == none && value.is_object() {
            for (key, names) in value.as_object().unwrap() {
                if is_named(names) {
                    found.insert(key.clone(), json!([]));
                }
            }
        } else if *key == calls {
            found.extend(own(value).into_iter().flat_map(|row| row.as_object().unwrap().clone()));
        } else if let rows = own(value)
            && !rows.is_empty()
        {
            found.insert(key.clone(), Value::Array(rows));
        }
    }
    if document.is_array() { found["output"].clone() } else { Value::Object(found) }
}

/// Every name that stands for a call in a group.
fn names_in(joined: &Value, all: &[String]) -> Vec<String> {
    fn walk(value: &Value, depth: usize, found: &mut HashSet<String>) {
        match value {
            Value::String(text) => drop(found.insert(text.clone())),
            Value::Array(list) if depth < 5 => list.iter().for_each(|value| walk(value, depth + 1, found)),
            Value::Object(map) if depth < 5 => map.values().for_each(|value| walk(value, depth + 1, found)),
            _ => {}
        }
    }
    let mut found = HashSet::new();
    walk(joined, 0, &mut found);
    all.iter().filter(|name| found.contains(*name)).cloned().collect()
}

fn key() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "source", "source_", "none", "calls", "output", "Items", "Tags", "id", "name", "a.b", "",
    ])
    .prop_map(str::to_owned)
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<i32>().prop_map(Value::from),
        "[a-z ,]{0,3}".prop_map(Value::from)
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map(key(), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// A list of objects, or what is nearly one.
fn list() -> impl Strategy<Value = Value> {
    let row = prop::collection::hash_map(key(), value(), 0..4)
        .prop_map(|map| Value::Object(map.into_iter().collect()));
    prop::collection::vec(row, 0..4).prop_map(Value::from)
}

fn document() -> impl Strategy<Value = Value> {
    let member = prop_oneof![value(), list(), list()];
    prop_oneof![
        list(),
        value().prop_filter("a container", |value| value.is_array() || value.is_object()),
        prop::collection::hash_map(key(), member, 0..4)
            .prop_map(|map| Value::Object(map.into_iter().collect())),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn every_call_gets_its_document_back(documents in prop::collection::vec(document(), 1..6), notation in any::<bool>()) {
        // Names that no document holds, so that a group's members can be told by them.
        let names: Vec<String> = (0..documents.len()).map(|at| format!("CALL {at}")).collect();
        let texts: Vec<String> = documents.iter().map(Value::to_string).collect();
        let sources: Vec<Merged<'_>> = texts
            .iter()
            .zip(&names)
            .map(|(text, name)| {
                let Layout::Document(document) = scan(text) else { panic!("{text}") };
                Merged { names: vec![name.clone()], document }
            })
            .collect();
        let text = String::from_utf8(joined(&sources)).unwrap();
        let text = match scan(&text) {
            Layout::Document(document) if notation => pvfn::render(&document)
                .map_or(text.clone(), |pvfn| String::from_utf8(expand(&String::from_utf8(pvfn).unwrap()).unwrap()).unwrap()),
            Layout::Document(_) => text,
            other => panic!("{text}: {other:?}"),
        };
        let whole: Value = serde_json::from_str(&text).unwrap();
        let pairs: Vec<(&String, &Value)> = names.iter().zip(&documents).collect();
        for (name, document) in &pairs {
            // Alone under its name, in a group of some, or in one group of all.
            let alone = whole.get(name.as_str());
            let found = alone.cloned().unwrap_or_else(|| {
                let groups = whole.as_object().filter(|groups| groups.keys().all(|key| key.starts_with("CALL ")));
                let part = groups
                    .and_then(|groups| groups.values().find(|group| names_in(group, &names).contains(name)))
                    .unwrap_or(&whole);
                let members = names_in(part, &names);
                let group: Vec<_> = pairs.iter().filter(|(name, _)| members.contains(name)).copied().collect();
                apart(part, name, document, &group)
            });
            prop_assert_eq!(&found, *document, "{} of {}", name, text);
        }
    }
}
