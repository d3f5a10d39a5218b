use super::claim;

#[test]
fn a_name_is_had_once_and_is_free_again() {
    let name = format!("toto-test-{}", std::process::id());
    let first = claim(&name).unwrap();
    assert!(claim(&name).is_none());
    drop(first);
    assert!(claim(&name).is_some());
}
