//! Recognisers of what compilers, type checkers and linters print.

mod arrow;
mod blocks;
mod build;
mod configuration;
mod excerpts;
mod form;
mod github;
mod headed;
mod learned;
mod lines;
mod memory;
mod pattern;
mod pretty;
mod tool;
mod word;

use super::record::Severity;
use super::runners::traces;
use super::section::Family;
use form::form;

include!(concat!(env!("OUT_DIR"), "/linters.rs"));
