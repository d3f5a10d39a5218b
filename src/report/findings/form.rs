//! Templates of findings that stand on one line: `{place}: {word} {code}: {message}` reads
//! `src/a.ts:12:5: error TS2322: Type …`. A line is read once from its start to its end, so the cost is linear in the
//! text's length.

use super::super::record::{Finding, Place, Severity, number, position};

/// Whether a text may be the path of a file: it is no sentence, has no blank in front and no quotes.
pub fn is_path(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with([' ', '\t', '|', '\'', '"', '`', '[', '<', '>', '*', '#', '^', '~'])
        && !text.ends_with(' ')
        && !text.as_bytes().windows(2).any(|pair| pair == b": ")
        && !text.contains(['\t', '"', '`'])
        && !is_host(text)
}

/// Whether a text ends as the name of a host does; behind it stands a port, not a line.
pub fn is_host(text: &str) -> bool {
    let ends = [".com", ".net", ".internal", ".local", ".lan"];
    ends.iter().any(|end| text.ends_with(end)) && !text.contains(['/', '\\'])
}

/// The text before the first of an ASCII byte, and behind that byte. In short texts faster than `split_once`.
fn split_at_byte(text: &str, byte: u8) -> Option<(&str, &str)> {
    let at = memchr::memchr(byte, text.as_bytes())?;
    Some((&text[..at], &text[at + 1..]))
}

/// Where `open` first stands right in front of a digit: the text before it, and the text from the digit on.
fn split_at_number<'t>(text: &'t str, open: &str) -> Option<(&'t str, &'t str)> {
    memchr::memchr_iter(open.as_bytes()[0], text.as_bytes()).find_map(|at| {
        let rest = text[at..].strip_prefix(open)?;
        rest.starts_with(|c: char| c.is_ascii_digit()).then_some((&text[..at], rest))
    })
}

/// The place at the start of a text (`src/a.rs:12:5`, `src/a.rs:12`, `C:\a b.c:3:1`), whose file ends at the first
/// colon with a number behind it; and the rest of the text.
pub fn colons(text: &str) -> Option<(Place<'_>, &str)> {
    let (file, rest) = split_at_number(text, ":")?;
    let (line, column, rest) = position(rest)?;
    is_path(file).then_some((Place { file, line, column }, rest))
}

/// A path, then a line and perhaps a column in `open`, `between` and `close`; and the rest of the text.
pub fn numbers<'t>(text: &'t str, open: &str, between: &str, close: &str) -> Option<(Place<'t>, &'t str)> {
    let (file, rest) = split_at_number(text, open)?;
    let (line, mut rest) = number(rest)?;
    let mut column = None;
    // Behind the column the end of the span, as MSBuild writes it: `(95,52,95,60)`.
    while let Some((found, behind)) = rest.strip_prefix(between).and_then(number) {
        (column, rest) = (column.or(Some(found)), behind);
    }
    is_path(file).then_some((Place { file, line, column }, rest.strip_prefix(close)?))
}

/// A code (letters, digits and what stands inside names of rules; at least one letter), and the rest of the text.
fn code(text: &str) -> Option<(&str, &str)> {
    let is_part =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/' | '.' | '@' | '+' | ':' | '=');
    let end = text.find(|c: char| !is_part(c)).unwrap_or(text.len());
    let code = text[..end].trim_end_matches([':', '.']);
    code.contains(|c: char| c.is_ascii_alphabetic()).then(|| (code, &text[code.len()..]))
}

/// Whether a code may be the name of a rule: `no-unused-vars`, `errcheck`, `Style/Documentation`.
pub fn is_rule(code: &str) -> bool {
    !code.contains([':', '=', '+']) && code.len() <= 60
}

/// Whether a code may be the number of an error: it begins with a capital and ends in a digit, as `E501` and `CS0246`.
pub fn is_error_number(code: &str) -> bool {
    code.starts_with(|c: char| c.is_ascii_uppercase()) && code.ends_with(|c: char| c.is_ascii_digit())
}

