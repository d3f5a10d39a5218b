//! What is known of an agent: its types, and the keys of its TOML file. Used when toto is built (for the known agents) and
//! when it runs (for agents that the user describes).

use serde::{Deserialize, Deserializer};

/// Text that lives as long as the process.
type Text = &'static str;
type List = &'static [&'static str];

/// A known agent. A process's name is its `comm` (proc(5)) or the last part of its `argv[0]`.
#[derive(Debug, Deserialize)]
#[serde(from = "AgentFile")]
pub struct Agent {
    /// Short name, as in the ledger: `claude`.
    pub id: Text,
    /// Name for people: `Claude Code`.
    pub title: Text,
    /// Variable that names the agent's session.
    pub session_variable: Option<Text>,
    /// Characters of one output that reach the model; the agent cuts a longer output.
    pub output_limit: Option<u32>,
    /// Lines of one output that reach the model, if the agent limits lines, too.
    pub output_lines: Option<u32>,
    /// Characters that reach the model of an output longer than `output_limit`; by default `output_limit` characters.
    pub output_kept: Option<u32>,
    /// Names of its process.
    pub names: List,
    /// Names of its script, without suffix, when an interpreter runs it.
    pub scripts: List,
    /// Parts of paths: a script whose path contains one is the agent's.
    pub packages: List,
    /// Names of the process that is pid 1 in its sandbox's PID namespace.
    pub launchers: List,
    /// Variables that it sets on the commands that it runs for the model, and perhaps on others.
    pub marks: List,
    /// Variables that it sets on the commands that it runs for the model, and on nothing else.
    pub tool_marks: List,
    /// Its names in the standard marks ([`STANDARD_MARKS`]).
    pub called: List,
    /// Whether every version sets a mark, so that the process's name alone proves nothing.
    pub mark_required: bool,
    /// Variable whose value says that the agent runs the command for the model; `part` is the value's suffix.
    pub tool_value: Option<Value>,
    /// Variable whose value says that the agent runs the command for itself; `part` is the value's suffix.
    pub harness_value: Option<Value>,
    /// Names of processes that are taken for this agent by its mark alone; `*` is every name that
    /// `src/consumer/processes.toml` does not rule out.
    pub alone: List,
    /// Text that the agent puts around a command of the model's in the shell's `-c` argument.
    pub wrapper: Option<Text>,
    /// Globs (`*` also matches `/`) of files to which commands write and that the agent reads back.
    pub output_files: List,
    /// Variable whose value says that a script of the model's parses the output; `part` is the value's prefix.
    pub parsed: Option<Value>,
    /// How the farm gets on its PATH; None where there is nothing to set up.
    pub setup: Option<Setup>,
    /// How its hooks replace a command before it runs; None where they cannot.
    pub hook: Option<Hook>,
}

/// How an agent is found, and how the farm gets in front of the PATH of its commands.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Setup {
    /// Names of its command.
    #[serde(deserialize_with = "list")]
    pub programs: List,
    /// Directories below the home directory that exist once the agent has been used.
    #[serde(deserialize_with = "list")]
    pub directories: List,
    /// How it starts the shell that runs a command.
    pub shell: Mode,
    /// Whether its commands get the PATH that the shells' start files set.
    pub start_files: bool,
    /// Variable that tells its hooks the name of a file that is run before each command.
    #[serde(deserialize_with = "option")]
    pub env_file: Option<Text>,
    /// What the user has to do by hand.
    #[serde(deserialize_with = "option")]
    pub hint: Option<Text>,
    /// Changes to its own configuration.
    #[serde(deserialize_with = "edits")]
    pub edits: &'static [Edit],
}

/// How a shell that runs a command is started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// `-c`, as most agents and every script do: PATH is inherited.
    #[default]
    Plain,
    /// `-l -c`, as Codex does; a terminal's shell may be one.
    Login,
    /// `-i -c`, as aider does, or as a terminal's shell.
    Interactive,
}

/// How an agent's hooks replace a command before it runs: the form of the agent's question and of the answer. No
/// answer says "allow" where the agent would take that for a permission; docs/hook.md has what was observed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hook {
    /// The tools that run commands.
    #[serde(deserialize_with = "list")]
    pub tools: List,
    /// Key of the tool's name in the question.
    #[serde(deserialize_with = "text")]
    pub tool_key: Text,
    /// Key of the tool's arguments in the question; the argument `command` is the command.
    #[serde(deserialize_with = "text")]
    pub arguments_key: Text,
    /// The answer, as JSON: the string `@INPUT@` in it becomes the arguments with the command replaced, `@COMMAND@` the
    /// command alone.
    #[serde(deserialize_with = "text")]
    pub answer: Text,
    /// What else the agent's user has to know, in one line.
    #[serde(default, deserialize_with = "option")]
    pub hint: Option<Text>,
    /// Where its permission rules may stand.
    #[serde(default)]
    pub rules: Rules,
    /// The changes to the agent's configuration that install the hook.
    #[serde(deserialize_with = "edits")]
    pub edits: &'static [Edit],
}

