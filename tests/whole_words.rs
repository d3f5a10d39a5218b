//! What known forms must hold, shared by the suite, the fuzz target and the totals: every word of a text stands in them
//! whole, and at `lossless` every byte comes back.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::RangeInclusive;

use llm_toto::config::Level;
use llm_toto::pipeline::scrub::at_level;
use llm_toto::pipeline::{Options, Shape, compress, visible};
use llm_toto::render::expand::expand;
use llm_toto::render::forms;
use llm_toto::tokens;

/// Longest word that is looked for, in bytes: longer base64 may be replaced by its length.
const LONGEST: usize = 199;
/// Most tokens of the note on lines that look like toto's.
const NOTE: usize = 20;
/// Signs that a table or a tree is drawn with, and those that enclose a field in every row.
const AROUND: &[char] = &['│', '├', '└', '─', '┬', '|', '`', '-', '[', ']', '"', ':', ',', '┃', '║', '+'];

/// The words and the lines of an output.
struct Output<'a> {
    words: HashSet<&'a str>,
    lines: HashSet<&'a str>,
    /// The ranges of numbers that count up: `attempt 1..12 ×12`.
    ranges: Vec<RangeInclusive<u64>>,
}

impl<'a> Output<'a> {
    fn of(text: &'a str) -> Self {
        let mut words = HashSet::new();
        // The head of a table: `rows[3]{NAME READY=1/1 AGE…}, unless a row says otherwise:`.
        let in_head = |word: &'a str| {
            let word =
                word.split_once("]{").filter(|_| word.starts_with("rows[")).map_or(word, |(_, name)| name);
            let word = word.strip_suffix("}:").or(word.strip_suffix("},")).unwrap_or(word);
            word.strip_suffix('…').unwrap_or(word)
        };
        for word in text.split_whitespace().flat_map(|word| [word, in_head(word)]) {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            let both =
                [key, value, word].map(|part| [part, part.trim_matches('"'), part.trim_matches(AROUND)]);
            words.extend(both.as_flattened());
        }
        let counted = text.lines().filter(|line| line.contains(" ×")).flat_map(str::split_whitespace);
        let range = |word: &str| {
            let (first, last) = word.trim_matches(|c: char| !c.is_ascii_digit()).split_once("..")?;
            Some(first.parse().ok()?..=last.parse().ok()?)
        };
        Self { words, lines: text.lines().collect(), ranges: counted.filter_map(range).collect() }
    }

    /// Whether a word stands in the output: in one piece, as a directory's line and a name, as a path's line and what
    /// stands behind its number, as a date and a time, or as a number in a range.
    fn has(&self, word: &str) -> bool {
        let is_split = |(at, _): (usize, char)| {
            let (before, behind) = word.split_at(at);
            let inner = &behind[1..];
            match behind.as_bytes()[0] {
                b'/' => {
                    let directory = self.lines.contains(&word[..=at]) || self.lines.contains(before);
                    directory && (inner.is_empty() || self.words.contains(inner))
                }
                b':' if inner.starts_with(':') => {
                    self.lines.contains(&word[..at + 2]) && self.words.contains(&inner[1..])
                }
                b':' | b'-' => self.lines.contains(before) && self.words.contains(inner),
                b'T' => self.words.contains(&word[..=at]) && self.words.contains(inner),
                _ => false,
            }
        };
        let number = word.trim_matches(|c: char| !c.is_alphanumeric()).parse();
        let is_counted =
            || number.is_ok_and(|number| self.ranges.iter().any(|range| range.contains(&number)));
        self.words.contains(word)
            || self.words.contains(word.trim_matches(AROUND))
            || is_counted()
            || word.char_indices().filter(|(_, sign)| "/:-T".contains(*sign)).any(is_split)
    }
}

/// The first word of `text` that does not stand in `out`.
pub fn missing<'t>(text: &'t str, out: &str) -> Option<&'t str> {
    let escapes = [("\\t", "\t"), ("\\r", "\r"), ("\\\"", "\""), ("\\\\", "\\")];
    let unescaped = escapes.iter().fold(out.to_owned(), |out, (escape, text)| out.replace(escape, text));
    let (plain, unescaped) = (Output::of(out), Output::of(&unescaped));
    let is_word = |word: &&str| {
        word.len() <= LONGEST && word.contains(char::is_alphanumeric) && !word.contains(char::is_control)
    };
    // The rule above a record of psql is drawn, not told.
    let lines = text.lines().filter(|line| !line.starts_with("-[ RECORD "));
    lines
        .flat_map(str::split_whitespace)
        .filter(is_word)
        .find(|word| !plain.has(word) && !unescaped.has(word))
}

/// Writes `text` in known forms, alone and through all stages; answers what was wrong.
pub fn violation(text: &str) -> Option<String> {
    // A form is made of what a reader may see.
    let scrubbed = visible::own(at_level(text.as_bytes(), Level::Lossless).text);
    let scrubbed = String::from_utf8_lossy(&scrubbed);
    for exact in [true, false] {
        let Some(out) = forms::render(&scrubbed, exact) else { continue };
        if let Some(word) = missing(&scrubbed, &out) {
            return Some(format!("{word:?} of\n{scrubbed}\nis missing in\n{out}"));
        }
        if exact && forms::read(&out, usize::MAX).as_deref() != Some(&*scrubbed) {
            return Some(format!("{scrubbed:?}\ndoes not come back from\n{out}"));
        }
    }
    // What nobody would see, or what could be taken for a line of toto's, is written out in more words than it had, and
    // a note counts such lines.
    let written = match visible::output(text.as_bytes()) {
        Cow::Owned(text) => tokens::count(&text) + NOTE,
        Cow::Borrowed(_) => 0,
    };
    for level in [Level::Lossless, Level::Standard] {
        let report = compress(text.as_bytes(), &Options { level, ..Options::default() });
        if report.output_tokens > report.original_tokens.max(written) {
            return Some(format!("{} tokens of {}", report.output_tokens, report.original_tokens));
        }
        let out = String::from_utf8_lossy(&report.output);
        let seen = visible::own(at_level(text.as_bytes(), level).text);
        let is_exact = level == Level::Lossless && report.shape == Shape::Forms;
        if is_exact && !expand(&out).is_ok_and(|back| back == *seen) {
            return Some(format!("{text:?}\ndoes not come back from\n{out}"));
        }
    }
    None
}
