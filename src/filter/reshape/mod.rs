//! Devices for outputs of a known form, where the notation of text does less: a filter names those that suit its tool
//! (`reshape = ["outline"]`). Each leaves the tool's own words in their order, and says in a mark what it left out or stated once.

mod commits;
pub(super) mod metrics;
mod outline;

use serde::Deserialize;

use super::lines::Lines;

/// A way of writing an output of a known form.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Device {
    /// One blank a level in place of alignment and of lines drawn to a tree.
    Outline,
    /// Prometheus' text format: samples as rows.
    Metrics,
    /// The bars of `git diff --stat` by their signs.
    Bars,
    /// `git log`: what a commit shares with the one above stands once.
    Commits,
}

/// Runs devices in the order given.
pub fn run(devices: &[Device], lines: &mut Lines<'_>) {
    for device in devices {
        match device {
            Device::Outline => outline::indent(lines),
            Device::Metrics => metrics::fold(lines),
            Device::Bars => commits::bars(lines),
            Device::Commits => commits::shorten(lines),
        }
    }
}
