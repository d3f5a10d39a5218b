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

/// Writes down that the reader was given this of a saved output. A fault costs the record.
pub fn note(saved: &Saved, reader: &Reader, given: &[u8]) {
    if !config::load().unwrap_or_default().ledger.enabled {
        return;
    }
    let tool = calls::file_name(&saved.tool);
    // Of an older toto's output the tool is all that is known.
    let call = Facts::of(&saved.path).and_then(|facts| facts.call).unwrap_or_else(|| tool.clone());
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
        given: tokens::count(given) as u64,
        status: Some(0),
        saved: Some(saved.id.as_str().into()),
        ..Record::default()
    };
    let _ = spool::append(record.at, &record.line());
}

/// The same of a file, where that is a saved output.
pub fn note_file(path: &Path, reader: Option<&Reader>, given: &[u8]) {
    if let Some((reader, saved)) = reader.and_then(|reader| Some((reader, store::at(path)?))) {
        note(&saved, reader, given);
    }
}
