use super::*;

#[test]
fn a_pack_is_named_by_its_source() {
    for (source, name) in [
        ("gh:user/filters", Some("filters")),
        ("https://example.org/a/my-pack.git", Some("my-pack")),
        ("git@example.org:a/b", Some("b")),
        ("./dir/pack.tar.gz", Some("pack")),
        ("/a/b/", Some("b")),
        ("..", None),
        ("/", None),
        ("a b", None),
    ] {
        assert_eq!(name_of(source).as_deref(), name, "{source}");
    }
}
