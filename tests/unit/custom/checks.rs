use super::*;

#[test]
fn what_is_invented_or_lost_is_found() {
    let input = b"running\nsrc/a.rs:12 trouble\nerror: why\ndone with exit status 2\n";
    assert_eq!(violations(input, input, 1, Author::Library), Vec::<String>::new());
    assert_eq!(violations(input, b"all is well\n", 0, Author::Library).len(), 1);
    assert_eq!(
        violations(input, "… 3 failures\n".as_bytes(), 0, Author::Library),
        ["a mark that judges: … 3 failures"]
    );
    assert_eq!(violations(input, "… 4 lines\n".as_bytes(), 0, Author::Library), Vec::<String>::new());
    assert_eq!(violations(input, "… 4 lines\n".as_bytes(), 1, Author::Library).len(), 3);
    let none = "… 12 passed, 0 failed\n".as_bytes();
    assert_eq!(violations(input, none, 0, Author::User), Vec::<String>::new());
    assert_eq!(violations(input, none, 0, Author::Library).len(), 1);
    let judged = "… exit status 0\n… 3 failures\n".as_bytes();
    assert_eq!(violations(input, judged, 0, Author::User), Vec::<String>::new());
    assert_eq!(violations(input, judged, 0, Author::Library).len(), 1);
}

#[test]
fn a_tree_may_be_drawn_by_indentation_alone() {
    let input = b"?? src/new/a.txt\n M src/new/b.txt\n";
    let tree = |row: &str| format!("… 2 paths as a tree\nsrc/\n  new/\n    {row}\n     M b.txt\n");
    let found = |row: &str, author| violations(input, tree(row).as_bytes(), 0, author);
    assert_eq!(found("?? a.txt", Author::User), Vec::<String>::new());
    assert_eq!(found("?? x.txt", Author::User), ["no line of the input: ?? x.txt"]);
    assert!(!found("?? a.txt", Author::Library).is_empty());
}

#[test]
fn a_shortened_line_is_the_tools() {
    let input = format!("key {} end\n", "0123456789abcdef".repeat(20));
    assert!(violations(input.as_bytes(), b"key <base64 320 chars> end\n", 1, Author::Library).is_empty());
    assert!(!violations(input.as_bytes(), b"kex <base64 320 chars> end\n", 1, Author::Library).is_empty());
}
