use super::*;

#[test]
fn a_line_is_read_back_whatever_a_torn_record_left_in_front() {
    let record = Record::new("aws", "aws \"{\\\"v\\\":1".into(), None, OsStr::new("s"));
    let line = record.line();
    assert!(line.starts_with(START.as_bytes()) && line.ends_with(b"\n"));
    let torn = &line[..line.len() / 2];
    for front in [&[][..], torn, &[0; 30]] {
        let text = [front, &line].concat();
        assert!(matches!(Record::read(&text), Line::Run(read) if *read == record));
    }
    for damaged in [torn, b"\xff{\"v\":1,\xff}\n"] {
        assert!(matches!(Record::read(damaged), Line::Damaged));
    }
    assert!(matches!(Record::read(b"{\"v\":2,\"new\":[]}\n"), Line::Later));
}
