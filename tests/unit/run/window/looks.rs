use super::*;

#[test]
fn nothing_goes_out_until_it_is_known_who_reads() {
    let mut looks = Looks::default();
    assert_eq!(looks.turn(false, &mut || unreachable!("nothing has come")), None);
    assert!(!looks.let_pass());
    assert_eq!(looks.turn(true, &mut || View::Soon), Some(View::Soon));
    assert!(!looks.let_pass() && looks.next.is_some());
    std::thread::sleep(AT_FIRST);
    assert_eq!(looks.turn(true, &mut || View::Through(vec![])), Some(View::Through(vec![])));
    assert!(looks.let_pass() && looks.next.is_none());
}

#[test]
fn a_shell_that_sleeps_is_not_waited_for_long() {
    let mut looks = Looks::default();
    looks.turn(true, &mut || View::NotYet);
    assert!(!looks.let_pass());
    std::thread::sleep(ASLEEP);
    looks.turn(true, &mut || View::NotYet);
    assert!(looks.let_pass() && looks.next.is_some());
    std::thread::sleep(LATER);
    looks.turn(true, &mut || View::Soon);
    assert!(looks.let_pass(), "what has gone out is not called back");
}
