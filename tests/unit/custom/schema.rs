use crate::custom::schema::*;

use crate::mistake::parse_all;

#[test]
fn a_mistake_is_named_with_its_place() {
    for (text, expected) in [
        ("command = \"a\"\nskp = []\n", "2:1: unknown key `skp`; did you mean `skip`?"),
        ("command = \"a\"\n[[fold]]\nmatch = \"x\"\nas = \"y\"\nzzzzzz = 1\n", "5:1: unknown key `zzzzzz`"),
        ("command = \"a\"\n[on_sucess]\n", "2:2: unknown key `on_sucess`; did you mean `on_success`?"),
    ] {
        assert_eq!(parse(text).unwrap_err().to_string(), expected);
    }
    let error = parse("command = \"a\"\nskip = 1\n").unwrap_err().to_string();
    assert!(error.starts_with("2:8: ") && error.contains("sequence"), "{error}");
}

#[test]
fn every_mistake_is_found() {
    let text = "command = 1\nskp = []\nkeep = [1, \"a\"]\n[[fold]]\nmatch = \"x\"\n[[section]]\nentr = \"x\"\n\
                nope = { a = 1 }\n[on_success]\nhead = -1\noutput = []\n[tst]\n";
    let (file, mistakes) = parse_all::<FilterFile>(text, false);
    let mut places: Vec<(usize, usize)> = mistakes.iter().map(|found| (found.line, found.column)).collect();
    places.sort_unstable();
    assert_eq!(
        places,
        [(1, 11), (2, 1), (3, 9), (4, 1), (7, 1), (8, 1), (10, 8), (11, 10), (12, 2)],
        "{mistakes:#?}"
    );
    assert!(file.is_some());
    let (_, mistakes) = parse_all::<FilterFile>("command = \"a\nskip = [\nx y z\n[[\n", false);
    assert!(mistakes.len() > 1, "{mistakes:#?}");
}
