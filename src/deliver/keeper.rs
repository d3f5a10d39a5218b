//! Sees to it that what is left out of an output is saved: once, before it is left out.

use std::io;
use std::path::PathBuf;

use crate::config::Kept;
use crate::overflow::Whole;
use crate::store::{Facts, Id, Live, Source, Store};

/// The original of one stream, and where it is kept.
pub(super) struct Keeper<'a> {
    store: Option<&'a Store>,
    tool: &'a str,
    source: Source,
    id: Id,
    path: Result<PathBuf, String>,
    is_copy: bool,
    /// What is to be written down of it, once something was left out.
    facts: Option<Facts>,
}

impl<'a> Keeper<'a> {
    /// Of an output that may have a live copy already, or may not for this reason.
    pub(super) fn new(
        store: Option<&'a Store>,
        tool: &'a str,
        source: Source,
        copy: Option<&Live>,
        uncopied: Option<&io::Error>,
    ) -> Self {
        let path = match (copy, uncopied) {
            (Some(copy), _) => Ok(copy.path().to_owned()),
            (None, Some(error)) => Err(error.to_string()),
            (None, None) => Err(String::new()),
        };
        let id = copy.map_or_else(Id::new, |copy| copy.id().clone());
        Self { store, tool, source, id, path, is_copy: copy.is_some(), facts: None }
    }

    /// The command that shows the original.
    pub(super) fn recall(&self) -> String {
        format!("toto show {}", self.id)
    }

    /// Makes sure that `original` is saved. False where it cannot be.
    pub(super) fn save(&mut self, original: &[u8]) -> bool {
        // An empty reason: not tried yet.
        if self.path.as_ref().is_err_and(String::is_empty) {
            self.path = match self.store {
                None => Err("no home directory".into()),
                Some(store) => {
                    store.save(&self.id, self.tool, self.source, original).map_err(|error| error.to_string())
                }
            };
        }
        self.path.is_ok()
    }

    /// Another id: this one is taken.
    pub(super) fn rename(&mut self) -> bool {
        let taken = io::Error::from(io::ErrorKind::AlreadyExists).to_string();
        let is_taken = self.path.as_ref().is_err_and(|reason| *reason == taken);
        if is_taken {
            self.id = Id::new();
            self.path = Err(String::new());
        }
        is_taken
    }

    /// Something was left out: these are the facts of the whole.
    pub(super) fn note(&mut self, facts: Facts) {
        self.facts = Some(facts);
    }

    /// Where the whole is, with its id; `names` holds the text that is borrowed.
    pub(super) fn whole<'n>(&self, names: &'n mut (String, String)) -> Whole<'n> {
        match &self.path {
            Ok(path) => {
                *names = (path.display().to_string(), self.id.to_string());
                Whole::Saved { path: &names.0, id: &names.1 }
            }
            Err(reason) => {
                names.0.clone_from(reason);
                Whole::Lost(&names.0)
            }
        }
    }

    /// Writes down what is known, or takes away a copy that nobody needs.
    pub(super) fn conclude(self, kept: Kept) {
        match (self.facts, self.store, &self.path) {
            (Some(facts), Some(store), Ok(path)) => store.conclude(path, &facts, kept),
            (None, _, Ok(path)) if self.is_copy => drop(std::fs::remove_file(path)),
            _ => {}
        }
    }
}
