//! Writes the parts of an answer, one after another.

use std::borrow::Cow;
use std::ffi::OsString;
use std::io;
use std::time::Duration;

use rustix::stdio::{stderr, stdout};

use super::{Answer, Output};
use crate::config::Format;
use crate::custom::Notices;
use crate::deliver::delivery::{Delivery, Given, Run, Text};
use crate::deliver::guard::guarded;
use crate::deliver::keeper::Keeper;
use crate::deliver::record::{self, RunSummary};
use crate::document::Document;
use crate::fetch::{Merged, Printed, joined, keyed, verbatim};
use crate::marks::HEADING;
use crate::overflow::Outcome;
use crate::pipeline::visible;
use crate::run::Stream;
use crate::run::emit::{say, write_all};
use crate::store::{Source, Store};
use crate::tokens;

/// Most bytes of joined documents whose cost is compared with that of the documents apart.
const COMPARED: usize = 512 << 10;
/// Only outputs of more bytes than this count as sharing the page.
const LONG: usize = 2_000;
/// Joined documents are easier to compare: the documents are given apart only if that costs less than this many
/// hundredths of the joined tokens.
const WORTH_JOINING: usize = 95;

/// The answer as written so far, and what remains to be done at its end.
pub(super) struct Writer<'w, 'a> {
    delivery: &'w Delivery<'a>,
    store: &'w Store,
    answers: &'w mut [Answer<'a>],
    most: u64,
    /// Number of long outputs, which share the page.
    sharing: usize,
    given: Vec<Given>,
    keepers: Vec<Keeper<'w>>,
    result: io::Result<()>,
}

