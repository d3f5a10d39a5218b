use crate::consumer::window::viewers::{Shows, recognise};

fn shows(line: &str) -> Option<Shows> {
    let words = crate::words::split(line.as_bytes()).unwrap();
    let arguments: Vec<&[u8]> = words.iter().map(Vec::as_slice).collect();
    let file = [b"/usr/bin/", arguments[0]].concat();
    recognise(&file, &arguments, &["bat".into()]).map(|(_, shows)| shows)
}

/// Beside the forms of `tests/suite/consumer/viewers.rs`.
#[test]
fn viewers_and_what_they_show() {
    for (lines, expected) in [
        ("tail", Shows::Last(10)),
        ("tail -80", Shows::Last(80)),
        ("tail -n 5; tail -n5 -; tail --lines=5; tail --lines=-5; tail -fn 5", Shows::Last(5)),
        ("tail -n +3", Shows::From(3)),
        ("head", Shows::First(10)),
        ("head -20; head -n 20", Shows::First(20)),
        ("head -n -2", Shows::AllBut(2)),
        ("less -R +G", Shows::All),
        ("tail -c 100; grep -A5 -e a -e b; grep -5 x -; tr -d '\\r'; bat --plain file", Shows::Some),
        ("sed -n -e '/a\\/b/,/c/p' -e '$p'", Shows::Some),
    ] {
        for line in lines.split("; ") {
            assert_eq!(shows(line), Some(expected), "{line}");
        }
    }
    assert_eq!(shows("sed -n '2p;3{p;q}'"), Some(Shows::Some));
}

#[test]
fn what_reads_does_not_view() {
    let lines = "jq .|tail -5 file|head -n 3 a b|cat file|cat - file|grep x file|grep -r x|grep -l x|rg x src|\
                 rg --json x|sed s/a/b/|sed -n s/a/b/p|sed 1,5p|sed -n -i 1p|sed -n 1w|sed -n -f script|less file|\
                 nl file|tail +5|sed -n 'p;e'";
    for line in lines.split('|') {
        assert_eq!(shows(line), None, "{line}");
    }
    assert_eq!(recognise(b"/usr/bin/python3", &[b"tail", b"-5"], &[]), None, "the file counts, not the name");
    assert!(recognise(b"/bin/busybox", &[b"tail", b"-5"], &[]).is_some());
    assert!(recognise(b"/bin/busybox", &[b"busybox", b"tail", b"-5"], &[]).is_some());
    assert_eq!(recognise(b"/bin/busybox", &[b"busybox", b"wc"], &[]), None);
}
