//! `toto why --shapes`: what each notation would cost an output, in tokens, and which is taken.

use std::ffi::OsString;
use std::path::Path;

use serde::Serialize;

use super::gain::figures::grouped;
use super::{out, pipe, refusal::Refusal, run};
use crate::config;
use crate::custom::{Call, places};
use crate::pipeline::{Candidate, Count, Options, Report, Shape, compress};
use crate::run::emit::{say, write_all};
use crate::run::{Batch, Copying, Stream, Task};
use crate::store::{Store, find, session_of_caller};

/// A command as long as the one that a real output names, so that the counts are the same.
const RECALL: &str = "toto show k7q2x";

/// One shape, for `--json`.
#[derive(Serialize)]
struct Cost {
    shape: String,
    /// The exact count, if the text was counted to the end.
    tokens: Option<usize>,
    /// A count that the shape exceeds, if the text was not counted to the end.
    more_than: Option<usize>,
    taken: bool,
}

/// Prints what each shape costs for a command's output, for standard input (`-`), for a file, or for the saved output
/// of that id.
///
/// # Errors
/// When there is no such file or output, or the command cannot be run.
pub(super) fn tell(of: &Path, command: &[OsString], json: bool) -> anyhow::Result<i32> {
    let settings = config::load()?;
    let (input, exit) = if command.is_empty() { (read(of)?, None) } else { output(command)? };
    let directories = places::user_directories();
    let project = places::project_directory();
    let call = Call { words: command, exit, directories, project, ..Call::default() };
    let options = Options {
        level: settings.level,
        format: settings.format,
        recall: RECALL,
        call,
        machine_reader: false,
    };
    let report = compress(&input, &options);
    let text = if json {
        let costs: Vec<Cost> = report.candidates.iter().map(|candidate| cost(candidate, &report)).collect();
        format!("{}\n", serde_json::to_string_pretty(&costs)?)
    } else {
        let rows: Vec<_> = report.candidates.iter().map(|candidate| row(candidate, &report)).collect();
        out::columns(&rows)
    };
    out::bytes(text.as_bytes())?;
    Ok(exit.unwrap_or(0))
}

fn read(of: &Path) -> anyhow::Result<Vec<u8>> {
    if of.as_os_str() == "-" {
        return Ok(pipe::input()?);
    }
    let saved = of.to_str().filter(|_| !of.exists()).and_then(|id| find(&session_of_caller(), id));
    let path = saved.map_or_else(|| of.to_owned(), |saved| saved.path);
    fs_err::read(path).map_err(|error| Refusal::bad(error.to_string()))
}

/// Runs the command. Returns its standard output and its exit status; its standard error goes to ours.
fn output(command: &[OsString]) -> anyhow::Result<(Vec<u8>, Option<i32>)> {
    let (program, guard) = run::program(command, run::environment())?;
    let store = Store::of_session(&session_of_caller());
    let copying = Copying { store: &store, tool: "why", keywords: &[], slow_after: None };
    let mut batch = Batch::run(&[Task { program, guard, copying }], 1, &|_| {})?;
    let Some(mut ended) = batch.ended.pop() else { return Ok((Vec::new(), None)) };
    if let Some(stream) = &mut ended.err {
        // A failure to write to standard error is ignored.
        let _ = write_all(rustix::stdio::stderr(), &stream.take_bytes()?);
    }
    let status = ended.end.status();
    if status != 0 {
        say(&format!("toto: {}", ended.end));
    }
    for stream in ended.out.iter().chain(&ended.err) {
        stream.discard_copy();
    }
    let bytes = ended.out.as_mut().map_or(Ok(Vec::new()), Stream::take_bytes)?;
    Ok((bytes, Some(status)))
}

fn is_taken(candidate: &Candidate, report: &Report) -> bool {
    candidate.shape == report.shape
}

fn cost(candidate: &Candidate, report: &Report) -> Cost {
    let (tokens, more_than) = match candidate.count {
        Count::Exact(tokens) => (Some(tokens), None),
        Count::MoreThan(tokens) => (None, Some(tokens)),
        Count::Unsuited => (None, None),
    };
    Cost { shape: candidate.shape.to_string(), tokens, more_than, taken: is_taken(candidate, report) }
}

fn row(candidate: &Candidate, report: &Report) -> [String; 3] {
    let count = match candidate.count {
        Count::Exact(tokens) => format!("{} tokens", grouped(tokens as u64)),
        Count::MoreThan(tokens) => format!("more than {}, not finished", grouped(tokens as u64)),
        Count::Unsuited => "does not suit this output".into(),
    };
    let taken = if is_taken(candidate, report) { "taken" } else { "" };
    [name(candidate.shape).into(), count, taken.into()]
}

fn name(shape: Shape) -> &'static str {
    match shape {
        Shape::Pvfn => "PVFN",
        Shape::SchemaYaml => "Schema-YAML",
        Shape::Json => "minified JSON",
        Shape::Text => "text, filtered",
        Shape::Lines => "notation of text",
        Shape::Report => "digest of a report",
        Shape::Raw => "original",
    }
}
