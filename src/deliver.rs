//! Hands an output on to its reader. In order: collected ([`Delivery::run`]); for each stream, whether the agent still
//! reads it, the pipeline (`before.rs`: against the last run), the reduction of what is still large (`large.rs`, for
//! the page of `host.rs`), the original saved (`keeper.rs`) before anything is left out; all of it written; then
//! receipt (`notes.rs`), ledger and saved files (`record.rs`). Any fault on the way ends in the original bytes.

mod before;
mod delivery;
mod guard;
mod host;
mod keeper;
mod large;
mod notes;
mod record;
mod several;
mod source;
mod substitute;

use std::io;
use std::time::Duration;

use crate::config::Level;
use crate::custom::{Call, places};
use crate::overflow::{Outcome, Summariser};
use crate::pipeline::{self, Options};
use crate::report::Earlier;
use crate::run::emit::{say, write_all};
use crate::run::{Capture, Copying, Stream};
use crate::store::{Bytes, Source, Store};
pub use delivery::Delivery;
use delivery::{Given, HURRIED_LIMIT, PIPELINE_LIMIT, Run, Text};
use guard::guarded;
pub use host::patience;
use keeper::Keeper;
use large::Reducer;
use record::RunSummary;
pub use several::{Answer, several};
pub use source::{part_of, run_source};
pub use substitute::Substitute;

