//! The real executable behind a name: a PATH lookup that skips every copy of toto and never goes round in a circle.
//!
//! The path is run as found: a virtual environment's `python` is a link and must be started as that link.

pub mod guard;
mod own;
mod search;

use std::ffi::{OsStr, OsString};

pub use guard::{Guard, GuardValue};
pub use own::{FileId, OWN_NAMES, called_as, farm, is_own, is_renamed, is_set_id, toto_home};
pub use search::{Candidate, NotFound, Resolved, Search, Verdict, base_of, other_farm};

/// Finds the tool that the shim `name` stands for, `args` being its arguments without argv[0].
///
/// A name with a slash is used as a path, unless the path leads back to us: then its last component is looked up.
pub fn resolve(name: &OsStr, guard: &Guard, args: &[OsString]) -> Result<Resolved, NotFound> {
    Search::from_env().resolve(name, guard, args)
}
