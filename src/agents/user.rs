//! Agents that the user describes: `~/.config/toto/agents/NAME.toml`, with the keys of `src/agents/*.toml`.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::Agent;
use super::file::check;
use crate::env;
use crate::mistake;
use crate::sys::directory;
use crate::sys::files::read_text;

/// Longest description of an agent that is read, in bytes.
const LONGEST: u64 = 1 << 16;

/// The agents that the user describes, and what is wrong with descriptions that cannot be used.
#[derive(Debug, Default)]
pub struct Described {
    pub agents: Vec<Agent>,
    pub faults: Vec<String>,
}

/// The user's agents, read once. Without any the cost is one failed open(2).
pub fn described() -> &'static Described {
    static DESCRIBED: OnceLock<Described> = OnceLock::new();
    DESCRIBED.get_or_init(|| {
        let mut found = Described::default();
        let directory = env::xdg_dir(env::XDG_CONFIG_HOME, ".config", "toto/agents");
        let mut files: Vec<PathBuf> = directory
            .and_then(|directory| directory::entries(&directory).ok())
            .into_iter()
            .flatten()
            .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
            .collect();
        files.sort_unstable();
        for path in files {
            let text = read_text(&path, LONGEST).map_err(|error| format!("{}: {error}", path.display()));
            match text.and_then(|text| parse(&text, &path)) {
                Ok(agent) => found.agents.push(agent),
                Err(fault) => found.faults.push(fault),
            }
        }
        found
    })
}

/// Parses one description. `path` is for the messages; its stem must be the agent's id. The error is one line with the
/// file, line and column or key, and what is wrong.
pub fn parse(text: &str, path: &Path) -> Result<Agent, String> {
    let name = path.display();
    let agent: Agent = mistake::parse(text, false).map_err(|mistake| format!("{name}:{mistake}"))?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    // Names that are never an agent (a shell, git) need no check here: they are not recognised as one in any case.
    check(&agent, &stem, |_| false).map_err(|problem| format!("{name}: {problem}"))?;
    Ok(agent)
}
