//! Templates of findings that stand on one line: `{place}: {word} {code}: {message}` reads
//! `src/a.ts:12:5: error TS2322: Type …`. A line is read once from its start to its end, so the cost is linear in the
//! text's length.

use super::super::record::{Finding, Place, Severity, number};
use super::word;

/// Reads a place in front of a finding; returns the rest of the text, too.
type ReadPlace = for<'t> fn(&'t str) -> Option<(Place<'t>, &'t str)>;

/// The fields of a template that are places.
const PLACES: &[(&str, ReadPlace)] = &[
    ("place", colons),
    ("paren", |text| numbers(text, "(", ",", ")")),
    ("bracket", |text| numbers(text, ":[", ",", "]")),
    ("spaced", |text| numbers(text, ": (", ", ", ")")),
    ("named", |text| numbers(text, ": line ", ", col ", "")),
    ("file", |text| {
        let end = text.find(' ').unwrap_or(text.len());
        is_path(&text[..end]).then(|| (Place::of_file(&text[..end]), &text[end..]))
    }),
];

/// Whether a text may be the path of a file: it is no sentence, has no blank in front and no quotes.
pub fn is_path(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with([' ', '\t', '|', '\'', '"', '`', '[', '<', '>', '*', '#', '^', '~'])
        && !text.ends_with(' ')
        && !text.as_bytes().windows(2).any(|pair| pair == b": ")
        && !text.contains(['\t', '"', '`'])
}

