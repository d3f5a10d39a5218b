use crate::ledger::spool::*;

#[test]
fn a_day_has_its_file() {
    assert_eq!(segment_name(1_763_683_199_999_999), "2025-11-20.jsonl");
    assert_eq!(segment_name(1_763_683_200_000_000), "2025-11-21.jsonl");
    assert_eq!(segment_name(i64::MAX), "1970-01-01.jsonl");
}

#[test]
fn what_is_not_the_spools_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["2026-11-22.jsonl", "2026-11-21.jsonl", "notes.txt"] {
        std::fs::write(dir.path().join(name), "").unwrap();
    }
    let days: Vec<_> = segments(dir.path()).unwrap().into_keys().collect();
    assert_eq!(days, ["2026-11-21", "2026-11-22"]);
    assert!(segments(&dir.path().join("none")).unwrap().is_empty());
}
