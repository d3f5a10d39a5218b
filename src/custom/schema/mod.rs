//! The whole schema of filter files: its keys, and how a file is parsed.

mod expressions;
mod file;
mod parse;
mod rules;

pub use file::{Branch, Expect, FilterFile, Test};
pub use parse::parse;
pub use rules::{
    Aggregate, Chunk, Detect, Extract, Fallback, Field, Group, Json, JsonExtract, JsonField, Lang,
    LineExtract, MatchOutput, Output, Parse, Replace, Script, Section, Step, Style, TemplateText, Tree,
    Variant,
};
