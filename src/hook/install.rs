//! Putting the hook into an agent's own configuration, and taking it out again.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::word::quoted;
use crate::env;
use crate::foreign::Change;

/// Whose changes these are in a file's record (`foreign::Owner`).
pub const OWNER: &str = "rewrite";

/// How one agent is told of a hook.
#[derive(Debug)]
pub struct Place {
    /// The agent (`src/agents`).
    pub agent: &'static str,
    /// Variable that names the directory of its settings, that directory below the home directory, the file in it.
    global: (&'static str, &'static str, &'static str),
    /// The file for one project, below its directory.
    project: &'static str,
    /// What goes into the file.
    form: Form,
    /// What else there is to know, in one line.
    pub hint: Option<&'static str>,
}

#[derive(Debug)]
enum Form {
    /// An element of `hooks.EVENT`: a matcher, and a time limit in the agent's own unit.
    Matched { event: &'static str, matcher: &'static str, limit: u32 },
    /// A file of hooks.
    Hooks { event: &'static str, limit: u32 },
    /// A plugin in JavaScript.
    Plugin,
}

/// Every agent whose hooks can rewrite a command.
pub const PLACES: &[Place] = &[
    Place {
        agent: "claude",
        global: (env::CLAUDE_CONFIG_DIR, ".claude", "settings.json"),
        project: ".claude/settings.local.json",
        form: Form::Matched { event: "PreToolUse", matcher: "Bash", limit: 5 },
        hint: Some(
            "an allow rule such as Bash(aws:*) keeps its commands as they are; add one for the rewritten command to have \
             them rewritten (toto rewrite 'aws' prints it)",
        ),
    },
    Place {
        agent: "codex",
        global: (env::CODEX_HOME, ".codex", "hooks.json"),
        project: ".codex/hooks.json",
        form: Form::Matched { event: "PreToolUse", matcher: "Bash", limit: 5 },
        hint: Some(
            "Codex passes a new hook over in silence until you have trusted it: start it and type /hooks",
        ),
    },
    Place {
        agent: "copilot",
        global: ("COPILOT_HOME", ".copilot", "hooks/toto.json"),
        project: ".github/hooks/toto.json",
        form: Form::Hooks { event: "preToolUse", limit: 5 },
        hint: None,
    },
    Place {
        agent: "gemini",
        global: ("", ".gemini", "settings.json"),
        project: ".gemini/settings.json",
        form: Form::Matched { event: "BeforeTool", matcher: "run_shell_command", limit: 5000 },
        hint: None,
    },
    Place {
        agent: "opencode",
        global: (env::OPENCODE_CONFIG_DIR, ".config/opencode", "plugins/toto-hook.js"),
        project: ".opencode/plugins/toto-hook.js",
        form: Form::Plugin,
        hint: None,
    },
];

/// The place of an agent's hook.
pub fn of(agent: &str) -> Option<&'static Place> {
    PLACES.iter().find(|place| place.agent == agent)
}

impl Place {
    /// The file for every project of the user's.
    pub fn global(&self, home: &Path) -> PathBuf {
        let (variable, directory, file) = self.global;
        let named = std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
        named.unwrap_or_else(|| home.join(directory)).join(file)
    }

    /// The file for this project.
    pub fn project(&self, directory: &Path) -> PathBuf {
        directory.join(self.project)
    }

    /// What the file has to hold; `program` is where toto lies.
    pub fn changes(&self, program: &Path) -> Vec<Change> {
        let call = format!("hook handle {}", self.agent);
        let program = program.to_string_lossy();
        // Once toto is gone, the agent goes on as if there were no hook.
        let command = format!("[ ! -x {0} ] || {0} {call}", quoted(&program));
        let keys = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect();
        match self.form {
            Form::Matched { event, matcher, limit } => {
                let hooks = json!([{"type": "command", "command": command, "timeout": limit}]);
                let element = json!({"matcher": matcher, "hooks": hooks});
                vec![Change::Append { at: keys(&["hooks", event]), element, mark: call }]
            }
            Form::Hooks { event, limit } => {
                let element = json!({"type": "command", "bash": command, "timeoutSec": limit});
                vec![
                    Change::Set { at: keys(&["version"]), value: 1.into() },
                    Change::Append { at: keys(&["hooks", event]), element, mark: call },
                ]
            }
            Form::Plugin => {
                let text = PLUGIN.replace("@TOTO@", &Value::from(program).to_string());
                vec![Change::Text { text, mark: MARK.into() }]
            }
        }
    }
}

const MARK: &str = "written by toto hook install";

const PLUGIN: &str = r#"// Commands are put through `toto hook handle opencode`; written by toto hook install.
import { spawnSync } from "node:child_process"

const toto = @TOTO@

export const TotoHook = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    if (input.tool !== "bash" || typeof output.args?.command !== "string") return
    const cwd = output.args.workdir ?? directory
    const question = JSON.stringify({ tool_name: "bash", tool_input: output.args, cwd })
    try {
      const answer = spawnSync(toto, ["hook", "handle", "opencode"], { input: question, encoding: "utf8", timeout: 2000 })
      if (answer.status === 0 && answer.stdout) output.args.command = JSON.parse(answer.stdout).command
    } catch {}
  },
})
"#;
