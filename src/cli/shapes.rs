//! `toto why --shapes`: what each notation would cost an output, in tokens, and which is taken.

use std::ffi::OsString;
use std::path::Path;

use serde_json::{Value, json};

use super::gain::figures::grouped;
use super::out::{self, Refusal};
use super::run;
use crate::config;
use crate::custom::{Call, places};
use crate::pipeline::{Count, Options, Shape, compress};
use crate::run::emit::{say, write_all};
use crate::run::{Copying, Stream, Task, batch};
use crate::store::{Store, find, session_of_caller};

/// A command as long as the one that a real output names, so that the counts are the same.
const RECALL: &str = "toto show k7q2x";

/// Prints what each shape costs for a command's output, for standard input (`-`), for a file, or for the saved output
/// of that id. Fails when there is no such file or output, or the command cannot be run.
pub(super) fn tell(of: &Path, command: &[OsString], json: bool) -> anyhow::Result<i32> {
    let settings = config::load()?;
    let (input, exit) = if command.is_empty() { (read(of)?, None) } else { output(command)? };
    let (directories, project) = (places::user_directories(), places::project_directory());
    let call = Call { words: command, exit, directories, project, ..Call::default() };
    let (level, format, recall) = (settings.level, settings.format, RECALL);
    let options = Options { level, format, recall, call, is_seen: true, ..Options::default() };
    let report = compress(&input, &options);
    let shapes = report.costs.iter().map(|(shape, count)| (*shape, *count, *shape == report.shape));
    if json {
        let costs: Value = shapes.map(|(shape, count, is_taken)| cost(shape, count, is_taken)).collect();
        out::bytes(format!("{costs:#}\n"))?;
    } else {
        let rows: Vec<_> = shapes.map(|(shape, count, is_taken)| row(shape, count, is_taken)).collect();
        out::bytes(out::columns(&rows))?;
    }
    Ok(exit.unwrap_or(0))
}

fn read(of: &Path) -> anyhow::Result<Vec<u8>> {
    if of.as_os_str() == "-" {
        return Ok(out::input()?);
    }
    let saved = of.to_str().filter(|_| !of.exists()).and_then(|id| find(&session_of_caller(), id));
    let path = saved.map_or_else(|| of.to_owned(), |saved| saved.path);
    fs_err::read(path).map_err(|error| Refusal::bad(error.to_string()))
}

/// Runs the command. Returns its standard output and its exit status; its standard error goes to ours.
fn output(command: &[OsString]) -> anyhow::Result<(Vec<u8>, Option<i32>)> {
    let (program, guard) = run::program(command)?;
    let store = Store::of_session(&session_of_caller());
    let copying = Copying { store: &store, tool: "why", keywords: &[], slow_after: None };
    let (mut results, _) = batch(&[Task { program, guard, copying }], 1, &|_| {})?;
    let Some(mut ended) = results.pop() else { return Ok((Vec::new(), None)) };
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

/// One shape, for `--json`: the exact count, or one that the text exceeds, if it was not counted to the end.
fn cost(shape: Shape, count: Count, is_taken: bool) -> Value {
    let (tokens, more_than) = match count {
        Count::Exact(tokens) => (Some(tokens), None),
        Count::MoreThan(tokens) => (None, Some(tokens)),
        Count::Unsuited => (None, None),
    };
    json!({ "shape": shape.to_string(), "tokens": tokens, "more_than": more_than, "taken": is_taken })
}

fn row(shape: Shape, count: Count, is_taken: bool) -> [String; 3] {
    let count = match count {
        Count::Exact(tokens) => format!("{} tokens", grouped(tokens as u64)),
        Count::MoreThan(tokens) => format!("more than {}, not finished", grouped(tokens as u64)),
        Count::Unsuited => "does not suit this output".into(),
    };
    [name(shape).into(), count, if is_taken { "taken" } else { "" }.into()]
}

fn name(shape: Shape) -> &'static str {
    match shape {
        Shape::Pvfn => "PVFN",
        Shape::SchemaYaml => "Schema-YAML",
        Shape::Json => "minified JSON",
        Shape::Text => "text, filtered",
        Shape::Forms => "text, known forms",
        Shape::Report => "digest of a report",
        Shape::Raw => "original",
    }
}
