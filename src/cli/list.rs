//! `toto list`: every shim, the tool behind it, and whether all is well.

use super::out;
use crate::farm::{Farm, Shim, State};

/// Fails without a home directory, or where the farm cannot be read.
pub fn run() -> anyhow::Result<i32> {
    let farm = Farm::from_env()?;
    let shims = farm.shims()?;
    if shims.is_empty() {
        return out::styled("no shims yet; toto link NAME… makes some\n");
    }
    let row = |shim: &Shim| {
        let (tool, state) = match &shim.state {
            State::Working(tool) => (tool.display().to_string(), String::new()),
            State::Unfound(reason) => ("-".into(), reason.to_string()),
            State::Stale => ("-".into(), format!("leads nowhere (toto link {})", shim.name.display())),
            State::Foreign => ("-".into(), "not a shim of toto's".into()),
        };
        [shim.name.display().to_string(), tool, state]
    };
    out::styled(out::columns(&shims.iter().map(row).collect::<Vec<_>>()))
}
