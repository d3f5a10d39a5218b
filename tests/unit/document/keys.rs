use crate::document::{Document, Id, Layout, scan};

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
