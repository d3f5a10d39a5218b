use crate::consumer::linux::parse;

#[test]
fn stat_survives_a_name_with_parentheses_and_blanks() {
    let line = b"4242 (a) b (c) S 17 4242 4200 34816 4242 4194304 1 2 3 4 5 6 7 8 20 0 1 0 987654 1 2";
    let stat = parse(line).unwrap();
    assert_eq!(stat.comm, b"a) b (c");
    assert_eq!((stat.parent, stat.session, stat.terminal, stat.started), (17, 4200, 34816, 987_654));
    for (state, asleep) in [("S", true), ("T", true), ("R", false), ("D", false)] {
        let line = format!("1 (x) {state} 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21");
        assert_eq!(parse(line.as_bytes()).unwrap().asleep, Some(asleep), "{state}");
    }
}

#[test]
fn stat_of_another_shape_is_refused() {
    for line in [&b""[..], b"1", b"1 (x", b"1 (x) S 2", b"1 (x) S two 3 4 5"] {
        assert!(parse(line).is_none(), "{}", line.escape_ascii());
    }
}
