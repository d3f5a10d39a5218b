//! The agents that toto knows, as data: one TOML file each, laid out as static tables by `codegen.rs`.
//!
//! Agents change from version to version, so each file says which version was driven, or where its facts come from if
//! none was. `docs/who-reads.md` explains what each key proves.

mod file;

use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

use crate::sys::directory;
use crate::sys::files::read_text;
use crate::{env, mistake};
pub use file::{Agent, Command, Edit, Hook, Marks, Mode, Prefix, Process, Rules, Setup, Suffix};

/// Every agent: those that the user describes, then the known ones, except those whose id the user describes anew.
pub fn all() -> impl Iterator<Item = &'static Agent> + Clone {
    let own = &described().agents;
    own.iter().chain(AGENTS.iter().filter(|known| own.iter().all(|own| own.id != known.id)))
}

/// Variables in which any agent may give its name (agents.md and its predecessor).
pub const STANDARD_MARKS: [&str; 2] = ["AI_AGENT", "AGENT"];

impl Agent {
    /// Whether a standard mark's value names this agent: it begins with one of the agent's names, alone or followed
    /// by `_`, `@`, `/` or a blank and more, such as a version.
    pub fn is_called(&self, value: &[u8]) -> bool {
        self.marks.called.iter().any(|name| {
            let (start, rest) = value.split_at(name.len().min(value.len()));
            start.eq_ignore_ascii_case(name.as_bytes())
                && rest.first().is_none_or(|next| b"_@/ ".contains(next))
        })
    }
}

/// When the host of this agent (or of one that is not known) gives a command up, as far as known: by what was said of
/// this call ([`env::TOTO_TIME_LIMIT`]), by the agent's own variable, or by its default.
pub fn time_limit(agent: Option<&Agent>) -> Option<Duration> {
    let number = |variable: &str| std::env::var(variable).ok()?.parse().ok();
    let said = || number(env::TOTO_TIME_LIMIT).map(Duration::from_secs);
    let own = || number(agent?.time_limit_variable?).map(Duration::from_millis);
    said().or_else(own).or_else(|| Some(Duration::from_secs(agent?.time_limit?.into())))
}

impl Mode {
    /// Its name in messages, and the shell's option for it.
    pub fn words(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::Plain => ("-c", None),
            Self::Login => ("login", Some("-l")),
            Self::Interactive => ("interactive", Some("-i")),
        }
    }
}

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
        let mut files =
            directory.and_then(|directory| directory::entries(&directory).ok()).unwrap_or_default();
        files.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
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
    file::check(&agent, &stem, |_| false).map_err(|problem| format!("{name}: {problem}"))?;
    Ok(agent)
}

include!(concat!(env!("OUT_DIR"), "/agents.rs"));
