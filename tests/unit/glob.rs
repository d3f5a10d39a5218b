use super::*;

#[test]
fn stars_match_runs() {
    let p = "/tmp/claude-*/tasks/*.output";
    assert!(matches(p, b"/tmp/claude-0/-root-x/9f/tasks/b1.output"));
    assert!(matches(p, b"/tmp/claude-0/tasks/.output"));
    for path in [
        "/tmp/claude-0/tasks/x.output (deleted)",
        "/tmp/claude-0/x.output",
        "/var/tmp/claude-0/tasks/x.output",
        "/tmp/claude-/tasks.output",
        "",
    ] {
        assert!(!matches(p, path.as_bytes()), "{path}");
    }
}

#[test]
fn edges() {
    assert!(matches("/a", b"/a") && !matches("/a", b"/ab"));
    assert!(matches("/a*b", b"/ab") && !matches("/a*ba", b"/aba "));
    assert!(!matches("/aa*aa", b"/aaa"));
    assert!(matches("/x*ab*ab", b"/xabab") && !matches("/x*ab*ab", b"/xab"));
}
