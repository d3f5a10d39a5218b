use crate::consumer::process::Environment;

#[test]
fn values_by_whole_name() {
    let e = Environment("PATHS=no\0PATH=/bin:/usr/bin\0EMPTY=\0LINES=a\nb=c\0".into());
    assert_eq!(e.get("PATH"), Some(&b"/bin:/usr/bin"[..]));
    assert_eq!(e.get("EMPTY"), Some(&b""[..]));
    assert_eq!(e.get("LINES"), Some(&b"a\nb=c"[..]));
    assert_eq!(e.get("PAT"), None);
}

#[test]
fn absence_is_believed_only_of_a_whole_environment() {
    for (text, is_whole) in [
        ("A=1\0B=\0", true),
        ("", false),                                     // in the middle of execve
        ("gunicorn: worker\0\0\0\0\0LC_ALL=C\0", false), // overwritten by a title, padded with NUL
        ("\0\0\0\0", false),
        ("A=1\0=2\0", false),
    ] {
        assert_eq!(Environment(text.into()).is_whole(), is_whole, "{text:?}");
    }
}
