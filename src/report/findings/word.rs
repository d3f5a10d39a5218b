//! Words of severities.

use super::super::record::Severity;

/// The words of a severity, as tools write them, longer ones before those that they begin with; compared without case.
const WORDS: &[(Severity, &[&str])] = &[
    (Severity::Error, &["fatal error", "internal compiler error", "error", "fatal", "e", "f", "high"]),
    (Severity::Warning, &["warning", "warn", "w", "medium"]),
    (Severity::Note, &["note", "info", "information", "remark", "hint", "style", "convention", "refactor"]),
    (Severity::Note, &["notice", "low", "c", "r", "i"]),
];

fn words() -> impl Iterator<Item = (&'static str, Severity)> {
    WORDS.iter().flat_map(|(severity, words)| words.iter().map(|word| (*word, *severity)))
}

/// The severity that a word stands for.
pub fn severity(word: &str) -> Option<Severity> {
    words().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(_, severity)| severity)
}

/// The word of a severity at the start of a text, with the severity and the rest of the text.
pub fn leading(text: &str) -> Option<(&str, Severity, &str)> {
    let first = text.bytes().next()?.to_ascii_lowercase();
    words().filter(|(known, _)| known.as_bytes()[0] == first).find_map(|(known, severity)| {
        let (word, rest) = text.split_at_checked(known.len())?;
        let is_whole = !rest.starts_with(|c: char| c.is_ascii_alphabetic());
        (is_whole && word.eq_ignore_ascii_case(known)).then_some((word, severity, rest))
    })
}
