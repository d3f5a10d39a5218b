//! What the notation must hold: every document comes back with the same paths and the same scalars.

use llm_toto::config::{Format, Level};
use llm_toto::document::{Document, Layout, scan};
use llm_toto::pipeline::{Count, Options, Shape, compress};
use llm_toto::render::bound::fewest_tokens;
use llm_toto::render::expand::{expand, expand_within};
use llm_toto::render::{minified, pvfn, schema_yaml};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

#[path = "../round_trip.rs"]
mod round_trip;

use round_trip::{facts, violation};

fn document(text: &str) -> Document<'_> {
    match scan(text) {
        Layout::Document(document) => document,
        other => panic!("not a document: {other:?}"),
    }
}

/// Renders and reads back; nothing if the document has no form in the notation.
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
    "*1",
    "&1",
    "&1 x",
    "$",
    "$1",
    "$a",
    "${a}",
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
    "all:",
    "below:",
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
    prop_oneof![4 => "[a-d]", 1 => text(), 1 => Just("name".to_owned()), 1 => Just("url".to_owned())]
}

/// Documents, with lists of objects that look alike as tools print them.
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

/// Copies of an object that differ in a member each, or have one more or one less.
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

/// Some cases, or as many as `TOTO_NOTATION_CASES` says: docs/notation.md.
fn cases() -> u32 {
    let cases = std::env::var("TOTO_NOTATION_CASES");
    cases.map_or(100, |cases| {
        cases.parse().unwrap_or_else(|_| panic!("TOTO_NOTATION_CASES={cases} is no number"))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn documents_come_back(value in tree()) {
        if value.is_object() || value.is_array() {
            round_trip(&value.to_string());
            round_trip(&serde_json::to_string_pretty(&value).unwrap());
        }
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
            prop_assert_eq!(minified::render(&document(&text)), format!("{value}\n").into_bytes());
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
            let (json, schema) = (minified::render(&document), schema_yaml::render(&document));
            prop_assert!(fewest_tokens(&document, true, usize::MAX) <= llm_toto::tokens::count(&json));
            if let Some(schema) = schema {
                prop_assert!(fewest_tokens(&document, false, usize::MAX) <= llm_toto::tokens::count(&schema));
            }
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
    fn the_reader_answers_to_what_is_nearly_right(value in tree(), cuts in prop::collection::vec((any::<prop::sample::Index>(), 0..6usize, "[ -~\n]{0,3}"), 1..4)) {
        let text = value.to_string();
        if let Layout::Document(document) = scan(&text)
            && let Some(rendered) = pvfn::render(&document)
        {
            let mut broken: Vec<char> = String::from_utf8(rendered).unwrap().chars().collect();
            for (at, length, more) in cuts {
                let at = at.index(broken.len() + 1);
                broken.splice(at..broken.len().min(at + length), more.chars());
            }
            let broken: String = broken.into_iter().collect();
            if let Err(error) = expand(&broken) {
                prop_assert!((1..=broken.lines().count() + 1).contains(&error.line), "{}\n{}", error, broken);
                prop_assert_eq!(error.to_string().lines().count(), 1);
            }
        }
    }

    #[test]
    fn no_output_has_more_tokens_than_the_original(value in tree(), level in 0..3) {
        let level = [Level::Lossless, Level::Standard, Level::Max][level as usize];
        let text = value.to_string();
        let report = compress(text.as_bytes(), &Options { level, recall: "toto show last", ..Options::default() });
        prop_assert!(report.output_tokens <= report.original_tokens);
        prop_assert_eq!(llm_toto::tokens::count(&report.output), report.output_tokens);
    }
}

#[test]
fn numbers_keep_their_text() {
    let text = r#"{"a":[1.10,12345678901234567890123,1e400,-0,0.0,1E+5],"b":{"c":1.0,"d":"1.0"}}"#;
    round_trip(text).unwrap();
}

#[test]
fn json_within_strings_is_opened() {
    let policy = json!({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["s3:*"], "Resource": "*"}]});
    let text =
        json!({"compact": policy.to_string(), "pretty": serde_json::to_string_pretty(&policy).unwrap()});
    let rendered = round_trip(&text.to_string()).unwrap();
    assert!(rendered.contains("compact=json{Version=2012-10-17 "), "{rendered}");
    assert!(rendered.contains("pretty=json2{Version=2012-10-17 "), "{rendered}");
}

#[test]
fn forced_formats_are_obeyed() {
    let text = r#"{"a": 1, "b": {"c": [1, 2, 3]}}"#;
    for (format, shape) in
        [(Format::Pvfn, Shape::Pvfn), (Format::Json, Shape::Json), (Format::Raw, Shape::Raw)]
    {
        assert_eq!(compress(text.as_bytes(), &Options { format, ..Options::default() }).shape, shape);
    }
}

#[test]
fn a_deep_document_is_left_to_json() {
    let deep = format!("{}1{}", "{\"a\":[".repeat(90), "]}".repeat(90));
    assert_eq!(pvfn::render(&document(&deep)), None);
    let report = compress(deep.as_bytes(), &Options::default());
    assert!(matches!(report.shape, Shape::Json | Shape::Raw));
}

#[test]
fn the_manual_s_example_is_read() {
    let manual = fs_err::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/notation.md")).unwrap();
    let example = manual.split("```\n").nth(1).unwrap();
    let json: Value = serde_json::from_slice(&expand(example).unwrap()).unwrap();
    assert_eq!(json["roles"][1], "arn:aws:iam::123456789012:role/with blanks");
    assert_eq!(json["ports"].as_array().unwrap().len(), 12);
    assert_eq!(
        json["items"][1],
        json!({"namespace": "shop", "replicas": 3, "url": "https://example.com/web-b", "image": "web:1.0",
               "name": "web-b", "uid": "a9fff49b"})
    );
    assert_eq!(json["items"][2]["image"], "web:1.1");
    assert_eq!(json["fallback"]["tolerations"][1]["key"], "unreachable");
    assert_eq!(json["spec"]["template"]["containers"][0]["args"][1], "--port=8080");
    assert_eq!(json["spec"]["template"]["policy"], r#"{"Version":"2012-10-17","Statement":[]}"#);
}

#[test]
fn each_candidate_tells_its_count() {
    let rows: Vec<String> =
        (0..40).map(|at| format!("{{\"name\":\"web-{at}\",\"state\":\"running\"}}")).collect();
    let report = compress(format!("[{}]", rows.join(",")).as_bytes(), &Options::default());
    let count = |shape| report.candidates.iter().find(|one| one.shape == shape).map(|one| one.count);
    assert_eq!(count(Shape::Raw), Some(Count::Exact(report.original_tokens)));
    assert_eq!(count(Shape::Pvfn), Some(Count::Exact(report.output_tokens)));
    assert_eq!(
        count(Shape::Json),
        Some(Count::MoreThan(report.output_tokens)),
        "pruned: {:?}",
        report.candidates
    );
    let report = compress(b"{\"a\": {\"b\": 1}, \"c\": [1, 2]}", &Options::default());
    let schema = report.candidates.iter().find(|one| one.shape == Shape::SchemaYaml).unwrap();
    assert_eq!(schema.count.to_string(), "does not suit");
}

#[test]
fn text_around_documents_stays() {
    let rows: Vec<String> =
        (0..30).map(|at| format!("{{\"name\": \"web-{at}\", \"state\": \"running\"}}")).collect();
    let text = format!("warning: old client\n[{}]\ndone\n", rows.join(",\n"));
    let report = compress(text.as_bytes(), &Options::default());
    let output = String::from_utf8(report.output).unwrap();
    assert!(
        output.starts_with("warning: old client\n---\n[30]{name}:\n all: state=running\n web-0\n"),
        "{output}"
    );
    assert!(output.ends_with("\n web-29\n---\ndone\n"), "{output}");
    assert_eq!(facts(std::str::from_utf8(&expand(&output).unwrap()).unwrap()), facts(&text));
    let error = expand(&output.replace("web-4", "web-4 x")).unwrap_err();
    assert_eq!(error.line, 9, "{error}");
    // Where the text has such a line itself, a document must show by itself where it ends.
    let text = format!("---\n{text}");
    assert_eq!(compress(text.as_bytes(), &Options::default()).shape, Shape::Json);
}

#[test]
fn json_is_read_as_well() {
    assert_eq!(
        expand("{\"a\": [1, 2]}\n(7 null/empty left out: toto show x)\n").unwrap(),
        b"{\"a\":[1,2]}\n"
    );
    assert_eq!(expand("warning: x\n{\"a\": [1, 2]}\n").unwrap(), b"warning: x\n{\"a\":[1,2]}\n");
}

/// Small texts that would stand for more than memory holds, or nest deeper than a stack: one clear error each.
#[test]
fn what_stands_for_too_much_is_refused() {
    let templates: String =
        (1..16).map(|at| format!(" t{}={}", at + 1, format!("$t{at}").repeat(9))).collect();
    let references: String =
        (2..20).map(|at| format!("k{at}=&{at} [{}]\n", vec![format!("*{}", at - 1); 9].join(" "))).collect();
    let nested: String = (2..99)
        .map(|at| format!("k{at}=&{at} {}*{}{}\n", "{a=".repeat(200), at - 1, "}".repeat(200)))
        .collect();
    for (text, what) in [
        ("a=[1..99999999999999]".to_owned(), "too much"),
        (format!("[2]{{id}}:\n all: t1=abcabcabc{templates}\n 1\n 2\n"), "too much"),
        (format!("k1=&1 [0..99]\n{references}"), "too much"),
        (format!("k1=&1 [0]\n{nested}"), "nested deeper"),
        (format!("{}a=1", "a.".repeat(100_000)), "nested deeper"),
        (format!("a={}1{}", "{a.b.c=".repeat(250), "}".repeat(250)), "nested deeper"),
        (format!("a={}", "[".repeat(100_000)), "nested deeper"),
    ] {
        let error = expand_within(&text, 100_000).unwrap_err().to_string();
        assert!(error.contains(what), "{error}\n{}", &text[..text.len().min(300)]);
    }
}

/// An alias behind an alias behind an alias: each piece of a text is looked at once.
#[test]
fn many_references_in_one_text_are_read_in_linear_time() {
    let text = format!("$1=abcdef\na={}", "$1/".repeat(200_000));
    assert_eq!(expand(&text).unwrap().len(), "{\"a\":\"\"}\n".len() + "abcdef/".len() * 200_000);
}

/// Among the differences of a row `b={0={name=x … name.0.a=-}}` took `name` away with what was below it elsewhere.
#[test]
fn an_absence_below_a_text_takes_nothing_away() {
    let read = |text| String::from_utf8(expand(text).unwrap()).unwrap();
    assert_eq!(read("b={name=x id=1 name.0.a=-}\n"), "{\"b\":{\"name\":\"x\",\"id\":1}}\n");
    assert_eq!(read("b={name.0.a=- id=1 name=x}\n"), "{\"b\":{\"name\":\"x\",\"id\":1}}\n");
    assert_eq!(read("b={id=1 name=x name={a=-}}\n"), "{\"b\":{\"id\":1,\"name\":\"x\"}}\n");
    assert_eq!(read("b={id=1 name=null name={a={c=-} b=-}}\n"), "{\"b\":{\"id\":1,\"name\":null}}\n");
    assert_eq!(read("b={id=1 name=null name={a=- b=2}}\n"), "{\"b\":{\"id\":1,\"name\":{\"b\":2}}}\n");
    let odd = json!({"name": [{"a": null}], "a": -1000});
    let rest = [1, 2, 3].map(
        |at| json!({"name": format!("name-{at}"), "url": format!("https://api.example.com/name-{at}/x")}),
    );
    let first = json!({"name": "x", "url": "https://api.example.com/x", "id": 1});
    let many = Value::Array(std::iter::once(odd).chain(rest).collect());
    let rows =
        json!([{"a": null, "b": [first]}, {"b": many.clone(), "name": "name-1"}, {"a": null, "b": many}]);
    round_trip(&rows.to_string()).unwrap();
    // The same where the scalar stands among others: `k2={a=null d=null d={a=-}}`.
    let like = |at: usize| json!({".x": null, "name": format!("name-{at}"), "url": format!("https://api.example.com/name-{at}/x")});
    let most = json!({"url": {
        "k0": {"a": null, ".x": null}, "k1": {"a": null, ".x": null},
        "k2": {"a": -1, ".x": null, "d": {"a": null}}, "k3": like(3), "k4": {"a": null, ".x": null}
    }});
    let odd = json!({"url": {
        "k0": {"d": null}, "k1": {"d": null, "a": null}, "k2": {"d": null, "a": null},
        "k3": {"d": null, "name": "name-3", "url": "https://api.example.com/name-3/x"}
    }});
    let rendered = round_trip(&json!([most, odd, most]).to_string()).unwrap();
    assert!(rendered.contains("d=null d={a=-}"), "{rendered}");
}

/// Behind a text that nothing ended, the note stood on the text's own last line.
#[test]
fn a_text_that_nothing_ends_stays_apart_from_the_note() {
    let rows: Vec<String> = (0..9).map(|at| format!("{{\"name\": \"web-{at}\", \"on\": null}}\n")).collect();
    for end in ["done", "done\n", "done\n\n"] {
        let text = format!("{}{end}", rows.concat());
        let report = compress(text.as_bytes(), &Options { recall: "toto show x", ..Options::default() });
        assert_eq!(report.shape, Shape::Pvfn);
        let output = String::from_utf8(report.output).unwrap();
        assert!(output.contains("\n(9 null/empty left out: toto show x)"), "{output}");
        let back = String::from_utf8(expand(&output).unwrap()).unwrap();
        assert!(back.ends_with(&format!("\n{end}")), "{back:?}");
        assert_eq!(violation(&text), None, "{text}");
    }
}

/// A text of the tool's own that looked like the note was taken for it.
#[test]
fn a_text_like_the_note_is_no_note() {
    let rows: Vec<String> = (0..9).map(|at| format!("{{\"name\": \"web-{at}\"}}\n")).collect();
    for end in ["(3 lines left out)\n", "done\n(3 lines left out)"] {
        let text = format!("{}{end}", rows.concat());
        let report = compress(
            text.as_bytes(),
            &Options { format: Format::Pvfn, level: Level::Lossless, ..Options::default() },
        );
        assert_eq!(report.shape, Shape::Raw);
        assert_eq!(violation(&text), None, "{text}");
    }
}
