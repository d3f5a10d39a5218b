//! Which agents are here, and how each is set up; puts the farm on an agent's PATH, and takes it off again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::{Map, Value, json};

use super::place::{Known, OWNER, Place, REWRITING, resolve};
use crate::agents::{self, Agent, Setup};
use crate::edits::{self, Change, Edit, File};
use crate::env;
use crate::farm::changes::Changes;
use crate::farm::shells::Homes;
use crate::farm::{Farm, setup};
use crate::path::{Guard, Search};

/// Which of our changes are to be in an agent's own files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// All of them, with the sentence that tells the agent about toto.
    All,
    /// All of them without that sentence.
    Path,
    /// None: our changes are taken out.
    Nothing,
}

/// The edits to the agent's own files after which the changes of `owner` are in them as `wanted`. Fails when a file
/// cannot be read, does not parse, or has something else in the place of our change. Nothing is changed yet.
pub fn plan(
    agent: &Agent,
    edits: &[agents::Edit],
    owner: &str,
    place: &Place,
    wanted: Wanted,
) -> anyhow::Result<Vec<Edit>> {
    let mut files: BTreeMap<PathBuf, Vec<Change>> = BTreeMap::new();
    for edit in edits.iter().filter(|edit| !edit.note || wanted != Wanted::Path) {
        if let Some((path, change)) = resolve(edit, agent, place)? {
            files.entry(path).or_default().push(change);
        }
    }
    let one = |(path, changes): (PathBuf, Vec<Change>)| {
        let file = File::open(&path, place.farm.home())?;
        let is_wanted = wanted != Wanted::Nothing;
        let text = file.text.as_deref().unwrap_or_default();
        let changes = if is_wanted { chained(changes, text) } else { changes };
        file.plan(owner, &changes, is_wanted)
    };
    files.into_iter().map(one).collect()
}

/// The changes, and one more if our file takes the place of another file in `BASH_ENV`: the other file's name is kept
/// in `TOTO_BASH_ENV`, and our file reads that file first.
fn chained(mut changes: Vec<Change>, text: &str) -> Vec<Change> {
    let there: toml::Table = text.parse().unwrap_or_default();
    let handed_on = |change: &Change| {
        let Change::Set { at, value } = change else { return None };
        let (_, tables) = at.split_last().filter(|(last, _)| *last == env::BASH_ENV)?;
        let table = tables.iter().try_fold(&there, |table, key| table.get(key)?.as_table())?;
        let found = |key| table.get(key)?.as_str();
        let theirs = found(env::BASH_ENV).filter(|theirs| value != theirs);
        let theirs = theirs.or_else(|| found(env::TOTO_BASH_ENV))?;
        Some(Change::Set { at: [tables, &[env::TOTO_BASH_ENV.into()]].concat(), value: theirs.into() })
    };
    let more: Vec<Change> = changes.iter().filter_map(handed_on).collect();
    changes.extend(more);
    changes
}

/// The file, in toto's directory, of the ids of the agents for which the shells' start files were edited.
const BY_START_FILES: &str = "agents";

/// Installs what the agents share: toto itself, its `env` files, and lines in the start files if an agent needs them.
/// If not `wanted`, removes these lines with the last agent that needs them; lines that `toto setup` wrote stay.
pub fn settle(place: &Place, agents: &[Known], wanted: bool, changes: &mut Changes) -> anyhow::Result<()> {
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
    let homes = Homes::of(&place.home);
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
    if changes.dry {
        return Ok(());
    }
    if ids.is_empty() {
        std::fs::remove_file(&note)?;
    } else {
        std::fs::write(&note, ids.join("\n") + "\n")?;
    }
    Ok(())
}

/// Keeps our lines in the start files when the last agent that needs them is removed: the user wants them.
pub fn keep_start_files(farm: &Farm) {
    let _ = std::fs::remove_file(farm.home().join(BY_START_FILES));
}

/// Takes every change of toto's, of every owner, out of every file that is recorded as edited. The error is that of the
/// first file that could not be restored; the other files are restored all the same.
pub fn remove_all(place: &Place, changes: &mut Changes) -> anyhow::Result<()> {
    let mut result = Ok(());
    for path in edits::edited_files(place.farm.home()) {
        result = result.and(restore(&path, place, changes));
    }
    if !changes.dry {
        keep_start_files(&place.farm);
    }
    result
}

