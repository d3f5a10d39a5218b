//! The output of several calls as one answer: equal outputs merged, documents joined, texts each under its own heading,
//! in the order requested.

mod writer;

use std::ffi::OsString;
use std::io;

use rustix::stdio::stdout;

use super::delivery::{Delivery, HURRIED_LIMIT, PIPELINE_LIMIT};
use super::guard::guarded;
use crate::config::Format;
use crate::document::{Document, Layout, scan, yaml_to_json};
use crate::fetch::{Printed, keyed};
use crate::overflow::Outcome;
use crate::pipeline::scrub::scrub;
use crate::run::emit::say;
use crate::run::{End, Ended, Stream};
use crate::store::Store;
use writer::Writer;

pub struct Answer<'a> {
    /// The call's name; no two are alike.
    pub name: String,
    pub tool: &'a str,
    /// The tool's name and its arguments, for text filters.
    pub command: &'a [OsString],
    pub ended: Ended,
}

impl Answer<'_> {
    fn outcome(&self) -> Outcome {
        match &self.ended.end {
            End::Status(status) => Outcome::of(Some(*status)),
            end => Outcome::Failed(end.status()),
        }
    }
}

/// The output of one call, or of several calls that printed the same.
struct Output {
    /// The indices of the calls, in the order requested.
    calls: Vec<usize>,
    /// The exit status of these calls, if that is known.
    status: Option<i32>,
    /// `None` if the output is too large to be read as a whole.
    bytes: Option<Vec<u8>>,
    /// The bytes as JSON, if they look like a document.
    json: Option<String>,
}

/// Writes what the calls printed, compressed, then what they said of their failures, then the receipt. A program
/// gets one JSON object of the calls' names and documents, or the texts as they are if there is no document.
pub fn several<'a>(delivery: &Delivery<'a>, answers: &mut [Answer<'a>], hurried: bool) -> io::Result<()> {
    let most = if hurried { HURRIED_LIMIT } else { PIPELINE_LIMIT };
    let streams = answers.iter().flat_map(|answer| answer.ended.out.iter().chain(&answer.ended.err));
    let bytes = streams.map(Stream::length).sum();
    let outputs = outputs(answers, most);
    let documents = guarded(|| documents(&outputs, most)).unwrap_or_else(|line| {
        say(&line);
        Vec::new()
    });
    let for_program = delivery.parses_output || !delivery.is_read(stdout());
    let is_keyed = for_program || delivery.settings.format == Format::Json;
    let keyed = is_keyed.then(|| whole(answers, &outputs, &documents)).flatten();
    let store = Store::for_saving(&delivery.session, delivery.settings.store);
    let mut writer = Writer::new(delivery, &store, answers, most);
    match keyed {
        Some(json) => writer.write(&json),
        None if for_program || delivery.settings.format == Format::Raw => {
            writer.plainly(&outputs, |bytes| bytes.into());
        }
        None => writer.parts(&outputs, documents),
    }
    // If somebody other than the agent reads stderr, that reader gets the tools' own bytes.
    writer.ends(for_program || !delivery.receipt);
    let written = writer.conclude((!for_program).then_some(bytes));
    delivery.wait_for_drain(bytes);
    written
}

/// Takes the outputs of all calls that were started, in the order of the first call of each.
fn outputs(answers: &mut [Answer<'_>], most: u64) -> Vec<Output> {
    let mut outputs: Vec<Output> = Vec::new();
    for (call, answer) in answers.iter_mut().enumerate() {
        let outcome = answer.outcome();
        let Some(stream) = &mut answer.ended.out else { continue };
        if stream.length() == 0 && outcome != Outcome::Succeeded {
            continue;
        }
        let (bytes, status) = (stream.take_within(most), outcome.status());
        let is_same = |output: &&mut Output| output.status == status && output.bytes == bytes;
        if let Some(output) = outputs.iter_mut().find(is_same).filter(|_| bytes.is_some()) {
            output.calls.push(call);
        } else {
            let json = bytes.as_deref().and_then(json_of);
            outputs.push(Output { calls: vec![call], status, bytes, json });
        }
    }
    outputs
}

/// The bytes as text if they begin like JSON, or YAML translated to JSON.
fn json_of(bytes: &[u8]) -> Option<String> {
    let scrubbed = scrub(bytes);
    let text = std::str::from_utf8(&scrubbed).ok()?;
    if text.trim_start().starts_with(['{', '[']) { Some(text.to_owned()) } else { yaml_to_json(text) }
}

/// The outputs that consist of a single document, by their index, with the document; one that would bring their total
/// above `most` bytes is passed over.
fn documents(outputs: &[Output], most: u64) -> Vec<(usize, Document<'_>)> {
    let mut total = 0;
    let mut found = Vec::new();
    for (place, output) in outputs.iter().enumerate() {
        if let Some(json) = &output.json
            && total + json.len() as u64 <= most
            && let Layout::Document(document) = scan(json)
        {
            total += json.len() as u64;
            found.push((place, document));
        }
    }
    found
}

/// The answer for a program; `None` if there is no document, or an output that JSON cannot hold.
fn whole(answers: &[Answer<'_>], outputs: &[Output], documents: &[(usize, Document<'_>)]) -> Option<Vec<u8>> {
    if documents.is_empty() {
        return None;
    }
    let mut printed: Vec<Option<Printed<'_>>> = answers.iter().map(|_| None).collect();
    for output in outputs {
        let text = std::str::from_utf8(output.bytes.as_ref()?).ok()?;
        for call in &output.calls {
            printed[*call] = Some(if text.is_empty() { Printed::Nothing } else { Printed::Text(text) });
        }
    }
    for (place, document) in documents {
        for call in &outputs[*place].calls {
            printed[*call] = Some(Printed::Document(document));
        }
    }
    let named = answers.iter().zip(printed);
    Some(keyed(named.filter_map(|(answer, printed)| Some((answer.name.as_str(), printed?)))))
}
