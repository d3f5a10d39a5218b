use crate::cli::filter::test::*;

#[test]
fn only_what_differs_is_shown() {
    let text = difference("1\n2\n3\nx\n4\n5\n6\n", "1\n2\n3\ny\nz\n4\n5\n6\n");
    assert_eq!(text, "       2\n       3\n     - x\n     + y\n     + z\n       4\n       5\n");
    assert_eq!(difference("a\n", "a\na\n"), "       a\n     + a\n");
}
