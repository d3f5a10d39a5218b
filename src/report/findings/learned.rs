//! Findings of tools without a family of their own. A finding is a place with a severity, a code or a column, and a
//! message; the form is learned from the text: a line of the same shape three times, at different places. What a log, a
//! search or a stack trace writes has a place, too, but not these words beside it.

use std::borrow::Cow;

use super::super::maps::HashMap;
use super::super::record::{Dropped, Finding, Place, Severity, position};
use super::super::section::{Family, Section};
use super::super::words::BARE;
use super::excerpts;
use super::form::{self, is_host, numbers};
use super::tool::{self, TOOL};

/// Fewest lines of a shape that are no accident, and the share of the text's lines that they are: one in so many.
const FEWEST: usize = 3;
const SHARE: usize = 4;
/// Longest line that is read, in bytes.
const LONGEST: usize = 2000;

/// How a line writes its place, and what stands beside it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Shape {
    /// The row of [`PLACES`], or [`BELOW`].
    place: usize,
    /// What stands between the place and the words.
    between: char,
    has_word: bool,
    has_code: bool,
}

/// Lines of one shape: how many, how many of them at another place than the one before, and whether one lacks a column,
/// or words in brackets at its end.
#[derive(Clone, Copy, Default)]
struct Seen<'t> {
    count: usize,
    moved: usize,
    last: Option<Place<'t>>,
    lacks_column: bool,
    lacks_brackets: bool,
}

/// What stands in front of a line's number, of its column and behind it.
const PLACES: &[[&str; 3]] = &[
    [":", ":", ""],
    ["(", ",", ")"],
    ["(", ", ", ")"],
    [": line ", ", col ", ""],
    [":[", ",", "]"],
    [": (", ", ", ")"],
    [", line ", ", column ", ""],
];
/// The position alone: the file stands on a line above.
const BELOW: usize = PLACES.len();

pub fn read(section: &mut Section<'_>, family: &Family) {
    excerpts::read(section);
    let mut shapes: HashMap<Shape, Seen<'_>> = HashMap::default();
    let mut candidates = Vec::new();
    let (mut file, mut filled) = (None, 0);
    section.each_free(|section, at| {
        let line = section.text(at);
        if line.len() > LONGEST || line.is_empty() {
            return None;
        }
        filled += 1;
        if let Some(name) = heading(line) {
            file = Some((name, at));
            return None;
        }
        let (mut finding, shape) = finding(line, file.map(|(name, _)| name))?;
        let seen = shapes.entry(shape).or_default();
        seen.count += 1;
        seen.moved += usize::from(seen.last != finding.place);
        seen.last = finding.place;
        seen.lacks_column |= finding.place.is_none_or(|place| place.column.is_none());
        seen.lacks_brackets |= !line.trim_end().ends_with([')', ']']);
        let end = tool::details(section, at + 1, &TOOL, &mut finding);
        candidates.push((at..end, finding, shape, file.filter(|_| shape.place == BELOW)));
        Some(end)
    });
    // A severity with a position below a file's name is enough, as it is with a code.
    let is_row = |shape: &Shape| shape.place == BELOW && shape.has_word;
    let is_known = |shape: &Shape| {
        shapes.get(shape).is_some_and(|seen| {
            seen.count.min(seen.moved + 1) >= FEWEST
                && (shape.has_word || shape.has_code || !seen.lacks_column || !seen.lacks_brackets)
                || (is_row(shape) || shape.has_word && shape.has_code) && !seen.lacks_column
        })
    };
    // Beside a known shape another with a word or a code is the tool's, too, however rare.
    let is_kin = |shape: &Shape| {
        let is_alike = |other: &Shape| (other.place, other.between) == (shape.place, shape.between);
        (shape.has_word || shape.has_code) && shapes.keys().any(|other| is_alike(other) && is_known(other))
    };
    candidates.retain(|(_, _, shape, _)| is_known(shape) || is_kin(shape));
    let is_few = candidates.len() * SHARE < filled;
    candidates.retain(|(_, _, shape, _)| !is_few || is_row(shape));
    if candidates.is_empty() {
        return;
    }
    for (lines, finding, _, heading) in candidates {
        if let Some((_, at)) = heading {
            section.drop_lines(at..at + 1, Dropped::Heading);
        }
        section.add(lines, finding);
    }
    section.totals(family.totals);
    section.headings(family.headings);
}

