use proptest::prelude::*;

use super::*;

fn file(inode: u64) -> FileId {
    FileId(0x801, inode)
}

/// The guard that this process would read from `value`, with `process` as the process of its entry.
fn handed(value: &GuardValue, process: u32) -> Guard {
    Guard::of(value.for_pid(process).as_bytes())
}

fn first(name: &str, args: &[OsString], chosen: u64) -> GuardValue {
    Guard::default().recall(name.as_ref(), args).value(file(chosen))
}

#[test]
fn a_child_of_the_tool_counts_only_with_the_same_arguments() {
    let guard = handed(&first("npm", &["ci".into()], 1), parent_id());
    assert!(guard.recall("npm".as_ref(), &["ci".into()]).avoids(file(1), || true));
    assert!(!guard.recall("npm".as_ref(), &["test".into()]).avoids(file(1), || true));
    assert!(!guard.recall("node".as_ref(), &["ci".into()]).avoids(file(1), || true));
}

#[test]
fn entries_of_processes_that_are_not_above_us_are_not_handed_on() {
    let stranger = 4_000_000_000;
    let recall = handed(&first("npx", &[], 1), stranger).recall("aws".as_ref(), &[]);
    assert_eq!(Guard::of(recall.value(file(2)).for_pid(0).as_bytes()).entries.len(), 1);
    let recall = handed(&first("npx", &[], 1), stranger).recall("npx".as_ref(), &[]);
    assert!(!recall.avoids(file(1), || true));
}

#[test]
fn another_name_on_the_same_chain_is_handed_on() {
    let recall = handed(&first("aws", &[], 1), std::process::id()).recall("python".as_ref(), &[]);
    let value = recall.value(file(2));
    let names: Vec<_> =
        Guard::of(value.for_pid(0).as_bytes()).entries.into_iter().map(|entry| entry.name).collect();
    assert_eq!(names, ["python", "aws"]);
}

#[test]
fn a_process_that_began_after_the_entry_is_another_one() {
    let mut guard = handed(&first("aws", &[], 1), std::process::id());
    guard.entries[0].since = 0;
    assert!(!guard.recall("aws".as_ref(), &[]).avoids(file(1), || true));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_value_is_read_without_a_panic(value in proptest::collection::vec(any::<u8>(), 0..200)) {
        Guard::of(&value);
    }

    #[test]
    fn entries_come_back_as_written(
        name in "[^/\0]{1,12}", process: u32, since: u64, call: u64, repeats: u8,
        tried in proptest::collection::vec((any::<u64>(), any::<u64>()), 1..4),
    ) {
        let tried = tried.into_iter().map(|(device, inode)| FileId(device, inode)).collect();
        let entry = Entry { process, since, call, repeats, tried, name: name.into() };
        prop_assert_eq!(Entry::read(&entry.text(process)), Some(entry));
    }
}
