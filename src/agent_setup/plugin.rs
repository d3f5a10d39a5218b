//! A Claude Code plugin with the same hooks as `toto agents setup claude`, for users who distribute their settings as
//! plugins. Its directory is a plugin and, for `/plugin marketplace add`, a marketplace with this plugin alone.

use std::path::Path;

use anyhow::Context as _;
use serde_json::{Map, Value, json};

use super::{Place, resolve};
use crate::agents::{Agent, Setup};
use crate::edits::Change;
use crate::farm::changes::Changes;

pub fn write_claude_plugin(
    agent: &Agent,
    setup: &Setup,
    place: &Place,
    into: &Path,
    changes: &mut Changes,
) -> anyhow::Result<()> {
    let about = "toto's shims in front of PATH, and its saved outputs kept through compaction";
    let (version, license) = (env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_LICENSE"));
    let plugin = json!({ "name": "toto", "version": version, "description": about, "license": license });
    let itself = json!({ "name": "toto", "source": "./", "description": about });
    let marketplace = json!({ "name": "toto", "owner": { "name": "toto" }, "plugins": [itself] });
    let hooks = json!({ "description": about, "hooks": hooks(agent, setup, place)? });
    for (path, value) in [
        (".claude-plugin/plugin.json", plugin),
        (".claude-plugin/marketplace.json", marketplace),
        ("hooks/hooks.json", hooks),
    ] {
        changes.write(&into.join(path), format!("{value:#}\n").as_bytes()).context("plugin")?;
    }
    Ok(())
}

fn hooks(agent: &Agent, setup: &Setup, place: &Place) -> anyhow::Result<Map<String, Value>> {
    let mut hooks = Map::new();
    for edit in setup.edits {
        let resolved = resolve(edit, agent, place)?;
        let Some((_, Change::Append { at, element, .. })) = resolved else { continue };
        let event = at.last().cloned().context("a hook without an event")?;
        let list = hooks.entry(event).or_insert_with(|| json!([]));
        list.as_array_mut().into_iter().for_each(|list| list.push(element.clone()));
    }
    Ok(hooks)
}
