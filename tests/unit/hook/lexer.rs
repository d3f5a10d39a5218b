use crate::hook::lexer::*;

fn letters(text: &str) -> String {
    let letter = |token: &Token| match token.kind {
        Kind::Blank => ' ',
        Kind::Word => 'w',
        Kind::Pipe => '|',
        Kind::Unread => '?',
        _ => 'o',
    };
    likely_tokens(text).iter().map(letter).collect()
}

#[test]
fn a_guess_takes_substitutions_for_a_part_of_their_word() {
    for (text, expected) in [
        ("a $(b | c \")\" $(d)) e", "w w w"),
        ("a `b | c` \"$(d; \"e\")\" | f", "w w w | w"),
        ("a ${x:-$(y)} $((1 + 2)) $[3]", "w w w w"),
        ("diff <(a | b) <(c)", "w w w"),
        ("a 'b | c", "w w"),
        ("a $'it\\'s' b", "w w w"),
        ("a <<E\n|", "w ?"),
    ] {
        assert_eq!(letters(text), expected, "{text}");
    }
    let deep = "$(".repeat(100_000);
    assert_eq!(letters(&deep), "w");
}
