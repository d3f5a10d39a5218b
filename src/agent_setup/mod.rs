//! Agents and the farm: which agents are here, what each needs so that the farm stands first on the PATH of its
//! commands, and how to put that in and take it out.
//!
//! What an agent needs is data (`src/agents/*.toml`, `[setup]`); `edits` knows how a file is edited.

mod note;
mod plugin;
mod probe;
mod setup;
mod template;

pub(crate) use note::{greeting, note, session_of_hook};
pub(crate) use plugin::write_claude_plugin;
pub(crate) use probe::examine;
pub(crate) use setup::{State, Status, Wanted, found, keep_start_files, plan, remove_all, settle, status};
pub(crate) use template::{Known, OWNER, Place, REWRITING, agents, named};
