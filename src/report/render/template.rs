//! Templates: the words that messages of one code share, said once: `Unused import *`, then
//! each place with its own words.

use super::super::record::Finding;
use super::draft::place;

/// Most words that may differ; of a long message one in [`SHARE`].
const HOLES: usize = 2;
const SHARE: usize = 5;
/// Most bytes of a value; a longer one stays in its message.
const LONGEST: usize = 120;

/// Words that several messages share, with a `*` for each word that differs.
pub struct Template {
    pub text: String,
    /// For each finding, its words in the place of the stars.
    pub values: Vec<String>,
}

/// The first line of a finding's message.
fn message<'m>(finding: &'m Finding<'_>) -> &'m str {
    finding.message.first().map_or("", AsRef::as_ref)
}

/// The words of a message; a text in quotes counts as one word.
fn words(mut rest: &str) -> impl Iterator<Item = &str> {
    let mut unclosed = Vec::new();
    std::iter::from_fn(move || {
        let (word, behind) =
            Some(rest).filter(|rest| !rest.is_empty()).map(|rest| word(rest, &mut unclosed))?;
        rest = behind;
        Some(word)
    })
}

/// The first word of a text, and the rest of the text. In `unclosed` are the quotes that the text does not close.
fn word<'m>(text: &'m str, unclosed: &mut Vec<char>) -> (&'m str, &'m str) {
    let end = memchr::memchr(b' ', text.as_bytes()).unwrap_or(text.len());
    // Most words begin with a letter, and every word of every finding is looked at.
    let may_quote = !text.starts_with(|c: char| c.is_ascii_alphanumeric());
    let end = may_quote.then(|| closing(text, end, unclosed)).flatten().unwrap_or(end);
    (&text[..end], text.get(end + 1..).unwrap_or(""))
}

/// Quotes that tools put around names.
const QUOTES: &[(char, char)] = &[('`', '`'), ('\'', '\''), ('"', '"'), ('‘', '’'), ('“', '”')];

/// The end of a word that begins with a quote, if that is not closed before `end`.
fn closing(text: &str, end: usize, unclosed: &mut Vec<char>) -> Option<usize> {
    let quoted = text.trim_start_matches(['(', '[']);
    let opening = quoted.chars().next()?;
    let &(_, close) = QUOTES.iter().find(|(open, _)| *open == opening && !unclosed.contains(open))?;
    let start = text.len() - quoted.len() + opening.len_utf8();
    let closing = match u8::try_from(close) {
        Ok(close) if close.is_ascii() => memchr::memchr(close, &text.as_bytes()[start..]),
        _ => text[start..].find(close),
    };
    let Some(length) = closing else {
        unclosed.push(opening);
        return None;
    };
    let at = start + length + close.len_utf8();
    (at > end).then(|| at + memchr::memchr(b' ', &text.as_bytes()[at..]).unwrap_or(text.len() - at))
}

/// The key that messages must share before their words are compared: the number of words and, for a tool without codes,
/// the first word.
pub fn key<'m>(finding: &'m Finding<'_>) -> (usize, &'m str) {
    let first = if finding.code.is_empty() { first_words(finding, 1) } else { "" };
    (words(message(finding)).count(), first)
}

/// The first words of a finding's message.
pub fn first_words<'m>(finding: &'m Finding<'_>, count: usize) -> &'m str {
    let message = message(finding);
    let end = words(message).take(count).map(|word| word.len() + 1).sum::<usize>();
    &message[..end.min(message.len())]
}

impl Template {
    /// The template of findings whose messages differ in few words, and for each finding whether its values can be told
    /// from those beside them.
    pub fn of(findings: &[&Finding<'_>]) -> Option<(Self, Vec<bool>)> {
        let first: Vec<&str> = words(message(findings.first()?)).collect();
        if first.is_empty() {
            return None;
        }
        // Row by row, since the words of many findings are far apart in memory.
        let mut differs = vec![false; first.len()];
        let mut rows = Vec::with_capacity(findings.len() * first.len());
        for finding in findings {
            let start = rows.len();
            rows.extend(words(message(finding)));
            if rows.len() - start != first.len() {
                return None;
            }
            for ((differs, word), other) in differs.iter_mut().zip(&rows[start..]).zip(&first) {
                *differs |= word != other;
            }
        }
        let rows: Vec<&[&str]> = rows.chunks_exact(first.len()).collect();
        let holes: Vec<usize> = (0..first.len()).filter(|at| differs[*at]).collect();
        // Two messages with two words each in another place are read faster as they stand.
        let is_few = holes.len() > 1 && rows.len() < 2 * holes.len();
        if is_few || holes.len() > HOLES.max(first.len() / SHARE) || holes.len() * 2 > first.len() {
            return None;
        }
        let mut text: Vec<String> = first.iter().map(|word| (*word).to_owned()).collect();
        let marks: &[char] = if holes.len() > 1 { &[';', '×', ','] } else { &[';', '×'] };
        // Blanks at either end would not be seen.
        let is_seen = |value: &str| !value.is_empty() && value.trim() == value;
        let mut values = vec![String::new(); rows.len()];
        let mut fits = vec![true; rows.len()];
        for &hole in &holes {
            let (before, after) = common(&rows, hole);
            text[hole] = format!("{}*{}", &first[hole][..before], &first[hole][first[hole].len() - after..]);
            for (((row, finding), values), fits) in rows.iter().zip(findings).zip(&mut values).zip(&mut fits)
            {
                let value = row[hole].get(before..row[hole].len() - after)?;
                // What stands beside a place does not say that place once more.
                let is_place =
                    finding.place.is_some_and(|own| value.contains(own.file) && value.contains(&place(own)));
                *fits &= is_seen(value) && value.len() <= LONGEST && !value.contains(marks) && !is_place;
                *values += if hole == holes[0] { "" } else { ", " };
                *values += value;
            }
        }
        let mut stars = text.iter().map(|word| word.matches('*').count()).enumerate();
        let is_clear = stars.all(|(at, count)| count == usize::from(holes.contains(&at)));
        is_clear.then(|| (Self { text: text.join(" "), values }, fits))
    }
}

/// Bytes of quotes and brackets that all words at a hole begin with, and end with.
fn common(rows: &[&[&str]], hole: usize) -> (usize, usize) {
    let first = rows[0][hole];
    let is_sign = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.' | '-' | '*' | '/' | '<' | '>');
    let before: usize = first.chars().take_while(|c| is_sign(*c)).map(char::len_utf8).sum();
    let after: usize = first.chars().rev().take_while(|c| is_sign(*c) || *c == '.').map(char::len_utf8).sum();
    let shared = |before: usize, after: usize| {
        rows.iter().all(|row| {
            let word = row[hole];
            word.len() > before + after
                && word.starts_with(&first[..before])
                && word.ends_with(&first[first.len() - after..])
        })
    };
    if first.len() > before + after && shared(before, after) { (before, after) } else { (0, 0) }
}
