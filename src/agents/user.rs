//! Agents that the user describes: `~/.config/toto/agents/NAME.toml`, with the keys of `src/agents/*.toml`.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::file::{self, AgentFile};
use super::{Agent, Edit, Hook, Rules, Setup, Shell, Value};
use crate::env;
use crate::sys::directory;

/// Longest description of an agent that is read, in bytes.
const LONGEST: u64 = 1 << 16;

/// The agents that the user describes, and what is wrong with descriptions that cannot be used.
#[derive(Debug, Default)]
pub struct Described {
    /// The agents.
    pub agents: Vec<Agent>,
    /// The faults, one line each.
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
        files.sort();
        for path in files {
            match read(&path) {
                Ok(agent) => found.agents.push(agent),
                Err(fault) => found.faults.push(fault),
            }
        }
        found
    })
}

fn read(path: &Path) -> Result<Agent, String> {
    let name = path.display();
    let metadata = path.metadata().map_err(|error| format!("{name}: {error}"))?;
    if !metadata.is_file() || metadata.len() > LONGEST {
        return Err(format!("{name}: not a description of an agent"));
    }
    let text = std::fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
    parse(&text, path)
}

/// Parses one description. `path` is for the messages; its stem must be the agent's id.
///
/// # Errors
/// One line with the file, line and column or key, and what is wrong.
pub fn parse(text: &str, path: &Path) -> Result<Agent, String> {
    let name = path.display();
    let agent: AgentFile = toml::from_str(text).map_err(|error| {
        let before = &text[..error.span().map_or(0, |span| span.start.min(text.len()))];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("{name}:{line}:{column}: {}", error.message().replace('\n', " "))
    })?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    // Names that are never an agent (a shell, git) need no check here: they are not recognised as one in any case.
    file::check(&agent, &stem, |_| false).map_err(|(key, problem)| format!("{name}: {key}: {problem}"))?;
    Ok(kept(agent))
}

/// The description with text that lives as long as the process, as that of the built-in agents does.
fn kept(agent: AgentFile) -> Agent {
    let AgentFile { process, marks, command, .. } = agent;
    let value = |variable: String, part: String| Value { variable: word(variable), part: word(part) };
    Agent {
        id: word(agent.id),
        title: word(agent.title),
        session_variable: agent.session_variable.map(word),
        output_limit: agent.output_limit,
        output_lines: agent.output_lines,
        output_kept: agent.output_kept,
        names: words(process.names),
        scripts: words(process.scripts),
        packages: words(process.packages),
        launchers: words(process.launchers),
        marks: words(marks.names),
        tool_marks: words(marks.tool_only),
        called: words(marks.called),
        mark_required: marks.required,
        tool_value: marks.tool_value.map(|v| value(v.variable, v.suffix)),
        harness_value: marks.harness_value.map(|v| value(v.variable, v.suffix)),
        alone: words(marks.alone),
        wrapper: command.wrapper.map(word),
        output_files: words(command.output_files),
        parsed: command.parsed.map(|v| value(v.variable, v.prefix)),
        setup: agent.setup.map(setup),
        hook: agent.hook.map(hook),
    }
}

fn setup(setup: file::Setup) -> Setup {
    Setup {
        programs: words(setup.programs),
        directories: words(setup.directories),
        shell: match setup.shell {
            file::Shell::Plain => Shell::Plain,
            file::Shell::Login => Shell::Login,
            file::Shell::Interactive => Shell::Interactive,
        },
        start_files: setup.start_files,
        env_file: setup.env_file.map(word),
        hint: setup.hint.map(word),
        edits: edits(setup.edits),
    }
}

fn hook(hook: file::Hook) -> Hook {
    let file::Rules { home, project, system, variables } = hook.rules;
    Hook {
        tools: words(hook.tools),
        tool_key: word(hook.tool_key),
        arguments_key: word(hook.arguments_key),
        answer: word(hook.answer),
        hint: hook.hint.map(word),
        rules: Rules {
            home: words(home),
            project: words(project),
            system: words(system),
            variables: words(variables),
        },
        edits: edits(hook.edits),
    }
}

fn edits(edits: Vec<file::Edit>) -> &'static [Edit] {
    let edit = |edit: file::Edit| Edit {
        variable: edit.variable.map(word),
        directory: word(edit.directory),
        file: word(edit.file),
        project: edit.project.map(word),
        at: words(edit.at),
        element: edit.element.map(word),
        value: edit.value.map(word),
        text: edit.text.map(word),
        mark: word(edit.mark),
        note: edit.note,
    };
    Vec::leak(edits.into_iter().map(edit).collect())
}

fn word(text: String) -> &'static str {
    String::leak(text)
}

fn words(list: Vec<String>) -> &'static [&'static str] {
    Vec::leak(list.into_iter().map(word).collect())
}
