use super::said_of;
use crate::tokens;

#[test]
fn the_greeting_names_what_is_linked_and_is_short() {
    for (linked, named) in [
        (&["terraform"][..], "Long output of terraform is "),
        (&["git"], "Long output of linked tools is "),
        (&["aws", "git", "ls"], "Long output of aws, ls and others is "),
        (
            &["aws", "cargo", "docker", "find", "git", "kubectl"],
            "Long output of cargo, aws, kubectl and others is ",
        ),
    ] {
        let said = said_of(linked);
        let tokens = tokens::count(said.as_bytes());
        assert!(said.starts_with(named) && tokens <= 45, "{tokens} tokens: {said}");
    }
}
