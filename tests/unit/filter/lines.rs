use super::super::lines::{Cut, Lines, is_mark};

/// The text after `change`.
pub fn changed(text: &str, change: impl FnOnce(&mut Lines<'_>)) -> String {
    let mut lines = Lines::new(text.as_bytes());
    change(&mut lines);
    let changed = lines.finish(text.as_bytes()).map(|changed| String::from_utf8(changed.text).unwrap());
    changed.unwrap_or_else(|| text.to_owned())
}

#[test]
fn a_text_comes_back_as_it_was() {
    for text in ["", "a", "a\n", "\n", "a\n\nb", "\n\n", "a\r\nb\r\n"] {
        assert_eq!(Lines::new(text.as_bytes()).finish(text.as_bytes()), None, "{text:?}");
    }
    assert_eq!(Lines::new(b"a\nb\n").len(), 2);
}

#[test]
fn what_goes_is_marked() {
    let mut lines = Lines::new(b"a\nb\nc\nd\n");
    lines.cut(vec![Cut::counted(1, 3, 2, "letters"), Cut { start: 3, end: 4, mark: None }]);
    lines.left_out += 3;
    let filtered = lines.finish(b"a\nb\nc\nd\n").unwrap();
    assert_eq!(filtered.text, "a\n… 2 letters\n".as_bytes());
    assert_eq!(filtered.left_out, 3);
    assert!(is_mark("… 2 letters".as_bytes()) && !is_mark(b"..."));
}
