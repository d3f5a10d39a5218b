//! `toto why --shapes`: what each notation would cost an output, in tokens, and which is taken.

use std::ffi::OsString;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Context as _;
use serde_json::{Value, json};

use super::gain::table::grouped;
use super::out::{self, Refusal};
use crate::config;
use crate::custom::{Call, places};
use crate::env;
use crate::path::{self, Guard};
use crate::pipeline::{Count, Options, Shape, compress};
use crate::run::emit::say;
use crate::store::{find, session_of_caller};

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
    if json {
        // The exact count, or one that the text exceeds, if it was not counted to the end.
        let cost = |(shape, count): &(Shape, Count)| {
            let (tokens, more_than) = match *count {
                Count::Exact(tokens) => (Some(tokens), None),
                Count::MoreThan(tokens) => (None, Some(tokens)),
                Count::Unsuited => (None, None),
            };
            let is_taken = *shape == report.shape;
            json!({ "shape": shape.to_string(), "tokens": tokens, "more_than": more_than, "taken": is_taken })
        };
        out::bytes(format!("{:#}\n", report.costs.iter().map(cost).collect::<Value>()))?;
    } else {
        let row = |(shape, count): &(Shape, Count)| {
            let count = match *count {
                Count::Exact(tokens) => format!("{} tokens", grouped(tokens as u64)),
                Count::MoreThan(tokens) => format!("more than {}, not finished", grouped(tokens as u64)),
                Count::Unsuited => "does not suit this output".into(),
            };
            let name = match shape {
                Shape::Pvfn => "PVFN",
                Shape::SchemaYaml => "Schema-YAML",
                Shape::Json => "minified JSON",
                Shape::Text => "text, filtered",
                Shape::Forms => "text, known forms",
                Shape::Report => "digest of a report",
                Shape::Raw => "original",
            };
            [name.into(), count, if *shape == report.shape { "taken" } else { "" }.into()]
        };
        out::bytes(out::columns(&report.costs.iter().map(row).collect::<Vec<_>>()))?;
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
    let path = path::resolve(&command[0], &Guard::default(), &command[1..])?.path;
    #[expect(clippy::disallowed_methods, reason = "the user asks for this command to be run")]
    let mut process = Command::new(&path);
    process.arg0(&command[0]).args(&command[1..]).stdin(Stdio::null()).stderr(Stdio::inherit());
    if env::asked_for() {
        process.env_remove(env::TOTO);
    }
    let output = process.output().with_context(|| format!("cannot run {}", path.display()))?;
    let status = output.status.code().or_else(|| Some(128 + output.status.signal()?)).unwrap_or(1);
    if status != 0 {
        say(&format!("toto: exit status {status}"));
    }
    Ok((output.stdout, Some(status)))
}
