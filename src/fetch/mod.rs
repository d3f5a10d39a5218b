//! Several calls, one answer: the command lines taken apart, their documents brought together. Pure.

mod alike;
mod columns;
mod join;
mod joint;
mod keyed;
mod names;

pub use join::joined;
pub use keyed::{Content, keyed, verbatim};
pub use names::{names, unique};

use crate::document::Document;
pub use crate::words::{Unusable, split};

/// A document and the calls that gave it.
#[derive(Debug)]
pub struct Source<'a> {
    /// Their names, the first asked for first; never empty.
    pub names: Vec<String>,
    /// What they printed, all of them the same.
    pub document: Document<'a>,
}
