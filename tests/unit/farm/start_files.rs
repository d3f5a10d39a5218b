use proptest::prelude::*;

use crate::farm::shells::*;

const LINE: &str = ". ~/.toto/env";

fn both(old: Option<&[u8]>, place: Place) -> (Vec<u8>, Option<Vec<u8>>) {
    let new = with_line(old, LINE, place);
    assert_eq!(with_line(Some(&new), LINE, place), new, "a second time changes nothing");
    let back = without_lines(&new);
    (new, back)
}

#[test]
fn a_file_that_was_not_there_is_ours_alone_until_others_write_to_it() {
    let (mut text, back) = both(None, Place::TopAndEnd);
    assert_eq!((text.as_slice(), back), (&b". ~/.toto/env # toto setup (file added)\n"[..], None));
    text.extend_from_slice(b"y\n");
    assert_eq!(without_lines(&text).unwrap(), b"y\n");
}

#[test]
fn at_the_top_it_stands_behind_the_shebang() {
    let (new, back) = both(Some(b"#!/bin/bash\nx\n"), Place::TopAndEnd);
    let marked = ". ~/.toto/env # toto setup\n";
    assert_eq!(String::from_utf8(new).unwrap(), format!("#!/bin/bash\n{marked}x\n{marked}"));
    assert_eq!(back.unwrap(), b"#!/bin/bash\nx\n");
}

#[test]
fn what_others_wrote_behind_us_stays_and_we_move_behind_it() {
    for old in [&b"x"[..], b"x\n", b""] {
        let mut text = with_line(Some(old), LINE, Place::End);
        text.extend_from_slice(b"y\n");
        let expected = if old.is_empty() { "y\n" } else { "x\ny\n" };
        assert_eq!(without_lines(&text).unwrap(), expected.as_bytes());
        let again = with_line(Some(&text), LINE, Place::End);
        assert_eq!(again, format!("{expected}{LINE} # toto setup\n").as_bytes());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn taking_out_restores_every_byte(old in "(#!)?[ab\n\r\u{e9}]{0,20}", top: bool) {
        let place = if top { Place::TopAndEnd } else { Place::End };
        prop_assert_eq!(both(Some(old.as_bytes()), place).1.unwrap(), old.as_bytes());
    }
}
