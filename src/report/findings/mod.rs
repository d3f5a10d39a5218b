//! Recognisers of what compilers, type checkers and linters print.

mod arrow;
mod block;
mod excerpts;
mod form;
mod learned;
mod make;
mod mypy;
pub(super) mod pattern;
mod tool;

use once_cell::sync::Lazy;

use super::record::{Dropped, Severity};
use super::runners::traces;
use super::section::Family;
use super::table::Table;
use form::{form, is_error_number, is_rule};
use learned::is_number;

include!(concat!(env!("OUT_DIR"), "/linters.rs"));
