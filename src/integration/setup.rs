//! Putting the farm on an agent's PATH, and taking it off again.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::{OWNER, Place, REWRITING, template};
use crate::agents::{self, Agent, Hook, Setup};
use crate::farm::changes::Changes;
use crate::farm::shells::Homes;
use crate::farm::{Farm, probe, setup};
use crate::foreign::{self, Change, Edit, File};

/// For whom.
#[derive(Clone, Debug)]
pub enum Scope {
    /// This user's sessions of the agent.
    User,
    /// Only those in this directory.
    Project(PathBuf),
}

/// What of ours is to be in an agent's own files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// What puts the farm on PATH, and the sentence that tells the agent of toto.
    All,
    /// Without that sentence.
    Path,
    /// Nothing: ours is taken out.
    Nothing,
}

/// What has to be done to the agent's own files, so that what is `wanted` of ours is in them. None where the
/// agent has no file for this scope.
///
/// # Errors
/// Where a file cannot be read, does not parse, or has something else where ours would go: nothing is changed then.
pub fn plan(
    agent: &Agent,
    setup: &Setup,
    place: &Place,
    scope: &Scope,
    wanted: Wanted,
) -> anyhow::Result<Option<Vec<Edit>>> {
    let edits = planned(agent, setup.edits, OWNER, place, scope, wanted)?;
    let nowhere = edits.is_empty() && (matches!(scope, Scope::Project(_)) || !setup.start_files);
    Ok((!nowhere).then_some(edits))
}

/// The same for the agent's rewriting hook.
///
/// # Errors
/// As [`plan`].
pub fn plan_hook(
    agent: &Agent,
    hook: &Hook,
    place: &Place,
    scope: &Scope,
    wanted: bool,
) -> anyhow::Result<Vec<Edit>> {
    let wanted = if wanted { Wanted::All } else { Wanted::Nothing };
    planned(agent, hook.edits, REWRITING, place, scope, wanted)
}

fn planned(
    agent: &Agent,
    edits: &[agents::Edit],
    owner: &str,
    place: &Place,
    scope: &Scope,
    wanted: Wanted,
) -> anyhow::Result<Vec<Edit>> {
    let mut files: BTreeMap<PathBuf, Vec<Change>> = BTreeMap::new();
    for edit in edits.iter().filter(|edit| !edit.note || wanted != Wanted::Path) {
        if let Some((path, change)) = template::resolve(edit, agent, place, scope)? {
            files.entry(path).or_default().push(change);
        }
    }
    let one = |(path, changes): (PathBuf, Vec<Change>)| {
        let file = File::open(&path, place.farm.home())?;
        Ok(if wanted == Wanted::Nothing {
            file.take_out(owner, &changes)?
        } else {
            file.put_in(owner, &changes)?
        })
    };
    files.into_iter().map(one).collect()
}

/// The agents for whose sake the shells' start files were written: a list of ids below toto's directory.
const BY_START_FILES: &str = "agents";

/// Sees to what the agents share: toto itself, its `env` files, and the start files where one needs them. Start files
/// that `toto setup` wrote stay when the last agent goes.
///
/// # Errors
/// The file system's.
pub fn settle(
    place: &Place,
    agents: &[(&Agent, &Setup)],
    wanted: bool,
    changes: &mut Changes,
) -> anyhow::Result<()> {
    if wanted {
        setup::install(&place.farm, changes)?;
        setup::write_env_files(&place.farm, &place.home, changes)?;
    }
    let concerned: Vec<_> =
        agents.iter().filter(|(_, setup)| setup.start_files).map(|(agent, _)| agent.id).collect();
    let note = place.farm.home().join(BY_START_FILES);
    let noted = std::fs::read_to_string(&note).unwrap_or_default();
    if concerned.is_empty() || !wanted && noted.is_empty() {
        return Ok(());
    }
    let homes = Homes::new(place.home.clone(), probe::zsh_home());
    let mut ids: Vec<&str> = noted.lines().filter(|id| !concerned.contains(id)).collect();
    if wanted {
        let are_the_users = noted.is_empty() && setup::is_in_start_files(&homes);
        setup::edit_start_files(&place.farm, &homes, changes)?;
        if are_the_users {
            return Ok(());
        }
        ids.extend(concerned);
    } else if ids.is_empty() {
        setup::restore_start_files(&place.farm, &homes, changes)?;
    }
    if changes.is_dry() {
        return Ok(());
    }
    if ids.is_empty() {
        std::fs::remove_file(&note)?;
    } else {
        std::fs::write(&note, ids.join("\n") + "\n")?;
    }
    Ok(())
}

/// From now on the start files are the user's own wish, and do not go with the last agent.
pub fn keep_start_files(farm: &Farm) {
    let _ = std::fs::remove_file(farm.home().join(BY_START_FILES));
}

/// Takes every change of toto's out of every file that is noted as edited, whoever made it.
///
/// # Errors
/// The first file that could not be restored; the others are.
pub fn remove_all(place: &Place, changes: &mut Changes) -> anyhow::Result<()> {
    let mut result = Ok(());
    for path in foreign::edited_files(place.farm.home()) {
        result = result.and(restore(&path, place, changes));
    }
    if !changes.is_dry() {
        keep_start_files(&place.farm);
    }
    result
}

fn restore(path: &std::path::Path, place: &Place, changes: &mut Changes) -> anyhow::Result<()> {
    let owners =
        File::open(path, place.farm.home())?.record().map(foreign::Record::owners).unwrap_or_default();
    for owner in owners {
        let edit = File::open(path, place.farm.home())?.take_out(&owner, &[])?;
        if edit.is_change() {
            changes.note("restored", "restore", path.display());
        }
        if !changes.is_dry() {
            edit.commit()?;
        }
    }
    Ok(())
}
