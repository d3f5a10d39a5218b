//! Devices that say the same in fewer tokens: a filter names those that suit its tool (`reshape = ["table"]`). Each
//! leaves the tool's own words in their order, and says in a mark what it left out or stated once.

mod commits;
mod drawn;
mod listing;
pub(super) mod metrics;
mod outline;
mod places;
mod repeats;
mod subtrees;
mod table;

use serde::Deserialize;

use super::lines::Lines;

/// A way of writing an output of a known form.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Device {
    /// Columns by one blank; after a success a column with one value is stated once.
    Table,
    /// Tables in drawn boxes without the lines that draw them.
    Drawn,
    /// One blank a level in place of alignment and of lines drawn to a tree.
    Outline,
    /// A subtree that was shown above is named.
    Subtrees,
    /// Several lines that stood above in the same order are named.
    Repeats,
    /// A directory, file or name that following lines begin with stands once above them, after a success.
    Places,
    /// Prometheus' text format: samples as rows.
    Metrics,
    /// The bars of `git diff --stat` by their signs.
    Bars,
    /// `git log`: what a commit shares with the one above stands once.
    Commits,
}

/// Runs devices in the order given.
pub fn run(devices: &[Device], lines: &mut Lines<'_>, succeeded: bool) {
    for device in devices {
        match device {
            Device::Table => table::squeeze(lines, succeeded),
            Device::Drawn => drawn::open(lines),
            Device::Outline => outline::indent(lines),
            Device::Subtrees => subtrees::fold(lines),
            Device::Repeats => repeats::fold(lines),
            Device::Places if succeeded => places::head(lines),
            Device::Places => {}
            Device::Metrics => metrics::fold(lines),
            Device::Bars => commits::bars(lines),
            Device::Commits => commits::shorten(lines),
        }
    }
}
