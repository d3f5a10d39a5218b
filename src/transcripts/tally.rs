//! What the commands of all sessions cost, what toto would have saved, and how often each tool was called.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::OsString;

use indexmap::IndexSet;
use serde_json::Value;

use super::format::{Format, Output};
use super::line::{Pipeline, pipelines};
use crate::commands::{self, PICKS};
use crate::config::Settings;
use crate::custom::{Call, places};
use crate::farm::reach;
use crate::ledger::calls;
use crate::marks::OURS;
use crate::pipeline::{self, Options};
use crate::receipt::Receipt;
use crate::tokens;

/// Most commands of one command line that are named.
const TOGETHER: usize = 3;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// The tool's name; None for several tools in one line, or none that prints.
    pub tool: Option<String>,
    pub runs: u64,
    pub tokens: u64,
    /// Of these, tokens that toto would have saved, net of its receipts.
    pub saved: u64,
    /// Runs that toto has compressed already.
    pub compressed: u64,
}

/// A command that was run again to see other lines of its output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Again {
    pub times: u64,
    pub sessions: BTreeSet<String>,
    /// The commands that picked the lines.
    pub by: BTreeSet<String>,
    /// Tokens of the runs after the first.
    pub tokens: u64,
}

/// The sums over every session.
#[derive(Debug, Default)]
pub struct Tally {
    /// By the command's name.
    pub costs: BTreeMap<String, Cost>,
    /// By the command's name.
    pub again: BTreeMap<String, Again>,
    /// Sessions with a command in them, by agent.
    pub sessions: BTreeMap<String, HashSet<String>>,
    commands: HashMap<(String, String), String>,
    counted: HashSet<(String, String)>,
    /// By session and command: the commands that picked the lines of its output that were seen last.
    views: HashMap<(String, String), String>,
}

impl Tally {
    pub fn take(&mut self, format: &Format, session: &str, document: &Value, settings: &Settings) {
        for (id, command) in format.commands(document) {
            self.commands.insert((session.to_owned(), id), command);
        }
        for (id, output) in format.outputs(document) {
            let key = (session.to_owned(), id);
            // Agents write some outputs twice; the first one is what the model was given.
            if let Some(command) = self.commands.get(&key).cloned()
                && self.counted.insert(key)
            {
                self.sessions.entry(format.agent.clone()).or_default().insert(session.to_owned());
                self.count(session, &command, &output, settings);
            }
        }
    }

    fn count(&mut self, session: &str, command: &str, output: &Output, settings: &Settings) {
        let pipelines = pipelines(command);
        let seen: Vec<&[String]> = pipelines.iter().filter_map(Pipeline::seen).collect();
        let tokens = tokens::count(output.text.as_bytes()) as u64;
        let is_compressed = output.text.lines().any(|line| line.starts_with(OURS));
        let (name, tool, saved) = match seen[..] {
            [] => ("(nothing that prints)".to_owned(), None, 0),
            [words] => {
                let tool = commands::base_name(&words[0]);
                let saved = if is_compressed { 0 } else { saved(tool, words, output, tokens, settings) };
                let (name, tool) = name_of(&pipelines, words);
                (name, Some(tool), saved)
            }
            _ => {
                // `git status; git diff`
                let names: IndexSet<String> = seen.iter().map(|words| call_name(words)).collect();
                let more = if names.len() > TOGETHER { "; …" } else { "" };
                let named: Vec<&str> = names.iter().take(TOGETHER).map(String::as_str).collect();
                (named.join("; ") + more, None, 0)
            }
        };
        let cost = self.costs.entry(name).or_default();
        cost.tool = tool;
        cost.runs += 1;
        cost.tokens += tokens;
        cost.saved += saved;
        cost.compressed += u64::from(is_compressed);
        for pipeline in &pipelines {
            self.look_again(session, pipeline, tokens);
        }
    }

