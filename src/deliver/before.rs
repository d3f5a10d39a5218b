//! The last run of the same command in the same session and directory, where its output was a report and was saved.

use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;

use super::delivery::{Delivery, PIPELINE_LIMIT, Text};
use crate::fnv;
use crate::pipeline::visible;
use crate::report::Earlier;
use crate::store::{self, Source, Store};

/// Exit statuses from here on may be those of a tool that a signal ended, whose output may lack its end.
const BY_SIGNAL: i32 = 128;

pub(super) struct Last {
    /// What it printed, as the pipeline reads it.
    text: String,
    /// The command that shows it.
    recall: String,
}

impl Last {
    /// The run that was noted under this name.
    pub(super) fn of(store: &Store, call: &str) -> Option<Self> {
        let saved = store.last(call)?;
        let facts = store::Facts::of(&saved.path)?;
        if facts.bytes > PIPELINE_LIMIT || facts.status.is_none_or(|status| status >= BY_SIGNAL) {
            return None;
        }
        let mut bytes = Vec::new();
        fs_err::File::open(&saved.path).ok()?.take(PIPELINE_LIMIT).read_to_end(&mut bytes).ok()?;
        Some(Self { text: visible::readable(&bytes), recall: format!("toto show {}", saved.id) })
    }

    /// What the report of this run is compared with.
    pub(super) fn as_earlier(&self) -> Earlier<'_> {
        Earlier { text: &self.text, recall: &self.recall }
    }
}

/// The name under which the store notes the last run of this command in this directory; `None` where the session,
/// the command or the directory is not known, and where the output may lack its end.
pub(super) fn name_of_call(delivery: &Delivery<'_>, text: &Text<'_>) -> Option<String> {
    let is_whole = text.run.outcome.status().is_some_and(|status| status < BY_SIGNAL);
    if !is_whole
        || delivery.command.is_empty()
        || text.merged.is_some()
        || delivery.session == store::NO_SESSION
    {
        return None;
    }
    let directory = std::env::current_dir().ok()?;
    let source = [u8::from(text.run.source == Source::Err)];
    let words = delivery.command.iter().flat_map(|word| word.as_bytes().iter().chain(&[0]));
    Some(format!(
        "{:x}",
        fnv::hash(source.iter().chain(directory.as_os_str().as_bytes()).chain(&[0]).chain(words))
    ))
}
