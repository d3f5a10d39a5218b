use crate::consumer::linux::sock_diag::{SOCK_DIAG_BY_FAMILY, peer_in};

#[test]
fn an_answer_that_is_cut_short_says_nothing() {
    let mut answer = vec![0; 32];
    answer[4..6].copy_from_slice(&SOCK_DIAG_BY_FAMILY.to_ne_bytes());
    assert_eq!(peer_in(&answer), None);
    answer.extend([8, 0, 2, 0, 7, 0]);
    assert_eq!(peer_in(&answer), None);
    answer.extend([0, 0]);
    assert_eq!(peer_in(&answer), Some(u32::from_ne_bytes([7, 0, 0, 0])));
    for end in 0..answer.len() {
        assert_eq!(peer_in(&answer[..end]), None);
    }
}
