//! YAML against another reader and writer of it: what we read is what `serde_yaml` wrote, and Schema-YAML is YAML to it.

use llm_toto::document::yaml_to_json;
use llm_toto::render::schema_yaml;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::notation::document;

/// Strings that a reader of YAML may take for something else.
const TEXTS: &[&str] = &[
    "web",
    "",
    "yes",
    "No",
    "null",
    "~",
    "on",
    "y",
    "true",
    "007",
    "1.10",
    "1e3",
    "0x1F",
    "1_000",
    ".inf",
    "NaN",
    "2026-11-22",
    "12:30:45",
    "a: b",
    "a:",
    "- x",
    "-",
    "?",
    "# c",
    "a #b",
    "[x]",
    "{x}",
    "*a",
    "&a",
    "!t",
    "%d",
    "@x",
    "`x`",
    "'q'",
    "\"q\"",
    "a, b",
    " lead",
    "trail ",
    "two\nlines",
    "ends\n",
    "\n",
    "tab\tin",
    "é ✓",
    "\u{1}",
    "\\n",
    "<<",
    "=",
    "---",
    "...",
    "| x",
    "> x",
];

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        3 => prop::sample::select(TEXTS).prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => (-1.0e6..1.0e6_f64).prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::Null),
    ]
}

fn object(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    let key = prop::sample::select(&["name", "kind", "a.b", "x/y", "n1", "yes", "two words"][..]);
    prop::collection::vec((key, value), 1..5).prop_map(|members| {
        Value::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>())
    })
}

fn tree() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(3, 20, 4, |inner| {
        prop_oneof![prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from), object(inner)]
    })
}

/// Numbers by their value: 1.0 and 1 are two texts of one.
fn plain(value: &Value) -> Value {
    match value {
        Value::Number(number) => number.as_i64().map_or_else(|| json!(number.as_f64()), |whole| json!(whole)),
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(members) => members.iter().map(|(key, value)| (key.clone(), plain(value))).collect(),
        other => other.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_another_wrote_is_read_as_it_was(items in prop::collection::vec(object(tree()), 1..4)) {
        let written = json!({ "apiVersion": "v1", "items": items });
        let text = serde_yaml::to_string(&written).unwrap();
        // What holds a sign of a comment, an anchor or a tag may be left alone; what is read is read right.
        if let Some(read) = yaml_to_json(&text) {
            let read: Value = serde_json::from_str(&read).unwrap();
            prop_assert_eq!(plain(&read), plain(&written), "{}", text);
        }
    }

    #[test]
    fn schema_yaml_is_yaml_to_others(rows in prop::collection::vec((leaf(), leaf()), 2..6)) {
        let rows: Vec<Value> = rows.into_iter().map(|(a, b)| json!({ "name": a, "two words": b })).collect();
        let text = Value::from(rows.clone()).to_string();
        let rendered = String::from_utf8(schema_yaml::render(&document(&text)).unwrap()).unwrap();
        let read: Value = serde_yaml::from_str(&rendered).unwrap();
        prop_assert_eq!(&read["schema"], &json!(["name", "two words"]));
        let cells = read["data"].as_array().unwrap().iter();
        let read: Vec<Value> = cells.map(|row| json!({ "name": row[0], "two words": row[1] })).collect();
        prop_assert_eq!(plain(&Value::from(read)), plain(&Value::from(rows)), "{}", rendered);
    }
}

#[test]
fn what_a_tool_prints_is_read() {
    let pod = json!({ "kind": "Pod", "metadata": { "name": "web-1", "labels": { "on": "yes", "port": "8080" } },
                      "spec": { "containers": [{ "args": ["-c", "a: b"], "ready": true, "limit": 0.5 }] } });
    let text = serde_yaml::to_string(&pod).unwrap();
    let read = yaml_to_json(&text).unwrap_or_else(|| panic!("not read:\n{text}"));
    assert_eq!(serde_json::from_str::<Value>(&read).unwrap(), pod);
}

/// The property above says nothing of what is not read.
#[test]
fn what_is_left_unread_is_known() {
    let is_unread = |text: &&&str| {
        let written = json!({ "kind": "List", "items": [{ "name": text }] });
        yaml_to_json(&serde_yaml::to_string(&written).unwrap()).is_none()
    };
    let unread: Vec<&&str> = TEXTS.iter().filter(is_unread).collect();
    assert_eq!(unread, [] as [&&str; 0]);
}

#[test]
fn what_is_mostly_texts_of_several_lines_stays() {
    let map = |text: &str, more: &str| {
        let written = json!({ "kind": "ConfigMap", "data": { "app.properties": text }, "note": more });
        yaml_to_json(&serde_yaml::to_string(&written).unwrap())
    };
    let lines = "http.port=8080\nhttp.timeout=20\nfx.rates.url=https://rates.example.com/daily\n";
    assert_eq!(map(lines, ""), None);
    assert!(map(lines, &"one line of much else ".repeat(20)).is_some());
    assert!(map("http.port=8080\n", "").is_some(), "one line is a value like any other");
}
