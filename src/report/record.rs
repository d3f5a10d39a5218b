//! What a report says, as records: the recognisers write them, the renderer and the JSON read them.

use std::borrow::Cow;
use std::ops::Range;

use aho_corasick::AhoCorasick;
use once_cell::sync::Lazy;
use serde::Serialize;

use super::words::FOREIGN;

/// A line of the tool's, without what its family strips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Said<'t> {
    /// Its number in the whole text, from 1.
    pub number: usize,
    pub text: &'t str,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Place<'t> {
    /// The path as the tool wrote it; a finding's mostly without `./` in front.
    pub file: &'t str,
    /// From 1; 0 where the tool named none.
    pub line: u32,
    /// From 1 (or from 0, as the tool counts); `None` where the tool named none.
    pub column: Option<u32>,
}

/// How a test ended, if it did not simply pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// An assertion did not hold.
    Failed,
    /// The test, its set-up or its file could not be run to its end.
    Error,
    /// It failed, and was expected to.
    Expected,
    /// It was not run.
    Skipped,
}

impl Verdict {
    /// Whether the run fails because of it.
    pub const fn is_failure(self) -> bool {
        matches!(self, Self::Failed | Self::Error)
    }
}

/// What a part of a test's reason is, which decides how much of it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PartKind {
    /// The test's own code as the tool printed it, with its marks: told where there is room.
    Body,
    /// The code around the nearest frame of the project, if that is not the test's own: told where there is room.
    Excerpt,
    /// The statement at fault, whole; not the excerpt around it.
    Source,
    /// The assertion or exception with its values: what tests that fail for the same reason have in common.
    Reason,
    /// Differences of long values, expected and received at length: the beginning is shown.
    Values,
    /// The frames of the project around the place, one line each.
    Frames,
    /// Frames of libraries, and repeats of other parts: not told.
    Library,
    /// What the test printed: the beginning is shown.
    Captured,
}

/// Lines of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part<'t> {
    pub kind: PartKind,
    /// What stands over the lines, or nothing: `Captured stdout call`.
    pub title: &'t str,
    /// All of them, in their order; the renderer decides what is shown.
    pub said: Vec<Said<'t>>,
}

/// A test that did not just pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test<'t> {
    /// Its full name, in the form of a command line where the report has that.
    pub id: String,
    pub outcome: Verdict,
    /// Where it failed: the nearest frame of the project's own code.
    pub place: Option<Place<'t>>,
    /// The parts of its reason, in the order of the text.
    pub why: Vec<Part<'t>>,
}

/// How bad a finding is, in the order of the digest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// `error`, `fatal error`.
    Error,
    Warning,
    /// `note`, `info`, `hint`, `style` on their own, and findings of linters that know no severity.
    #[default]
    Note,
}

/// What a compiler, a type checker or a linter found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finding<'t> {
    /// Where it is; `None` if it holds for the whole run (`error: linking failed`).
    pub place: Option<Place<'t>>,
    pub severity: Severity,
    /// The tool's own word for the severity (`error`, `fatal error`, `style`), or nothing.
    pub word: &'t str,
    /// `E0308`, `TS2345`, `no-unused-vars`; nothing if the tool has no codes.
    pub code: &'t str,
    /// The whole message, in several lines if the tool wrote several, but not if it only wrapped one.
    pub message: Vec<Cow<'t, str>>,
    /// The line at fault, without its gutter, if the tool shows one.
    pub source: Vec<Said<'t>>,
    /// Notes and help that belong to the finding, whole.
    pub notes: Vec<Said<'t>>,
}

/// Totals in the tool's own words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Total<'t> {
    /// The suite or program whose totals these are, if the tool names it on another line; else nothing.
    pub suite: String,
    /// Whether they sum up what stands above them, and are told behind it: `error: could not compile`.
    pub is_closing: bool,
    /// The lines as the tool wrote them, without the rules of dashes around them.
    pub said: Vec<Said<'t>>,
    /// The counts, each with the tool's own word: `failed` 3, `passed` 12.
    pub counts: Vec<(&'t str, u64)>,
}

