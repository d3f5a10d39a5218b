//! The checks of an agent's file that types cannot express. Used when toto is built and when it runs, as `file.rs` is.

use super::file::{Agent, Hook};

/// The result of a check; the error is the faulty key and what is wrong with it.
type Checked = Result<(), String>;

/// Checks what the types cannot express. `stem` is the file's name without its extension; `never` tells whether a
/// process of that name is never an agent.
pub fn check(agent: &Agent, stem: &str, never: impl Fn(&str) -> bool) -> Checked {
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

fn check_recognition(agent: &Agent, never: impl Fn(&str) -> bool) -> Checked {
    let Agent { process, marks, command, .. } = agent;
    if let Some(name) = process.names.iter().chain(marks.alone).find(|name| never(name)) {
        return Err(format!("process.names: {name:?} is never the eyes (src/consumer/processes.toml)"));
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

fn check_edits(agent: &Agent) -> Checked {
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
