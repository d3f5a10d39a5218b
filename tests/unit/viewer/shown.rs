use super::super::through;
use crate::consumer::Shows;

#[test]
fn lines_are_counted_as_head_and_tail_do() {
    for text in ["a\nb\nc\nd\n", "a\nb\nc\nd"] {
        let shown = |shows: &[Shows]| {
            String::from_utf8_lossy(through(text.as_bytes(), shows)).trim_end().replace('\n', "")
        };
        assert_eq!(shown(&[Shows::All]), "abcd");
        assert_eq!(shown(&[Shows::First(2)]), "ab");
        assert_eq!(shown(&[Shows::First(9)]), "abcd");
        assert_eq!(shown(&[Shows::First(0)]), "");
        assert_eq!(shown(&[Shows::AllBut(1)]), "abc");
        assert_eq!(shown(&[Shows::Last(2)]), "cd");
        assert_eq!(shown(&[Shows::Last(9)]), "abcd");
        assert_eq!(shown(&[Shows::Last(0)]), "");
        assert_eq!(shown(&[Shows::From(3)]), "cd");
        assert_eq!(shown(&[Shows::First(3), Shows::Last(1)]), "c");
        assert_eq!(shown(&[Shows::Some, Shows::Last(1)]), "");
    }
}
