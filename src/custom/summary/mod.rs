//! What a filter computes from an output: texts collected under names, and the templates that write them.
//!
//! A line that a template writes and that is not the tool's goes behind a mark: see [`super::marks`].

mod aggregate;
mod chunk;
mod compute;
mod extract;
mod json;
mod section;
mod status;
mod template;
mod value;

pub use compute::{Outputs, Summary, mistakes};
pub use template::Template;
pub use value::{Budget, capture_names};
