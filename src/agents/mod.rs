//! The agents that toto knows, as data: one TOML file each, laid out as static tables by `codegen.rs`.
//!
//! Agents change their habits from version to version: each file says what was seen, and when only documentation
//! was. `docs/who-reads.md` tells what each key proves.

mod file;
pub mod user;

/// What is known of one agent. Names of processes are those of comm or of `argv[0]`'s last part.
#[derive(Debug)]
pub struct Agent {
    /// Short name, as in the ledger: `claude`.
    pub id: &'static str,
    /// Name for people: `Claude Code`.
    pub title: &'static str,
    /// Variable that names the agent's session.
    pub session_variable: Option<&'static str>,
    /// Characters of one output that reach the model; the agent itself cuts what is longer.
    pub output_limit: Option<u32>,
    /// Lines of one output that reach the model, where it counts them, too.
    pub output_lines: Option<u32>,
    /// Characters that reach the model of an output that is longer than `output_limit`; as many, if nothing is said.
    pub output_kept: Option<u32>,
    /// Names of its process.
    pub names: &'static [&'static str],
    /// Names of its script, without suffix, when an interpreter runs it.
    pub scripts: &'static [&'static str],
    /// Parts of its script's path.
    pub packages: &'static [&'static str],
    /// Names of the process that is pid 1 of its sandbox's own PID namespace.
    pub launchers: &'static [&'static str],
    /// Variables found in the environment of the commands that it runs for the model, and perhaps of others.
    pub marks: &'static [&'static str],
    /// Variables that it sets on the commands that it runs for the model, and on nothing else.
    pub tool_marks: &'static [&'static str],
    /// What it calls itself in a standard mark ([`STANDARD_MARKS`]).
    pub called: &'static [&'static str],
    /// Every version sets a mark: the name alone proves nothing.
    pub mark_required: bool,
    /// Value of a variable that says: run for the model. `part` is how it ends.
    pub tool_value: Option<Value>,
    /// Value of a variable that says: run for the agent itself. `part` is how it ends.
    pub harness_value: Option<Value>,
    /// Names of processes that are taken to be this agent by its mark alone; `*` is any that may be the eyes.
    pub alone: &'static [&'static str],
    /// Text that the agent puts around a command of the model's in the shell's `-c` argument.
    pub wrapper: Option<&'static str>,
    /// Globs (`*` also matches `/`) of files to which commands write and that the agent reads back.
    pub output_files: &'static [&'static str],
    /// Value of a variable that says: the output is parsed by a script of the model's. `part` is how it begins.
    pub parsed: Option<Value>,
    /// How the farm gets on its PATH; None where there is nothing to set up.
    pub setup: Option<Setup>,
    /// How its hooks replace a command before it runs; None where they cannot.
    pub hook: Option<Hook>,
}

/// How an agent is found, and how the farm gets in front of the PATH of its commands.
#[derive(Debug)]
pub struct Setup {
    /// Names of its command.
    pub programs: &'static [&'static str],
    /// Directories below the home directory that are there once it has been used.
    pub directories: &'static [&'static str],
    /// How it starts the shell that runs a command.
    pub shell: Shell,
    /// Its commands get the PATH that shells' start files make.
    pub start_files: bool,
    /// Variable that names a file to its hooks, which is run before each command.
    pub env_file: Option<&'static str>,
    /// What to do by hand.
    pub hint: Option<&'static str>,
    /// Changes to its own configuration.
    pub edits: &'static [Edit],
}

/// How an agent starts the shell that runs a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    /// `-c`: the PATH is the agent's own.
    Plain,
    /// `-l -c`.
    Login,
    /// `-i -c`.
    Interactive,
}

/// How an agent's hooks replace a command before it runs: what it says to a hook, and what it wants to hear. No answer
/// says "allow" where the agent would take that for a permission; docs/hook.md tells what was seen.
#[derive(Debug)]
pub struct Hook {
    /// The tools that run commands.
    pub tools: &'static [&'static str],
    /// Key of the tool's name.
    pub tool_key: &'static str,
    /// Key of its arguments, among which `command` is the command.
    pub arguments_key: &'static str,
    /// The answer, as JSON: the string `@INPUT@` in it becomes the arguments with the command replaced, `@COMMAND@` the
    /// command alone.
    pub answer: &'static str,
    /// What else its user has to know, in one line.
    pub hint: Option<&'static str>,
    /// Where its permission rules may stand.
    pub rules: Rules,
    /// The changes to its own configuration that put the hook in.
    pub edits: &'static [Edit],
}

/// Where an agent's permission rules may stand: files, or directories of them, and variables.
#[derive(Debug)]
pub struct Rules {
    /// Below the home directory.
    pub home: &'static [&'static str],
    /// Below the working directory and those above it.
    pub project: &'static [&'static str],
    /// Anywhere: absolute paths.
    pub system: &'static [&'static str],
    /// Variables that hold rules, or name a file that does.
    pub variables: &'static [&'static str],
}

/// A change to one of an agent's own configuration files. `integration/template.rs` says what `@LINE@` and the like in
/// it stand for.
#[derive(Debug)]
pub struct Edit {
    /// Variable that names the file's directory.
    pub variable: Option<&'static str>,
    /// The directory where that is not set, below the home directory.
    pub directory: &'static str,
    /// The file in it.
    pub file: &'static str,
    /// The file for one project only, below the project's directory.
    pub project: Option<&'static str>,
    /// Keys that lead to the place in the file.
    pub at: &'static [&'static str],
    /// An element of the array there, as JSON.
    pub element: Option<&'static str>,
    /// The value there, as JSON.
    pub value: Option<&'static str>,
    /// The whole file.
    pub text: Option<&'static str>,
    /// Text by which it is known to be ours.
    pub mark: &'static str,
    /// Whether it only tells the agent of toto: `toto agents setup --no-note` leaves it out.
    pub note: bool,
}

/// A variable and a part of its value.
#[derive(Debug)]
pub struct Value {
    /// The variable's name.
    pub variable: &'static str,
    /// How the value begins, or how it ends.
    pub part: &'static str,
}

impl Edit {
    /// The mark as it stands within a string of JSON.
    pub fn mark_in_json(&self) -> String {
        self.mark.replace('"', "\\\"")
    }
}

/// Every agent: the user's own, and the known ones that have no namesake among them.
pub fn all() -> impl Iterator<Item = &'static Agent> + Clone {
    let own = &user::described().agents;
    own.iter().chain(AGENTS.iter().filter(|known| own.iter().all(|own| own.id != known.id)))
}

/// Variables in which an agent may say its name (agents.md and its forerunner).
pub const STANDARD_MARKS: [&str; 2] = ["AI_AGENT", "AGENT"];

impl Agent {
    /// Whether a value of a standard mark is this agent's: its name, and perhaps a version and more behind it.
    pub fn is_called(&self, value: &[u8]) -> bool {
        self.called.iter().any(|name| {
            let begins =
                value.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()));
            begins && value.get(name.len()).is_none_or(|next| b"_@/ ".contains(next))
        })
    }
}

include!(concat!(env!("OUT_DIR"), "/agents.rs"));
