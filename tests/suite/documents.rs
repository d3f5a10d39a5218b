//! What is taken for a document, and YAML read as JSON.

use llm_toto::document::{Document, Id, Layout, Segment, scan, write_json_string, yaml_to_json as to_json};
use llm_toto::hidden;

fn shape(text: &str) -> String {
    match scan(text) {
        Layout::Text => "text".into(),
        Layout::Document(document) if document.is_stream() => {
            format!("stream {}", document.children(0).count())
        }
        Layout::Document(_) => "document".into(),
        Layout::Mixed(parts) => parts
            .iter()
            .map(|part| match part {
                Segment::Text(text) => format!("{text:?} "),
                Segment::Document(document) => format!("<{}> ", document.span(document.root())),
            })
            .collect(),
    }
}

#[test]
fn documents_are_found() {
    assert_eq!(shape("{\"a\": 1}\n"), "document");
    assert_eq!(shape("  [1, 2]"), "document");
    assert_eq!(shape("{\"a\":{\"a\":{\"b\":1},\"b\":1},\"b\":[{\"a\":1},{\"a\":1}]}"), "document");
    assert_eq!(shape("{\"a\":1}\n{\"a\":2}\n"), "stream 2");
    assert_eq!(shape("{\n \"a\":1\n}\n{\n}{}"), "stream 3");
    assert_eq!(shape("warning: x\n{\"a\":1}\ndone\n"), "\"warning: x\\n\" <{\"a\":1}> \"done\\n\" ");
    assert_eq!(shape("[INFO] x\n[1] [2] x\n"), "text");
    assert_eq!(shape("42\n"), "text");
    assert_eq!(shape("{\"a\":1} trailing\n"), "text");
}

#[test]
fn what_cannot_be_kept_faithfully_is_text() {
    for bad in [
        "{\"a\":1,\"a\":2}",
        "{\"a\":{\"b\":1},\"b\":1,\"a\":2}",
        "{\"a\":\"\\ud800\"}",
        "{\"a\":\"\\udc00\\ud800\"}",
        "\u{feff}{}",
        "{\"a\":[1,2",
        "{\"a\":tru",
        "{\"a\":01}",
        "{\"a\":1.}",
        "{\"a\":\"\t\"}",
        "[1,]",
        "{,}",
        "{\"a\" 1}",
    ] {
        assert_eq!(shape(bad), "text", "{bad}");
    }
    assert_eq!(shape(&"[".repeat(100_000)), "text");
    assert_eq!(shape(&format!("{}1{}", "[".repeat(1000), "]".repeat(1000))), "document");
    assert_eq!(shape(&format!("{}1{}", "[".repeat(1001), "]".repeat(1001))), "text");
}

#[test]
fn agrees_with_serde_json_on_numbers() {
    for text in ["-0", "1e400", "1E+5", "12345678901234567890123", "1.10", "-", "+1", ".5", "0x1", "1e", "00"]
    {
        let json = format!("[{text}]");
        let ours = shape(&json) == "document";
        let theirs = text == "1e400" || serde_json::from_str::<serde_json::Value>(&json).is_ok();
        assert_eq!(ours, theirs, "{text}");
    }
}

#[test]
fn what_kubectl_prints_becomes_json() {
    let yaml = "apiVersion: v1\nitems:\n- metadata:\n    name: a\n    labels: {}\n  data: |\n    # a script\n    x: 1\n  \
                port: 0o17\n  n: 1.10\n  s: \"1.10\"\n  e:\n  t: true\n  m: a long text\n    goes on\nkind: List\n";
    assert_eq!(
        to_json(yaml).unwrap(),
        "{\"apiVersion\":\"v1\",\"items\":[{\"metadata\":{\"name\":\"a\",\"labels\":{}},\"data\":\"# a script\\nx: 1\\n\",\
         \"port\":\"0o17\",\"n\":1.10,\"s\":\"1.10\",\"e\":null,\"t\":true,\"m\":\"a long text goes on\"}],\"kind\":\"List\"}\n"
    );
    assert_eq!(to_json("---\na:\n  b: 1\n---\n- c: 2\n").unwrap(), "{\"a\":{\"b\":1}}\n[{\"c\":2}]\n");
}

#[test]
fn what_json_cannot_say_is_left_alone() {
    for yaml in [
        "a: 1\nb: 2\n",
        "Name:       web\nPorts:\n  http:   80\n",
        "a:\n  b: 1 # why\n",
        "# head\na:\n  b: 1\n",
        "a: &x\n  b: 1\nc: *x\n",
        "a: !!binary\n  b: 1\n",
        "a:\n  ? [1]\n  : 2\n",
        "error: the server doesn't have a resource type\n",
        "a:\n  b: [1\n",
        "just text\n",
    ] {
        assert_eq!(to_json(yaml), None, "{yaml}");
    }
}

/// The keys of all members, in order.
fn keys<'d>(document: &'d Document<'_>) -> Vec<&'d str> {
    let keys = (0..document.node_count() as Id).filter_map(|id| document.key_id(id));
    keys.map(|key| document.key(key)).collect()
}

#[test]
fn keys_that_are_the_same_get_one_number() {
    let wanted: Vec<String> = (0..60_000).map(|row| format!("k{}", row * 7 % 40_009)).collect();
    let rows: Vec<String> = wanted.iter().map(|key| format!("{{\"{key}\":1}}")).collect();
    let text = format!("[{}]", rows.join(","));
    let Layout::Document(document) = scan(&text) else { panic!("a document") };
    assert_eq!(document.key_count(), 40_009);
    assert_eq!(keys(&document), wanted);
}

#[test]
fn keys_with_escapes_are_the_same_as_without() {
    let text = "[{\"a\\u0062\":1,\"c\":2},{\"c\":3,\"ab\":4,\"d\":5}]";
    let Layout::Document(document) = scan(text) else { panic!("a document") };
    assert_eq!(document.key_count(), 3);
    assert_eq!(keys(&document), ["ab", "c", "c", "ab", "d"]);
}

#[test]
fn a_key_twice_in_an_object_is_found() {
    for (objects, twice) in [
        ("{\"x\":1,\"y\":{\"x\":2}},{\"x\":3}", false),
        ("{\"x\":1,\"y\":{\"x\":2},\"x\":3}", true),
        ("{\"x\":{\"x\":1,\"z\":2,\"\\u0078\":3}}", true),
        ("{\"z\":1,\"x\":{\"z\":2,\"x\":3}},{\"z\":1,\"x\":2,\"z\":3}", true),
    ] {
        let text = format!("[{objects}]");
        assert_eq!(matches!(scan(&text), Layout::Text), twice, "{objects}");
    }
}

#[test]
fn escapes_are_read() {
    let Layout::Document(document) = scan(r#"["a\"\\\/\b\f\n\r\té😀z"]"#) else { panic!("a document") };
    assert_eq!(document.text(document.root() + 1), "a\"\\/\u{8}\u{c}\n\r\té😀z");
}

#[test]
fn written_strings_are_read_back_by_serde_json() {
    let text = "tab\t quote\" back\\slash \u{1} é 😀 \u{7f}\u{202e}\u{9b}\u{e0041}\r\n";
    let mut out = Vec::new();
    write_json_string(&mut out, text);
    assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), text);
    assert!(!hidden::is_in(&out));
}
