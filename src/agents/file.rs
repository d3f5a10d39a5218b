//! What is known of an agent: its types, the keys of its TOML file, and the checks that types cannot express. Used when
//! toto is built (for the known agents) and when it runs (for agents that the user describes).

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

type Text = &'static str;
type List = &'static [&'static str];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agent {
    /// Short name, as in the ledger: `claude`.
    #[serde(deserialize_with = "text")]
    pub id: Text,
    /// Name for people: `Claude Code`.
    #[serde(deserialize_with = "text")]
    pub title: Text,
    /// Variable that names the agent's session.
    #[serde(default, deserialize_with = "option")]
    pub session_variable: Option<Text>,
    /// Characters of one output that reach the model; the agent cuts a longer output.
    pub output_limit: Option<u32>,
    /// Lines of one output that reach the model, if the agent limits lines, too.
    pub output_lines: Option<u32>,
    /// Characters that reach the model of an output longer than `output_limit`; by default `output_limit` characters.
    pub output_kept: Option<u32>,
    /// Seconds after which its host gives a command up: ends it, or turns to the model without the command's output.
    pub time_limit: Option<u32>,
    /// Variable of its own that holds another such limit, in milliseconds.
    #[serde(default, deserialize_with = "option")]
    pub time_limit_variable: Option<Text>,
    /// How its process is recognised.
    #[serde(default)]
    pub process: Process,
    /// How the commands that it runs are recognised by their environment.
    #[serde(default)]
    pub marks: Marks,
    /// How the commands that it runs are recognised by their words and files.
    #[serde(default)]
    pub command: Command,
    /// How the farm gets on its PATH; None where there is nothing to set up.
    pub setup: Option<Setup>,
    /// How its hooks replace a command before it runs; None where they cannot.
    pub hook: Option<Hook>,
}

/// How an agent's process is recognised. A process's name is its `comm` (proc(5)) or the last part of its `argv[0]`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Process {
    /// Names of its process.
    #[serde(deserialize_with = "list")]
    pub names: List,
    /// Names of its script, without suffix, when an interpreter runs it.
    #[serde(deserialize_with = "list")]
    pub scripts: List,
    /// Parts of paths: a script whose path contains one is the agent's.
    #[serde(deserialize_with = "list")]
    pub packages: List,
    /// Names of the process that is pid 1 in its sandbox's PID namespace.
    #[serde(deserialize_with = "list")]
    pub launchers: List,
}

/// How an agent marks the environment of the commands that it runs.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Marks {
    /// Variables that it sets on the commands that it runs for the model, and perhaps on others.
    #[serde(deserialize_with = "list")]
    pub names: List,
    /// Variables that it sets on the commands that it runs for the model, and on nothing else.
    #[serde(deserialize_with = "list")]
    pub tool_only: List,
    /// Its names in the standard marks ([`STANDARD_MARKS`]).
    #[serde(deserialize_with = "list")]
    pub called: List,
    /// Whether every version sets a mark, so that the process's name alone proves nothing.
    pub required: bool,
    /// Variable whose value says that the agent runs the command for the model.
    pub tool_value: Option<Suffix>,
    /// Variable whose value says that the agent runs the command for itself.
    pub harness_value: Option<Suffix>,
    /// Names of processes that are taken for this agent by its mark alone; `*` is every name that
    /// `src/consumer/processes.toml` does not rule out.
    #[serde(deserialize_with = "list")]
    pub alone: List,
}

/// What an agent's commands have in common.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Command {
    /// Text that the agent puts around a command of the model's in the shell's `-c` argument.
    #[serde(deserialize_with = "option")]
    pub wrapper: Option<Text>,
    /// Globs (`*` also matches `/`) of files to which commands write and that the agent reads back.
    #[serde(deserialize_with = "list")]
    pub output_files: List,
    /// Variable whose value says that a script of the model's parses the output.
    pub parsed: Option<Prefix>,
}

/// A variable and the end of its value.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suffix {
    #[serde(deserialize_with = "text")]
    pub variable: Text,
    #[serde(deserialize_with = "text")]
    pub suffix: Text,
}

/// A variable and the beginning of its value.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prefix {
    #[serde(deserialize_with = "text")]
    pub variable: Text,
    #[serde(deserialize_with = "text")]
    pub prefix: Text,
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
    /// The answer, as JSON: `@INPUT@` becomes the arguments with the command replaced, `@COMMAND@` the command alone.
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

