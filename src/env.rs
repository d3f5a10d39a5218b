//! Every environment variable that toto reads or sets, in one place.
//!
//! Marks that agents set are data and stand in `src/agents/*.toml`.

use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;

/// `off` or `raw`: never compress; what a filter runs sees that. `on`: the reader is taken to be an agent, whoever it is.
pub const TOTO: &str = "TOTO";
/// Which streams are for the agent's eyes: `dev:ino,…`, as `stat -Lc %d:%i` (BSD: `stat -f %d:%i`) prints them, set by the
/// host of an agent for its own command; `dev:ino,…@pid`, set by what an agent's shell reads before a command.
pub const TOTO_EYES: &str = "TOTO_EYES";
/// `1`, set by an agent (or its user) on the commands it runs for the model and on nothing else.
pub const TOTO_AGENT: &str = "TOTO_AGENT";
/// `lossless`, `standard` or `max`; overrides the configuration's `level`.
pub const TOTO_LEVEL: &str = "TOTO_LEVEL";
/// `auto`, `pvfn`, `schema-yaml`, `json` or `raw`; overrides the configuration's `format`.
pub const TOTO_FORMAT: &str = "TOTO_FORMAT";
/// `auto`, `full`, `short` or `off`; overrides the configuration's `receipt`.
pub const TOTO_RECEIPT: &str = "TOTO_RECEIPT";
/// `off`: nothing is written down of a run; `on`: it is. Overrides the configuration's `ledger.enabled`.
pub const TOTO_LEDGER: &str = "TOTO_LEDGER";
/// Where toto lives: the farm is `bin` below it. Default `~/.toto`.
pub const TOTO_HOME: &str = "TOTO_HOME";
/// Set by a shim for the tool it runs, so that another shim farm that calls us back is noticed: see `path.rs`.
pub const TOTO_GUARD: &str = "_TOTO_GUARD";

/// The search path of executables.
pub const PATH: &str = "PATH";
/// The user's home directory; unset is a case, not an error. Read by [`home`].
pub const HOME: &str = "HOME";
/// Set by sudo: who called it.
pub const SUDO_UID: &str = "SUDO_UID";
/// The user's login shell, which some agents run their commands with.
pub const SHELL: &str = "SHELL";
/// XDG base directory of configuration files; default `~/.config`.
pub const XDG_CONFIG_HOME: &str = "XDG_CONFIG_HOME";
/// XDG base directory of data; default `~/.local/share`. The ledger, pins of
/// trusted files and installed filters lie below it.
pub const XDG_DATA_HOME: &str = "XDG_DATA_HOME";
/// XDG base directory of state; default `~/.local/state`. Saved outputs live below it.
pub const XDG_STATE_HOME: &str = "XDG_STATE_HOME";
/// Where temporary files go; default `/tmp`. Outputs that cannot be saved below the home directory live there.
pub const TMPDIR: &str = "TMPDIR";
/// Where zsh's start files lie, if not in the home directory.
pub const ZDOTDIR: &str = "ZDOTDIR";
/// The file that a non-interactive bash starts from.
pub const BASH_ENV: &str = "BASH_ENV";
/// Set beside [`BASH_ENV`] where ours took the place of another: that other file, which ours reads first.
pub const TOTO_BASH_ENV: &str = "TOTO_BASH_ENV";
/// The file that an interactive POSIX shell starts from.
pub const ENV: &str = "ENV";
/// Where Claude Code keeps its settings, if not in `~/.claude`.
pub const CLAUDE_CONFIG_DIR: &str = "CLAUDE_CONFIG_DIR";
/// Where Codex keeps its settings, if not in `~/.codex`.
pub const CODEX_HOME: &str = "CODEX_HOME";
/// Where `OpenCode` keeps its settings, if not in `~/.config/opencode`.
pub const OPENCODE_CONFIG_DIR: &str = "OPENCODE_CONFIG_DIR";
/// Set by Claude Code for its hooks: the directory that it works in.
pub const CLAUDE_PROJECT_DIR: &str = "CLAUDE_PROJECT_DIR";
/// Set by tmux and by screen in their terminals: somebody else may look at those, too.
pub const MULTIPLEXERS: [&str; 2] = ["TMUX", "STY"];
/// Names the session that saved outputs belong to; default: the agent's own session variable, else `default`.
pub const TOTO_SESSION: &str = "TOTO_SESSION";
/// Characters that still go out whole, over every threshold of the configuration.
pub const TOTO_THRESHOLD: &str = "TOTO_THRESHOLD";
/// The older name of [`TOTO_THRESHOLD`], which wins over it.
pub const LLM_TOTO_THRESHOLD: &str = "LLM_TOTO_THRESHOLD";
/// Debug builds only: `panic` makes the pipeline panic, so that tests can see that nothing is lost by it; `macos` asks who
/// reads as on a Mac, `blind` as where processes cannot be seen.
pub const TOTO_FAULT: &str = "_TOTO_FAULT";

/// The directory `below` in the XDG base directory that `variable` names, or in its default below the home
/// directory (XDG Base Directory Specification 0.8); `None` without a usable home.
pub fn xdg_dir(variable: &str, default: &str, below: &str) -> Option<PathBuf> {
    // A home that is not there (a service's, a container's) is not ours to make.
    let home = || home().filter(|home| home.is_dir());
    absolute(variable).or_else(|| Some(home()?.join(default))).map(|base| base.join(below))
}

/// The path that a variable holds, where it is absolute.
pub fn absolute(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}

/// `HOME`, an absolute path. None for root under a sudo that kept its caller's: what root leaves there its owner can no
/// longer change, and what the owner put there is not root's to obey.
pub fn home() -> Option<PathBuf> {
    let home = absolute(HOME)?;
    let Some(caller) = std::env::var_os(SUDO_UID) else { return Some(home) };
    let caller: u32 = caller.to_str()?.parse().ok()?;
    let is_callers = caller != 0 && std::fs::metadata(&home).is_ok_and(|home| home.uid() == caller);
    (!is_callers || !rustix::process::geteuid().is_root()).then_some(home)
}

/// Is compressed output asked for (`TOTO=on`)? Of this call, not of the calls that the tool makes.
pub fn asked_for() -> bool {
    std::env::var_os(TOTO).is_some_and(|value| value == "on")
}

/// Is nothing to be compressed (`TOTO=off`, `TOTO=raw`)?
pub fn switched_off() -> bool {
    std::env::var_os(TOTO).is_some_and(|value| value == "off" || value == "raw")
}
