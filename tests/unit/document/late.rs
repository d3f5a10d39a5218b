use super::super::keys::EARLY;
use crate::document::{Document, Id, Layout, scan};

/// An object with early keys, then the objects.
fn beyond_early(objects: &[String]) -> String {
    let early: Vec<String> = (0..EARLY).map(|key| format!("\"early {key}\":0")).collect();
    format!("[{{{}}},{}]", early.join(","), objects.join(","))
}

/// The keys behind the early ones, in order.
fn late<'d>(document: &'d Document<'_>) -> Vec<&'d str> {
    let keys = (0..document.node_count() as Id).filter_map(|id| document.key_id(id)).skip(EARLY);
    keys.map(|key| document.key(key)).collect()
}

#[test]
fn late_keys_that_are_the_same_get_one_number() {
    let keys: Vec<String> = (0..40_000).map(|row| format!("k{}", row * 7 % 30_011)).collect();
    let rows: Vec<String> = keys.iter().map(|key| format!("{{\"{key}\":1}}")).collect();
    let text = beyond_early(&rows);
    let Layout::Document(document) = scan(&text) else { panic!("a document") };
    assert_eq!(document.key_count(), EARLY + 30_011);
    assert_eq!(late(&document), keys);
}

#[test]
fn late_keys_with_escapes_are_the_same_as_without() {
    let rows = ["{\"a\\u0062\":1,\"c\":2}", "{\"c\":3,\"ab\":4,\"early 5\":5}"].map(String::from);
    let text = beyond_early(&rows);
    let Layout::Document(document) = scan(&text) else { panic!("a document") };
    assert_eq!(document.key_count(), EARLY + 2);
    assert_eq!(late(&document), ["ab", "c", "c", "ab", "early 5"]);
}

#[test]
fn a_late_key_twice_in_an_object_is_found() {
    for (objects, twice) in [
        ("{\"x\":1,\"y\":{\"x\":2}},{\"x\":3}", false),
        ("{\"x\":1,\"y\":{\"x\":2},\"x\":3}", true),
        ("{\"x\":{\"x\":1,\"early 1\":2,\"\\u0078\":3}}", true),
        ("{\"early 1\":1,\"x\":{\"early 1\":2,\"x\":3}},{\"early 1\":1,\"x\":2,\"early 1\":3}", true),
    ] {
        let text = beyond_early(&[objects.to_owned()]);
        assert_eq!(matches!(scan(&text), Layout::Text), twice, "{objects}");
    }
}
