//! Recognisers of what compilers, type checkers and linters print.

mod arrow;
mod block;
mod build;
mod excerpts;
mod form;
mod learned;
mod lines;
mod memory;
mod pattern;
mod pretty;
mod tool;
mod word;

use once_cell::sync::Lazy;

use super::record::{Dropped, Severity};
use super::runners::traces;
use super::section::Family;
use super::table::Table;
use form::form;

include!(concat!(env!("OUT_DIR"), "/linters.rs"));
