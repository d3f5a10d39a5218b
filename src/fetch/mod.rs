//! Several calls, one answer: splits command lines into words, and joins the documents of their outputs. Pure.

mod alike;
mod join;
mod joint;
mod keyed;
mod names;

pub use alike::Merged;
pub use join::joined;
pub use keyed::{Printed, keyed, verbatim};
pub use names::{names, unique};
