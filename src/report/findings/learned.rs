//! Findings of tools without a family of their own. A finding is a place with a severity, a code or a column, and a
//! message; the form is learned from the text: a line of the same shape three times, at different places. What a log, a
//! search or a stack trace writes has a place, too, but not these words beside it.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::super::record::{Dropped, Finding, Place, Severity, What, position};
use super::super::section::{Family, Section};
use super::form::{is_host, numbers};
use super::{excerpts, word};

/// Asked behind all other linters and compilers.
pub const FAMILY: Family = Family {
    name: "learned",
    signs: &[
        ":1", ":2", ":3", ":4", ":5", ":6", ":7", ":8", ":9", "(1", "(2", "(3", "(4", "(5", "(6", "(7", "(8",
        "(9", " line ",
    ],
    read,
};

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

/// Lines of one shape: how many, how many of them at another place than the one before, and whether all have a column,
/// or words in brackets at their end.
#[derive(Clone, Copy)]
struct Seen<'t> {
    count: usize,
    moved: usize,
    last: Option<Place<'t>>,
    columns: bool,
    brackets: bool,
}

/// What stands in front of a line's number, of its column and behind it.
const PLACES: &[[&str; 3]] = &[
    [":", ":", ""],
    ["(", ",", ")"],
    [": line ", ", col ", ""],
    [":[", ",", "]"],
    [": (", ", ", ")"],
    [", line ", ", column ", ""],
];
/// The position alone: the file stands on a line above.
const BELOW: usize = PLACES.len();

fn read(section: &mut Section<'_>) {
    excerpts::read(section);
    let mut shapes: HashMap<Shape, Seen<'_>, RandomState> = HashMap::default();
    let mut candidates = Vec::new();
    let (mut file, mut filled) = (None, 0);
    for at in 0..section.lines.len() {
        let line = section.text(at);
        if !section.is_free(at) || line.len() > LONGEST || line.is_empty() {
            continue;
        }
        filled += 1;
        let name = line.trim_end().trim_end_matches(':');
        if is_file(name) {
            file = Some((name, at));
        } else if let Some((finding, shape)) = finding(line, file.map(|(name, _)| name)) {
            let first = Seen { count: 0, moved: 0, last: None, columns: true, brackets: true };
            let seen = shapes.entry(shape).or_insert(first);
            seen.count += 1;
            seen.moved += usize::from(seen.last != finding.place);
            seen.last = finding.place;
            seen.columns &= finding.place.is_some_and(|place| place.column.is_some());
            seen.brackets &= line.trim_end().ends_with([')', ']']);
            candidates.push((at, finding, shape, file.filter(|_| shape.place == BELOW)));
        }
    }
    let is_known = |shape: &Shape| {
        shapes.get(shape).is_some_and(|seen| {
            seen.count.min(seen.moved + 1) >= FEWEST
                && (shape.has_word || shape.has_code || seen.columns || seen.brackets)
        })
    };
    // Beside a known shape another with a word or a code is the tool's, too, however rare.
    let is_kin = |shape: &Shape| {
        let is_alike = |other: &Shape| (other.place, other.between) == (shape.place, shape.between);
        (shape.has_word || shape.has_code) && shapes.keys().any(|other| is_alike(other) && is_known(other))
    };
    candidates.retain(|(_, _, shape, _)| is_known(shape) || is_kin(shape));
    if candidates.len() * SHARE < filled {
        return;
    }
    for (at, finding, _, heading) in candidates {
        if let Some((_, at)) = heading {
            section.drop_lines(at..at + 1, Dropped::Heading);
        }
        section.add(at..at + 1, finding);
    }
    if section.records.iter().any(|record| matches!(record.what, What::Finding(_))) {
        section.totals(&["# error*", "# warning*", "# problem*", "Found # *", "Summary: # *", "Total: # *"]);
    }
}

