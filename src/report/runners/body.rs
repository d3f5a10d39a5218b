//! What stands below a failure's heading, whatever the runner: message, difference, excerpt, stack, captured output.

use super::super::record::{Part, PartKind, Place, Said, Test};
use super::super::section::{Section, dedent, indent, parts};
use super::super::words::{CAPTURED, DIFFERENCES, SILENT};
use super::traces::{Frame, frame};

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Text,
    Values,
    Captured,
    /// An object behind the last frame, as node prints an error's fields.
    Fields,
}

/// A frame, its line, and its statement in languages that print it.
struct Level<'t> {
    frame: Frame<'t>,
    said: Said<'t>,
    source: Option<Said<'t>>,
}

#[derive(Default)]
struct Reader<'t> {
    mode: Mode,
    frames: Vec<Level<'t>>,
    /// The numbered lines of the last excerpt, and the index of the line at fault.
    excerpt: Vec<Said<'t>>,
    /// The same lines as they were printed, with their numbers and marks.
    printed: Vec<Said<'t>>,
    fault: Option<usize>,
    reason: Vec<Said<'t>>,
    values: Vec<Said<'t>>,
    library: Vec<Said<'t>>,
    captured: Vec<Part<'t>>,
    /// Whether the words that announce a stack were read.
    is_stack: bool,
}

/// Reads lines into a test's place and reason. A place from the heading stays if the lines have no frame of the
/// project.
pub fn read<'t>(section: &Section<'t>, lines: impl Iterator<Item = usize>, test: &mut Test<'t>) {
    let mut reader = Reader::default();
    for at in lines {
        reader.line(section.said(at), section.text(at + 1));
    }
    reader.finish(test);
}

impl<'t> Reader<'t> {
    fn line(&mut self, said: Said<'t>, next: &str) {
        let text = said.text.trim();
        if self.mode == Mode::Captured {
            // What was printed may look like a frame.
            self.words(said, text);
        } else if self.mode == Mode::Fields {
            self.library.push(said);
            if text == "}" {
                self.mode = Mode::Text;
            }
        } else if SILENT.iter().any(|silent| text.starts_with(silent)) {
            self.is_stack = true;
        } else if let Some(frame) = frame(said.text) {
            self.mode = if text.ends_with(" {") { Mode::Fields } else { Mode::Text };
            self.frames.push(Level { frame, said, source: None });
        } else if self.is_function(text, next) {
            self.library.push(said);
        } else if !self.is_excerpt(said) && !self.is_source(said) {
            self.words(said, text);
        }
    }

