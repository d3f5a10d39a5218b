//! `toto show ID|last`: the whole original of an output that something was left out of.

use anyhow::Context;
use clap::Args;

use crate::run::emit::write_all;
use crate::store::{current_session, find};

/// Show the whole original of a compressed output
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The id that the output names, or `last`
    #[arg(default_value = "last")]
    id: String,
}

/// Writes the saved bytes as they were.
///
/// # Errors
/// When there is no such output in this session, or it cannot be read.
pub fn run(args: &ShowArgs) -> anyhow::Result<i32> {
    let session = current_session(None);
    let saved = find(&session, &args.id).with_context(|| {
        format!("nothing saved as `{}` in session {}", args.id, session.to_string_lossy())
    })?;
    write_all(rustix::stdio::stdout(), &fs_err::read(saved.path)?)?;
    Ok(0)
}
