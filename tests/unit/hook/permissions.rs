use super::*;
use crate::hook::protocol;

#[test]
fn rules_against_are_read_widely_and_rules_for_narrowly() {
    let forms = ["aws ec2  describe-instances".to_owned()];
    for pattern in
        ["aws:*", "aws *", "aws", "*", "AWS ec2:*", "aws ec2 describe*", "* describe-instances", "a*"]
    {
        assert!(could_match(pattern, &forms), "{pattern}");
    }
    assert!(!could_match("aws * --x*", &forms));
    assert!(
        matches("/t shim -- aws:*", "/t shim -- aws x") && !matches("/t shim -- aws:*", "/t shim -- awsx")
    );
    assert!(!matches("/t*", "/t shim") && !matches("/t * aws:*", "/t shim -- aws"));
}

#[test]
fn a_rule_against_in_a_form_of_a_later_version_could_hold() {
    let seen = Seen { name: "git".into(), forms: vec!["git log".into()] };
    for rule in
        ["Bash", "*", "bash(git:*)", "Bash(git", "Bash[git:*]", "Bash git", "{Bash: git}", "B*", "Bash(*) "]
    {
        assert!(could_hold(rule, &seen, "/t shim -- git log"), "{rule}");
    }
    for rule in ["WebFetch(*)", "mcp__files__read", "Bash(aws:*)", "BashOutput"] {
        assert!(!could_hold(rule, &seen, "/t shim -- git log"), "{rule}");
    }
}

#[test]
fn options_hold_rules_too() {
    let claude = crate::agents::AGENTS.iter().find(|agent| agent.id == "claude").unwrap();
    let input = br#"{"tool_name":"Bash","tool_input":{"command":"x"}}"#;
    let question = protocol::question(claude.hook.as_ref().unwrap(), input).unwrap();
    let mut rules = Lists::default();
    let options =
        "claude|-p|--allowedTools|Bash(git log:*),Read|Edit|--disallowedTools=Bash(aws *)|--settings";
    let mut options: Vec<String> = options.split('|').map(String::from).collect();
    options.push(r#"{"permissions":{"ask":["Bash(x)"]}}"#.into());
    rules.read_options(&options, &question).unwrap();
    assert_eq!(rules.allow, ["Bash(git log:*)", "Read", "Edit"]);
    assert_eq!(rules.against, ["Bash(aws *)", "Bash(x)"]);
}

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
