//! What agents' own transcripts tell about the commands that the agents ran: how each agent keeps its sessions
//! (`formats.toml`), which commands are in a command line, and what the commands cost.

mod format;
mod line;
mod read;
mod tally;

pub use format::{Format, formats};
pub use read::find;
pub use tally::{Again, Calls, Cost, Tally};

#[cfg(test)]
#[path = "../../tests/unit/transcripts.rs"]
mod tests;
