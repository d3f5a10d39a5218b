//! The output of several calls as one answer: documents joined, texts each under its own heading, in the order
//! requested.

mod outputs;
mod writer;

use std::ffi::OsString;
use std::io;

use rustix::stdio::stdout;

use super::guard::{Fault, guarded};
use super::{Delivery, HURRIED_LIMIT, Outcome, PIPELINE_LIMIT};
use crate::config::Format;
use crate::run::emit::say;
use crate::run::{End, Ended, Stream};
use crate::store::Store;
use outputs::{documents, outputs, whole};
use writer::Writer;

/// The result of one call.
pub struct Answer<'a> {
    /// The call's name; no two are alike.
    pub name: String,
    /// The tool's name.
    pub tool: &'a str,
    /// The tool's name and its arguments, for text filters.
    pub command: &'a [OsString],
    /// The call's output and how the call ended.
    pub ended: Ended,
}

impl Answer<'_> {
    fn outcome(&self) -> Outcome {
        match &self.ended.end {
            End::Status(status) => Outcome::of(Some(*status)),
            end => Outcome::Failed(Some(end.status())),
        }
    }

    /// Bytes of its standard output and standard error.
    fn length(&self) -> u64 {
        self.ended.out.iter().chain(&self.ended.err).map(Stream::length).sum()
    }
}

impl<'a> Delivery<'a> {
    /// Writes what the calls printed, compressed, then what they said of their failures, then the receipt. A program
    /// gets one JSON object of the calls' names and documents, or the texts as they are if there is no document.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub fn several(&self, answers: &mut [Answer<'a>], hurried: bool) -> io::Result<()> {
        let most = if hurried { HURRIED_LIMIT } else { PIPELINE_LIMIT };
        let bytes = answers.iter().map(Answer::length).sum();
        let outputs = outputs(answers, most);
        let documents = guarded(|| documents(&outputs, most)).unwrap_or_else(|Fault(line)| {
            say(&line);
            Vec::new()
        });
        let for_program = self.machine_reader || !(self.still_read)(stdout());
        let is_keyed = for_program || self.settings.format == Format::Json;
        let keyed = is_keyed.then(|| whole(answers, &outputs, &documents)).flatten();
        let store = Store::of_session(&self.session);
        let mut writer = Writer::new(self, &store, answers, most);
        match keyed {
            Some(json) => writer.write(&json),
            None if for_program || self.settings.format == Format::Raw => writer.plainly(&outputs),
            None => writer.parts(&outputs, documents),
        }
        // If somebody other than the agent reads stderr, that reader gets the tools' own bytes.
        writer.ends(for_program || !self.receipt);
        let written = writer.conclude((!for_program).then_some(bytes));
        (self.wait_for_drain)(bytes);
        written
    }
}
