//! The agents that toto knows, as data: one TOML file each, laid out as static tables by `codegen.rs`.
//!
//! Agents change from version to version, so each file says which version was driven, or where its facts come from if
//! none was. `docs/who-reads.md` explains what each key proves.

mod file;
pub mod user;

/// A known agent. A process's name is its `comm` (proc(5)) or the last part of its `argv[0]`.
#[derive(Debug)]
pub struct Agent {
    /// Short name, as in the ledger: `claude`.
    pub id: &'static str,
    /// Name for people: `Claude Code`.
    pub title: &'static str,
    /// Variable that names the agent's session.
    pub session_variable: Option<&'static str>,
    /// Characters of one output that reach the model; the agent cuts a longer output.
    pub output_limit: Option<u32>,
    /// Lines of one output that reach the model, if the agent limits lines, too.
    pub output_lines: Option<u32>,
    /// Characters that reach the model of an output longer than `output_limit`; by default `output_limit` characters.
    pub output_kept: Option<u32>,
    /// Names of its process.
    pub names: &'static [&'static str],
    /// Names of its script, without suffix, when an interpreter runs it.
    pub scripts: &'static [&'static str],
    /// Parts of paths: a script whose path contains one is the agent's.
    pub packages: &'static [&'static str],
    /// Names of the process that is pid 1 in its sandbox's PID namespace.
    pub launchers: &'static [&'static str],
    /// Variables that it sets on the commands that it runs for the model, and perhaps on others.
    pub marks: &'static [&'static str],
    /// Variables that it sets on the commands that it runs for the model, and on nothing else.
    pub tool_marks: &'static [&'static str],
    /// Its names in the standard marks ([`STANDARD_MARKS`]).
    pub called: &'static [&'static str],
    /// Whether every version sets a mark, so that the process's name alone proves nothing.
    pub mark_required: bool,
    /// Variable whose value says that the agent runs the command for the model; `part` is the value's suffix.
    pub tool_value: Option<Value>,
    /// Variable whose value says that the agent runs the command for itself; `part` is the value's suffix.
    pub harness_value: Option<Value>,
    /// Names of processes that are taken for this agent by its mark alone; `*` is every name that
    /// `src/consumer/processes.toml` does not rule out.
    pub alone: &'static [&'static str],
    /// Text that the agent puts around a command of the model's in the shell's `-c` argument.
    pub wrapper: Option<&'static str>,
    /// Globs (`*` also matches `/`) of files to which commands write and that the agent reads back.
    pub output_files: &'static [&'static str],
    /// Variable whose value says that a script of the model's parses the output; `part` is the value's prefix.
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
    /// Directories below the home directory that exist once the agent has been used.
    pub directories: &'static [&'static str],
    /// How it starts the shell that runs a command.
    pub shell: Shell,
    /// Whether its commands get the PATH that the shells' start files set.
    pub start_files: bool,
    /// Variable that tells its hooks the name of a file that is run before each command.
    pub env_file: Option<&'static str>,
    /// What the user has to do by hand.
    pub hint: Option<&'static str>,
    /// Changes to its own configuration.
    pub edits: &'static [Edit],
}

/// How an agent starts the shell that runs a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    /// `-c`: the shell has the agent's own PATH.
    Plain,
    /// `-l -c`.
    Login,
    /// `-i -c`.
    Interactive,
}

/// How an agent's hooks replace a command before it runs: the form of the agent's question and of the answer. No
/// answer says "allow" where the agent would take that for a permission; docs/hook.md has what was observed.
#[derive(Debug)]
pub struct Hook {
    /// The tools that run commands.
    pub tools: &'static [&'static str],
    /// Key of the tool's name in the question.
    pub tool_key: &'static str,
    /// Key of the tool's arguments in the question; the argument `command` is the command.
    pub arguments_key: &'static str,
    /// The answer, as JSON: the string `@INPUT@` in it becomes the arguments with the command replaced, `@COMMAND@` the
    /// command alone.
    pub answer: &'static str,
    /// What else the agent's user has to know, in one line.
    pub hint: Option<&'static str>,
    /// Where its permission rules may stand.
    pub rules: Rules,
    /// The changes to the agent's configuration that install the hook.
    pub edits: &'static [Edit],
}

/// Where an agent's permission rules may be: files, directories of files, and variables.
#[derive(Debug)]
pub struct Rules {
    /// Below the home directory.
    pub home: &'static [&'static str],
    /// Below the working directory or a directory above it.
    pub project: &'static [&'static str],
    /// Absolute paths.
    pub system: &'static [&'static str],
    /// Variables that hold rules or name a file of rules.
    pub variables: &'static [&'static str],
}

/// A change to one of an agent's own configuration files. `integration/template.rs` explains the placeholders, such
/// as `@LINE@`.
#[derive(Debug)]
pub struct Edit {
    /// Variable that names the file's directory.
    pub variable: Option<&'static str>,
    /// The directory if the variable is not set, below the home directory.
    pub directory: &'static str,
    /// The file, below that directory.
    pub file: &'static str,
    /// The file for one project only, below the project's directory.
    pub project: Option<&'static str>,
    /// Keys that lead to the place in the file.
    pub at: &'static [&'static str],
    /// The element to add to the array at that place, as JSON.
    pub element: Option<&'static str>,
    /// The value to set at that place, as JSON.
    pub value: Option<&'static str>,
    /// The text of the whole file.
    pub text: Option<&'static str>,
    /// Text by which the change is recognised as toto's.
    pub mark: &'static str,
    /// Whether the change only tells the agent about toto; `toto agents setup --no-note` leaves it out.
    pub note: bool,
}

/// A variable and a part of its value.
#[derive(Debug)]
pub struct Value {
    /// The variable's name.
    pub variable: &'static str,
    /// The value's prefix or suffix.
    pub part: &'static str,
}

/// Every agent: those that the user describes, then the known ones, except those whose id the user describes anew.
pub fn all() -> impl Iterator<Item = &'static Agent> + Clone {
    let own = &user::described().agents;
    own.iter().chain(AGENTS.iter().filter(|known| own.iter().all(|own| own.id != known.id)))
}

/// Variables in which any agent may give its name (agents.md and its predecessor).
pub const STANDARD_MARKS: [&str; 2] = ["AI_AGENT", "AGENT"];

impl Agent {
    /// Whether a standard mark's value names this agent: it begins with one of the agent's names, alone or followed
    /// by `_`, `@`, `/` or a blank and more, such as a version.
    pub fn is_called(&self, value: &[u8]) -> bool {
        self.called.iter().any(|name| {
            let begins =
                value.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()));
            begins && value.get(name.len()).is_none_or(|next| b"_@/ ".contains(next))
        })
    }
}

include!(concat!(env!("OUT_DIR"), "/agents.rs"));
