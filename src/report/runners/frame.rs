//! A line of a stack, in the languages whose runners are read.

use super::super::record::{Place, number};
use super::super::section::indent;

/// A frame; its place where the line has one (`at Array.map (<anonymous>)` has none).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'t> {
    /// Where the frame is.
    pub place: Option<Place<'t>>,
    /// Whether the nearest frame comes last in such a stack, as in Python.
    pub nearest_last: bool,
    /// Whether the frame names a package of a library; the project may be that library itself.
    pub is_library: bool,
}

impl Frame<'_> {
    /// Whether the frame is in a library or a runtime rather than in the project.
    pub fn is_foreign(&self) -> bool {
        self.is_library || self.place.is_none_or(|place| place.is_foreign())
    }
}

const fn first(place: Option<Place<'_>>) -> Frame<'_> {
    Frame { place, nearest_last: false, is_library: false }
}

/// The frame on a line: JavaScript, Java, .NET, Rust (`at …`), vitest (`❯ …`), rspec (`# …`), Python
/// (`File "…", line 12`), Go (a tab and a path), Ruby (`a.rb:12:in …`), PHP (a path and a line alone).
pub fn frame(text: &str) -> Option<Frame<'_>> {
    let line = text.trim();
    if let Some(rest) = line.strip_prefix("at ").or_else(|| line.strip_prefix("❯ ")) {
        return at(rest.trim_end_matches(" {").trim_end());
    }
    if line.starts_with("File \"") {
        return Some(Frame { place: Some(python(line)?), nearest_last: true, is_library: false });
    }
    if text.starts_with('\t') && line.contains(".go:") {
        let (place, _) = Place::parse(line)?;
        return Some(first(Some(Place { column: None, ..place })));
    }
    // phpunit draws a bar in front of what it says of a test.
    let (line, is_barred) = line.strip_prefix("│ ").map_or((line, false), |line| (line, true));
    let line = line.strip_prefix("# ").unwrap_or(line);
    let line = line.strip_prefix("from ").unwrap_or(line);
    if line.starts_with("... ") && line.ends_with(" more") {
        return Some(first(None));
    }
    let (place, rest) = Place::parse(line)?;
    let is_ruby = has_extension(place.file, "rb") && (rest.starts_with(":in ") || rest.is_empty());
    let is_php = has_extension(place.file, "php") && rest.is_empty() && (is_barred || indent(text) == 0);
    (!place.file.contains(' ') && (is_ruby || is_php)).then_some(first(Some(place)))
}

/// The line above the frames of a traceback of Python's.
pub const TRACEBACK: &str = "Traceback (most recent call last):";

/// The place in a frame of Python's: `File "a.py", line 12, in f`.
pub fn python(line: &str) -> Option<Place<'_>> {
    let (file, rest) = line.strip_prefix("File \"")?.split_once("\", line ")?;
    Some(Place { file, line: number(rest)?.0, column: None })
}

/// The place at the start of a text, if it is in the project.
pub fn own_place(text: &str) -> Option<Place<'_>> {
    Place::parse(text).map(|(place, _)| place).filter(|place| !place.is_foreign())
}

/// Whether a line is the first of a panic of Rust's: `thread 'x' panicked at src/lib.rs:12:5:`.
pub fn is_panic(line: &str) -> bool {
    line.trim_start().starts_with("thread '") && line.contains(" panicked at ")
}

/// Whether a path ends in a dot and these letters.
pub fn has_extension(file: &str, extension: &str) -> bool {
    std::path::Path::new(file).extension().is_some_and(|found| found == extension)
}

/// Java packages whose frames are not the project's, which the file alone does not say: the runtime's, other
/// languages', those of tests, of builds and of frameworks.
const LIBRARIES: &[&[&str]] = &[
    &["java.", "javax.", "jdk.", "sun.", "com.sun.", "java.base/", "kotlin.", "scala.", "groovy."],
    &["org.junit.", "app//org.junit.", "junit.", "org.opentest4j.", "org.testng."],
    &["org.hamcrest.", "org.mockito.", "org.assertj."],
    &["org.gradle.", "worker.org.gradle.", "org.apache.", "org.springframework."],
];

/// The frame behind `at `: `f (file:1:2)`, `file:1:2`, `a.b.C(C.java:1)`, `N.C.m() in file:line 1`.
fn at(rest: &str) -> Option<Frame<'_>> {
    if let Some((_, rest)) = rest.rsplit_once(" in ")
        && let Some((file, line)) = rest.rsplit_once(":line ")
    {
        return Some(first(Some(Place { file, line: number(line)?.0, column: None })));
    }
    if let Some((head, inner)) = rest.strip_suffix(')').and_then(|rest| rest.rsplit_once('(')) {
        let is_library = LIBRARIES.iter().copied().flatten().any(|library| head.starts_with(library));
        return match from_end(inner) {
            Some(place) => Some(Frame { place: Some(place), nearest_last: false, is_library }),
            None => (!head.is_empty() && (head.ends_with(' ') || head.contains('.'))).then_some(first(None)),
        };
    }
    let path = rest.rsplit(' ').next().unwrap_or(rest);
    from_end(path).map(|place| first(Some(place)))
}

/// `file:12:5` or `file:12`, read from its end, since a file may hold colons.
fn from_end(text: &str) -> Option<Place<'_>> {
    let (rest, last) = text.rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    let (file, line, column) =
        match rest.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?))) {
            Some((file, line)) => (file, line, Some(last)),
            None => (rest, last, None),
        };
    let file = file.strip_prefix("file://").unwrap_or(file);
    (!file.is_empty() && !file.ends_with(char::is_whitespace)).then_some(Place { file, line, column })
}
