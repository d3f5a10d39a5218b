use crate::hook::definitions::*;

#[test]
fn what_looks_like_a_definition_counts() {
    for text in [
        "alias aws='x'",
        "  alias -- 'aws=x'",
        "alias a=b aws=c",
        "aws() {",
        "aws () {",
        "function aws {",
        "eval $'x\\naws () \\n{'",
        "alias -g aws=x",
    ] {
        assert!(defines(text.as_bytes(), "aws"), "{text}");
    }
    for text in ["export aws=1", "alias laws=x", "aws s3 ls", "alias x='aws s3'", "", "alias x=y\naws=1"] {
        assert!(!defines(text.as_bytes(), "aws"), "{text}");
    }
}