/// A change to an agent's own configuration file. `agent_setup/place.rs` explains placeholders such as `@LINE@`.
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
    /// The whole text of a file that is toto's alone, in place of `at`.
    #[serde(default, deserialize_with = "option")]
    pub text: Option<Text>,
    /// Text by which the change is recognised as toto's.
    #[serde(deserialize_with = "text")]
    pub mark: Text,
    /// Whether the change only tells the agent about toto; `toto agents setup --no-note` leaves it out.
    #[serde(default)]
    pub note: bool,
}

/// A text of a file: an empty one would match everything.
struct Given(Text);

impl<'de> Deserialize<'de> for Given {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match String::deserialize(deserializer)? {
            text if text.is_empty() => Err(D::Error::custom("an empty string matches everything")),
            text => Ok(Self(text.leak())),
        }
    }
}

fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
    Given::deserialize(deserializer).map(|Given(text)| text)
}

fn option<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Text>, D::Error> {
    text(deserializer).map(Some)
}

fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<List, D::Error> {
    let list = Vec::<Given>::deserialize(deserializer)?;
    Ok(list.into_iter().map(|Given(text)| text).collect::<Vec<_>>().leak())
}

fn edits<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static [Edit], D::Error> {
    Ok(Vec::deserialize(deserializer)?.leak())
}

/// Checks what the types cannot express; the error is the faulty key and what is wrong with it. `stem` is the file's
/// name without its extension; `never` tells whether a process of that name is never an agent.
pub fn check(agent: &Agent, stem: &str, never: impl Fn(&str) -> bool) -> Result<(), String> {
    if agent.id != stem {
        return Err(format!("id: {:?} is not the file's name, {stem:?}", agent.id));
    }
    for (key, limit, unit, least) in [
        ("output_limit", agent.output_limit, "characters", 2_000),
        ("output_lines", agent.output_lines, "lines", 20),
        ("time_limit", agent.time_limit, "seconds", 5),
    ] {
        if let Some(limit) = limit.filter(|limit| *limit < least) {
            return Err(format!("{key}: {limit} {unit} are less than any host shows, {least}"));
        }
    }
    if agent.output_kept > agent.output_limit {
        return Err("output_kept: more is kept of a longer output than the host shows of any".into());
    }
    check_recognition(agent, never)?;
    check_edits(agent)
}

fn check_recognition(agent: &Agent, never: impl Fn(&str) -> bool) -> Result<(), String> {
    let Agent { process, marks, command, .. } = agent;
    for (key, names) in [("process.names", process.names), ("marks.alone", marks.alone)] {
        if let Some(name) = names.iter().find(|name| never(name)) {
            return Err(format!("{key}: {name:?} is never the eyes (src/consumer/processes.toml)"));
        }
    }
    if [process.names, process.scripts, process.packages, marks.alone].iter().all(|list| list.is_empty()) {
        return Err("process.names: nothing would ever be recognised as this agent".into());
    }
    if let Some(glob) = command.output_files.iter().find(|g| !g.starts_with('/') || g.ends_with('*')) {
        return Err(format!("command.output_files: {glob:?} must begin with / and name its files' ending"));
    }
    if command.wrapper.is_some_and(|text| text.len() < 8) {
        return Err("command.wrapper: too short to prove anything".into());
    }
    if marks.required && marks.names.is_empty() && marks.tool_only.is_empty() {
        return Err("marks.required: there is no mark to require".into());
    }
    Ok(())
}

fn check_edits(agent: &Agent) -> Result<(), String> {
    let setup = agent.setup.iter().flat_map(|setup| setup.edits).map(|edit| ("setup.edits", edit));
    let hook = agent.hook.iter().flat_map(|hook| hook.edits).map(|edit| ("hook.edits", edit));
    for (key, edit) in setup.chain(hook) {
        let kinds = [&edit.element, &edit.value, &edit.text].into_iter().flatten().count();
        if kinds != 1 || edit.text.is_some() != edit.at.is_empty() {
            return Err(format!("{key}: one of element and value with `at`, or text without"));
        }
    }
    let answers =
        |hook: &Hook| ["\"@INPUT@\"", "\"@COMMAND@\""].iter().any(|part| hook.answer.contains(part));
    if agent.hook.as_ref().is_some_and(|hook| !answers(hook)) {
        return Err("hook.answer: neither \"@INPUT@\" nor \"@COMMAND@\" is in it".into());
    }
    Ok(())
}