    /// Whether a line of a stack names the function whose place is on the next line (Rust, Go).
    fn is_function(&self, text: &str, next: &str) -> bool {
        let is_rust = (self.is_stack || next.trim_start().starts_with("at "))
            && text
                .split_once(": ")
                .is_some_and(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()));
        let is_go = next.starts_with('\t')
            && next.contains(".go:")
            && (text.ends_with(')') || text.starts_with("created by "));
        is_rust || is_go
    }

    /// Takes a line of an excerpt; the line at fault is marked, or has a caret below. Returns whether the line is one.
    fn is_excerpt(&mut self, said: Said<'t>) -> bool {
        let line = said.text.trim_start();
        let marked = line.strip_prefix(['>', '→', '❯', '➜']).map(str::trim_start);
        let line = marked.unwrap_or(line);
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let Some(code) = line[digits..].trim_start().strip_prefix(['|', '│']) else {
            // Bun's caret has no bar.
            let is_caret =
                line == "^" && self.printed.last().is_some_and(|last| last.number + 1 == said.number);
            self.fault = self.excerpt.len().checked_sub(1).filter(|_| is_caret).or(self.fault);
            return is_caret;
        };
        let is_mark = code.trim().bytes().all(|byte| b"^~ -".contains(&byte));
        if digits == 0 && (indent(said.text) == 0 || !is_mark) {
            // rustc's words stand behind its carets.
            let is_labelled = code.trim_start_matches([' ', '-']).starts_with('^');
            self.fault = self.fault.or_else(|| self.excerpt.len().checked_sub(1).filter(|_| is_labelled));
            return false;
        }
        self.mode = if self.mode == Mode::Captured { Mode::Captured } else { Mode::Text };
        let is_caret = digits == 0 && code.trim_start().starts_with('^');
        if digits > 0 {
            if self.excerpt.last().is_none_or(|last| said.number - last.number > 2) {
                (self.excerpt, self.printed, self.fault) = (Vec::new(), Vec::new(), None);
            }
            self.excerpt.push(Said { text: code, ..said });
            self.printed.push(said);
        }
        if marked.is_some() || (is_caret && self.fault.is_none()) {
            self.fault = self.excerpt.len().checked_sub(1);
        }
        true
    }

    /// The statement at fault, as far as the excerpt shows it: from the line that opens the brackets which are open at
    /// the fault, to the line that closes them.
    fn statement(&self) -> Vec<Said<'t>> {
        let Some(fault) = self.fault else { return Vec::new() };
        if self.excerpt[fault].text.trim_end().ends_with('…') {
            return vec![self.excerpt[fault]];
        }
        let (mut start, mut end) = (fault, fault);
        let mut depth = depth(self.excerpt[fault].text);
        let mut closed = depth.1;
        while closed > 0 && start > 0 {
            start -= 1;
            let above = self::depth(self.excerpt[start].text);
            closed = (closed - above.0).max(0) + above.1;
            depth.0 += (above.0 - above.1).min(0);
        }
        let mut open = depth.0;
        while open > 0 && end + 1 < self.excerpt.len() {
            end += 1;
            let below = self::depth(self.excerpt[end].text);
            open += below.0 - below.1;
        }
        self.excerpt[start..=end].to_vec()
    }

    /// Takes the statement below a Python frame, and the carets below that. Returns whether the line is one of these.
    fn is_source(&mut self, said: Said<'t>) -> bool {
        let is_below =
            |at: &Level<'t>| at.frame.is_nearest_last() && indent(said.text) > indent(at.said.text);
        let level = self.frames.last_mut().filter(|level| is_below(level));
        level.map(|level| level.source.get_or_insert(Said { text: said.text.trim(), ..said })).is_some()
    }

    fn words(&mut self, said: Said<'t>, text: &'t str) {
        let is_behind = !self.reason.is_empty() || self.mode == Mode::Captured;
        if is_behind && CAPTURED.iter().any(|title| text.starts_with(title)) {
            self.mode = Mode::Captured;
            let title = text.trim_matches(['-', ' ']).trim_end_matches(':');
            return self.captured.push(Part { kind: PartKind::Captured, title, said: Vec::new() });
        }
        let is_difference = || DIFFERENCES.iter().any(|start| text.starts_with(start));
        if self.mode == Mode::Text && !self.reason.is_empty() && is_difference() {
            self.mode = Mode::Values;
        }
        match self.mode {
            Mode::Captured => self.captured.last_mut().into_iter().for_each(|part| part.said.push(said)),
            Mode::Values => self.values.push(said),
            Mode::Text | Mode::Fields if text.chars().all(|c| "-=─⎯_".contains(c)) => {}
            Mode::Text | Mode::Fields => self.reason.push(said),
        }
    }

    fn finish(mut self, test: &mut Test<'t>) {
        let is_own = |level: &Level<'t>| !level.frame.is_foreign();
        // The project may itself be a library to others: then the test's own class says so.
        let is_named = |level: &Level<'t>| {
            let file = level.frame.place.map_or("", |place| place.file);
            let stem = file.split_once('.').map_or("", |(stem, _)| stem);
            stem.len() > 3 && test.id.split(['.', ' ', '(']).any(|part| part == stem)
        };
        let last = self.frames.last().is_some_and(|level| level.frame.is_nearest_last());
        let nearest =
            if last { self.frames.iter().rposition(is_own) } else { self.frames.iter().position(is_own) };
        let nearest = nearest.or_else(|| self.frames.iter().position(is_named));
        let mut source = self.statement();
        let excerpt = if self.printed.len() > source.len() { self.printed } else { Vec::new() };
        if let Some(level) = nearest.map(|at| self.frames.remove(at)) {
            test.place = level.frame.place;
            source = level.source.map_or(source, |statement| vec![statement]);
        } else if self.frames.first().is_some_and(|level| level.frame.place.is_some()) && test.place.is_none()
        {
            source.clear();
        }
        let (mut own, mut foreign): (Vec<_>, Vec<_>) = self.frames.into_iter().partition(is_own);
        let line = |place: Place<'t>| (place.file.trim_start_matches("./"), place.line);
        own.retain(|level| level.frame.place.map(line) != test.place.map(line));
        // A block of Ruby's on one line has a frame for each of its levels.
        let whole = |place: Place<'t>| (place.file, place.line, place.column);
        own.dedup_by_key(|level| level.frame.place.map_or((level.said.text.trim(), 0, None), whole));
        let mut frames: Vec<Said<'t>> = own.into_iter().map(|level| level.said).collect();
        if test.place.is_none() && frames.is_empty() && !foreign.is_empty() {
            // Without a frame of the project, the nearest frame says more than none.
            frames.push(foreign.remove(if last { foreign.len() - 1 } else { 0 }).said);
        }
        self.library.extend(foreign.into_iter().map(|level| level.said));
        self.library.sort_by_key(|said| said.number);
        test.why.extend(parts([
            (PartKind::Excerpt, excerpt),
            (PartKind::Source, source),
            (PartKind::Reason, self.reason),
            (PartKind::Values, self.values),
            (PartKind::Frames, frames),
            (PartKind::Library, self.library),
        ]));
        for mut part in self.captured {
            dedent(&mut part.said);
            // Below a title that was printed the exception may go on.
            let is_stack =
                |text: &str| frame(text).is_some() || SILENT.iter().any(|silent| text.starts_with(silent));
            if part.said.iter().any(|said| is_stack(said.text)) {
                part.kind = PartKind::Reason;
            }
            test.why.push(part);
        }
    }
}

/// Number of brackets that a line opens and does not close, and number that it closes and did not open.
fn depth(text: &str) -> (i32, i32) {
    let (mut open, mut closed) = (0, 0);
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' if open > 0 => open -= 1,
            b')' | b']' | b'}' => closed += 1,
            _ => {}
        }
    }
    (open, closed)
}
