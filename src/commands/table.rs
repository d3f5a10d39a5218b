//! The table's columns, laid out by the build.

pub type Pattern = &'static [&'static str];

/// A column of the table: the patterns of each tool, sorted by the tool. The build (`codegen.rs`) makes a static of
/// each, its name in capitals: `payload` is [`PAYLOAD`]. What they mean stands at the head of `table.toml`; `calls` and
/// `verbs` are of `ledger/calls.toml`.
pub struct Column(&'static [(&'static str, &'static [Pattern])]);

include!(concat!(env!("OUT_DIR"), "/commands.rs"));

impl Column {
    /// The patterns of a tool; `None` where the column says nothing of it.
    pub fn of(&self, tool: &str) -> Option<&'static [Pattern]> {
        self.0.binary_search_by_key(&tool, |(name, _)| name).ok().map(|at| self.0[at].1)
    }
}
