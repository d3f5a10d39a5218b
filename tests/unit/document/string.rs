use super::*;

#[test]
fn escapes_are_read() {
    assert_eq!(decode(r#"a\"\\\/\b\f\n\r\té😀z"#), "a\"\\/\u{8}\u{c}\n\r\té😀z");
}

#[test]
fn written_strings_are_read_back_by_serde_json() {
    let text = "tab\t quote\" back\\slash \u{1} é 😀 \u{7f}\u{202e}\u{9b}\u{e0041}\r\n";
    let mut out = Vec::new();
    write_json_string(&mut out, text);
    assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), text);
    assert!(!hidden::is_in(&out));
}
