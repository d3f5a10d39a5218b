//! Agents and the farm: which are here, what each needs so that the farm stands first on the PATH of its commands, and
//! how to put that in and take it out.
//!
//! What an agent needs is data (`src/agents/*.toml`, `[setup]`); how a file is edited is `foreign`'s to know.

mod note;
mod plugin;
mod probe;
mod running;
mod setup;
mod status;
mod template;

use std::path::PathBuf;

pub use note::{greeting, note, session_of_hook};
pub use plugin::write_claude_plugin;
pub use probe::examine;
pub use setup::{Scope, Wanted, keep_start_files, plan, plan_hook, remove_all, settle};
pub use status::{Found, State, Status, status};

use crate::agents::{Agent, Setup};
use crate::farm::Farm;

/// Whose changes in a configuration file these are, as `foreign` notes it.
pub const OWNER: &str = "path";
/// Whose changes the rewriting hooks are.
pub const REWRITING: &str = "rewrite";

/// Where this user's things are.
#[derive(Debug)]
pub struct Place {
    /// The farm.
    pub farm: Farm,
    /// The home directory.
    pub home: PathBuf,
}

/// The agents that can be set up, by id.
pub fn agents() -> impl Iterator<Item = (&'static Agent, &'static Setup)> {
    crate::agents::all().filter_map(|agent| Some((agent, agent.setup.as_ref()?)))
}

/// The agent of this name: its id, its command, or its title.
pub fn named(name: &str) -> Option<(&'static Agent, &'static Setup)> {
    agents().find(|(agent, setup)| {
        agent.id == name || agent.title.eq_ignore_ascii_case(name) || setup.programs.contains(&name)
    })
}
