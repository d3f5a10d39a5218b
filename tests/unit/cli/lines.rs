use crate::cli::lines::*;
use crate::overflow::Page;
use crate::pipeline::visible;

const TEXT: &[u8] = b"one\ntwo\n\x1b[1mthree\x1b[0m\nfour\nfive\nsix";

/// What is written of a range of lines, and the first line that is left out.
fn range(input: &[u8], range: Range, page: Option<Page>) -> (String, Option<u64>) {
    let mut out = Vec::new();
    let (_, cut) = write_range(input, range, (visible::lines, page), &mut out).unwrap();
    (String::from_utf8(out).unwrap(), cut)
}

/// How many lines match, and what is written of them.
fn find(text: &str, context: usize, page: Option<Page>) -> (u64, String) {
    let mut out = Vec::new();
    let found =
        write_matches(TEXT, &pattern(text).unwrap(), context, (visible::lines, page), &mut out).unwrap();
    (found.0, String::from_utf8(out).unwrap())
}

#[test]
fn ranges() {
    for (text, lines) in [("2:3", "two\nthree\n"), ("5:", "five\nsix"), (":1", "one\n"), ("4", "four\n")] {
        assert_eq!(range(TEXT, text.parse().unwrap(), None).0, lines);
    }
    assert_eq!("9:3".parse::<Range>().unwrap_err(), "line 9 comes after line 3");
    for (text, first) in [("-2:", 5), ("-6", 1), ("-99:", 1)] {
        let range = text.parse::<Range>().unwrap().of(|| for_each(TEXT, |_, _| Ok(true))).unwrap();
        assert_eq!(range, Range::new(first, u64::MAX), "{text}");
    }
    for wrong in ["-0:", "-2:5", "0:3", "a:b"] {
        assert!(wrong.parse::<Range>().is_err(), "{wrong}");
    }
}

#[test]
fn lines_are_written_until_the_page_is_full() {
    let page = |bytes| Some(Page { bytes, lines: usize::MAX });
    assert_eq!(range(TEXT, Range::ALL, page(9)), ("one\ntwo\n".into(), Some(3)));
    let long = "a long… (at least 6 bytes more in line 1; pages have them: --page N)\n".to_owned();
    assert_eq!(range(b"a long line\nb\n", Range::ALL, page(6)), (long, Some(2)));
    assert_eq!(find("o", 0, page(6)), (3, "1:one\n".into()));
}

#[test]
fn matches_come_with_their_numbers_and_context() {
    assert_eq!(find("t(wo|hree)", 0, None), (2, "2:two\n3:three\n".into()));
    assert_eq!(find("one|six$", 1, None), (2, "1:one\n2-two\n--\n5-five\n6:six\n".into()));
    let error = pattern("(").unwrap_err().to_string();
    assert!(error.contains("`(` is no regular expression: unclosed group"), "{error}");
}
