use super::super::search::{LONGEST, matches_by_file};

#[test]
fn files_with_most_matches_come_first() {
    let of = |words: &str, text: &str| {
        matches_by_file(&words.split(' ').map(String::from).collect::<Vec<_>>(), text.as_bytes())
    };
    let text = "src/a.rs:3:x: y\nsrc/b.rs:1:x\nsrc/b.rs-2-around\n--\nsrc/b.rs:9:x\n";
    let expected = Some("(3 matches in 2 files: src/b.rs 2, src/a.rs 1)\n".to_owned());
    for words in ["rg -n x", "grep -rn x src", "git grep -n x"] {
        assert_eq!(of(words, text), expected, "{words}");
    }
    assert_eq!(of("cat x", text), None);
    assert_eq!(of("rg x", "src/a.rs:x\n"), None, "one file");
    assert_eq!(of("grep x", "a: b\nno path\n"), None);
    let many: String = (0..200).map(|n| format!("src/a/long/path/{n}.rs:1:x\n")).collect();
    let line = of("rg x", &many).unwrap();
    assert!(line.len() < LONGEST + 60 && line.ends_with(" more)\n"), "{line}");
}
