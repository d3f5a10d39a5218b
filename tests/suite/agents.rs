//! The tables of agents: what is laid out, and that mistakes stop the build with their file and key.

#[path = "../../src/agents/codegen.rs"]
mod codegen;

use codegen::{agent_table, process_tables};
use llm_toto::agents::AGENTS;

const PROCESSES: &str = "shells = ['sh']\ninterpreters = ['node']\ninits = ['init']\nnever = ['git', 'containerd-shim-runc-v2']\n";

fn table(text: &str) -> Result<String, String> {
    agent_table(
        &[("src/agents/claude.toml".into(), text.into())],
        &("src/consumer/processes.toml".into(), PROCESSES.into()),
    )
}

#[test]
fn every_known_agent_is_laid_out_once_by_its_id() {
    let ids: Vec<_> = AGENTS.iter().map(|agent| agent.id).collect();
    let written = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/agents")).unwrap();
    let written = written
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "toml"));
    let mut written: Vec<_> =
        written.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    written.sort();
    assert_eq!(ids, written);
    let claude = AGENTS.iter().find(|agent| agent.id == "claude").unwrap();
    assert_eq!(claude.marks.names, ["CLAUDECODE"]);
    assert_eq!(claude.marks.harness_value.as_ref().map(|value| value.suffix), Some("_harness"));
    assert_eq!(claude.session_variable, Some("CLAUDE_CODE_SESSION_ID"));
}

#[test]
fn only_a_declared_agent_is_recognised_by_its_mark_alone() {
    let by_mark: Vec<_> =
        AGENTS.iter().filter(|agent| !agent.marks.alone.is_empty()).map(|agent| agent.id).collect();
    assert_eq!(by_mark, ["generic"]);
}

#[test]
fn a_mistake_names_its_file_and_key() {
    let agent = "id = 'claude'\ntitle = 'Claude Code'\n";
    let named = "[process]\nnames = ['claude']\n";
    for (text, expected) in [
        ("id = 'claude'\n".to_string(), "claude.toml:1: missing field `title`"),
        (format!("{agent}sesion = 'X'\n"), "claude.toml:3: unknown field `sesion`"),
        (format!("{agent}[process]\nnames = 'claude'\n"), "claude.toml:4: invalid type: string"),
        ("id = 'x'\ntitle = 'X'\n".into(), "claude.toml: id: \"x\" is not the file's name"),
        (agent.into(), "claude.toml: process.names: nothing would ever be recognised"),
        (format!("{agent}[process]\nnames = ['git']\n"), "process.names: \"git\" is never the eyes"),
        (format!("{agent}[marks]\nalone = ['git']\n"), "marks.alone: \"git\" is never the eyes"),
        (format!("{agent}[process]\nnames = ['']\n"), "claude.toml:4: an empty string matches everything"),
        (format!("{agent}{named}[marks]\nrequired = true\n"), "marks.required: there is no mark to require"),
        (
            format!("{agent}{named}[marks]\ntool_value = {{ variable = 'A', suffix = '' }}\n"),
            "claude.toml:6: an empty string matches everything",
        ),
        (format!("{agent}{named}[command]\nwrapper = 'cd '\n"), "command.wrapper: too short"),
        (
            format!(
                "{agent}{named}[hook]\ntools = []\ntool_key = 'a'\narguments_key = 'b'\nanswer = '{{}}'\nedits = []\n"
            ),
            "hook.answer: neither \"@INPUT@\" nor",
        ),
        (
            format!("{agent}{named}[command]\noutput_files = ['/tmp/*']\n"),
            "command.output_files: \"/tmp/*\" must begin with / and name its files' ending",
        ),
    ] {
        let error = table(&text).unwrap_err();
        assert!(error.starts_with("src/agents/claude.toml") && error.contains(expected), "{error}");
    }
    assert!(table(&format!("{agent}{named}")).is_ok());
}

#[test]
fn long_names_are_laid_out_as_the_kernel_cuts_them_too() {
    let tables = process_tables(&("src/consumer/processes.toml".into(), PROCESSES.into())).unwrap();
    assert!(tables.contains(r#"["containerd-shim", "containerd-shim-runc-v2", "git"]"#), "{tables}");
    let broken = ("src/consumer/processes.toml".to_string(), PROCESSES.replace("'git'", "''"));
    assert!(process_tables(&broken).unwrap_err().contains("never: an empty name"));
}
