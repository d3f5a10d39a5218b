//! What an agent needs is data (`src/agents/*.toml`, `[setup]`), put in a place of this machine; `edits` knows how a
//! file is edited. The placeholders for this machine's paths:
//!
//! | in the data | becomes |
//! |---|---|
//! | `@LINE@` | the line that reads the file for an agent's own shell, as one word of sh |
//! | `@ENV@` | the path of that file |
//! | `@AGENT_STRING@` | the same as a string of JSON and JavaScript |
//! | `@TOTO@` | the command `toto`, as one word of sh |
//! | `@FARM@` | the farm's directory |
//! | `@FARM_STRING@` | the same as a string of JSON and JavaScript |
//! | `@HANDLE@` | the command that answers the agent's rewriting hook, and does nothing once toto is gone |
//! | `@PROGRAM_STRING@` | the path of the program in that command, as a string of JSON and JavaScript |

use std::path::PathBuf;

use serde_json::Value;

use crate::agents::{Agent, Edit, Setup};
use crate::edits::Change;
use crate::env;
use crate::farm::Farm;
use crate::farm::reach;
use crate::farm::shells::{Language, in_home};
use crate::hook::own_program;
use crate::hook::protocol::for_each_string;
use crate::words::quote;

/// The owner of the changes of `toto agents setup` in a configuration file, as `edits` records it.
pub const OWNER: &str = "path";
/// The owner of the rewriting hooks' changes.
pub const REWRITING: &str = "rewrite";

pub struct Place {
    pub farm: Farm,
    pub home: PathBuf,
    /// The project for whose sessions alone changes are meant; None for all sessions.
    pub project: Option<PathBuf>,
}

/// An agent that can be set up, and what sets it up.
pub type Known = (&'static Agent, &'static Setup);

pub fn agents() -> impl Iterator<Item = Known> {
    crate::agents::all().filter_map(|agent| Some((agent, agent.setup.as_ref()?)))
}

/// The agent of this name: its id, its command, or its title.
pub fn named(name: &str) -> Option<Known> {
    agents().find(|(agent, setup)| {
        agent.id == name || agent.title.eq_ignore_ascii_case(name) || setup.programs.contains(&name)
    })
}

/// The file that an agent's edit is made to, and the change; None where there is no such file for one project.
pub fn resolve(edit: &Edit, agent: &Agent, place: &Place) -> anyhow::Result<Option<(PathBuf, Change)>> {
    let path = if let Some(directory) = &place.project {
        let Some(file) = edit.project else { return Ok(None) };
        directory.join(file)
    } else {
        let own = edit.variable.and_then(env::absolute);
        own.unwrap_or_else(|| place.home.join(edit.directory)).join(edit.file)
    };
    let at = edit.at.iter().map(ToString::to_string).collect();
    let fill = |text: &str| fill(text, agent, place);
    let json = |text: &str| {
        let mut value: Value = serde_json::from_str(&text.replace('\n', " "))?;
        for_each_string(&mut value, |value| *value = fill(value.as_str().unwrap_or_default()).into());
        anyhow::Ok(value)
    };
    let change = match (edit.element, edit.value) {
        (Some(element), _) => Change::Append { at, element: json(element)?, mark: edit.mark.into() },
        (None, Some(value)) => Change::Set { at, value: json(value)? },
        (None, None) => Change::Text { text: fill(edit.text.unwrap_or_default()), mark: edit.mark.into() },
    };
    Ok(Some((path, change)))
}

fn fill(text: &str, agent: &Agent, place: &Place) -> String {
    let toto_home = place.farm.home();
    let farm = place.farm.directory().display().to_string();
    let line = Language::Posix.reading(reach::FILES[0], toto_home, &place.home);
    let agent_file = toto_home.join(reach::FILES[0]).display().to_string();
    let one_word = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
    let toto = in_home(&place.farm.directory().join("toto"), &place.home);
    let program = Some(place.farm.binary()).filter(|binary| binary.exists()).unwrap_or_else(own_program);
    let program = program.to_string_lossy();
    let handle = format!("[ ! -x {0} ] || {0} hook handle {1}", quote(&program), agent.id);
    text.replace("@LINE@", &one_word(&line))
        .replace("@ENV@", &agent_file)
        .replace("@AGENT_STRING@", &Value::from(agent_file.as_str()).to_string())
        .replace("@TOTO@", &toto)
        .replace("@FARM_STRING@", &Value::from(farm.as_str()).to_string())
        .replace("@FARM@", &farm)
        .replace("@HANDLE@", &handle)
        .replace("@PROGRAM_STRING@", &Value::from(&*program).to_string())
}