/// The words of a severity, as tools write them, longer ones before those that they begin with; compared without case.
const WORDS: &[(Severity, &[&str])] = &[
    (Severity::Error, &["fatal error", "internal compiler error", "error", "fatal", "e", "f", "high"]),
    (Severity::Warning, &["warning", "warn", "w", "medium"]),
    (
        Severity::Note,
        &["note", "info", "information", "remark", "hint", "style", "portability", "convention", "refactor"],
    ),
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

/// A form of one line.
#[derive(Clone, Copy)]
pub struct Form {
    template: &'static str,
    /// Whether a code is one of the tool's.
    pub is_code: fn(&str) -> bool,
}

/// A form. Its template is literal text and fields: `{place}` and the other places, the `{word}` of a severity,
/// `{code}`, `{number}`, `{blanks}`, and one `{message}`. What stands behind `{message}` is looked for at the end of the line. A part
/// between `‹` and `›` may be missing; of fields it has `{code}`, `{number}`.
pub const fn form(template: &'static str, is_code: fn(&str) -> bool) -> Form {
    Form { template, is_code }
}

impl Form {
    /// The finding on a line, if the line has this form.
    pub fn read<'t>(&self, line: &'t str) -> Option<Finding<'t>> {
        let mut finding = Finding::default();
        let (tail, rest) = self.forward(self.template, line.trim_end(), &mut finding)?;
        let optional = tail.strip_prefix('‹').and_then(|tail| tail.strip_suffix('›'));
        let (tail, code) = (optional.unwrap_or(tail), finding.code);
        let open = &tail[..tail.find('{').unwrap_or(tail.len())];
        let is_tail = |at: &usize| {
            self.forward(tail, &rest[*at..], &mut finding).is_some_and(|(_, rest)| rest.is_empty())
        };
        let last = if open.is_empty() { Some(rest.len()) } else { rest.rfind(open) };
        let end = last.filter(is_tail);
        if end.is_none() {
            optional?;
            finding.code = code;
        }
        let message = rest[..end.unwrap_or(rest.len())].trim_end();
        finding.message.push(message.into());
        (!message.is_empty()).then_some(finding)
    }

    /// Reads a template from the start of a text, up to `{message}` or its end. Returns what is left of both.
    fn forward<'t>(
        &self,
        mut template: &'static str,
        mut text: &'t str,
        finding: &mut Finding<'t>,
    ) -> Option<(&'static str, &'t str)> {
        while !template.is_empty() {
            if let Some((field, behind)) =
                template.strip_prefix('{').and_then(|rest| split_at_byte(rest, b'}'))
            {
                template = behind;
                if field == "message" {
                    break;
                }
                text = self.field(field, text, finding)?;
            } else if let Some((part, behind)) =
                template.strip_prefix('‹').and_then(|rest| rest.split_once('›'))
            {
                let code = finding.code;
                match self.forward(part, text, finding) {
                    Some((_, rest)) => text = rest,
                    None => finding.code = code,
                }
                template = behind;
            } else {
                let (literal, behind) =
                    template.split_at(template.find(['{', '‹']).unwrap_or(template.len()));
                (template, text) = (behind, text.strip_prefix(literal)?);
            }
        }
        Some((template, text))
    }

    /// Reads a field; returns the rest of the text.
    fn field<'t>(&self, name: &str, text: &'t str, finding: &mut Finding<'t>) -> Option<&'t str> {
        let (place, rest) = match name {
            "blanks" => return Some(text.trim_start()),
            "place" => colons(text)?,
            // A place without a column is a line of a program's log.
            "column" => colons(text).filter(|(place, _)| place.column.is_some())?,
            "paren" => numbers(text, "(", ",", ")")?,
            "bracket" => numbers(text, ":[", ",", "]")?,
            "spaced" => numbers(text, ": (", ", ", ")")?,
            "file" => {
                let (file, rest) = text.split_at(text.find(' ').unwrap_or(text.len()));
                is_path(file).then_some((Place::of_file(file), rest))?
            }
            "number" => return Some(number(text)?.1),
            "code" => {
                let (code, rest) = code(text).filter(|(code, _)| (self.is_code)(code))?;
                finding.code = code;
                return Some(rest);
            }
            _ => {
                let (word, severity, rest) = leading(text)?;
                (finding.word, finding.severity) = (word, severity);
                return Some(rest);
            }
        };
        finding.place = Some(place);
        Some(rest)
    }
}
