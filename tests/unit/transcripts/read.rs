use crate::transcripts::read::*;

#[test]
fn a_search_begins_in_front_of_the_first_star() {
    for (files, expected) in
        [("a/b.db", "a/b.db"), ("a/b/**/c/*.json", "a/b"), ("a/b-*.json", "a"), ("*.json", "")]
    {
        assert_eq!(beginning(files), expected);
    }
}

#[test]
fn a_star_is_for_names_and_two_are_for_directories() {
    let mut format = super::super::formats().unwrap().remove(0);
    format.root = ["CARGO_MANIFEST_DIR".into(), String::new()];
    for (files, count) in [
        ("src/transcripts/read.rs", 1),
        ("src/*/formats.toml", 1),
        ("src/**/formats.toml", 1),
        ("src/**/trans*/for*.toml", 1),
        ("src/*.md", 0),
        ("src/*/format", 0),
        // A file where the search begins.
        ("Cargo.toml/**/*.toml", 0),
    ] {
        format.files = files.into();
        assert_eq!(find(std::slice::from_ref(&format)).len(), count, "{files}");
    }
}
