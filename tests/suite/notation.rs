//! Properties of the notation: every document comes back with the same paths and the same scalars.

mod examples;
mod printed;

use llm_toto::config::Level;
use llm_toto::document::{Document, Layout, scan};
use llm_toto::pipeline::{Options, Shape, compress};
use llm_toto::render::expand::expand;
use llm_toto::render::{minified, pvfn, schema_yaml};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Map, Value, json};

use crate::parsers::properties::round_trip::{facts, violation};

pub fn document(text: &str) -> Document<'_> {
    match scan(text) {
        Layout::Document(document) => document,
        other => panic!("not a document: {other:?}"),
    }
}

/// Renders a document and reads it back; `None` if the document has no form in the notation.
fn round_trip(text: &str) -> Option<String> {
    let rendered = String::from_utf8(pvfn::render(&document(text))?).expect("text stays text");
    match expand(&rendered) {
        Ok(json) => {
            let json = String::from_utf8(json).expect("text stays text");
            assert_eq!(facts(&json), facts(text), "\n{text}\n{rendered}");
        }
        Err(error) => panic!("{error}\n{text}\n{rendered}"),
    }
    Some(rendered)
}

/// Texts that mean something in the notation, and some that do not.
const HOSTILE: &[&str] = &[
    "",
    " ",
    "-",
    "--",
    "- x",
    "a b",
    "a  b ",
    " a",
    "*",
    "(as &1)",
    "&1",
    "&1 x",
    "$",
    "$1",
    "$a",
    "${a}",
    "{name}",
    "x {url}/{name} {{a}}",
    "{a} {b",
    "a$1",
    "a$",
    "a$$",
    "{",
    "}",
    "{}",
    "[]",
    "[1]",
    "(x)",
    ")",
    "a)",
    "a(b)",
    "a]",
    "{a=b}",
    "a=b",
    "a:",
    "a: b",
    ":",
    "a,",
    ",",
    "a, b",
    "1",
    "01",
    "1.0",
    "1e5",
    "-1",
    "1..3",
    "-1..2",
    "..",
    "true",
    "null",
    "NaN",
    "\"",
    "\"a\"",
    "a\"b",
    "\\",
    "a\\nb",
    "a\nb",
    "\t",
    "\u{1}",
    "\u{7f}",
    "é",
    "😀 x",
    "it's don'tx 12345 caf\u{e9}x 1\u{663}2",
    "all:",
    "default:",
    "a=b c",
    "\"a b\"=\"c\" d",
    "next 2 rows:",
    "all: x",
    "ndjson",
    "json{",
    "~",
    "#",
    "@1",
    "https://api.example.com/users/octocat",
    "https://api.example.com/users/octocat/repos{/x}",
    "https://api.example.com/users/1",
    "arn:aws:iam::123456789012:role/x y",
    "2026-11-21T10:03:43.000Z",
    "{\"a\":[1,\"x y\"],\"b\":{}}",
    "{\"Version\": \"1\", \"a\": [{\"b\": null}, {\"b\": 2}]}",
    "{\"a\":{\"b\":\"1\"}}\n",
    "{\n  \"key\": [\n    1,\n    {}\n  ]\n}",
    "{\"a\":1,\"a\":2,\"b\":3}",
    "[\"{\\\"a\\\":\\\"$1 x\\\"}\"]",
    "json{a=1}",
    "jsonl[1]",
    "{'a': 1}",
    "A text with blanks that comes again and again",
    "A text with blanks that comes \"again\"",
    "0",
    "..}:",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => prop::sample::select(HOSTILE).prop_map(str::to_owned),
        2 => "[a-c]{1,3}",
        1 => "\\PC{0,6}",
        1 => "[ -~]{0,8}",
    ]
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3i64..30).prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        text().prop_map(Value::from),
        text().prop_map(Value::from),
    ]
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![4 => "[a-d]", 1 => text(), 2 => "name|url|as|above"]
}

/// Documents with lists of objects that look alike, as tools print them.
fn tree() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(5, 60, 6, |inner| {
        let object = prop::collection::vec((key(), inner.clone()), 0..6)
            .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>()))
            .boxed();
        let rows = (object.clone(), prop::collection::vec((key(), inner.clone(), any::<u8>()), 1..8)).boxed();
        prop_oneof![
            2 => object.clone(),
            1 => prop::collection::vec(inner, 0..6).prop_map(Value::Array),
            1 => prop::collection::vec(0i64..9, 0..9).prop_map(Value::from),
            3 => rows.clone().prop_map(|(first, changes)| Value::Array(alike(&first, changes))),
            1 => rows.prop_map(|(first, changes)| {
                let rows = alike(&first, changes).into_iter().enumerate();
                Value::Object(rows.map(|(at, row)| (format!("k{at}"), row)).collect())
            }),
        ]
    })
}

