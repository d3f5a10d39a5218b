//! Several calls, one answer: splits command lines into words, and joins the documents of their outputs. Pure.

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

/// A document and the calls that printed it.
#[derive(Debug)]
pub struct Source<'a> {
    /// The names of the calls, in the order of the command line; never empty.
    pub names: Vec<String>,
    /// The document that all of them printed.
    pub document: Document<'a>,
}
