//! Saves the original of an output, once, before anything is left out of it.

use std::path::PathBuf;

use super::before;
use super::guard::guarded;
use crate::config::Storage;
use crate::overflow::Original;
use crate::run::Stream;
use crate::store::{self, Facts, Held, Source, Store, Unsaved};

/// The original of one stream, and where it is kept.
pub(super) struct Keeper<'a> {
    store: &'a Store,
    tool: &'a str,
    source: Source,
    id: String,
    /// What was told as [`Keeper::recall`] before its id turned out to be in use.
    first_recall: Option<String>,
    /// Where the original is saved, or why it is not.
    path: Result<PathBuf, String>,
    is_tried: bool,
    /// Whether nothing is saved, but is taken to be.
    pretends: bool,
    /// Keeps the saved file from being cleaned away until the reader has been told of it. A process that runs many
    /// calls then drops this, because it has few descriptors.
    pub(super) held: Option<Held>,
    /// What is recorded of the original, if the saved file is to stay; without, it is removed in the end.
    pub(super) facts: Option<Facts>,
    /// The name under which the store notes this run for the next one of the same command.
    pub(super) call: Option<String>,
    /// Whether the output is a report, which the next run is compared with.
    pub(super) is_report: bool,
}

impl<'a> Keeper<'a> {
    /// Makes the keeper of an output; its `stream` may have a live copy already, or has none because of an error.
    pub(super) fn new(store: &'a Store, tool: &'a str, stream: Option<&Stream>) -> Self {
        let copy = stream.and_then(|stream| stream.copy.as_ref());
        let reason = || stream.and_then(|stream| stream.uncopied.as_ref()).map(ToString::to_string);
        let path = copy.map(|copy| copy.path.clone()).ok_or_else(|| reason().unwrap_or_default());
        let id = copy.map_or_else(store::new_id, |copy| copy.id.clone());
        Self {
            store,
            tool,
            source: stream.map_or(Source::Out, |stream| stream.source),
            id,
            first_recall: None,
            is_tried: copy.is_some(),
            path,
            pretends: false,
            held: None,
            facts: None,
            call: None,
            is_report: false,
        }
    }

    /// A keeper that saves nothing, to see what a reader would be given.
    pub(super) fn pretending(store: &'a Store, tool: &'a str) -> Self {
        let keeper = Self::new(store, tool, None);
        Self { is_tried: true, path: Ok(PathBuf::new()), pretends: true, ..keeper }
    }

    /// The last run of this `call`, in whose place this run is noted in the end.
    pub(super) fn look_back(&mut self, call: Option<String>) -> Option<(String, String)> {
        self.call = call;
        before::last(self.store, self.call.as_ref()?)
    }

    pub(super) fn recall(&self) -> String {
        format!("toto show {}", self.id)
    }

    /// Saves `original`, unless that was tried before; under another id if the first one is in use already. Returns
    /// whether the original is saved.
    pub(super) fn save(&mut self, original: &[u8]) -> bool {
        if !std::mem::replace(&mut self.is_tried, true) {
            let save = |id: &str| self.store.save(id, self.tool, self.source, original);
            let mut saved = save(&self.id);
            if matches!(saved, Err(Unsaved::Taken)) {
                self.first_recall = Some(self.recall());
                self.id = self.store.new_id();
                saved = save(&self.id);
            }
            match saved {
                Ok(held) => {
                    self.path = Ok(held.path.clone());
                    self.held = Some(held);
                }
                // The first reason stays: a disk that was full in mid-copy, though a second try may fail otherwise.
                Err(_) if self.path.as_ref().is_err_and(|reason| !reason.is_empty()) => {}
                Err(error) => self.path = Err(error.to_string()),
            }
        }
        self.path.is_ok()
    }

    /// Puts the id into an output that names another one, which was in use already: ids are of one length.
    pub(super) fn correct_id(&self, output: &mut [u8]) {
        let Some(told) = &self.first_recall else { return };
        let places: Vec<usize> = memchr::memmem::find_iter(output, told).collect();
        for at in places {
            output[at..at + told.len()].copy_from_slice(self.recall().as_bytes());
        }
    }

    /// Keeps the compacted text beside the original, for further pages. Returns whether that succeeded.
    pub(super) fn keep_compacted(&self, text: &[u8]) -> bool {
        let mut text = text.to_vec();
        self.correct_id(&mut text);
        self.path.as_ref().is_ok_and(|path| self.pretends || store::keep_compacted(path, &text).is_ok())
    }

    /// The id of the original, if that is saved and stays.
    pub(super) fn saved_id(&self) -> Option<&str> {
        (self.facts.is_some() && self.path.is_ok()).then_some(&self.id)
    }

    /// Where a reader finds the original, or why there is none.
    pub(super) fn whole(&self) -> Original<'_> {
        match &self.path {
            Ok(path) => Original::Saved { path, id: &self.id },
            Err(reason) => Original::Lost(reason),
        }
    }

    /// Records the facts of the output of `call`, or removes a file that is not needed. A fault costs only the facts in
    /// the listing.
    pub(super) fn conclude(self, storage: Storage, call: String) {
        let kept_path = self.path.as_ref().ok().filter(|_| self.facts.is_some() && self.is_report);
        if let Some(call) = &self.call {
            let _ = guarded(|| self.store.note_last(call, kept_path.map(PathBuf::as_path)));
        }
        let Ok(path) = &self.path else { return };
        let _ = guarded(|| match self.facts {
            Some(facts) => store::conclude(path, &Facts { call: Some(call), ..facts }, storage),
            None => drop(std::fs::remove_file(path)),
        });
    }
}