/// Where an agent's permission rules may be: files, directories of files, and variables.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// Below the home directory.
    #[serde(deserialize_with = "list")]
    pub home: List,
    /// Below the working directory or a directory above it.
    #[serde(deserialize_with = "list")]
    pub project: List,
    /// Absolute paths.
    #[serde(deserialize_with = "list")]
    pub system: List,
    /// Variables that hold rules or name a file of rules.
    #[serde(deserialize_with = "list")]
    pub variables: List,
}

/// A change to one of an agent's own configuration files. `integration/template.rs` explains the placeholders, such
/// as `@LINE@`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    /// Variable that names the file's directory.
    #[serde(default, deserialize_with = "option")]
    pub variable: Option<Text>,
    /// The directory if the variable is not set, below the home directory.
    #[serde(deserialize_with = "text")]
    pub directory: Text,
    /// The file, below that directory.
    #[serde(deserialize_with = "text")]
    pub file: Text,
    /// The file for one project only, below the project's directory.
    #[serde(default, deserialize_with = "option")]
    pub project: Option<Text>,
    /// Keys that lead to the place in the file.
    #[serde(default, deserialize_with = "list")]
    pub at: List,
    /// The element to add to the array at that place, as JSON.
    #[serde(default, deserialize_with = "option")]
    pub element: Option<Text>,
    /// The value to set at that place, as JSON.
    #[serde(default, deserialize_with = "option")]
    pub value: Option<Text>,
    /// The text of the whole file.
    #[serde(default, deserialize_with = "option")]
    pub text: Option<Text>,
    /// Text by which the change is recognised as toto's.
    #[serde(deserialize_with = "text")]
    pub mark: Text,
    /// Whether the change only tells the agent about toto; `toto agents setup --no-note` leaves it out.
    #[serde(default)]
    pub note: bool,
}

/// A variable and a part of its value.
#[derive(Debug)]
pub struct Value {
    /// The variable's name.
    pub variable: Text,
    /// The value's prefix or suffix.
    pub part: Text,
}

/// The keys of an agent's file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AgentFile {
    id: String,
    title: String,
    session_variable: Option<String>,
    output_limit: Option<u32>,
    output_lines: Option<u32>,
    output_kept: Option<u32>,
    #[serde(default)]
    process: Process,
    #[serde(default)]
    marks: Marks,
    #[serde(default)]
    command: Command,
    setup: Option<Setup>,
    hook: Option<Hook>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Process {
    names: Vec<String>,
    scripts: Vec<String>,
    packages: Vec<String>,
    launchers: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Marks {
    names: Vec<String>,
    tool_only: Vec<String>,
    called: Vec<String>,
    required: bool,
    tool_value: Option<Suffix>,
    harness_value: Option<Suffix>,
    alone: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Command {
    wrapper: Option<String>,
    output_files: Vec<String>,
    parsed: Option<Prefix>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Suffix {
    variable: String,
    suffix: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Prefix {
    variable: String,
    prefix: String,
}

impl From<AgentFile> for Agent {
    fn from(file: AgentFile) -> Self {
        let AgentFile { process, marks, command, .. } = file;
        let value = |variable, part| Value { variable: kept(variable), part: kept(part) };
        Self {
            id: kept(file.id),
            title: kept(file.title),
            session_variable: file.session_variable.map(kept),
            output_limit: file.output_limit,
            output_lines: file.output_lines,
            output_kept: file.output_kept,
            names: kept_list(process.names),
            scripts: kept_list(process.scripts),
            packages: kept_list(process.packages),
            launchers: kept_list(process.launchers),
            marks: kept_list(marks.names),
            tool_marks: kept_list(marks.tool_only),
            called: kept_list(marks.called),
            mark_required: marks.required,
            tool_value: marks.tool_value.map(|v| value(v.variable, v.suffix)),
            harness_value: marks.harness_value.map(|v| value(v.variable, v.suffix)),
            alone: kept_list(marks.alone),
            wrapper: command.wrapper.map(kept),
            output_files: kept_list(command.output_files),
            parsed: command.parsed.map(|v| value(v.variable, v.prefix)),
            setup: file.setup,
            hook: file.hook,
        }
    }
}

fn kept(text: String) -> Text {
    text.leak()
}

fn kept_list(list: Vec<String>) -> List {
    list.into_iter().map(kept).collect::<Vec<_>>().leak()
}

fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
    String::deserialize(deserializer).map(kept)
}

fn option<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Text>, D::Error> {
    text(deserializer).map(Some)
}

fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<List, D::Error> {
    Vec::deserialize(deserializer).map(kept_list)
}

fn edits<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static [Edit], D::Error> {
    Ok(Vec::deserialize(deserializer)?.leak())
}
