//! What stands below a failure's heading, whatever the runner: message, difference, excerpt, stack, captured output.

use std::ops::Range;

use super::super::record::{Kind, Part, Place, Said, Test};
use super::super::section::{Section, dedent, indent};
use super::frame::{Frame, frame};

/// How a difference of values begins.
const DIFFERENCES: &[&str] = &[
    "- Expected", "+ Received", "+ actual - expected", "+ expected - actual", "- expected + actual", "Diff:",
    "--- Expected", "--- expected", "+++ Actual", "@@ ", "First differing element", "code:  ",
];
/// How captured output begins, on a line of its own.
const CAPTURED: &[&str] = &["Stdout:", "Stderr:", "Captured stdout:", "Standard Output Messages:", "-- Captured"];
/// Lines that only say that a stack, or the way to a longer one, follows.
const SILENT: &[&str] = &[
    "Traceback (most recent call last):", "stack backtrace:", "note: run with `RUST_BACKTRACE", "Stack Trace:",
    "note: Some details are omitted", "stacktrace:", "Stacktrace:", "Backtrace:",
];

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Text,
    Values,
    Captured,
    /// An object behind the last frame, as node prints an error's fields.
    Fields,
}

#[derive(Default)]
struct Reader<'t> {
    mode: Mode,
    frames: Vec<(Frame<'t>, Said<'t>)>,
    /// The statement of the frame of the same index, in languages that print it.
    sources: Vec<Option<Said<'t>>>,
    excerpt: Option<Said<'t>>,
    previous: Option<Said<'t>>,
    reason: Vec<Said<'t>>,
    values: Vec<Said<'t>>,
    library: Vec<Said<'t>>,
    captured: Vec<Part<'t>>,
}

/// Reads lines into a test's place and reason; a place that the heading told stays where no frame of the project is.
pub fn read<'t>(section: &Section<'t>, lines: Range<usize>, test: &mut Test<'t>) {
    let mut reader = Reader::default();
    for at in lines {
        reader.line(section.said(at), section.text(at + 1));
    }
    reader.finish(test);
}

impl<'t> Reader<'t> {
    fn line(&mut self, said: Said<'t>, next: &str) {
        let text = said.text.trim();
        if self.mode == Mode::Fields {
            self.library.push(said);
            if text == "}" {
                self.mode = Mode::Text;
            }
        } else if SILENT.iter().any(|silent| text.starts_with(silent)) {
            self.library.push(said);
        } else if let Some(found) = frame(said.text) {
            self.mode = if text.ends_with(" {") { Mode::Fields } else { Mode::Text };
            self.frames.push((found, said));
            self.sources.push(None);
        } else if self.is_function(text, next) {
            self.library.push(said);
        } else if let Some((is_marked, number, code)) = gutter(said.text) {
            self.gutter(said, is_marked, number, code);
        } else if !self.is_source(said) {
            self.words(said, text);
        }
    }

    /// Lines of a stack that name the function whose place is on the next line (Rust, Go).
    fn is_function(&self, text: &str, next: &str) -> bool {
        let is_rust = next.trim_start().starts_with("at ")
            && text.split_once(": ").is_some_and(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()));
        let is_go = next.starts_with('\t') && next.contains(".go:") && (text.ends_with(')') || text.starts_with("created by "));
        is_rust || is_go
    }

    /// A line of an excerpt; the line at fault is marked, or has a caret below.
    fn gutter(&mut self, said: Said<'t>, is_marked: bool, has_number: bool, code: &'t str) {
        self.mode = if self.mode == Mode::Captured { Mode::Captured } else { Mode::Text };
        if is_marked {
            self.excerpt = Some(Said { text: code, ..said });
        } else if !has_number && code.trim_start().starts_with('^') && self.excerpt.is_none() {
            self.excerpt = self.previous.take();
        }
        self.previous = has_number.then_some(Said { text: code, ..said });
    }

    /// The statement below a Python frame, and the carets below that.
    fn is_source(&mut self, said: Said<'t>) -> bool {
        let (Some((frame, at)), Some(source)) = (self.frames.last(), self.sources.last_mut()) else { return false };
        if !frame.nearest_last || indent(said.text) <= indent(at.text) {
            return false;
        }
        if source.is_none() {
            *source = Some(Said { text: said.text.trim(), ..said });
        }
        true
    }

    fn words(&mut self, said: Said<'t>, text: &'t str) {
        if CAPTURED.iter().any(|title| text.starts_with(title)) {
            self.mode = Mode::Captured;
            let title = text.trim_matches(['-', ' ']).trim_end_matches(':');
            self.captured.push(Part { kind: Kind::Captured, title, said: Vec::new() });
            return;
        }
        if self.mode == Mode::Text && !self.reason.is_empty() && DIFFERENCES.iter().any(|start| text.starts_with(start)) {
            self.mode = Mode::Values;
        }
        match self.mode {
            Mode::Captured => {
                if let Some(part) = self.captured.last_mut() {
                    part.said.push(said);
                }
            }
            Mode::Values => self.values.push(said),
            Mode::Text | Mode::Fields => {
                if !text.is_empty() && !text.chars().all(|c| "-=─⎯_".contains(c)) {
                    self.reason.push(said);
                }
            }
        }
    }

    fn finish(mut self, test: &mut Test<'t>) {
        let is_own = |(frame, _): &(Frame<'t>, Said<'t>)| frame.place.is_some_and(|place| !place.is_foreign());
        let last = self.frames.last().is_some_and(|(frame, _)| frame.nearest_last);
        let nearest = if last { self.frames.iter().rposition(is_own) } else { self.frames.iter().position(is_own) };
        let any = self.frames.iter().position(|(frame, _)| frame.place.is_some());
        let mut source = self.excerpt.into_iter().collect();
        if let Some(at) = nearest.or(any.filter(|_| test.place.is_none())) {
            test.place = self.frames[at].0.place;
            source = self.sources[at].or(self.excerpt).into_iter().collect();
            self.frames.remove(at);
        }
        let (own, foreign): (Vec<_>, Vec<_>) = self.frames.into_iter().partition(is_own);
        let place = test.place;
        let mut frames: Vec<Said<'t>> =
            own.into_iter().filter(|(frame, _)| frame.place != place).map(|(_, said)| said).collect();
        frames.dedup_by_key(|said| said.text.trim());
        self.library.extend(foreign.into_iter().map(|(_, said)| said));
        self.library.sort_by_key(|said| said.number);
        let parts: [(Kind, Vec<Said<'t>>); 5] = [
            (Kind::Source, source),
            (Kind::Reason, self.reason),
            (Kind::Values, self.values),
            (Kind::Frames, frames),
            (Kind::Library, self.library),
        ];
        for (kind, mut said) in parts {
            dedent(&mut said);
            if !said.is_empty() {
                test.why.push(Part::new(kind, said));
            }
        }
        for mut part in self.captured {
            dedent(&mut part.said);
            test.why.push(part);
        }
    }
}

/// A line of an excerpt: whether it is marked, whether it has a number, its code.
fn gutter(text: &str) -> Option<(bool, bool, &str)> {
    let line = text.trim_start();
    let (is_marked, line) = match line.strip_prefix(['>', '→', '❯', '➜']) {
        Some(rest) => (true, rest.trim_start()),
        None => (false, line),
    };
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let code = line[digits..].trim_start().strip_prefix(['|', '│'])?;
    if digits == 0 && (indent(text) == 0 || !code.trim().bytes().all(|byte| b"^~ -".contains(&byte))) {
        return None;
    }
    Some((is_marked, digits > 0, code))
}
