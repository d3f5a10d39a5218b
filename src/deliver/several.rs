//! The output of several calls as one answer: documents joined, texts each under its own heading, in the order
//! requested.

mod outputs;
mod writer;

use std::io;

use rustix::stdio::stdout;

use super::delivery::{Delivery, HURRIED_LIMIT, PIPELINE_LIMIT};
use super::guard::guarded;
use crate::config::Format;
use crate::run::emit::say;
use crate::store::Store;
pub use outputs::Answer;
use outputs::{documents, outputs, whole};
use writer::Writer;

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
        let documents = guarded(|| documents(&outputs, most)).unwrap_or_else(|line| {
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
