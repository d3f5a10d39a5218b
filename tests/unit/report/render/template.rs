use crate::report::record::{Finding, Severity};
use crate::report::render::template::Template;

#[test]
fn what_differs_stands_behind() {
    for (one, other, told) in [
        ("'a b' is never read.", "'c' is never read.", "'*' is never read.: a b; c"),
        ("Line too long (119 > 88)", "Line too long (91 > 88)", "Line too long (* > 88): 119; 91"),
        // Two words of two messages.
        ("the word a, b", "the word c, d", ""),
        // Too many words; another number of words; a star of the tool's own.
        ("a b c d", "e f g d", ""),
        ("one two three four", "one two three", ""),
        ("from x import * used; a", "from x import * used; b", ""),
        // The marks between the values of one finding, and of two.
        ("the words 'a, b' and 'c'", "the words 'd' and 'e, f'", ""),
        ("the name 'a; b'", "the name 'c'", ""),
    ] {
        let [one, other] = [one, other].map(|message| Finding::new(None, "", Severity::Note, "X1", message));
        let template = Template::of(&[&one, &other]).filter(|(_, fits)| !fits.contains(&false));
        let text = template.map(|(template, _)| format!("{}: {}", template.text, template.values.join("; ")));
        assert_eq!(text.unwrap_or_default(), told, "{one:?}");
    }
}
