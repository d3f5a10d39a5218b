//! Every environment variable that toto reads or sets, in one place.
//!
//! The marks that agents set are not here: they are data in `src/agents/*.toml`.

use std::ffi::OsString;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;

/// `off` or `raw`: never compress; commands that toto runs for itself get `off`. `on`: every reader is taken to be an
/// agent.
pub const TOTO: &str = "TOTO";
/// The streams that the agent reads: `dev:ino,…`, as `stat -Lc %d:%i` (BSD: `stat -f %d:%i`) prints them, set by the
/// host of an agent for its own command; or `dev:ino,…@pid`, set by the file that an agent's shell reads before a
/// command.
pub const TOTO_EYES: &str = "TOTO_EYES";
/// `1`, set by an agent (or its user) for the commands it runs for the model and for nothing else.
pub const TOTO_AGENT: &str = "TOTO_AGENT";
/// `lossless`, `standard` or `max`; overrides the configuration's `level`.
pub const TOTO_LEVEL: &str = "TOTO_LEVEL";
/// `auto`, `pvfn`, `schema-yaml`, `json` or `raw`; overrides the configuration's `format`.
pub const TOTO_FORMAT: &str = "TOTO_FORMAT";
/// `auto`, `full`, `short` or `off`; overrides the configuration's `receipt`.
pub const TOTO_RECEIPT: &str = "TOTO_RECEIPT";
/// `on` or `off`: whether runs are recorded; overrides the configuration's `ledger.enabled`.
pub const TOTO_LEDGER: &str = "TOTO_LEDGER";
/// toto's own directory, with the farm in its `bin`; default `~/.toto`.
pub const TOTO_HOME: &str = "TOTO_HOME";
/// Seconds after which the host of an agent gives up the call that it sets this for.
pub const TOTO_TIME_LIMIT: &str = "TOTO_TIME_LIMIT";
/// Set by a shim for the tool it runs, to detect another shim farm that calls the shim back: see `path/guard.rs`.
pub const TOTO_GUARD: &str = "_TOTO_GUARD";

/// The file that a shell started last, by its path: set by shells for what they start.
pub const LAST_PROGRAM: &str = "_";
/// The search path of executables.
pub const PATH: &str = "PATH";
/// The user's home directory, which may be unset. Read by [`home`]; by hooks as it is, since their agent reads it so.
pub const HOME: &str = "HOME";
/// Set by sudo: the user id of its caller.
pub const SUDO_UID: &str = "SUDO_UID";
/// The user's login shell, in which some agents run their commands.
pub const SHELL: &str = "SHELL";
/// XDG base directory of configuration files; default `~/.config`.
pub const XDG_CONFIG_HOME: &str = "XDG_CONFIG_HOME";
/// XDG base directory of data; default `~/.local/share`. The ledger, pins of trusted files and installed filters are
/// below it.
pub const XDG_DATA_HOME: &str = "XDG_DATA_HOME";
/// XDG base directory of state; default `~/.local/state`. Saved outputs are below it.
pub const XDG_STATE_HOME: &str = "XDG_STATE_HOME";
/// Directory of temporary files; default `/tmp`. Outputs that cannot be saved below the home directory are saved there.
pub const TMPDIR: &str = "TMPDIR";
/// Directory of zsh's start files, if not the home directory.
pub const ZDOTDIR: &str = "ZDOTDIR";
/// The start file of a non-interactive bash.
pub const BASH_ENV: &str = "BASH_ENV";
/// Set beside [`BASH_ENV`] where toto's file replaced another one: that other file, which toto's reads first.
pub const TOTO_BASH_ENV: &str = "TOTO_BASH_ENV";
/// The start file of an interactive POSIX shell.
pub const ENV: &str = "ENV";
/// Directory of Claude Code's settings, if not `~/.claude`.
pub const CLAUDE_CONFIG_DIR: &str = "CLAUDE_CONFIG_DIR";
/// Set by Claude Code for its hooks: the directory that Claude Code works in.
pub const CLAUDE_PROJECT_DIR: &str = "CLAUDE_PROJECT_DIR";
/// Set by tmux and by screen in their terminals, which somebody other than the agent may look at.
pub const MULTIPLEXERS: [&str; 2] = ["TMUX", "STY"];
/// Names the session that saved outputs belong to; default: the agent's own session variable, else `default`.
pub const TOTO_SESSION: &str = "TOTO_SESSION";
/// Size up to which output goes out whole, in characters (tokens, with mode `reject`); overrides every threshold of the
/// configuration.
pub const TOTO_THRESHOLD: &str = "TOTO_THRESHOLD";
/// The older name of [`TOTO_THRESHOLD`], used where that is not set.
pub const LLM_TOTO_THRESHOLD: &str = "LLM_TOTO_THRESHOLD";
/// Debug builds only: `panic` makes the pipeline panic, so that tests can see that nothing is lost by it; `macos` finds
/// the reader as on macOS, `blind` as where processes cannot be seen; with `prune` the run prunes saved outputs, with
/// any other value it does not.
#[cfg(debug_assertions)]
pub const TOTO_FAULT: &str = "_TOTO_FAULT";

/// The path `below` in the XDG base directory that `variable` names, or in its default below the home directory
/// (XDG Base Directory Specification 0.8); `None` without a usable home.
pub fn xdg_dir(variable: &str, default: &str, below: &str) -> Option<PathBuf> {
    // A missing home directory (of a service, in a container) must not be created.
    let home = || home().filter(|home| home.is_dir());
    absolute(variable).or_else(|| Some(home()?.join(default))).map(|base| base.join(below))
}

/// The path that a variable holds, where it is absolute.
pub fn absolute(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}

/// `HOME`, if absolute. `None` for root under a sudo that kept its caller's `HOME`: the caller could not change files
/// that root leaves there, and root must not obey settings that the caller put there.
pub fn home() -> Option<PathBuf> {
    let home = absolute(HOME)?;
    let Some(caller) = std::env::var_os(SUDO_UID) else { return Some(home) };
    let caller: u32 = caller.to_str()?.parse().ok()?;
    let is_callers = caller != 0 && std::fs::metadata(&home).is_ok_and(|home| home.uid() == caller);
    (!is_callers || !rustix::process::geteuid().is_root()).then_some(home)
}

/// Whether compressed output is asked for (`TOTO=on`), for this call and not for the calls that the tool makes.
pub fn asked_for() -> bool {
    std::env::var_os(TOTO).is_some_and(|value| value.eq_ignore_ascii_case("on"))
}

/// Whether compression is switched off (`TOTO=off`, `TOTO=raw`).
pub fn switched_off() -> bool {
    let is_off = |value: OsString| ["off", "raw"].iter().any(|off| value.eq_ignore_ascii_case(off));
    std::env::var_os(TOTO).is_some_and(is_off)
}
