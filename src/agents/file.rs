//! The keys of an agent's TOML file, and the checks that types cannot express. Used when toto is built (for the known
//! agents) and when it runs (for agents that the user describes).

use serde::Deserialize;

/// The keys of an agent's file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentFile {
    pub id: String,
    pub title: String,
    pub session_variable: Option<String>,
    pub output_limit: Option<u32>,
    pub output_lines: Option<u32>,
    /// Characters that reach the model of an output longer than `output_limit`.
    pub output_kept: Option<u32>,
    #[serde(default)]
    pub process: Process,
    #[serde(default)]
    pub marks: Marks,
    #[serde(default)]
    pub command: Command,
    pub setup: Option<Setup>,
    pub hook: Option<Hook>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Process {
    pub names: Vec<String>,
    pub scripts: Vec<String>,
    pub packages: Vec<String>,
    pub launchers: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Marks {
    pub names: Vec<String>,
    pub tool_only: Vec<String>,
    pub called: Vec<String>,
    pub required: bool,
    pub tool_value: Option<Suffix>,
    pub harness_value: Option<Suffix>,
    pub alone: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Command {
    pub wrapper: Option<String>,
    pub output_files: Vec<String>,
    pub parsed: Option<Prefix>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suffix {
    pub variable: String,
    pub suffix: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prefix {
    pub variable: String,
    pub prefix: String,
}

/// How the agent is found, and how the farm gets in front of the PATH of its commands.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Setup {
    pub programs: Vec<String>,
    pub directories: Vec<String>,
    pub shell: Shell,
    pub start_files: bool,
    pub env_file: Option<String>,
    pub hint: Option<String>,
    pub edits: Vec<Edit>,
}

/// How the agent starts the shell that runs a command.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shell {
    #[default]
    Plain,
    Login,
    Interactive,
}

/// How the agent's hooks replace a command before it runs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hook {
    pub tools: Vec<String>,
    pub tool_key: String,
    pub arguments_key: String,
    pub answer: String,
    pub hint: Option<String>,
    #[serde(default)]
    pub rules: Rules,
    pub edits: Vec<Edit>,
}

/// Where the agent's permission rules may be.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    pub home: Vec<String>,
    pub project: Vec<String>,
    pub system: Vec<String>,
    pub variables: Vec<String>,
}

/// A change to one of the agent's own configuration files.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    pub variable: Option<String>,
    pub directory: String,
    pub file: String,
    pub project: Option<String>,
    #[serde(default)]
    pub at: Vec<String>,
    pub element: Option<String>,
    pub value: Option<String>,
    pub text: Option<String>,
    pub mark: String,
    #[serde(default)]
    pub note: bool,
}

/// The result of a check; the error is the faulty key and what is wrong with it.
type Checked = Result<(), (&'static str, String)>;

/// Checks what the types cannot express. `stem` is the file's name without its extension; `never` tells whether a
/// process of that name is never an agent.
pub fn check(agent: &AgentFile, stem: &str, never: impl Fn(&str) -> bool) -> Checked {
    if agent.id != stem {
        return fail("id", format!("{:?} is not the file's name, {stem:?}", agent.id));
    }
    check_limits(agent)?;
    check_names(agent, never)?;
    check_command(&agent.command)?;
    check_marks(&agent.marks, &agent.command)?;
    check_edits(agent)
}

fn fail(key: &'static str, problem: impl Into<String>) -> Checked {
    Err((key, problem.into()))
}

/// Smallest limits of one call that are accepted for a host: characters and lines.
const LEAST_LIMITS: (u32, u32) = (2_000, 20);

/// Checks how much the host shows of one call.
fn check_limits(agent: &AgentFile) -> Checked {
    let (characters, lines) = LEAST_LIMITS;
    if let Some(limit) = agent.output_limit.filter(|limit| *limit < characters) {
        return fail(
            "output_limit",
            format!("{limit} characters are less than any host shows, {characters}"),
        );
    }
    if let Some(limit) = agent.output_lines.filter(|limit| *limit < lines) {
        return fail("output_lines", format!("{limit} lines are less than any host shows, {lines}"));
    }
    if agent.output_kept > agent.output_limit {
        return fail("output_kept", "more is kept of a longer output than the host shows of any");
    }
    Ok(())
}

/// Checks how the agent's process is recognised.
fn check_names(agent: &AgentFile, never: impl Fn(&str) -> bool) -> Checked {
    let marks = &agent.marks;
    for (key, list) in [
        ("process.names", &agent.process.names),
        ("process.scripts", &agent.process.scripts),
        ("process.packages", &agent.process.packages),
        ("process.launchers", &agent.process.launchers),
        ("marks.names", &marks.names),
        ("marks.tool_only", &marks.tool_only),
        ("marks.called", &marks.called),
        ("marks.alone", &marks.alone),
        ("command.output_files", &agent.command.output_files),
    ] {
        if list.iter().any(String::is_empty) {
            return fail(key, "an empty string matches everything");
        }
    }
    if let Some(name) = agent.process.names.iter().chain(&marks.alone).find(|name| never(name)) {
        return fail("process.names", format!("{name:?} is never the eyes (src/consumer/processes.toml)"));
    }
    if agent.process.names.is_empty()
        && agent.process.scripts.is_empty()
        && agent.process.packages.is_empty()
        && marks.alone.is_empty()
    {
        return fail("process.names", "nothing would ever be recognised as this agent");
    }
    Ok(())
}

fn check_command(command: &Command) -> Checked {
    if let Some(glob) = command.output_files.iter().find(|g| !g.starts_with('/') || g.ends_with('*')) {
        return fail(
            "command.output_files",
            format!("{glob:?} must begin with / and name its files' ending"),
        );
    }
    if command.wrapper.as_ref().is_some_and(|text| text.len() < 8) {
        return fail("command.wrapper", "too short to prove anything");
    }
    Ok(())
}

fn check_marks(marks: &Marks, command: &Command) -> Checked {
    if marks.required && marks.names.is_empty() && marks.tool_only.is_empty() {
        return fail("marks.required", "there is no mark to require");
    }
    let values = marks.tool_value.iter().chain(&marks.harness_value).map(|v| (&v.variable, &v.suffix));
    let parsed = command.parsed.iter().map(|v| (&v.variable, &v.prefix));
    if values.chain(parsed).any(|(variable, part)| variable.is_empty() || part.is_empty()) {
        return fail("marks", "an empty variable or an empty part of its value");
    }
    Ok(())
}

/// Checks the edits of files and the hook's answer.
fn check_edits(agent: &AgentFile) -> Checked {
    let setup = agent.setup.iter().flat_map(|setup| &setup.edits).map(|edit| ("setup.edits", edit));
    let hook = agent.hook.iter().flat_map(|hook| &hook.edits).map(|edit| ("hook.edits", edit));
    for (key, edit) in setup.chain(hook) {
        let kinds = [&edit.element, &edit.value, &edit.text].into_iter().flatten().count();
        if kinds != 1 || edit.text.is_some() != edit.at.is_empty() {
            return fail(key, "one of element and value with `at`, or text without");
        }
    }
    let answers =
        |hook: &Hook| ["\"@INPUT@\"", "\"@COMMAND@\""].iter().any(|part| hook.answer.contains(part));
    if agent.hook.as_ref().is_some_and(|hook| !answers(hook)) {
        return fail("hook.answer", "neither \"@INPUT@\" nor \"@COMMAND@\" is in it");
    }
    Ok(())
}