/// The finding on a line, and the line's shape. `above` is the file that a line above names.
fn finding<'t>(line: &'t str, above: Option<&'t str>) -> Option<(Finding<'t>, Shape)> {
    let text = line.trim();
    let below = || {
        let (code, rest) = text.split_once(' ').filter(|(code, _)| is_number(code)).unwrap_or(("", text));
        let (line, column, rest) = position(rest)?;
        Some((code, Place { file: above?, line, column }, BELOW, rest))
    };
    let beside = place(text).map(|(place, style, rest)| ("", place, style, rest));
    let (mut code, place, style, rest) = beside.or_else(below)?;
    let (between, rest) = between(rest, style == BELOW)?;
    let (word, severity, rest) = severity(rest).unwrap_or(("", Severity::Note, rest));
    let (code_behind, message) = self::code(rest, style == BELOW);
    code = if code.is_empty() { code_behind } else { code };
    // In capitals, and alone, it is the level of a log.
    let is_level = word.len() > 1 && code.is_empty() && word.bytes().all(|byte| byte.is_ascii_uppercase());
    let shape = Shape { place: style, between, has_word: !word.is_empty(), has_code: !code.is_empty() };
    (!message.is_empty() && !is_level)
        .then(|| (Finding::new(Some(place), word, severity, code, message), shape))
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

/// Names of files without an ending.
const BARE: &[&str] = &["Dockerfile", "Makefile", "Vagrantfile", "Gemfile", "Rakefile", "Jenkinsfile"];

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
/// blank there, or as many as the line that it found. In a table there may be more.
fn between(rest: &str, is_table: bool) -> Option<(char, &str)> {
    let sign = rest.chars().next()?;
    let words = match sign {
        ' ' => rest,
        ':' | ',' => &rest[1..],
        _ => return None,
    };
    let words = words.strip_prefix(" - ").unwrap_or(words.strip_prefix(' ')?);
    let words = if is_table { words.trim_start() } else { words };
    (!words.starts_with([' ', '\t'])).then_some((sign, words))
}

/// Signs that stand for a severity.
const SIGNS: &[(&str, Severity)] = &[
    ("✖", Severity::Error),
    ("✘", Severity::Error),
    ("×", Severity::Error),
    ("⚠", Severity::Warning),
    ("▲", Severity::Warning),
];

/// The word of a severity at the start of a text, marked as one (`error: `, `[error] `, `(error) `, `E: `), or in front
/// of a code; and the rest of the text.
pub fn severity(text: &str) -> Option<(&str, Severity, &str)> {
    if let Some((sign, severity)) = SIGNS.iter().find(|(sign, _)| text.starts_with(sign)) {
        return Some((&text[..sign.len()], *severity, text[sign.len()..].trim_start()));
    }
    let inner = text.trim_start_matches(['[', '(']);
    let is_bracketed = text.len() == inner.len() + 1;
    let (word, severity, rest) = word::leading(inner)?;
    let behind = if is_bracketed { rest.strip_prefix([']', ')'])? } else { rest };
    let words = behind.trim_start_matches(':').trim_start();
    let words = words.strip_prefix("- ").unwrap_or(words);
    let is_marked =
        behind.starts_with(':') || behind.starts_with(" - ") || is_bracketed && behind.starts_with(' ');
    let is_before_code = word.len() > 1 && behind.starts_with(' ') && !code(words, false).0.is_empty();
    let is_table = word.len() > 1 && behind.starts_with("  ");
    (is_marked || is_before_code || is_table).then_some((word, severity, words))
}

/// Whether a word is a number of errors: capitals, then digits, perhaps with the rule's name: `E501`, `MD018/no-space`.
fn is_number(code: &str) -> bool {
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

/// The code in front of a message (`E501 `, `no-var: `, `[no-var] `) or behind it (` (no-var)`, ` [no-var]`, in a table
/// behind two blanks); and the message.
fn code(text: &str, is_table: bool) -> (&str, &str) {
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    let bare = first.trim_end_matches(':');
    let inner = bare.strip_prefix('[').and_then(|bare| bare.strip_suffix(']')).unwrap_or(bare);
    let is_set_off = first.len() > bare.len() || inner.len() < bare.len();
    if !rest.is_empty() && (is_number(inner) || is_set_off && is_rule(inner)) {
        return (inner, rest.trim_start());
    }
    if let Some((message, code)) = text.rsplit_once("  ").filter(|(_, code)| is_table && !code.contains(' '))
    {
        return (code.trim_start_matches('(').trim_end_matches(')'), message.trim_end());
    }
    let Some((message, last)) = text.rsplit_once(' ') else { return ("", text) };
    let inner = last.strip_prefix(['(', '[']).and_then(|last| last.strip_suffix([')', ']']));
    inner.filter(|inner| is_rule(inner)).map_or(("", text), |inner| (inner, message.trim_end()))
}
