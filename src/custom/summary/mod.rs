//! What a filter computes of an output: texts collected under names, and the templates that write them.
//!
//! Whatever a template writes that is no line of the tool's goes behind a mark: see [`super::marks`].

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