/// Copies of an object that differ in one member each, or have one member more or less.
fn alike(first: &Value, changes: Vec<(String, Value, u8)>) -> Vec<Value> {
    let first = if first.as_object().is_some_and(|object| !object.is_empty()) {
        first.clone()
    } else {
        json!({"name": "x", "url": "https://api.example.com/x", "id": 1})
    };
    let copy = |(at, (key, value, how)): (usize, (String, Value, u8))| {
        let mut row = first.clone();
        if let Some(row) = row.as_object_mut() {
            match how % 4 {
                0 => {
                    row.insert(key, value);
                }
                1 => {
                    row.shift_remove(&key);
                    row.insert("name".into(), format!("name-{at}").into());
                    row.insert("url".into(), format!("https://api.example.com/name-{at}/x").into());
                }
                2 if row.len() > 1 => {
                    let gone = row.keys().next().cloned().unwrap_or_default();
                    row.shift_remove(&gone);
                }
                _ => {}
            }
        }
        row
    };
    changes.into_iter().enumerate().map(copy).collect()
}

/// Documents as tools print them: alone, one a line, between lines of text, as YAML.
fn output() -> impl Strategy<Value = String> {
    let lines = prop::collection::vec(
        prop::sample::select(&["warning: x", "---", "a=1", "(x left out)", "{", "", "[1] x:"][..]),
        0..3,
    );
    let document = tree().prop_filter("a container", |value| value.is_object() || value.is_array());
    (prop::collection::vec((lines, document), 1..4), 0..5).prop_map(|(parts, form)| {
        let mut text = String::new();
        for (at, (lines, value)) in parts.into_iter().enumerate() {
            for line in lines.into_iter().filter(|_| form > 1) {
                text += line;
                text.push('\n');
            }
            text += &match form {
                0 | 2 => serde_json::to_string_pretty(&value).unwrap(),
                4 => format!("{}key{at}: {value}", if at == 0 { "---\n" } else { "" }),
                _ => value.to_string(),
            };
            text.push('\n');
        }
        text
    })
}

/// Number of cases: as `TOTO_NOTATION_CASES` says (CONTRIBUTING.md), or so many.
pub fn cases(usual: u32) -> u32 {
    let cases = std::env::var("TOTO_NOTATION_CASES");
    cases.map_or(usual, |cases| {
        cases.parse().unwrap_or_else(|_| panic!("TOTO_NOTATION_CASES={cases} is no number"))
    })
}

