use super::*;

#[test]
fn we_began_before_now_and_our_parent_is_above_us() {
    let (own, parent) = (std::process::id(), std::os::unix::process::parent_id());
    let began = start_of(own).unwrap();
    assert!(began <= now() && now() - began < 100 * 3600);
    assert!(is_ancestor(parent, own) && !is_ancestor(own, parent));
    assert_eq!(start_of(4_000_000_000), None);
}