/// Lines that are part of a report and are left out of the digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dropped {
    /// This many tests that passed.
    Passing(usize),
    /// A file, a class or a package whose tests all passed.
    PassingGroup,
    /// Headings, progress, versions, rules: nothing about a result.
    Heading,
    /// What another record of the same report says, too.
    Repeated,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What<'t> {
    Test(Box<Test<'t>>),
    Finding(Box<Finding<'t>>),
    Total(Box<Total<'t>>),
    /// Output that belongs to no failure and that a runner shows by itself: its beginning is told.
    Log(Part<'t>),
    Dropped(Dropped),
}

macro_rules! said_by {
    ($($kind:ident)+) => {$(
        impl<'t> From<$kind<'t>> for What<'t> {
            fn from(said: $kind<'t>) -> Self {
                Self::$kind(Box::new(said))
            }
        }
    )+};
}
said_by!(Test Finding Total);

/// A record and the lines of its section that it was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<'t> {
    /// Indices into the section's lines.
    pub lines: Range<usize>,
    pub what: What<'t>,
    /// Whether an earlier run of the same command said the same, which is not told again at length.
    pub is_before: bool,
}

impl<'t> Record<'t> {
    pub fn new(lines: Range<usize>, what: impl Into<What<'t>>) -> Self {
        Self { lines, what: what.into(), is_before: false }
    }
}

impl Dropped {
    /// Both as one, where they are of the same kind and no count gets lost.
    pub const fn joined(self, next: Self) -> Option<Self> {
        match (self, next) {
            (Self::Passing(count), Self::Passing(more)) => Some(Self::Passing(count.saturating_add(more))),
            (Self::Heading, Self::Heading) | (Self::Repeated, Self::Repeated) => Some(self),
            _ => None,
        }
    }
}

impl<'t> Test<'t> {
    /// A test of which nothing else is known yet.
    pub fn new(id: impl Into<String>, outcome: Verdict) -> Self {
        Self { id: id.into(), outcome, place: None, why: Vec::new() }
    }

    /// Adds lines of a kind, if there are any.
    pub fn add(&mut self, kind: PartKind, title: &'t str, said: Vec<Said<'t>>) {
        self.why.extend((!said.is_empty()).then_some(Part { kind, title, said }));
    }

    /// The lines of the test's parts of these kinds.
    pub fn said<'r>(&'r self, kinds: &'static [PartKind]) -> impl Iterator<Item = &'t str> + use<'r, 't> {
        let parts = self.why.iter().filter(|part| kinds.contains(&part.kind));
        parts.flat_map(|part| part.said.iter().map(|said| said.text))
    }
}

impl<'t> Finding<'t> {
    pub fn new(
        place: Option<Place<'t>>,
        word: &'t str,
        severity: Severity,
        code: &'t str,
        message: impl Into<Cow<'t, str>>,
    ) -> Self {
        Self { place, severity, word, code, message: vec![message.into()], ..Self::default() }
    }
}

impl<'t> Total<'t> {
    pub fn of(said: Vec<Said<'t>>) -> Self {
        let counts = said.iter().flat_map(|said| counts(said.text)).collect();
        Self { said, counts, ..Self::default() }
    }
}

impl<'t> Part<'t> {
    pub const fn new(kind: PartKind, said: Vec<Said<'t>>) -> Self {
        Self { kind, title: "", said }
    }
}

impl<'t> Place<'t> {
    pub const fn of_file(file: &'t str) -> Self {
        Self { file, line: 0, column: None }
    }

    /// The place at the start of a text (`src/a.rs:12:5`, `src/a.rs:12`), and the rest of the text.
    pub fn parse(text: &'t str) -> Option<(Self, &'t str)> {
        let drive = usize::from(text.as_bytes().get(1) == Some(&b':')) * 2;
        let (file, rest) = text.split_at(drive + text.get(drive..)?.find(':')?);
        let (line, column, rest) = position(&rest[1..])?;
        (!file.is_empty()).then_some((Self { file, line, column }, rest))
    }

    /// The place that a text is, and nothing else.
    pub fn whole(text: &'t str) -> Option<Self> {
        Self::parse(text).filter(|(_, rest)| rest.is_empty()).map(|(place, _)| place)
    }

    /// Whether the place is in a library or a runtime rather than in the project.
    pub fn is_foreign(&self) -> bool {
        static PARTS: Lazy<Option<AhoCorasick>> = Lazy::new(|| AhoCorasick::new(FOREIGN).ok());
        PARTS.as_ref().is_some_and(|parts| parts.is_match(self.file)) || self.file.starts_with("vendor/")
    }
}

/// The decimal number at the start of a text, and the rest of the text.
pub fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// The line at the start of a text, the column if one stands behind (`12:5`, `12`), and the rest of the text.
pub fn position(text: &str) -> Option<(u32, Option<u32>, &str)> {
    let (line, rest) = number(text)?;
    let column = rest.strip_prefix(':').and_then(number);
    Some((line, column.map(|(column, _)| column), column.map_or(rest, |(_, rest)| rest)))
}

/// The counts of a line of totals, each after its word: `3 failed, 12 passed in 0.2s`, `Tests run: 20, Failures: 2`,
/// `failures=4`.
pub fn counts(text: &str) -> Vec<(&str, u64)> {
    let mut counts = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(|c: char| c.is_ascii_digit()).map(|start| at + start) {
        let end = start + text[start..].bytes().take_while(u8::is_ascii_digit).count();
        at = end;
        let (before, behind) = (&text[..start], &text[end..]);
        // A sentence may end behind a number: `Failures: 1.`
        let is_decimal =
            behind.strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if before.ends_with(|c: char| c.is_alphanumeric() || c == '.' || c == '#') || is_decimal {
            continue;
        }
        let named = before.trim_end().strip_suffix([':', '=']).map(|name| {
            let from = name.rfind([',', '(', ';', '|', '\t']).map_or(0, |at| at + 1);
            name[from..].trim()
        });
        let following = behind.strip_prefix(' ').map_or("", |word| {
            let end = word.find(|c: char| !c.is_alphanumeric() && c != '-' && c != '_').unwrap_or(word.len());
            &word[..end]
        });
        let word = if following.is_empty() { named.unwrap_or("") } else { following };
        if let (false, Ok(count)) = (word.is_empty(), text[start..end].parse()) {
            counts.push((word, count));
        }
    }
    counts
}