fn restore(path: &Path, place: &Place, changes: &mut Changes) -> anyhow::Result<()> {
    let open = || File::open(path, place.farm.home());
    for owner in open()?.record.as_ref().map(edits::Record::owners).unwrap_or_default() {
        let edit = open()?.plan(&owner, &[], false)?;
        if edit.is_change() {
            changes.note("restored", "restore", path.display());
        }
        if !changes.dry {
            edit.commit()?;
        }
    }
    Ok(())
}

pub enum State {
    /// Its own configuration puts the farm on PATH.
    InConfiguration,
    /// The agent inherits PATH, on which the shells' start files put the farm.
    InStartFiles,
    /// The farm is not on it.
    NotSetUp,
    /// Its configuration cannot be read, for this reason.
    Unreadable(String),
}

pub struct Status {
    pub agent: &'static Agent,
    /// Where it was found, as by [`found`].
    pub found: Option<PathBuf>,
    pub state: State,
    pub rewrites: bool,
}

pub fn status(agent: &'static Agent, setup: &'static Setup, place: &Place) -> Status {
    let by_start_files = || setup.start_files && setup::is_in_start_files(&Homes::of(&place.home));
    let planned = |wanted| plan(agent, setup.edits, OWNER, place, wanted);
    let is_done = |edits: &[Edit]| edits.iter().all(|edit| !edit.is_change() && edit.file.has(OWNER));
    // With the greeting, as setup leaves it by itself, or without.
    let state = match (planned(Wanted::All), planned(Wanted::Path)) {
        (Err(error), _) | (_, Err(error)) => State::Unreadable(format!("{error:#}")),
        (Ok(edits), _) if edits.is_empty() && by_start_files() => State::InStartFiles,
        (Ok(edits), _) if edits.is_empty() => State::NotSetUp,
        (Ok(with), Ok(without)) if is_done(&with) || is_done(&without) => State::InConfiguration,
        (Ok(_), Ok(_)) => State::NotSetUp,
    };
    let rewrites = agent.hook.iter().flat_map(|hook| hook.edits).any(|edit| {
        let path = resolve(edit, agent, place).ok().flatten().map(|(path, _)| path);
        let file = path.and_then(|path| File::open(&path, place.farm.home()).ok());
        file.is_some_and(|file| file.has(REWRITING))
    });
    Status { agent, found: found(setup, place), state, rewrites }
}

/// The agent's command, or a directory of its own in the home directory; None if it is not here.
pub fn found(setup: &Setup, place: &Place) -> Option<PathBuf> {
    let search = Search::from_env();
    let program = |name: &&str| Some(search.resolve(name.as_ref(), &Guard::default(), &[]).ok()?.path);
    let directories = || setup.directories.iter().map(|name| place.home.join(name));
    setup.programs.iter().find_map(program).or_else(|| directories().find(|path| path.is_dir()))
}

/// Writes a Claude Code plugin with the same hooks as `toto agents setup claude`, for users who distribute their
/// settings as plugins. Its directory is a plugin and, for `/plugin marketplace add`, a marketplace with this plugin
/// alone.
pub fn write_claude_plugin(
    agent: &Agent,
    setup: &Setup,
    place: &Place,
    into: &Path,
    changes: &mut Changes,
) -> anyhow::Result<()> {
    let about = "toto's shims in front of PATH, and its saved outputs kept through compaction";
    let (version, license) = (env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_LICENSE"));
    let plugin = json!({ "name": "toto", "version": version, "description": about, "license": license });
    let itself = json!({ "name": "toto", "source": "./", "description": about });
    let marketplace = json!({ "name": "toto", "owner": { "name": "toto" }, "plugins": [itself] });
    let hooks = json!({ "description": about, "hooks": hooks(agent, setup, place)? });
    for (path, value) in [
        (".claude-plugin/plugin.json", plugin),
        (".claude-plugin/marketplace.json", marketplace),
        ("hooks/hooks.json", hooks),
    ] {
        changes.write(&into.join(path), format!("{value:#}\n").as_bytes()).context("plugin")?;
    }
    Ok(())
}

fn hooks(agent: &Agent, setup: &Setup, place: &Place) -> anyhow::Result<Map<String, Value>> {
    let mut hooks = Map::new();
    for edit in setup.edits {
        let resolved = resolve(edit, agent, place)?;
        let Some((_, Change::Append { at, element, .. })) = resolved else { continue };
        let event = at.last().cloned().context("a hook without an event")?;
        let list = hooks.entry(event).or_insert_with(|| json!([]));
        list.as_array_mut().into_iter().for_each(|list| list.push(element.clone()));
    }
    Ok(hooks)
}
