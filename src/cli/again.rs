//! What `toto show`, `toto read` and `toto grep` hand to an agent of a saved output goes into the ledger: it is taken off
//! what that output's run saved.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::Path;

use super::host::Reader;
use crate::config;
use crate::ledger::record::{AGAIN, Record, VERSION};
use crate::ledger::{calls, spool};
use crate::store::{self, Facts, Saved, session_of_caller};
use crate::tokens;

/// Writes down that the reader was given this of a saved output, as its page of the number `page` where it is one. A fault
/// costs the record.
pub fn note(saved: &Saved, reader: &Reader, given: &[u8], page: Option<u32>) {
    if !config::load().unwrap_or_default().ledger.enabled {
        return;
    }
    let tool = calls::file_name(&saved.tool);
    let facts = Facts::of(&saved.path).unwrap_or_default();
    // Of an older toto's output the tool is all that is known.
    let call = facts.call.unwrap_or_else(|| tool.clone());
    let tokens = tokens::count(given) as u64;
    // What a first page leaves to the others did not count as saved: only their calls cost.
    let is_next = facts.pages.is_some() && page.is_some_and(|page| page > 1);
    let record = Record {
        v: VERSION,
        at: spool::now(),
        nonce: RandomState::new().build_hasher().finish() as u32,
        tool: tool.into(),
        call: call.into(),
        shape: AGAIN.into(),
        agent: reader.agent.map(|agent| agent.id.into()),
        session: spool::session_hash(&session_of_caller()).into(),
        level: "standard".into(),
        given_bytes: given.len() as u64,
        without: if is_next { tokens } else { 0 },
        given: tokens,
        status: Some(0),
        saved: Some(saved.id.as_str().into()),
        ..Record::default()
    };
    let _ = spool::append(record.at, &record.line());
}

/// The same of a file, where that is a saved output.
pub fn note_file(path: &Path, reader: Option<&Reader>, given: &[u8]) {
    if let Some((reader, saved)) = reader.and_then(|reader| Some((reader, store::at(path)?))) {
        note(&saved, reader, given, None);
    }
}
