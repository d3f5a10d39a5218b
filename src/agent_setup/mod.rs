//! Agents and the farm: which agents are here, what each needs so that the farm stands first on the PATH of its
//! commands, and how to put that in and take it out.

mod note;
mod place;
mod probe;
mod setup;

pub(crate) use note::{greeting, note, session_of_hook};
pub(crate) use place::{Known, OWNER, Place, REWRITING, agents, named};
pub(crate) use probe::examine;
pub(crate) use setup::{
    State, Status, Wanted, found, keep_start_files, plan, remove_all, settle, status, write_claude_plugin,
};