/// The finding on a line, and the line's shape. `above` is the file that a line above names.
fn finding<'t>(line: &'t str, above: Option<&'t str>) -> Option<(Finding<'t>, Shape)> {
    let text = line.trim();
    let beside = |(place, style, rest)| (Finding { place: Some(place), ..Finding::default() }, style, rest);
    let (mut finding, style, rest) = place(text).map(beside).or_else(|| behind_front(text, above))?;
    let (between, mut rest) = between(rest, style == BELOW)?;
    if let Some((word, severity, words)) = severity(rest) {
        (finding.word, finding.severity, rest) = (word, severity, words);
    }
    let (code, message) = code(rest, style == BELOW);
    if finding.code.is_empty() {
        finding.code = code;
    }
    // eslint's: `[Error/no-var]`, `[error]`.
    let word_of_code = code.split('/').next().and_then(form::severity);
    finding.severity = word_of_code.filter(|_| finding.word.is_empty()).unwrap_or(finding.severity);
    let (word, code) = (finding.word, finding.code);
    // In capitals, and alone, it is the level of a log.
    let is_level = word.len() > 1 && code.is_empty() && word.bytes().all(|byte| byte.is_ascii_uppercase());
    let has_word = !word.is_empty() || word_of_code.is_some();
    let shape = Shape { place: style, between, has_word, has_code: !code.is_empty() };
    let is_finding = !message.is_empty() && !is_level;
    finding.message.push(message);
    is_finding.then_some((finding, shape))
}

/// A finding whose place stands behind a severity (`[ERROR] src/a.java:12:5`), or that has a position in the file which a
/// line above names: `12:5`, behind a code (`H005 1:0`), behind a severity (`✖  12:5`, `ERROR: 12:5`); the row of
/// [`PLACES`], and the rest.
fn behind_front<'t>(text: &'t str, above: Option<&'t str>) -> Option<(Finding<'t>, usize, &'t str)> {
    let (code, rest) = text.split_once(' ').filter(|(code, _)| is_number(code)).unwrap_or(("", text));
    let (word, severity, rest) = severity(rest).unwrap_or(("", Severity::Note, rest));
    let beside = place(rest).filter(|_| !word.is_empty());
    let (place, style, rest) = beside.or_else(|| {
        let (line, column, rest) = position(rest)?;
        // Of `✖ 12 problems` the number is none of a line.
        let is_position = word.is_empty() || column.is_some();
        is_position.then_some((Place { file: above?, line, column }, BELOW, rest))
    })?;
    Some((Finding { place: Some(place), word, severity, code, ..Finding::default() }, style, rest))
}

/// The file that a line names alone, perhaps with the position of its first finding: `src/a.ts:`, `src/a.ts:1:25`.
fn heading(line: &str) -> Option<&str> {
    let name = line.trim_end().trim_end_matches(':');
    let first =
        || place(name.trim_start()).filter(|(.., rest)| rest.is_empty()).map(|(place, ..)| place.file);
    if is_file(name) { Some(name) } else { first() }
}

