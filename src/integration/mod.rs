//! Agents and the farm: which agents are here, what each needs so that the farm stands first on the PATH of its
//! commands, and how to put that in and take it out.
//!
//! What an agent needs is data (`src/agents/*.toml`, `[setup]`); `foreign` knows how a file is edited.

mod note;
mod place;
mod plugin;
mod probe;
mod running;
mod setup;
mod status;
mod template;

pub use note::{greeting, note, session_of_hook};
pub use place::{Place, Scope, agents, named};
pub use plugin::write_claude_plugin;
pub use probe::examine;
pub use setup::{Wanted, keep_start_files, plan, plan_hook, remove_all, settle};
pub use status::{Found, State, Status, status};
