//! A Claude Code plugin with the same hooks as `toto agents setup claude`, for users who distribute their settings as
//! plugins. Its directory is a plugin and, for `/plugin marketplace add`, a marketplace with this plugin alone.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::{Map, Value, json};

use super::place::{Place, Scope};
use super::template;
use crate::agents::{Agent, Setup};
use crate::farm::changes::Changes;
use crate::foreign::Change;

/// Writes the plugin's files into the directory.
///
/// # Errors
/// Errors of the file system, with the path.
pub fn write_claude_plugin(
    agent: &Agent,
    setup: &Setup,
    place: &Place,
    into: &Path,
    changes: &mut Changes,
) -> anyhow::Result<()> {
    for (path, value) in files(agent, setup, place)? {
        changes
            .write(&into.join(path), (serde_json::to_string_pretty(&value)? + "\n").as_bytes())
            .context("plugin")?;
    }
    Ok(())
}

fn files(agent: &Agent, setup: &Setup, place: &Place) -> anyhow::Result<Vec<(PathBuf, Value)>> {
    let about = "toto's shims in front of PATH, and its saved outputs kept through compaction";
    let plugin = json!({
        "name": "toto",
        "version": env!("CARGO_PKG_VERSION"),
        "description": about,
        "license": env!("CARGO_PKG_LICENSE"),
    });
    let marketplace = json!({
        "name": "toto",
        "owner": { "name": "toto" },
        "plugins": [{ "name": "toto", "source": "./", "description": about }],
    });
    Ok(vec![
        (".claude-plugin/plugin.json".into(), plugin),
        (".claude-plugin/marketplace.json".into(), marketplace),
        ("hooks/hooks.json".into(), json!({ "description": about, "hooks": hooks(agent, setup, place)? })),
    ])
}

/// The hooks of the agent's setup, by event.
fn hooks(agent: &Agent, setup: &Setup, place: &Place) -> anyhow::Result<Map<String, Value>> {
    let mut hooks = Map::new();
    for edit in setup.edits {
        let Some((_, Change::Append { at, element, .. })) =
            template::resolve(edit, agent, place, &Scope::User)?
        else {
            continue;
        };
        let event = at.last().cloned().ok_or_else(|| io::Error::other("a hook without an event"))?;
        let list = hooks.entry(event).or_insert_with(|| json!([]));
        list.as_array_mut().into_iter().for_each(|list| list.push(element.clone()));
    }
    Ok(hooks)
}
