//! Recognisers of what test runners print.

mod ava;
mod below;
mod body;
mod engine;
mod found;
mod pytest;
mod reckoning;
mod rule;
mod tap;
pub mod traces;

use once_cell::sync::Lazy;

use super::record::Verdict;
use super::section::Family;
use engine::{Above, Runner, Until};
use rule::{Act, Counted};

include!(concat!(env!("OUT_DIR"), "/runners.rs"));
