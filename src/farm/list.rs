//! The list: what toto stands in front of, by whatever way. A name is on it by its link in the farm, or by an empty
//! file in `~/.toto/reach` where only an agent's own shell is to know it: a tool that is not on PATH now, or one that
//! no script is to meet.

use std::ffi::{OsStr, OsString};
use std::iter::repeat;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use fs_err as fs;

use super::known::{BY_PATH, Way, has, way_of, why_not};
use super::{Farm, Linked, Ownership, Refusal, check_name, ownership};
use crate::path::{self, FileId, Guard, NotFound, OWN_NAMES, Search, Verdict};
use crate::sys::directory;
use crate::sys::files::if_there;

/// The directory of the names that have no link.
pub const NAMES: &str = "reach";

/// A name of the list.
pub struct Listed {
    pub name: OsString,
    /// Whether a link in the farm is what lists it.
    pub in_farm: bool,
    pub state: State,
}

/// What becomes of a call of a name.
pub enum State {
    /// The tool at this path is run.
    Working(PathBuf),
    /// A name without a tool behind it.
    Unfound(NotFound),
    /// A link of ours whose target is gone.
    Stale,
    /// Someone else's file has the place of the link.
    Foreign,
}

/// Whether the name is on the list. It is asked before each command of an agent's shell by word: two system calls.
pub fn is_listed(name: &OsStr) -> bool {
    is_in_farm(name) || path::toto_home().is_some_and(|home| is_name(&home.join(NAMES).join(name)))
}

/// Whether the name is on the list by its link in the farm.
pub fn is_in_farm(name: &OsStr) -> bool {
    path::farm().is_some_and(|farm| farm.join(name).symlink_metadata().is_ok())
}

/// Whether the file in [`NAMES`] is a name of the list. (In earlier versions links for every known tool were there.)
fn is_name(file: &Path) -> bool {
    file.symlink_metadata().is_ok_and(|metadata| metadata.is_file())
}

impl Farm {
    pub fn names(&self) -> PathBuf {
        self.home().join(NAMES)
    }

    /// Puts `name` on the list, unless that would do harm or no good; `force` puts a link into the farm all the same.
    /// The file by which it is listed is returned; it appears whole or not at all. With `dry` it is only found out what
    /// would be done.
    pub fn link(&self, name: &OsStr, force: bool, dry: bool) -> Result<(Linked, PathBuf), Refusal> {
        check_name(name)?;
        let way = name.to_str().and_then(way_of);
        if let Some(reason) = why_not(name).filter(|_| !force && way != Some(Way::Shell)) {
            return Err(Refusal::Unwise(name.into(), reason));
        }
        let (link, file) = (self.directory().join(name), self.names().join(name));
        let has_link = !matches!(ownership(&link), Ownership::Free);
        if has_link || force || has_place_in_farm(name, way) {
            let done = self.place(name, dry)?;
            let was_listed = is_name(&file);
            if was_listed && !dry {
                fs::remove_file(&file)?;
            }
            return Ok((done, link));
        }
        if is_name(&file) {
            return Ok((Linked::Already, file));
        }
        if !dry {
            fs::create_dir_all(self.names())?;
            let _ = std::fs::remove_file(&file);
            fs::write(&file, "")?;
        }
        Ok((Linked::New, file))
    }

    /// Takes `name` off the list; false if it was not there.
    pub fn unlink(&self, name: &OsStr) -> Result<bool, Refusal> {
        check_name(name)?;
        let (link, file) = (self.directory().join(name), self.names().join(name));
        let was_named = is_name(&file);
        if was_named {
            fs::remove_file(&file)?;
        }
        match ownership(&link) {
            Ownership::Free => Ok(was_named),
            Ownership::Foreign => Err(Refusal::Foreign(link)),
            Ownership::Ours => {
                fs::remove_file(&link)?;
                Ok(true)
            }
        }
    }

    /// The list, sorted by name, and with it somebody else's files in the farm.
    pub fn listed(&self) -> anyhow::Result<Vec<Listed>> {
        let entries = |path: &Path| if_there(directory::entries(path)).map(Option::unwrap_or_default);
        let (links, files) = (entries(&self.directory())?, entries(&self.names())?);
        let mut names: Vec<(OsString, bool)> = links.iter().filter_map(|path| named(path, true)).collect();
        let others = files.iter().filter(|path| is_name(path)).filter_map(|path| named(path, false));
        names.extend(others.filter(|(name, _)| links.iter().all(|link| !link.ends_with(name))));
        names.retain(|(name, _)| OWN_NAMES.iter().all(|own| name != own));
        names.sort_unstable();
        let search = Search::from_env();
        let listed = |(name, in_farm): (OsString, bool)| Listed {
            state: self.state(&name, in_farm, &search),
            name,
            in_farm,
        };
        Ok(names.into_iter().map(listed).collect())
    }

    fn state(&self, name: &OsStr, in_farm: bool, search: &Search) -> State {
        let link = self.directory().join(name);
        match ownership(&link) {
            Ownership::Ours if FileId::of(&link).is_none() => return State::Stale,
            Ownership::Free | Ownership::Foreign if in_farm => return State::Foreign,
            _ => {}
        }
        match search.resolve(name, &Guard::default(), &[]) {
            Ok(found) => State::Working(found.path),
            Err(reason) => match find_tool(name, search) {
                Some(found) => State::Working(found.path),
                None => State::Unfound(reason),
            },
        }
    }
}

/// Whether a name is to have a link: not what only environments have now, which `command -v` would find elsewhere.
fn has_place_in_farm(name: &OsStr, way: Option<Way>) -> bool {
    let found = || find_tool(name, &Search::from_env());
    match way {
        Some(Way::Shell) => false,
        Some(Way::Environments) => found().is_some_and(|found| found.on_path),
        Some(Way::Farm) | None => found().is_none_or(|found| found.on_path),
    }
}

fn named(path: &Path, in_farm: bool) -> Option<(OsString, bool)> {
    let name = path.file_name().filter(|name| !name.as_bytes().starts_with(b".toto-"))?;
    Some((name.to_owned(), in_farm))
}

/// Directories that hold nothing but tools; in others only the tools that are known to be there count.
const TOOLS_ALONE: &str = ".venv/bin venv/bin node_modules/.bin vendor/bin";

pub struct Found {
    pub path: PathBuf,
    /// Whether it is on PATH whatever environment is activated; else it is in one, or in one of this directory's.
    pub on_path: bool,
}

/// Looks for a tool on PATH and in this directory's environments and projects: directories that have tools which are
/// not, or not always, on PATH.
pub fn find_tool(name: &OsStr, search: &Search) -> Option<Found> {
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
