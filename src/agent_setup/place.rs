//! Where agents are set up, and which agents can be.

use std::path::PathBuf;

use crate::agents::{Agent, Setup};
use crate::farm::Farm;

/// The owner of the changes of `toto agents setup` in a configuration file, as `edits` records it.
pub const OWNER: &str = "path";
/// The owner of the rewriting hooks' changes.
pub const REWRITING: &str = "rewrite";

#[derive(Debug)]
pub struct Place {
    pub farm: Farm,
    pub home: PathBuf,
    /// The project for whose sessions alone changes are meant; None for all sessions.
    pub project: Option<PathBuf>,
}

/// An agent that can be set up, and what sets it up.
pub type Known = (&'static Agent, &'static Setup);

pub fn agents() -> impl Iterator<Item = Known> {
    crate::agents::all().filter_map(|agent| Some((agent, agent.setup.as_ref()?)))
}

/// The agent of this name: its id, its command, or its title.
pub fn named(name: &str) -> Option<Known> {
    agents().find(|(agent, setup)| {
        agent.id == name || agent.title.eq_ignore_ascii_case(name) || setup.programs.contains(&name)
    })
}
