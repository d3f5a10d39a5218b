//! `toto list`: every shim, the tool behind it, and whether all is well.

use clap::Args;
use serde_json::{Value, json};

use super::out;
use crate::farm::{Farm, Shim, State};

/// List the shims and the tools they run
#[derive(Debug, Args)]
pub struct ListArgs {
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// Fails without a home directory, or where the farm cannot be read.
pub fn run(args: &ListArgs) -> anyhow::Result<i32> {
    let farm = Farm::from_env()?;
    let shims = farm.shims()?;
    if args.json {
        let object = |shim: &Shim| {
            let [name, tool, trouble] = row(shim);
            json!({ "name": name, "tool": (tool != "-").then_some(tool), "trouble": trouble })
        };
        return out::bytes(format!("{:#}\n", shims.iter().map(object).collect::<Value>()));
    }
    if shims.is_empty() {
        return out::styled("no shims yet; toto link NAME… makes some\n");
    }
    out::styled(out::columns(&shims.iter().map(row).collect::<Vec<_>>()))
}

/// A shim's name, its tool, and what is wrong with it.
fn row(shim: &Shim) -> [String; 3] {
    let (tool, state) = match &shim.state {
        State::Working(tool) => (tool.display().to_string(), String::new()),
        State::Unfound(reason) => ("-".into(), reason.to_string()),
        State::Stale => ("-".into(), format!("leads nowhere (toto link {})", shim.name.display())),
        State::Foreign => ("-".into(), "not a shim of toto's".into()),
    };
    [shim.name.display().to_string(), tool, state]
}
