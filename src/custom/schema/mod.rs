//! The whole schema of filter files: keys, and errors that name line, column and the nearest valid key.

mod expressions;
mod file;
mod parse;
mod rules;

pub use file::{Branch, Expect, FilterFile, Test};
pub use parse::{nearest, parse, parse_all, parse_test};
pub use rules::{
    Aggregate, Chunk, Detect, Extract, Fallback, Field, Group, Json, JsonExtract, JsonField, Lang,
    LineExtract, MatchOutput, Output, Parse, Replace, Script, Section, Step, Style, TemplateText, Tree,
    Variant,
};
