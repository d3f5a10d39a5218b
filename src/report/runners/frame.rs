//! A line of a stack, in the languages whose runners are read.

use super::super::record::Place;
use super::FRAME;

/// How a frame is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// The nearest frame comes first in such a stack.
    First,
    /// It comes last, as in Python.
    Last,
    /// It names a package of a library; the project may be that library itself.
    Library,
}

/// A frame; its place where the line has one.
#[derive(Clone, Copy)]
pub struct Frame<'t> {
    pub place: Option<Place<'t>>,
    act: Act,
}

impl Frame<'_> {
    /// Whether the nearest frame comes last in such a stack.
    pub fn is_nearest_last(&self) -> bool {
        self.act == Act::Last
    }

    /// Whether the frame is in a library or a runtime rather than in the project.
    pub fn is_foreign(&self) -> bool {
        self.act == Act::Library || self.place.is_none_or(|place| place.is_foreign())
    }
}

/// The frame on a line.
pub fn frame(text: &str) -> Option<Frame<'_>> {
    let rule = FRAME.as_ref()?.rule(text)?;
    Some(Frame { place: rule.groups(text).place(), act: rule.act })
}

/// The line above the frames of a traceback of Python's.
pub const TRACEBACK: &str = "Traceback (most recent call last):";

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
