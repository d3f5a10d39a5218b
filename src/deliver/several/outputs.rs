//! The results of several calls: equal outputs merged, documents found.

use std::ffi::OsString;

use crate::deliver::delivery::Outcome;
use crate::document::{Document, Layout, scan, yaml_to_json};
use crate::fetch::{Content as Printed, keyed};
use crate::pipeline::scrub::scrub;
use crate::run::{End, Ended, Stream};

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
    pub(super) fn outcome(&self) -> Outcome {
        match &self.ended.end {
            End::Status(status) => Outcome::of(Some(*status)),
            end => Outcome::Failed(Some(end.status())),
        }
    }

    /// Bytes of its standard output and standard error.
    pub(super) fn length(&self) -> u64 {
        self.ended.out.iter().chain(&self.ended.err).map(Stream::length).sum()
    }
}

/// The output of one call, or of several calls that printed the same.
pub(super) struct Output {
    /// The indices of the calls, in the order requested.
    pub(super) calls: Vec<usize>,
    /// The exit status of these calls, if that is known.
    status: Option<i32>,
    /// `None` if the output is too large to be read as a whole.
    pub(super) bytes: Option<Vec<u8>>,
    /// The bytes as JSON, if they look like a document.
    json: Option<String>,
}

/// The index of an output, and the document that the output consists of.
pub(super) type Found<'o> = (usize, Document<'o>);

/// Takes the outputs of all calls that were started, in the order of the first call of each.
pub(super) fn outputs(answers: &mut [Answer<'_>], most: u64) -> Vec<Output> {
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
            stream.discard_copy();
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

/// The outputs that consist of a single document; one that would bring their total above `most` bytes is passed over.
pub(super) fn documents(outputs: &[Output], most: u64) -> Vec<Found<'_>> {
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
pub(super) fn whole(answers: &[Answer<'_>], outputs: &[Output], documents: &[Found<'_>]) -> Option<Vec<u8>> {
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