/// Where `open` first stands right in front of a digit: the text before it, and the text from the digit on.
fn split_at_number<'t>(text: &'t str, open: &str) -> Option<(&'t str, &'t str)> {
    let mut found = text.match_indices(open).map(|(at, _)| (&text[..at], &text[at + open.len()..]));
    found.find(|(_, rest)| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// The place at the start of a text (`src/a.rs:12:5`, `src/a.rs:12`, `C:\a b.c:3:1`), whose file ends at the first
/// colon with a number behind it; and the rest of the text.
pub fn colons(text: &str) -> Option<(Place<'_>, &str)> {
    let (file, rest) = split_at_number(text, ":")?;
    let (line, rest) = number(rest)?;
    let (column, rest) = match rest.strip_prefix(':').and_then(number) {
        Some((column, rest)) => (Some(column), rest),
        None => (None, rest),
    };
    is_path(file).then_some((Place { file, line, column }, rest))
}

/// A path, then a line and perhaps a column in `open`, `between` and `close`; and the rest of the text.
fn numbers<'t>(text: &'t str, open: &str, between: &str, close: &str) -> Option<(Place<'t>, &'t str)> {
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

/// A form of one line.
#[derive(Clone, Copy)]
pub struct Form {
    template: &'static str,
    /// Whether a code is one of the tool's.
    pub is_code: fn(&str) -> bool,
}

/// A form. Its template is literal text and fields: `{place}` and the other places, the `{word}` of a severity
/// (`{translated}` in other languages), `{code}`, `{number}`, and one `{message}`. What stands behind `{message}` is
/// looked for at the end of the line. A part between `‹` and `›` may be missing.
pub const fn form(template: &'static str, is_code: fn(&str) -> bool) -> Form {
    Form { template, is_code }
}

/// A form with its template parsed, to read many lines.
pub struct Reader {
    head: Vec<Piece>,
    tail: Vec<Piece>,
    /// The literal that the tail begins with.
    open: &'static str,
    is_code: fn(&str) -> bool,
}

enum Piece {
    Literal(&'static str),
    /// The word of a severity, and its reader.
    Word(fn(&str) -> Option<(&str, Severity, &str)>),
    Code,
    Number,
    Place(ReadPlace),
    Optional(Vec<Piece>),
}

/// The fields that were read in a line, without the message.
#[derive(Clone, Copy, Default)]
struct Read<'t> {
    place: Option<Place<'t>>,
    word: &'t str,
    severity: Option<Severity>,
    code: &'t str,
}

impl Form {
    /// Parses the template.
    pub fn reader(&self) -> Reader {
        let (head, tail) = self.template.split_once("{message}").unwrap_or((self.template, ""));
        let open = tail.trim_start_matches('‹');
        let open = &open[..open.find('{').unwrap_or(open.len())];
        Reader { head: pieces(head), tail: pieces(tail), open, is_code: self.is_code }
    }
}

/// The pieces of a part of a template.
fn pieces(mut template: &'static str) -> Vec<Piece> {
    let mut found = Vec::new();
    while !template.is_empty() {
        let (piece, behind) = if let Some((optional, behind)) =
            template.strip_prefix('‹').and_then(|rest| rest.split_once('›'))
        {
            (Piece::Optional(pieces(optional)), behind)
        } else if let Some((name, behind)) = template.strip_prefix('{').and_then(|rest| rest.split_once('}'))
        {
            let place = || PLACES.iter().find(|(place, _)| *place == name);
            let piece = match name {
                "word" => Piece::Word(word::english),
                "translated" => Piece::Word(word::translated),
                "code" => Piece::Code,
                "number" => Piece::Number,
                _ => place().map_or(Piece::Literal(name), |(_, read)| Piece::Place(*read)),
            };
            (piece, behind)
        } else {
            let (literal, behind) = template.split_at(template.find(['{', '‹']).unwrap_or(template.len()));
            (Piece::Literal(literal), behind)
        };
        found.push(piece);
        template = behind;
    }
    found
}

impl Reader {
    /// The finding on a line, if the line has this form.
    pub fn read<'t>(&self, line: &'t str) -> Option<Finding<'t>> {
        let mut read = Read::default();
        let rest = self.forward(&self.head, line.trim_end(), &mut read)?;
        let message = self.backward(rest, &mut read)?;
        if message.is_empty() || !read.code.is_empty() && !(self.is_code)(read.code) {
            return None;
        }
        let severity = read.severity.unwrap_or(Severity::Note);
        Some(Finding::new(read.place, read.word, severity, read.code, message))
    }

    /// Reads pieces from the start of a text; returns the rest of the text.
    fn forward<'t>(&self, pieces: &[Piece], mut text: &'t str, read: &mut Read<'t>) -> Option<&'t str> {
        for piece in pieces {
            text = match piece {
                Piece::Literal(literal) => text.strip_prefix(literal)?,
                Piece::Word(word) => {
                    let (found, severity, rest) = word(text)?;
                    (read.word, read.severity) = (found, Some(severity));
                    rest
                }
                Piece::Code => {
                    let (found, rest) = code(text)?;
                    (self.is_code)(found).then_some(())?;
                    read.code = found;
                    rest
                }
                Piece::Number => number(text)?.1,
                Piece::Place(place) => {
                    let (place, rest) = place(text)?;
                    read.place = Some(place);
                    rest
                }
                Piece::Optional(pieces) => {
                    let before = *read;
                    self.forward(pieces, text, read).unwrap_or_else(|| {
                        *read = before;
                        text
                    })
                }
            };
        }
        Some(text)
    }

    /// Reads the tail at the end of a text; returns the text before it.
    fn backward<'t>(&self, text: &'t str, read: &mut Read<'t>) -> Option<&'t str> {
        let (pieces, is_optional): (&[Piece], bool) = match self.tail.as_slice() {
            [] => return Some(text.trim_end()),
            [Piece::Optional(pieces)] => (pieces, true),
            pieces => (pieces, false),
        };
        let before = *read;
        let found = text.rfind(self.open).and_then(|at| {
            let rest = self.forward(pieces, &text[at..], read)?;
            rest.is_empty().then(|| text[..at].trim_end())
        });
        if found.is_none() {
            *read = before;
        }
        found.or_else(|| is_optional.then(|| text.trim_end()))
    }
}