/// The place at the start of a text, the row of [`PLACES`] and the rest of the text.
pub fn place(text: &str) -> Option<(Place<'_>, usize, &str)> {
    let end = text.find([':', '(', ',', ' ', '\t', '|'])?;
    if !is_file(&text[..end]) {
        return None;
    }
    let of = |row: &[&'static str; 3]| numbers(text, row[0], row[1], row[2]);
    let read = |(style, row)| of(row).map(|(place, rest)| (place, style, rest));
    PLACES.iter().enumerate().find_map(read).filter(|(place, ..)| place.file.len() == end)
}

/// Whether a word looks like the path of a file.
pub fn is_file(text: &str) -> bool {
    let name = text.rsplit(['/', '\\']).next().unwrap_or("");
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let is_ending = !stem.is_empty()
        && (1..=10).contains(&ending.len())
        && ending.starts_with(|c: char| c.is_ascii_alphabetic())
        && ending.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_part = |c: char| c.is_alphanumeric() || "./\\_-+@~[]$#".contains(c);
    (is_ending || BARE.contains(&name)) && text.len() < 300 && !is_host(text) && text.chars().all(is_part)
}

/// What separates a place from the words behind it, and the words: one blank, or a sign and one blank. A search has no
/// blank there, or as many as the line that it found. In a table, and in front of words that end in brackets, there may be
/// more.
fn between(rest: &str, is_table: bool) -> Option<(char, &str)> {
    let sign = rest.chars().next()?;
    let words = match sign {
        ' ' => rest,
        ':' | ',' => &rest[1..],
        _ => return None,
    };
    let words = words.strip_prefix(" - ").unwrap_or(words.strip_prefix(' ')?);
    let is_bracketed = || words.ends_with(']') && words.contains(" [");
    let words = if is_table || is_bracketed() { words.trim_start() } else { words };
    (!words.starts_with([' ', '\t'])).then_some((sign, words))
}

/// Signs that stand for a severity.
const SIGNS: [(&str, Severity); 2] = [("✖✘×", Severity::Error), ("⚠▲", Severity::Warning)];

/// The word of a severity at the start of a text, marked as one (`error: `, `[error] `, `(error) `, `E: `, `error[E1]: `), or in front
/// of a code; and the rest of the text.
pub fn severity(text: &str) -> Option<(&str, Severity, &str)> {
    let first = text.chars().next()?;
    if let Some((_, severity)) = SIGNS.iter().find(|(signs, _)| !first.is_ascii() && signs.contains(first)) {
        let (sign, rest) = text.split_at(first.len_utf8());
        return Some((sign, *severity, rest.trim_start()));
    }
    let inner = text.trim_start_matches(['[', '(']);
    let is_bracketed = text.len() == inner.len() + 1;
    let (word, severity, rest) = form::leading(inner)?;
    let behind = if is_bracketed { rest.strip_prefix([']', ')'])? } else { rest };
    let words = behind.trim_start_matches(':').trim_start();
    let words = words.strip_prefix("- ").unwrap_or(words);
    let is_marked = behind.starts_with([':', '['])
        || behind.starts_with(" - ")
        || is_bracketed && behind.starts_with(' ');
    let is_before_code = word.len() > 1 && behind.starts_with(' ') && !code(words, false).0.is_empty();
    let is_table = word.len() > 1 && behind.starts_with("  ");
    (is_marked || is_before_code || is_table).then_some((word, severity, words))
}

/// Whether a word is a number of errors: capitals, then digits, perhaps with the rule's name: `E501`, `MD018/no-space`.
pub fn is_number(code: &str) -> bool {
    let letters = code.bytes().take_while(u8::is_ascii_uppercase).count();
    let digits = code[letters..].bytes().take_while(u8::is_ascii_digit).count();
    let rest = &code[letters + digits..];
    (1..=10).contains(&letters) && (2..=6).contains(&digits) && (rest.is_empty() || rest.starts_with('/'))
}

/// Whether a word is the name of a rule: `no-unused-vars`, `Style/Documentation`, `arg_type`.
fn is_rule(code: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-_/.@".contains(&byte);
    (3..=60).contains(&code.len())
        && code.bytes().all(is_part)
        && (code[1..code.len() - 1].contains(['-', '/', '_']) || is_number(code))
        && !code.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-' || byte == b'.')
}

/// The code in front of a message (`E501 `, `no-var: `, `[no-var] `, in a table `no-var  `) or behind it (` (no-var)`,
/// ` [no-var]`, in a table behind two blanks); and the message.
pub fn code(text: &str, is_table: bool) -> (&str, Cow<'_, str>) {
    if let Some(found) = of_pylint(text) {
        return found;
    }
    let is_name = |name: &str| name.starts_with(|c: char| c.is_ascii_lowercase()) && !name.contains(' ');
    if let Some((name, message)) = text.split_once("  ").filter(|(name, _)| is_table && is_name(name)) {
        return (name, message.trim_start().into());
    }
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    let bare = first.trim_end_matches(':');
    let inner = bare.strip_prefix('[').and_then(|bare| bare.strip_suffix(']')).unwrap_or(bare);
    let is_set_off = first.len() > bare.len() || inner.len() < bare.len();
    if !rest.is_empty() && (is_number(inner) || is_set_off && is_rule(inner)) {
        let rest = rest.trim_start();
        return (inner, rest.strip_prefix("[*] ").unwrap_or(rest).into());
    }
    if let Some((message, code)) = text.rsplit_once("  ").filter(|(_, code)| is_table && !code.contains(' '))
    {
        return (code.trim_start_matches('(').trim_end_matches(')'), message.trim_end().into());
    }
    let Some((message, last)) = text.rsplit_once(' ') else { return ("", text.into()) };
    let inner = last.strip_prefix(['(', '[']).and_then(|last| last.strip_suffix([')', ']']));
    inner
        .filter(|inner| is_rule(inner) || is_table || is_camel(inner) || form::severity(inner).is_some())
        .map_or(("", text.into()), |inner| (inner, message.trim_end().into()))
}

/// Whether a word is the name of a rule as Java has them: `LineLength`.
fn is_camel(code: &str) -> bool {
    let capitals = code.bytes().filter(u8::is_ascii_uppercase).count();
    code.starts_with(|c: char| c.is_ascii_uppercase())
        && (2..code.len() / 2).contains(&capitals)
        && code.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// pylint's number and name of a rule, which are the code, and the function, behind the message: `[C0116(missing-docstring), Cart.total] `.
fn of_pylint(text: &str) -> Option<(&str, Cow<'_, str>)> {
    let (inner, message) = text.strip_prefix('[')?.split_once("] ")?;
    let end = inner.find(')')? + 1;
    let function = inner[end..].trim_matches([',', ' ']);
    let message = if function.is_empty() { message.into() } else { format!("{message} [{function}]").into() };
    is_number(&inner[..inner.find('(')?]).then_some((&inner[..end], message))
}
