//! The whole schema of filter files: its keys, and how a file is parsed.

mod file;
mod parts;
mod rules;

pub use file::{Branch, Expect, FilterFile, Test};
pub use parts::Part;
pub use rules::{
    Aggregate, Chunk, Detect, Extract, Fallback, Field, Group, Json, JsonExtract, JsonField, Lang,
    LineExtract, MatchOutput, Output, Parse, Replace, Script, Section, Step, Style, Text, Tree, Variant,
};

use crate::mistake::{self, Mistake};

pub fn parse(text: &str) -> Result<FilterFile, Mistake> {
    mistake::parse(text, false)
}
