//! The real executable behind a name: a PATH lookup that skips every copy of toto and never goes round in a circle.
//!
//! The path is run as found: a virtual environment's `python` is a link and must be started as that link.

pub mod guard;
mod own;
mod search;

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::commands::BY_PATH;

pub use guard::{Guard, GuardValue};
pub use own::{FileId, OWN_NAMES, called_as, farm, is_own, is_renamed, is_set_id, toto_home};
pub use search::{Candidate, NotFound, Resolved, Search, Verdict, base_of, other_farm};

/// Finds the tool that the shim `name` stands for, `args` being its arguments without argv[0].
///
/// A name with a slash is used as a path, unless the path leads back to us: then its last component is looked up.
pub fn resolve(name: &OsStr, guard: &Guard, args: &[OsString]) -> Result<Resolved, NotFound> {
    Search::from_env().resolve(name, guard, args)
}

impl Resolved {
    /// The tool's arguments, given those that we were called with. argv[0] stays, unless it is a path to our own file
    /// or the tool looks for its own files by that name on PATH, where the shim stands. Then it is the tool's own path.
    pub fn argv(&self, args: &[OsString]) -> Vec<OsString> {
        let mut argv = args.to_vec();
        let is_path = args[0].as_bytes().contains(&b'/');
        if is_path && is_own(Path::new(&args[0])) || !is_path && finds_itself(&args[0].to_string_lossy()) {
            argv[0] = self.path.clone().into();
        }
        argv
    }
}

/// Whether a tool looks for its own files by its name on PATH; also where the name is a part of a longer one
/// (`x86_64-linux-gnu-gcc-12`, `gcc-ar`, `python3.13t`).
fn finds_itself(name: &str) -> bool {
    let plain = |part: &'_ str| part.find(|c: char| c.is_ascii_digit()).unwrap_or(part.len());
    name.split('-').any(|part| BY_PATH.of(&part[..plain(part)]).is_some())
}
