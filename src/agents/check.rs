//! The checks of an agent's file that types cannot express. Used when toto is built and when it runs, as `file.rs` is.

use super::file::{Agent, Hook};

/// The result of a check; the error is the faulty key and what is wrong with it.
type Checked = Result<(), (&'static str, String)>;

/// Checks what the types cannot express. `stem` is the file's name without its extension; `never` tells whether a
/// process of that name is never an agent.
pub fn check(agent: &Agent, stem: &str, never: impl Fn(&str) -> bool) -> Checked {
    if agent.id != stem {
        return fail("id", format!("{:?} is not the file's name, {stem:?}", agent.id));
    }
    check_limits(agent)?;
    check_names(agent, never)?;
    check_command(agent)?;
    check_marks(agent)?;
    check_edits(agent)
}

fn fail(key: &'static str, problem: impl Into<String>) -> Checked {
    Err((key, problem.into()))
}

/// Checks how much the host shows of one call.
fn check_limits(agent: &Agent) -> Checked {
    for (key, limit, unit, least) in [
        ("output_limit", agent.output_limit, "characters", 2_000),
        ("output_lines", agent.output_lines, "lines", 20),
    ] {
        if let Some(limit) = limit.filter(|limit| *limit < least) {
            return fail(key, format!("{limit} {unit} are less than any host shows, {least}"));
        }
    }
    if agent.output_kept > agent.output_limit {
        return fail("output_kept", "more is kept of a longer output than the host shows of any");
    }
    Ok(())
}

/// Checks how the agent's process is recognised.
fn check_names(agent: &Agent, never: impl Fn(&str) -> bool) -> Checked {
    for (key, list) in [
        ("process.names", agent.names),
        ("process.scripts", agent.scripts),
        ("process.packages", agent.packages),
        ("process.launchers", agent.launchers),
        ("marks.names", agent.marks),
        ("marks.tool_only", agent.tool_marks),
        ("marks.called", agent.called),
        ("marks.alone", agent.alone),
        ("command.output_files", agent.output_files),
    ] {
        if list.contains(&"") {
            return fail(key, "an empty string matches everything");
        }
    }
    if let Some(name) = agent.names.iter().chain(agent.alone).find(|name| never(name)) {
        return fail("process.names", format!("{name:?} is never the eyes (src/consumer/processes.toml)"));
    }
    if [agent.names, agent.scripts, agent.packages, agent.alone].iter().all(|list| list.is_empty()) {
        return fail("process.names", "nothing would ever be recognised as this agent");
    }
    Ok(())
}

fn check_command(agent: &Agent) -> Checked {
    if let Some(glob) = agent.output_files.iter().find(|g| !g.starts_with('/') || g.ends_with('*')) {
        let problem = format!("{glob:?} must begin with / and name its files' ending");
        return fail("command.output_files", problem);
    }
    if agent.wrapper.is_some_and(|text| text.len() < 8) {
        return fail("command.wrapper", "too short to prove anything");
    }
    Ok(())
}

fn check_marks(agent: &Agent) -> Checked {
    if agent.mark_required && agent.marks.is_empty() && agent.tool_marks.is_empty() {
        return fail("marks.required", "there is no mark to require");
    }
    let mut values = [&agent.tool_value, &agent.harness_value, &agent.parsed].into_iter().flatten();
    if values.any(|value| value.variable.is_empty() || value.part.is_empty()) {
        return fail("marks", "an empty variable or an empty part of its value");
    }
    Ok(())
}

/// Checks the edits of files and the hook's answer.
fn check_edits(agent: &Agent) -> Checked {
    let setup = agent.setup.iter().flat_map(|setup| setup.edits).map(|edit| ("setup.edits", edit));
    let hook = agent.hook.iter().flat_map(|hook| hook.edits).map(|edit| ("hook.edits", edit));
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
