//! Agents and the farm: which agents are here, what each needs so that the farm stands first on the PATH of its
//! commands, and how to put that in and take it out.
//!
//! What an agent needs is data (`src/agents/*.toml`, `[setup]`); `foreign` knows how a file is edited.

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

/// The owner of the changes of `toto agents setup` in a configuration file, as `foreign` records it.
pub const OWNER: &str = "path";
/// The owner of the rewriting hooks' changes.
pub const REWRITING: &str = "rewrite";

/// This user's farm and home directory.
#[derive(Debug)]
pub struct Place {
    /// The farm.
    pub farm: Farm,
    /// The home directory.
    pub home: PathBuf,
}

/// The agents that can be set up, with what sets them up.
pub fn agents() -> impl Iterator<Item = (&'static Agent, &'static Setup)> {
    crate::agents::all().filter_map(|agent| Some((agent, agent.setup.as_ref()?)))
}

/// The agent of this name: its id, its command, or its title.
pub fn named(name: &str) -> Option<(&'static Agent, &'static Setup)> {
    agents().find(|(agent, setup)| {
        agent.id == name || agent.title.eq_ignore_ascii_case(name) || setup.programs.contains(&name)
    })
}
