//! The last run of the same command in the same session and directory, where its output was a report and was saved.

use std::fs::File;
use std::os::unix::ffi::OsStrExt as _;

use super::delivery::{Delivery, PIPELINE_LIMIT, Run};
use crate::fnv;
use crate::pipeline::visible;
use crate::store::{self, Source, Store};
use crate::sys::files::at_most;

/// Exit statuses from here on may be those of a tool that a signal ended, whose output may lack its end.
const BY_SIGNAL: i32 = 128;

/// What the run that was noted under this name printed, as the pipeline reads it, and the command that shows it.
pub(super) fn last(store: &Store, call: &str) -> Option<(String, String)> {
    let saved = store.last(call)?;
    let facts = store::Facts::of(&saved.path)?;
    if facts.bytes > PIPELINE_LIMIT || facts.status.is_none_or(|status| status >= BY_SIGNAL) {
        return None;
    }
    let bytes = at_most(File::open(&saved.path).ok()?, PIPELINE_LIMIT).ok()?;
    Some((visible::readable(&bytes), format!("toto show {}", saved.id)))
}

/// The name under which the store notes the last run of this command in this directory; `None` where the session,
/// the command or the directory is not known, and where the output may lack its end.
pub(super) fn name_of_call(delivery: &Delivery<'_>, run: Run) -> Option<String> {
    let is_whole = run.outcome.status().is_some_and(|status| status < BY_SIGNAL);
    if !is_whole || delivery.command.is_empty() || delivery.session == store::NO_SESSION {
        return None;
    }
    let directory = std::env::current_dir().ok()?;
    let source = [u8::from(run.source == Source::Err)];
    let words = delivery.command.iter().flat_map(|word| word.as_bytes().iter().chain(&[0]));
    Some(format!(
        "{:x}",
        fnv::hash(source.iter().chain(directory.as_os_str().as_bytes()).chain(&[0]).chain(words))
    ))
}