    /// Counts the pipeline if other lines of the same command's output were looked at before.
    fn look_again(&mut self, session: &str, pipeline: &Pipeline, tokens: u64) {
        let Some((first, later)) = pipeline.stages.split_first() else { return };
        let pager = |stage: &Vec<String>| PICKS.holds_for(stage);
        if pipeline.into_file || pager(first) || !later.iter().all(pager) {
            return;
        }
        let lines = later.iter().map(|stage| stage.join(" ")).collect::<Vec<_>>().join(" | ");
        let key = (session.to_owned(), first.join("\0"));
        let before = self.views.insert(key, lines.clone());
        if let Some(before) = before.filter(|before| *before != lines) {
            let again = self.again.entry(call_name(first)).or_default();
            again.times += 1;
            again.tokens += tokens;
            again.sessions.insert(session.to_owned());
            let before = before.split(" | ").filter_map(|stage| stage.split(' ').next());
            let names = later.iter().map(|stage| commands::base_name(&stage[0])).chain(before);
            again.by.extend(names.filter(|name| !name.is_empty()).map(str::to_owned));
        }
    }
}

/// Calls, by the tool's name on the list.
#[derive(Debug, Default)]
pub struct Calls {
    pub by_tool: BTreeMap<String, u64>,
    seen: HashSet<(String, String)>,
}

impl Calls {
    pub fn take(&mut self, format: &Format, session: &str, document: &Value) {
        for (id, command) in format.commands(document) {
            // Agents write some calls twice.
            if self.seen.insert((session.to_owned(), id)) {
                let stages = pipelines(&command).into_iter().flat_map(|pipeline| pipeline.stages);
                for words in stages.filter(|words| !words[0].is_empty()) {
                    *self.by_tool.entry(listed_name(&words)).or_default() += 1;
                }
            }
        }
    }
}

/// The name of a command, and its tool. The name of a command that picks lines stands behind the name of the command
/// whose lines it picks, and whose tool is the one to link.
fn name_of(pipelines: &[Pipeline], words: &[String]) -> (String, String) {
    let tool = commands::base_name(&words[0]);
    let whole = pipelines.iter().find(|pipeline| pipeline.seen().is_some());
    match whole.map(|pipeline| &pipeline.stages[..]) {
        Some([first, .., _]) if PICKS.holds_for(words) => {
            (format!("{} | {tool}", call_name(first)), listed_name(first))
        }
        _ => (call_name(words), listed_name(words)),
    }
}

/// The name by which the list has the tool that is called.
fn listed_name(words: &[String]) -> String {
    reach::tool_of(&owned(words)).unwrap_or_else(|| commands::base_name(&words[0]).to_owned())
}

fn call_name(words: &[String]) -> String {
    calls::name_of(commands::base_name(&words[0]), &owned(words))
}

fn owned(words: &[String]) -> Vec<OsString> {
    words.iter().map(OsString::from).collect()
}

/// Tokens that the pipeline would have saved of an output, net of the receipt.
fn saved(tool: &str, words: &[String], output: &Output, tokens: u64, settings: &Settings) -> u64 {
    let words = owned(words);
    if output.text.is_empty() || settings.passes_on(tool, &words[1..]) {
        return 0;
    }
    let (directories, exit) = (places::user_directories(), output.status);
    let call = Call { words: &words, exit, directories, ..Call::default() };
    let recall = "toto show 22222"; // as long as a real command
    let (level, format) = (settings.level, settings.format);
    let options = Options { level, format, recall, call, ..Options::default() };
    let report = pipeline::compress(output.text.as_bytes(), &options);
    let receipt = Receipt {
        original: report.original_tokens,
        whole: None,
        estimated: report.estimated,
        compressed: report.output_tokens,
        shape: report.shape.to_string(),
        left_out: !report.omitted.is_empty(),
    };
    let line = receipt.line(settings.receipt).map_or(0, |line| tokens::count(line.as_bytes()) + 1);
    tokens.saturating_sub((report.output_tokens + line) as u64)
}