impl<'w, 'a> Writer<'w, 'a> {
    pub(super) fn new(
        delivery: &'w Delivery<'a>,
        store: &'w Store,
        answers: &'w mut [Answer<'a>],
        most: u64,
    ) -> Self {
        Self { delivery, store, answers, most, sharing: 1, given: vec![], keepers: vec![], result: Ok(()) }
    }

    /// Writes to standard output, unless an earlier write failed.
    pub(super) fn write(&mut self, bytes: &[u8]) {
        if self.result.is_ok() {
            self.result = write_all(stdout(), bytes);
        }
    }

    /// Writes the outputs, each under its heading, as they are but for what `style` does.
    pub(super) fn plainly<'o>(
        &mut self,
        outputs: impl IntoIterator<Item = &'o Output>,
        style: fn(&[u8]) -> Cow<'_, [u8]>,
    ) {
        for output in outputs {
            let heading = self.heading(output);
            self.write(heading.as_bytes());
            match (&output.bytes, &self.answers[output.calls[0]].ended.out) {
                (Some(bytes), _) => {
                    self.write(&style(bytes));
                    self.write(if is_open(bytes) { b"\n" } else { b"" });
                }
                (None, Some(stream)) if self.result.is_ok() => self.result = stream.write_raw(),
                (None, _) => {}
            }
        }
    }

    /// Writes the documents as one, in the place of the first of them, and the texts under their headings.
    pub(super) fn parts(&mut self, outputs: &[Output], documents: Vec<(usize, Document<'_>)>) {
        let is_long = |output: &&Output| output.bytes.as_ref().is_none_or(|bytes| bytes.len() > LONG);
        self.sharing = outputs.iter().filter(is_long).count().max(1);
        let places: Vec<usize> = documents.iter().map(|(place, _)| *place).collect();
        let names = |place: usize| outputs[place].calls.iter().map(|call| self.answers[*call].name.clone());
        let sources: Vec<Merged<'_>> = documents
            .into_iter()
            .map(|(place, document)| Merged { names: names(place).collect(), document })
            .collect();
        for (place, output) in outputs.iter().enumerate() {
            if places.first() == Some(&place) {
                let all: Vec<&Output> = places.iter().map(|place| &outputs[*place]).collect();
                self.documents(&all, &sources);
            } else if !places.contains(&place) {
                let heading = self.heading(output);
                self.write(heading.as_bytes());
                self.stream(&output.calls, Source::Out, output.bytes.as_deref(), &heading);
            }
        }
    }

    /// Writes the documents joined, or as they are if joining does not pay.
    fn documents(&mut self, outputs: &[&Output], sources: &[Merged<'_>]) {
        let tokens = |output: &&Output| output.bytes.as_ref().map_or(0, |bytes| tokens::count(bytes));
        // As separate calls would have printed the outputs.
        let printed: usize = outputs.iter().map(|output| tokens(output) * output.calls.len()).sum();
        let tool = self.answers[outputs[0].calls[0]].tool;
        let mut calls = outputs.iter().flat_map(|output| &output.calls).copied();
        let outcome = self.outcome(calls.clone());
        let is_one_tool = calls.all(|call| self.answers[call].tool == tool);
        let tool = if is_one_tool { tool } else { "fetch" };
        let delivery = self.delivery_of(tool, &[]);
        let mut keeper = Keeper::new(self.store, tool, None);
        let run = Run { source: Source::Out, outcome, beside: 0, sharing: self.sharing };
        let made = guarded(|| {
            let (original, joined, apart) = forms(sources);
            let mut compress = |form: &[u8]| {
                let merged = Some((form, printed));
                let text = Text { run, original: &original, summary: None, merged };
                delivery.given(&text, &mut keeper)
            };
            let given = compress(&joined);
            let other = apart.map(|apart| compress(&apart));
            other.filter(|other| other.tokens * 100 < given.tokens * WORTH_JOINING).unwrap_or(given)
        });
        match made {
            Ok(given) if self.is_worth_it(&given, outputs) => {
                self.write(&given.output);
                self.given.push(given);
            }
            made => {
                keeper.facts = None;
                self.plainly(outputs.iter().copied(), visible::output);
                made.err().iter().for_each(|line| say(line));
            }
        }
        keeper.held = None;
        self.keepers.push(keeper);
    }

    /// The delivery of one call's output, with its own messages about filters.
    fn delivery_of(&self, tool: &'a str, command: &'a [OsString]) -> Delivery<'a> {
        let session = self.delivery.session.clone();
        Delivery { tool, command, session, notices: Notices::default(), ..*self.delivery }
    }

    /// Whether the joined outputs have no more tokens than the outputs under their headings, or the user chose a
    /// format.
    fn is_worth_it(&self, given: &Given, outputs: &[&Output]) -> bool {
        let plain = |output: &&Output| {
            let printed = output.bytes.as_ref().map_or(0, |bytes| tokens::count(bytes));
            printed + tokens::count(self.heading(output).as_bytes())
        };
        self.delivery.settings.format != Format::Auto
            || given.tokens <= given.original_tokens
            || given.tokens <= outputs.iter().map(plain).sum()
    }

    /// Writes one stream of the first of some calls that printed the same, below their heading; `bytes` is the stream's
    /// content, if it could be taken.
    fn stream(&mut self, calls: &[usize], source: Source, bytes: Option<&[u8]>, heading: &str) {
        let (tool, command) = (self.answers[calls[0]].tool, self.answers[calls[0]].command);
        let delivery = self.delivery_of(tool, command);
        let answer = &mut self.answers[calls[0]];
        let outcome = answer.outcome();
        let stream = match source {
            Source::Out => &mut answer.ended.out,
            Source::Err => &mut answer.ended.err,
        };
        let Some(stream) = stream else { return };
        let mut keeper = Keeper::new(self.store, tool, Some(stream));
        let run = Run { source, outcome, beside: 0, sharing: self.sharing };
        let (result, given) = delivery.stream(stream, bytes, run, &mut keeper);
        let target = stream.target;
        // Its copy is the keeper's from here on.
        stream.forget();
        let ends_open = given.as_ref().map_or(bytes, |given| Some(&given.output)).is_some_and(is_open);
        let newline = if ends_open { write_all(target, b"\n") } else { Ok(()) };
        // A standard error that cannot be written is ignored.
        if source == Source::Out && self.result.is_ok() {
            self.result = result.and(newline);
        }
        keeper.held = None;
        // So that each message about a filter is written once for all calls.
        self.delivery.notices.merge(&delivery.notices);
        self.given.extend(given.map(|given| Given {
            tokens: given.tokens + tokens::count(heading.as_bytes()),
            original_tokens: given.original_tokens * calls.len(),
            ..given
        }));
        self.keepers.push(keeper);
    }

    /// Writes what the calls printed to standard error and how they failed; calls with the same result share one
    /// heading.
    pub(super) fn ends(&mut self, plainly: bool) {
        let mut told: Vec<(Vec<usize>, String, Option<Vec<u8>>)> = Vec::new();
        for call in 0..self.answers.len() {
            let most = self.most;
            let Answer { ended, .. } = &mut self.answers[call];
            let bytes = ended.err.as_mut().map_or(Some(Vec::new()), |stream| stream.take_within(most));
            let what = match &ended.end {
                end if end.status() != 0 => end.to_string(),
                _ if bytes.as_ref().is_some_and(Vec::is_empty) => continue,
                _ => "stderr".into(),
            };
            let same =
                told.iter_mut().find(|(_, end, said)| *end == what && said.is_some() && *said == bytes);
            match same {
                Some((calls, ..)) => calls.push(call),
                None => told.push((vec![call], what, bytes)),
            }
        }
        for (calls, what, bytes) in told {
            self.end(&calls, &what, bytes.as_deref(), plainly);
        }
    }

    /// Writes in one line how some calls failed, then what they printed to standard error.
    fn end(&mut self, calls: &[usize], what: &str, bytes: Option<&[u8]>, plainly: bool) {
        let heading = self.named(calls, &format!(": {what}"));
        say(&heading);
        match (bytes, &self.answers[calls[0]].ended.err) {
            (Some(bytes), _) if plainly => {
                let end: &[u8] = if is_open(bytes) { b"\n" } else { b"" };
                // A standard error that cannot be written is ignored.
                let _ = write_all(stderr(), bytes).and_then(|()| write_all(stderr(), end));
            }
            (None, Some(stream)) if plainly => drop(stream.write_raw()),
            (Some([]), _) => {}
            _ => self.stream(calls, Source::Err, bytes, &heading),
        }
    }

    /// Writes the receipt, settles the saved originals, and discards the live copies of what was written whole or saved
    /// under another id. With `bytes`, the length of the originals, the answer is also recorded in the ledger.
    pub(super) fn conclude(self, bytes: Option<u64>) -> io::Result<()> {
        let outcome = self.outcome(0..self.answers.len());
        let run = bytes.map(|bytes| RunSummary { bytes, before: 0, outcome, ran: Duration::ZERO });
        record::settle(self.delivery, &self.given, self.keepers, true, run);
        let streams = self.answers.iter().flat_map(|answer| answer.ended.out.iter().chain(&answer.ended.err));
        streams.for_each(Stream::discard_copy);
        self.result
    }

    fn heading(&self, output: &Output) -> String {
        let what = if output.bytes.as_ref().is_some_and(Vec::is_empty) { ": no output" } else { "" };
        self.named(&output.calls, what) + "\n"
    }

    fn named(&self, calls: &[usize], what: &str) -> String {
        let names: Vec<_> = calls.iter().map(|call| self.answers[*call].name.as_str()).collect();
        format!("{}{}{what}{}", HEADING.0, names.join(", "), HEADING.1)
    }

    /// The first of the calls' outcomes that is not a success, else success.
    fn outcome(&self, calls: impl IntoIterator<Item = usize>) -> Outcome {
        let mut outcomes = calls.into_iter().map(|call| self.answers[call].outcome());
        outcomes.find(|outcome| *outcome != Outcome::Succeeded).unwrap_or(Outcome::Succeeded)
    }
}

/// Whether the bytes end in the middle of a line.
fn is_open(bytes: &[u8]) -> bool {
    bytes.last().is_some_and(|last| *last != b'\n')
}

/// The documents as they came, joined, and, if that is another form and small enough to compare, each under its name.
fn forms(sources: &[Merged<'_>]) -> (Vec<u8>, Vec<u8>, Option<Vec<u8>>) {
    let documents = || {
        sources.iter().flat_map(|source| {
            source.names.iter().map(|name| (name.as_str(), Printed::Document(&source.document)))
        })
    };
    let joined = joined(sources);
    let apart = (joined.len() <= COMPARED).then(|| keyed(documents())).filter(|apart| *apart != joined);
    (verbatim(documents()), joined, apart)
}
