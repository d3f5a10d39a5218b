use crate::report::findings::pattern::{is_like, is_like_any};

#[test]
fn patterns_are_whole_lines() {
    let mypy = "Found # error* in # file* (checked # source file*)";
    assert!(is_like("Found 12 errors in 3 files (checked 4 source files)", mypy));
    assert!(is_like("Found 1 error in 1 file (checked 1 source file)", mypy));
    assert!(is_like("✖ 18 problems (14 errors, 4 warnings)", "✖ # problem* (# error*, # warning*)"));
    assert!(!is_like("Found errors in 3 files", "Found # error* in # file*"));
    assert!(!is_like("I Found 3 errors.", "Found # error*"));
    assert!(is_like_any("a", &["b", "*"]) && !is_like_any("a", &["b*", "\\*a"]));
    assert!(is_like("a", "*") && is_like("", "*") && is_like("ab", "a*") && !is_like("b", "a*"));
}
