//! Environments and projects: directories that have tools which are not, or not always, on PATH.

use std::ffi::OsStr;
use std::iter::repeat;
use std::path::{Path, PathBuf};

use super::known::{BY_PATH, has};
use crate::path::{Search, Verdict};

/// Directories that hold nothing but tools; in others only the tools that are known to be there count.
const TOOLS_ALONE: &str = ".venv/bin venv/bin node_modules/.bin vendor/bin";

pub struct Found {
    pub path: PathBuf,
    /// Whether it is on PATH whatever environment is activated; else it is in one, or in one of this directory's.
    pub on_path: bool,
}

/// Looks for a tool on PATH and in this directory's environments.
pub fn find(name: &OsStr, search: &Search) -> Option<Found> {
    // There only while an environment is activated (`venv` in Python's documentation: `pyvenv.cfg` lies beside its
    // `bin`), or a project's.
    let is_environment = |directory: &Path| {
        directory.is_relative()
            || directory.ends_with("node_modules/.bin")
            || directory.parent().is_some_and(|environment| environment.join("pyvenv.cfg").exists())
    };
    let mut activated = None;
    for file in search.all(name).filter(|file| file.verdict == Verdict::Tool) {
        if !file.path.parent().is_some_and(is_environment) {
            return Some(Found { path: file.path, on_path: true });
        }
        activated = activated.or(Some(file.path));
    }
    let in_project = |(directory, tools): (&str, &str)| {
        let is_known = has(TOOLS_ALONE, directory) || name.to_str().is_some_and(|name| has(tools, name));
        let path = Path::new(directory).join(name);
        let may_run = is_known && rustix::fs::access(&path, rustix::fs::Access::EXEC_OK).is_ok();
        (may_run && path.is_file()).then_some(path)
    };
    let of = |(directories, tools): &(&'static str, &'static str)| directories.split(' ').zip(repeat(*tools));
    let path = activated.or_else(|| BY_PATH.iter().flat_map(of).find_map(in_project))?;
    Some(Found { path, on_path: false })
}
