use super::super::passages::{Passage, Passages};

fn found(text: &str) -> Vec<Vec<String>> {
    let mut passages = Passages::default();
    let mut before = None;
    for (index, line) in text.lines().enumerate() {
        passages.line(index as u64 + 1, line, before);
        before = Some(line);
    }
    let lines = |p: Passage| p.lines.into_iter().map(|(_, line)| line).collect();
    passages.found.into_iter().map(lines).collect()
}

/// Each text with its passages' numbers of lines, and the last line of the last passage.
#[test]
fn a_statement_comes_with_what_belongs_to_it() {
    let frames = "\tat a.b.C.f(C.java:1)\n".repeat(40);
    let causes =
        format!("java.lang.IllegalStateException: x\n{frames}Caused by: java.io.IOException: y\n{frames}");
    for (text, lengths, last) in [
        (
            "   Compiling x\nerror[E0308]: mismatched types\n --> src/a.rs:3:5\n  |\n3 |     1\n  |     ^ expected\n\nnext\n",
            vec![5],
            "  |     ^ expected",
        ),
        ("a.c:1:2: error: no\n    1 | x\n      | ^\nmake: done\n", vec![3], "      | ^"),
        (
            "thread 'main' panicked at src/a.rs:1:1:\nindex out of bounds\nnote: run with\n",
            vec![3],
            "note: run with",
        ),
        (
            "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    f()\nValueError: no\nnext\n",
            vec![4],
            "ValueError: no",
        ),
        // Frames are few, and causes all there.
        (causes.as_str(), vec![4, 4], "\tat a.b.C.f(C.java:1)"),
        ("12 suites: 3 FAILED, 0 errors\n", vec![1], "12 suites: 3 FAILED, 0 errors"),
        ("  ✖ checkout total\n", vec![1], "  ✖ checkout total"),
        // What did not fail.
        (
            "0 errors\n✓ tells 3 errors\ntest error_is_told ... ok\nfailed: 0\n   Compiling thiserror v2\n",
            vec![],
            "",
        ),
    ] {
        let found = found(text);
        assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), lengths, "{found:?}");
        assert_eq!(found.last().and_then(|lines| lines.last()).map_or("", |line| line), last);
    }
}

#[test]
fn what_is_said_again_is_counted() {
    let mut passages = Passages::default();
    for n in 0..9 {
        passages.line(n + 1, &format!("src/f{n}.py:{n}: error: Missing type 'T{n}'"), None);
    }
    let found = passages.found;
    assert_eq!(found[0].repeated, 8);
    assert!(found[1..].iter().all(|passage| passage.same_as == Some(0)));
}

/// `npm ls` named hundreds of packages that nothing needs, and among them the one that is missing.
#[test]
fn packages_are_a_detail() {
    let mut passages = Passages::default();
    for n in 0..300 {
        let name = format!("{}-pack{}", "ab".repeat(n % 7 + 1), char::from(b'a' + (n % 26) as u8));
        passages.line(
            n as u64 + 1,
            &format!("npm error extraneous: {name}@1.{n}.0 /srv/shop/node_modules/{name}"),
            None,
        );
    }
    passages.line(301, "npm error missing: left-pad@^1.3.0, required by shop@1.0.0", None);
    assert_eq!(passages.found[0].repeated, 299);
    assert!(passages.found.last().is_some_and(|passage| passage.lines[0].1.contains("missing: left-pad")));
}
