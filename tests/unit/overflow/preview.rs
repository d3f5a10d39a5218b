use super::super::Summary;
use super::super::preview::Preview;

fn shown(text: &str) -> String {
    let summary = Summary::of(text.as_bytes(), &[]);
    let mut out = String::new();
    Preview::of(&summary, false).write(&mut out, summary.lines);
    out
}

#[test]
fn the_first_and_the_last_lines_say_something() {
    let dots = "........................ [ 14%]\n".repeat(40);
    let passed: String = (0..40).fold(String::new(), |text, n| text + &format!("test a::b{n} ... ok\n"));
    let text = format!("{dots}collected 492 items\n{passed}middle\n{dots}490 passed, 2 skipped\n{dots}");
    let out = shown(&text);
    for line in ["collected 492 items\n", "490 passed, 2 skipped\n"] {
        assert!(out.contains(line), "{out}");
    }
    assert!(!out.contains("14%") && !out.contains("... ok"), "{out}");
    assert!(shown(&dots).contains("[ 14%]"), "nothing else is there: {}", shown(&dots));
}

#[test]
fn lines_that_stand_apart_are_no_run() {
    let text = format!("starting up\n....\nstarting up\n{}the end\n", "....\n".repeat(30));
    assert!(shown(&text).starts_with("starting up\n\nstarting up\n"), "{}", shown(&text));
}
