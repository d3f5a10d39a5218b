//! Records in the ledger what `toto show`, `toto read` and `toto grep` give an agent of a saved output: it is
//! deducted from what that output's run saved.

use std::path::Path;

use super::host::Reader;
use crate::config;
use crate::ledger::record::{AGAIN, Record};
use crate::ledger::{calls, spool};
use crate::store::{self, Facts, Saved, session_of_caller};
use crate::tokens;

/// Records that the reader was given `given` of a saved output; `page` is its page number if it is a page. If the
/// record cannot be written, it is lost without a message.
pub fn note(saved: &Saved, reader: &Reader, given: &[u8], page: Option<u32>) {
    if !config::load().unwrap_or_default().ledger.enabled {
        return;
    }
    let facts = Facts::of(&saved.path).unwrap_or_default();
    // Of an output that an older toto saved only the tool is known.
    let call = facts.call.unwrap_or_else(|| calls::file_name(&saved.tool));
    let tokens = tokens::count(given) as u64;
    // What the first page left to later pages did not count as saved, so a later page costs only its call.
    let is_next = facts.pages.is_some() && page.is_some_and(|page| page > 1);
    let record = Record {
        shape: AGAIN.into(),
        given_bytes: given.len() as u64,
        without: if is_next { tokens } else { 0 },
        given: tokens,
        status: Some(0),
        saved: Some(saved.id.as_str().into()),
        ..Record::new(&saved.tool, call, reader.agent, &session_of_caller())
    };
    let _ = spool::append(record.at, &record.line());
}

/// Like [`note`], for a file; does nothing if the file is not a saved output.
pub fn note_file(path: &Path, reader: Option<&Reader>, given: &[u8]) {
    if let Some((reader, saved)) = reader.and_then(|reader| Some((reader, store::at(path)?))) {
        note(&saved, reader, given, None);
    }
}
