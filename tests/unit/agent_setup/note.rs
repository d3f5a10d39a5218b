use super::said_of;
use crate::tokens;

#[test]
fn the_greeting_names_what_is_linked_and_is_short() {
    for (linked, named) in [
        (&["terraform"][..], "terraform print "),
        (&["aws", "git", "ls"], "git, aws and ls print "),
        (&["aws", "cargo", "docker", "find", "git", "kubectl"], "git, cargo, aws and others print "),
    ] {
        let said = said_of(linked);
        let tokens = tokens::count(said.as_bytes());
        assert!(said.starts_with(named) && tokens <= 45, "{tokens} tokens: {said}");
    }
}