impl Delivery<'_> {
    /// Collects the tool's output, gives the reader the result, and ends as the tool ended.
    pub fn run(&self, mut capture: Capture) -> ! {
        let limits = self.settings.limits(self.tool, false);
        let store = Store::for_saving(&self.session, self.settings.store);
        let copying = Copying {
            store: &store,
            tool: self.tool,
            keywords: &limits.keywords,
            slow_after: patience(self.agent),
        };
        notes::tell_other(self);
        capture.collect(&copying, &|stream| notes::tell_slow(self, stream));
        let written = if capture.passing_through { Ok(()) } else { self.captured(&mut capture, &store) };
        notes::tell_unended(self, &capture);
        capture.end(written)
    }

    /// Writes the output collected so far, compressed, then the receipt. Fails where the output cannot be written.
    fn captured(&self, capture: &mut Capture, store: &Store) -> io::Result<()> {
        let outcome = Outcome::of(capture.tool.status());
        let is_hurried = capture.signals.interrupted().is_some();
        let most = if is_hurried { HURRIED_LIMIT } else { PIPELINE_LIMIT };
        let total: u64 = capture.tool.streams.iter().map(Stream::length).sum();
        let (mut given, mut keepers, mut written, mut bytes) = (Vec::new(), Vec::new(), Ok(()), 0);
        let (mut handed, before) = (0, host::given_before(self).printed);
        let reader_gone = capture.reader_gone;
        for stream in capture.tool.streams.iter_mut().filter(|stream| stream.length() > 0) {
            let length = stream.length();
            let beside = total - length;
            // Without the agent as its reader the stream goes out raw; where nobody reads, the write ends us as it
            // would have ended the tool.
            if reader_gone || !self.is_read(stream.target) {
                written = written.and(stream.write_raw());
                stream.discard_copy();
                continue;
            }
            let mut keeper = Keeper::new(store, self.tool, Some(stream));
            let original = stream.take_within(most);
            let run = Run { source: stream.source, outcome, beside, sharing: 1 };
            let (result, made) = self.stream(stream, original.as_deref(), run, &mut keeper);
            written = written.and(result);
            bytes += if made.is_some() { length } else { 0 };
            handed += made.as_ref().map_or(length, |made| made.output.len() as u64);
            given.extend(made);
            keepers.push(keeper);
        }
        if total == 0 && !reader_gone && matches!(outcome, Outcome::Succeeded | Outcome::Failed(_)) {
            written = notes::write_of_nothing(self, outcome);
        }
        let run = RunSummary { bytes, before, outcome, ran: capture.tool.ran_for() };
        let run = (total == 0 || !given.is_empty()).then_some(run);
        record::settle(self, &given, keepers, written.is_ok(), run);
        host::note_given(self, Bytes { given: handed, printed: total });
        if !is_hurried {
            self.wait_for_drain(handed);
        }
        written
    }

    /// Writes one stream compressed, or as it is if that fails; `original` is its content, if that could be taken.
    fn stream(
        &self,
        stream: &mut Stream,
        original: Option<&[u8]>,
        run: Run,
        keeper: &mut Keeper<'_>,
    ) -> (io::Result<()>, Option<Given>) {
        let target = stream.target;
        let made = match (original, stream.summariser.take().map(Summariser::finish)) {
            (Some(original), summary) => {
                let text = Text { run, original, summary, merged: None };
                guarded(|| Some(self.given(&text, keeper)))
            }
            (None, Some(summary)) => guarded(|| {
                // The next run is compared with none before this one.
                keeper.call = before::name_of_call(self, run);
                large::reduce_unread(self, &summary, run, keeper)
            }),
            (None, None) => Ok(None),
        };
        let (made, fault) = made.map_or_else(|line| (None, Some(line)), |made| (made, None));
        let written = match (&made, original) {
            (Some(made), _) => write_all(target, &made.output),
            (None, Some(original)) => write_all(target, original),
            (None, None) => stream.write_raw(),
        };
        if let Some(line) = fault {
            say(&line);
        }
        (written, made)
    }

    /// Writes `original` to standard output, compressed, then the receipt.
    pub fn bytes(&self, original: &[u8]) -> io::Result<()> {
        if original.is_empty() {
            return Ok(());
        }
        let store = Store::for_saving(&self.session, self.settings.store);
        let mut keeper = Keeper::new(&store, self.tool, None);
        let outcome = Outcome::Unknown;
        let run = Run { source: Source::Out, outcome, beside: 0, sharing: 1 };
        let text = Text { run, original, summary: None, merged: None };
        let given = guarded(|| self.given(&text, &mut keeper));
        let written =
            write_all(rustix::stdio::stdout(), given.as_ref().map_or(original, |given| &given.output));
        let given: Vec<Given> = given.inspect_err(|line| say(line)).into_iter().collect();
        let is_given = !given.is_empty();
        let run = RunSummary { bytes: original.len() as u64, before: 0, outcome, ran: Duration::ZERO };
        record::settle(self, &given, vec![keeper], is_given && written.is_ok(), is_given.then_some(run));
        written
    }

    /// Tokens that the agent would be given of this output. Nothing is written or saved.
    pub fn tokens_of(&self, original: &[u8], outcome: Outcome) -> usize {
        let store = Store::for_saving(&self.session, self.settings.store);
        let mut keeper = Keeper::pretending(&store, self.tool);
        let run = Run { source: Source::Out, outcome, beside: 0, sharing: 1 };
        let text = Text { run, original, summary: None, merged: None };
        guarded(|| self.given(&text, &mut keeper)).map_or(0, |given| given.tokens)
    }

    fn given(&self, text: &Text<'_>, keeper: &mut Keeper<'_>) -> Given {
        let mut given = source::file_of_revision(self, text).unwrap_or_else(|| self.compressed(text, keeper));
        keeper.correct_id(&mut given.output);
        given
    }

    /// Runs the pipeline and reduces a result that is too large. The original is saved before anything is left out; if
    /// that fails, nothing is left out.
    fn compressed(&self, text: &Text<'_>, keeper: &mut Keeper<'_>) -> Given {
        let original = text.original;
        let input = text.merged.map_or(original, |(merged, _)| merged);
        let call = Call { is_stderr: text.run.source == Source::Err, ..self.call(text.run.outcome) };
        let name = before::name_of_call(self, text.run).filter(|_| text.merged.is_none());
        let last = keeper.look_back(name);
        let since = last.as_ref().map(|(text, recall)| Earlier { text, recall });
        let recall = keeper.recall();
        let directory = directory();
        let reducer = Reducer::of(self, text.run);
        let page = reducer.as_ref().map(|reducer| reducer.host.page);
        let options = Options {
            level: self.level(),
            format: self.settings.format,
            parses_output: self.parses_output,
            is_seen: self.agent.is_some(),
            directory: &directory,
            recall: &recall,
            call,
            room: self.settings.reports.room,
            since,
            page,
        };
        let mut compressed = pipeline::compress(input, &options);
        if !compressed.omitted.is_empty() && !keeper.save(original) {
            compressed =
                pipeline::compress(input, &Options { level: Level::Lossless, recall: "", ..options });
        }
        if let Some((_, tokens)) = text.merged {
            compressed.original_tokens = tokens;
        }
        if !compressed.omitted.is_empty() {
            keeper.facts = Some(large::facts_of(&compressed, text));
        }
        keeper.is_report = compressed.is_report;
        if let Some(reduced) = reducer.and_then(|reducer| reducer.reduced(&compressed, text, keeper)) {
            return reduced;
        }
        large::name_way(self, &mut compressed, text, keeper);
        Given {
            left_out: !compressed.omitted.is_empty(),
            output: compressed.output,
            tokens: compressed.output_tokens,
            original_tokens: compressed.original_tokens,
            estimated: compressed.estimated,
            shape: compressed.shape.to_string(),
            whole: None,
            filter: compressed.filter,
            timings: compressed.timings,
        }
    }

    /// The command as the text filters see it.
    fn call(&self, outcome: Outcome) -> Call<'_> {
        Call {
            words: self.command,
            exit: outcome.status(),
            directories: places::user_directories(),
            project: places::project_directory(),
            in_place: self.ran.is_some(),
            steps: Some(&substitute::Beside),
            notices: Some(&self.notices),
            ..Call::default()
        }
    }
}

/// The working directory, which is the tool's, with a slash behind it; empty where it is not known or no text.
fn directory() -> String {
    let directory = std::env::current_dir().ok().and_then(|path| path.into_os_string().into_string().ok());
    directory.map_or_else(String::new, |path| path + "/")
}
