//! Ids of tests as people list them: `tests/test_api.py::TestUsers: test_get[1], [2] line 12; test_put line 30`.

use std::path::Path;

use super::super::maps::by;
use super::super::record::{Place, Test};
use super::draft;

/// Bytes of a line from which on a list goes on in the next.
pub const LONG: usize = 400;

/// The id of a test as one runs it again, with the place where it failed: `tests/a.py::test_x line 12`,
/// `tests/a.py::test_x at tests/conftest.py:36`, `src/a.rs:12 tests::x`.
pub fn with_place(test: &Test<'_>) -> String {
    list(&[Listed::new(test, test.place)], false).concat()
}

pub struct Listed<'r> {
    /// What stands in front of the id: a place, where the id begins with no file; else nothing.
    pub place: String,
    path: &'r str,
    pub name: &'r str,
    /// What stands behind: ` line 12`, ` at tests/conftest.py:36`, and what only this test says.
    pub behind: String,
}

impl<'r> Listed<'r> {
    /// A test that failed at a place, if that is to be told.
    pub fn new(test: &'r Test<'_>, place: Option<Place<'_>>) -> Self {
        let (path, mut name) = split(&test.id);
        // vitest: `src/a.test.ts > cart > adds`.
        let in_file = |place: Place<'_>| test.id.strip_prefix(place.file)?.strip_prefix(" > ");
        if let Some(rest) = place.filter(|place| place.line > 0).and_then(in_file) {
            name = rest;
        }
        let (place, behind) = match place {
            Some(place) if test.id == place.file => {
                (String::new(), draft::place(Place { file: "", ..place }))
            }
            Some(place) if place.line == 0 && test.id.starts_with(place.file) || names_line(test, place) => {
                (String::new(), String::new())
            }
            Some(place) if place.line > 0 && is_own(test, place.file) => {
                (String::new(), format!(" line {}", place.line))
            }
            Some(place) if begins_with_a_file(&test.id) => {
                (String::new(), format!(" at {}", draft::place(place)))
            }
            Some(place) => (draft::place(place) + " ", String::new()),
            None => (String::new(), String::new()),
        };
        Self { place, path, name, behind }
    }
}

/// Whether a path, which may be absolute, ends in the file that a test's id begins with.
pub fn is_own(test: &Test<'_>, path: &str) -> bool {
    let root = test.id.split_once("::").and_then(|(file, _)| path.strip_suffix(file));
    root.is_some_and(|root| root.is_empty() || root.ends_with('/'))
}

/// Whether an id is that of an example in Rust's documentation: `src/lib.rs - add (line 11)`.
fn names_line(test: &Test<'_>, place: Place<'_>) -> bool {
    test.id.starts_with(place.file) && test.id.ends_with(&format!(" (line {})", place.line))
}

/// Whether an id is of a form like `tests/test_api.py::test_get` or `features/shop.feature:6 buys`.
fn begins_with_a_file(id: &str) -> bool {
    let file = id.split_once(':').map_or("", |(file, _)| file);
    !file.contains(' ') && Path::new(file).extension().is_some()
}

/// The file, and the class, of an id, and the rest of it.
pub fn split(id: &str) -> (&str, &str) {
    let end = id.find(['[', ' ', '(']).unwrap_or(id.len());
    id[..end].rfind("::").map_or(("", id), |at| (&id[..at], &id[at + 2..]))
}

/// `test_get[1]`: the name without its parameters, and these, if a list of them can be read.
pub fn parameters(name: &str) -> Option<(&str, &str)> {
    let (function, parameters) = name.split_at(name.find('[')?);
    (parameters.ends_with(']') && !ends_early(parameters)).then_some((function, parameters))
}

/// Whether a name, in a list, reads as more than one.
fn ends_early(name: &str) -> bool {
    ["], ", "; "].iter().any(|end| name.contains(end))
}

/// Names as they stand in a list: a function whose parameters follow one another is named once.
pub fn names<'r>(names: impl Iterator<Item = &'r str>) -> Vec<&'r str> {
    let mut last = None;
    let short = |name: &'r str| {
        let own = parameters(name);
        let again = own.filter(|(function, _)| last == Some(*function));
        last = own.map(|(function, _)| function);
        again.map_or(name, |(_, parameters)| parameters)
    };
    names.map(short).collect()
}

/// What stands behind a test in a list, unless the next test is to have that behind it, too.
fn behind<'l>(test: &'l Listed<'_>, next: Option<&Listed<'_>>) -> Option<&'l str> {
    next.is_none_or(|next| next.behind != test.behind).then_some(&test.behind)
}

/// Tests of one file or class, of one reason: `test_get[1], [2] line 12, test_put line 30`.
pub fn enumerated(tests: &[&Test<'_>]) -> String {
    let listed: Vec<_> = tests.iter().map(|test| Listed::new(test, test.place)).collect();
    let names = names(listed.iter().map(|test| test.name));
    let with_place = |at: usize| {
        let behind = behind(&listed[at], listed.get(at + 1));
        listed[at].place.clone() + names[at] + behind.unwrap_or_default()
    };
    (0..listed.len()).map(with_place).collect::<Vec<_>>().join(", ")
}

/// The lines of a list; with `is_apart`, and where a name reads as several, each test has its own.
pub fn list(tests: &[Listed<'_>], is_apart: bool) -> Vec<String> {
    let mut lines = Vec::new();
    let is_apart = is_apart || tests.iter().any(|test| ends_early(test.name));
    for same in by(tests.iter().map(|test| ((&test.place, test.path), test))) {
        let (place, path) = (&same[0].place, same[0].path);
        if is_apart && same.len() > 1 {
            let (heading, head) = if path.is_empty() { (None, &**place) } else { (Some(path), "  ") };
            lines.extend(heading.map(|path| format!("{place}{path}:")));
            lines.extend(same.iter().map(|test| format!("{head}{}{}", test.name, test.behind)));
            continue;
        }
        let names = names(same.iter().map(|test| test.name));
        let joint = match path {
            "" => "",
            _ if names[1..].iter().all(|name| name.starts_with('[')) => "::",
            _ => ": ",
        };
        let mut line = format!("{place}{path}{joint}");
        for (at, test) in same.iter().enumerate() {
            let next = same.get(at + 1);
            let behind = behind(test, next.copied());
            line += names[at];
            line += behind.unwrap_or_default();
            line += match next {
                None => "",
                Some(_) if behind.is_some() => "; ",
                Some(_) => ", ",
            };
            if line.len() > LONG && next.is_some() {
                lines.push(std::mem::replace(&mut line, "  ".to_owned()));
            }
        }
        lines.push(line);
    }
    lines
}
