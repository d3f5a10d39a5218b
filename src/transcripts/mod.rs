//! What agents' own transcripts tell of the commands that they ran: how each agent keeps its sessions (`formats.toml`),
//! the commands in a line of theirs, and what those cost.

mod format;
mod line;
mod read;
mod tally;

pub use format::formats;
pub use read::find;
pub use tally::{Again, Cost, Tally};