/// Reads a text in which some characters stand in place of others: an error is one line, and names a line of the text.
pub fn read_damaged(text: &str, cuts: Vec<(Index, usize, String)>) -> Result<(), TestCaseError> {
    let mut broken: Vec<char> = text.chars().collect();
    for (at, length, more) in cuts {
        let at = at.index(broken.len() + 1);
        broken.splice(at..broken.len().min(at + length), more.chars());
    }
    let broken: String = broken.into_iter().collect();
    if let Err(error) = expand(&broken) {
        prop_assert!((1..=broken.lines().count() + 1).contains(&error.line), "{}\n{}", error, broken);
        prop_assert_eq!(error.to_string().lines().count(), 1);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(100), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn documents_come_back(value in tree()) {
        if value.is_object() || value.is_array() {
            round_trip(&value.to_string());
            round_trip(&serde_json::to_string_pretty(&value).unwrap());
        }
    }

    /// Columns at several depths that often say the same, with keys that a path or a template gives a meaning to.
    #[test]
    fn columns_that_say_the_same_come_back(
        places in prop::collection::vec((prop::collection::vec(prop::sample::select(&["a", "b", "+5", "x-y", "0", "c.d", "created_at"][..]), 1..4), 0..3_usize), 2..9),
        rows in prop::collection::vec((prop::collection::vec("[a-f]{6,9}", 3), any::<u16>()), 2..9),
    ) {
        let row = |(values, odd): &(Vec<String>, u16)| {
            let mut row = json!({});
            for (at, (path, value)) in places.iter().enumerate() {
                let mut here = &mut row;
                for step in path {
                    here = here.as_object_mut().unwrap().entry(*step).or_insert(json!({}));
                    if !here.is_object() {
                        break;
                    }
                }
                if here.as_object().is_some_and(Map::is_empty) {
                    // Now and then a row says something else, names a column in braces, or has nothing there.
                    *here = match (odd >> at & 1, at % 4) {
                        (0, _) => json!(values[*value]),
                        (_, 0) => json!(["{a.b}", "{a.0.a}", "{a.00.a}"][*value]),
                        (_, 1) => json!([{"a": values[*value]}]),
                        (_, 2) => json!({}),
                        _ => json!(values[(value + 1) % 3]),
                    };
                }
            }
            row
        };
        round_trip(&Value::Array(rows.iter().map(row).collect()).to_string());
    }

    #[test]
    fn streams_come_back(values in prop::collection::vec(tree(), 2..5)) {
        let lines: Vec<String> =
            values.iter().filter(|value| value.is_object() || value.is_array()).map(Value::to_string).collect();
        if lines.len() > 1 {
            let text = lines.join("\n");
            if let Some(rendered) = round_trip(&text) {
                let json = String::from_utf8(expand(&rendered).unwrap()).unwrap();
                prop_assert_eq!(json.lines().count(), lines.len());
            }
        }
    }

    #[test]
    fn minified_json_says_the_same(value in tree()) {
        if value.is_object() || value.is_array() {
            let text = serde_json::to_string_pretty(&value).unwrap();
            let minified = minified::render(&document(&text));
            prop_assert_eq!(serde_json::from_slice::<Value>(&minified).unwrap(), value);
        }
    }

    #[test]
    fn dense_lists_come_back_from_schema_yaml(rows in prop::collection::vec((scalar(), scalar()), 2..6), keys in (key(), key())) {
        let keys = if keys.0 == keys.1 { (keys.0, format!("{}2", keys.1)) } else { keys };
        let row = |(a, b): &(Value, Value)| json!({ &keys.0: a, &keys.1: b });
        let text = Value::Array(rows.iter().map(row).collect()).to_string();
        let rendered = String::from_utf8(schema_yaml::render(&document(&text)).unwrap()).unwrap();
        let json = String::from_utf8(expand(&rendered).unwrap()).unwrap();
        prop_assert_eq!(facts(&json), facts(&text), "{}", rendered);
    }

    #[test]
    fn what_is_pruned_could_not_win(value in tree()) {
        if value.is_object() || value.is_array() {
            let text = value.to_string();
            let document = document(&text);
            let json = minified::render(&document);
            prop_assert!(minified::fewest_tokens(&document, usize::MAX) <= llm_toto::tokens::count(&json));
        }
    }

    #[test]
    fn outputs_come_back(text in output()) {
        prop_assert_eq!(violation(&text), None, "{}", text);
    }

    #[test]
    fn the_reader_answers_whatever_it_is_given(text in "[ -~\n]{0,200}") {
        let _ = expand(&text);
    }

    #[test]
    fn the_reader_answers_to_what_is_nearly_right(value in tree(), cuts in prop::collection::vec((any::<Index>(), 0..6usize, "[ -~\n]{0,3}"), 1..4)) {
        let text = value.to_string();
        if let Layout::Document(document) = scan(&text)
            && let Some(rendered) = pvfn::render(&document)
        {
            read_damaged(std::str::from_utf8(&rendered).unwrap(), cuts)?;
        }
    }

    #[test]
    fn no_output_has_more_tokens_than_the_original(value in tree(), level in 0..3) {
        let level = [Level::Lossless, Level::Standard, Level::Max][level as usize];
        let text = value.to_string();
        let report = compress(text.as_bytes(), &Options { level, recall: "toto show last", ..Options::default() });
        // What nobody would see is written as escapes, whatever they cost.
        prop_assert!(report.output_tokens <= report.original_tokens || report.shape == Shape::Text);
        prop_assert_eq!(llm_toto::tokens::count(&report.output), report.output_tokens);
    }
}

/// The rest behind an alias is quoted where it looks like a pair of an object.
#[test]
fn an_element_of_a_list_that_begins_with_an_alias_is_no_object() {
    let url = "https://ci.example.com/teams/shop/pipelines/";
    let step = |at: usize| {
        json!({"name": format!("step-{at}"), "image": format!("registry.example.org/team/builder:1.{at}"),
            "commands": [format!("make build-{at}"), "make test"], "environment": {"TOKEN_NAME": format!("abc{at}"), "REGION": "eu-central-1"},
            "logs": format!("{url}logs/{at}")})
    };
    let value = json!({
        "pipeline": [format!("{url}start?project=shop"), step(1), format!("{url}notify?project=shop"), step(2), step(3)],
        "other": [format!("{url}a"), format!("{url}b")],
    });
    let told = round_trip(&value.to_string()).unwrap();
    assert!(told.lines().any(|line| line.trim_start().starts_with("- $") && line.contains('=')), "{told}");
}
