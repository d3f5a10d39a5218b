//! Devices for outputs of a known form, where known forms save less. A filter names the devices that suit its
//! tool (`reshape = ["outline"]`). A device keeps the tool's words in their order; a mark says what it left out or
//! stated once.

mod commits;
pub(super) mod metrics;
mod outline;

use serde::Deserialize;

use super::lines::Lines;

/// A shorter way to write an output of a known form.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Device {
    /// One blank per level in place of alignment and of the drawn lines of a tree.
    Outline,
    /// Prometheus' text format: samples as rows.
    Metrics,
    /// The bars of `git diff --stat`, with one sign of each kind.
    Bars,
    /// `git log`: what a commit shares with commits above is stated once.
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
