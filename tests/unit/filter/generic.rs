use super::super::generic::without_base64;

#[test]
fn long_runs_are_named_and_short_ones_stay() {
    let base64 = "QUJDZGV0MTIz".repeat(20);
    let (text, count) = without_base64(format!("data: {base64}==").as_bytes()).unwrap();
    assert_eq!((String::from_utf8(text).unwrap().as_str(), count), ("data: <base64 242 chars>", 1));
    assert_eq!(without_base64("0123456789abcdef".repeat(20).as_bytes()), None, "a key in hexadecimal");
    assert_eq!(without_base64("/usr/share/some/long/path".repeat(20).as_bytes()), None);
    assert_eq!(without_base64(format!("eyJhbGci.{base64}.c2ln").as_bytes()), None, "a web token");
    assert_eq!(without_base64("=".repeat(300).as_bytes()), None, "a rule");
}
