//! Which agents are here, and how each is set up.

use std::path::PathBuf;

use super::place::{OWNER, Place, REWRITING};
use super::setup::{Wanted, plan};
use super::template;
use crate::agents::{Agent, Setup};
use crate::edits::{Edit, File};
use crate::farm::{setup::is_in_start_files, shells::Homes};
use crate::path::{Guard, Search};

#[derive(Debug)]
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

#[derive(Debug)]
pub struct Status {
    pub agent: &'static Agent,
    /// Where it was found, as by [`found`].
    pub found: Option<PathBuf>,
    pub state: State,
    pub rewrites: bool,
}

pub fn status(agent: &'static Agent, setup: &'static Setup, place: &Place) -> Status {
    let by_start_files = || setup.start_files && is_in_start_files(&Homes::of(&place.home));
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
        let path = template::resolve(edit, agent, place).ok().flatten().map(|(path, _)| path);
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
