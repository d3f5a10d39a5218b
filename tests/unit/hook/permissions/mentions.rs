use super::*;

#[test]
fn a_prompt_holds_no_rules() {
    let arguments = ["copilot", "-p", "aws", "--deny-tool", "shell(gh)", "--model", "az"].map(String::from);
    assert_eq!(options(&arguments), "--deny-tool\nshell(gh)");
}

#[test]
fn a_name_or_a_pattern_is_a_mention() {
    let seen = Seen { forms: vec!["aws ec2 x".into()], name: "aws".into() };
    for (text, expected) in [
        (r#"{"bash":{"aws *":"deny"}}"#, true),
        (r#"{"bash":{"a*":"deny"}}"#, true),
        ("--deny-tool shell(aws)", true),
        (r#"prefix_rule(pattern=["aws"])"#, true),
        (r#"{"bash":{"*":"ask","laws":"x","aws-vault":1}}"#, false),
        ("commandRegex = '^a'", true),
        ("", false),
    ] {
        assert_eq!(mentions(text, &seen), expected, "{text}");
    }
}
