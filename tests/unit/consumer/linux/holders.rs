use crate::consumer::linux::holders::Info;

#[test]
fn one_open_file_is_told_from_two() {
    let info = |text: &str| Info::parse(text.as_bytes());
    let a = info("pos:\t17\nflags:\t0102001\nmnt_id:\t30\nino:\t9\n");
    let child = info("pos:\t17\nflags:\t02102001\nmnt_id:\t30\nino:\t9\n");
    assert!(a.same_open_file(&child));
    assert!(!a.same_open_file(&info("pos:\t18\nflags:\t0102001\nmnt_id:\t30\nino:\t9\n")));
    assert!(!a.same_open_file(&info("pos:\t17\nflags:\t0100000\nmnt_id:\t30\nino:\t9\n")));
    let start = info("pos:\t0\nflags:\t0102001\nmnt_id:\t30\nino:\t9\n");
    assert!(!start.same_open_file(&start));
}
