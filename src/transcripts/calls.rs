//! How often agents called each tool.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

use super::format::Format;
use super::line::pipelines;
use super::tally::listed_name;

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
