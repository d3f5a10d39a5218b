use serde_json::json;

use crate::report::read;

#[test]
fn a_strict_test_that_passed_is_named_with_its_reason() {
    let text = "=== FAILURES ===\n___ test_x ___\n[XPASS(strict)] mended\n=== 1 failed in 0.01s ===\n";
    let test = &read(text, &[]).unwrap().to_json()["tests"][0];
    let why = json!({"kind": "reason", "title": "", "text": "[XPASS(strict)] mended"});
    assert_eq!((&test["id"], &test["why"][0]), (&json!("test_x"), &why));
}
