use serde_json::json;

use crate::transcripts::format::*;

#[test]
fn a_path_leads_through_lists_and_strings() {
    let value = json!({"a": [{"b": "{\"c\": [1, 2]}"}, {"b": "no document"}, 3], "d": 4});
    let found = |path: &str| find(&value, path).iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(found("a[].b{}.c[]"), ["1", "2"]);
    assert_eq!(found("d"), ["4"]);
    assert_eq!(found(""), [value.to_string()]);
    assert!(found("a.b").is_empty() && found("x[]").is_empty() && found("d{}").is_empty());
}

#[test]
fn every_format_can_be_read() {
    let formats = formats().unwrap();
    assert!(formats.iter().all(|format| (format.form == Encoding::Database) == format.query.is_some()));
    assert_eq!(command_line(&json!(["bash", "-lc", "a | b"])).as_deref(), Some("a | b"));
    assert_eq!(command_line(&json!(["ls", "-l"])).as_deref(), Some("ls -l"));
}
