//! Minified JSON: nothing but blanks goes.

use llm_toto::document::{Layout, scan};
use llm_toto::render::minified::{is_same, render, render_by_element};

#[test]
fn nothing_but_blanks_goes() {
    for (text, want) in [
        (
            "{ \"a\" : [ 1.10, [], {}, {\"b\":\"\\u00e9\\n\"} , null ], \"[\":[[[]]] }",
            "{\"a\":[1.10,[],{},{\"b\":\"\\u00e9\\n\"},null],\"[\":[[[]]]}\n",
        ),
        ("[[\"[\",\"{\"],{\"x\":{\"y\":{}}},1]", "[[\"[\",\"{\"],{\"x\":{\"y\":{}}},1]\n"),
        ("{\"a\": 1}\n\n{\"a\": 2}", "{\"a\":1}\n{\"a\":2}\n"),
    ] {
        let Layout::Document(document) = scan(text) else { panic!("{text}") };
        assert_eq!(String::from_utf8(render(&document)).unwrap(), want);
    }
}

#[test]
fn each_object_of_a_list_has_a_line() {
    for (text, want) in [
        ("[{\"a\": [{\"b\": 1}]}, 2, []]", "[\n{\"a\":[{\"b\":1}]},\n2,\n[]\n]\n"),
        ("[1, 2]\n[]\n{\"a\": [{}, {}]}", "[1,2]\n[]\n{\"a\":[{},{}]}\n"),
    ] {
        let Layout::Document(document) = scan(text) else { panic!("{text}") };
        assert_eq!(String::from_utf8(render_by_element(&document)).unwrap(), want);
    }
}

#[test]
fn a_document_of_several_parts_is_the_same_or_not() {
    let text = format!("[{}]\n", vec!["{\"a\":1}"; 20_000].join(","));
    let Layout::Document(document) = scan(&text) else { panic!("a document") };
    assert!(is_same(&document, text.as_bytes()));
    for other in [format!("{text}\n"), text.trim_end().to_owned(), text.replacen("}]", "} ]", 1)] {
        assert!(!is_same(&document, other.as_bytes()));
    }
}
