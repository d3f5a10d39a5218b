//! Tells the tool that a call is of: behind `timeout` and its like, or run by an interpreter. A caller's own program is
//! no tool, and its output is left alone.

use std::ffi::OsString;

use crate::commands::{self, SUBCOMMANDS, base_name, behind_options, values_of};
use crate::farm::known::{WRAPPERS, Way, has, interpreter_of, is_interpreter, way_of, without_version};
use crate::farm::list::{is_in_farm, is_listed};

use crate::path::base_of;

/// Whether toto stands in front of this call, which a word of an agent's shell starts: its name is on the list, or
/// that of the tool behind it. A wrapper finds most tools' shims by itself: only one that may start a tool of an
/// environment counts.
pub fn stands_before(args: &[OsString]) -> bool {
    let Some(called) = args.first().map(|name| base_of(name)) else { return false };
    let is_wrapper = called.to_str().is_some_and(|name| has(WRAPPERS, name));
    let counts = |tool: &str| {
        let in_environments = way_of(tool) == Some(Way::Environments) || !is_in_farm(tool.as_ref());
        is_listed(tool.as_ref()) && (in_environments || !is_wrapper)
    };
    is_listed(called) || tool_of(args).is_some_and(|tool| counts(&tool))
}

/// Whether this is a call of a runner that runs no tool but the file that it is given.
pub fn runs_own_program(args: &[OsString]) -> bool {
    let words = commands::as_text(args);
    let Some((first, arguments)) = words.split_first() else { return false };
    let Some(commands) = SUBCOMMANDS.of(base_name(first)) else { return false };
    let called = behind_options(arguments, values_of(base_name(first))).first();
    !called.is_some_and(|word| commands[0].contains(&word.as_str()))
}

/// The tool that a call is of, by its name on the list: `pytest` for `timeout 60 python3 -m pytest`. None where an
/// interpreter runs the caller's own program, or a wrapper nothing.
pub fn tool_of(args: &[OsString]) -> Option<String> {
    let words = commands::as_text(args);
    let mut rest = &words[..];
    while has(WRAPPERS, base_name(rest.first()?)) {
        rest = commands::behind_wrapper(rest)?;
    }
    let (first, arguments) = rest.split_first()?;
    let name = base_name(first);
    match without_version(name) {
        stem if is_interpreter(stem) => run_by(stem, arguments),
        _ => Some(name.to_owned()),
    }
}

/// The tool that an interpreter runs as a module or script.
fn run_by(interpreter: &str, arguments: &[String]) -> Option<String> {
    let rest = behind_options(arguments, values_of(interpreter));
    let has_option = |option: &str| arguments[..arguments.len() - rest.len()].iter().any(|one| one == option);
    let script = rest.first().map(String::as_str);
    match interpreter {
        "python" => module(arguments).and_then(tool_of_module),
        "node" if has_option("--test") => Some("node:test".into()),
        "node" if has_option("--run") => Some("npm".into()),
        "node" => {
            let name = base_name(script.filter(|script| script.contains("node_modules/"))?);
            Some(name.split('.').next().unwrap_or(name).to_owned())
        }
        "ruby" if !has_option("-S") => None,
        _ => script.map(|script| base_name(script).to_owned()),
    }
}

/// The name of the tool that a module of Python's is: `pre-commit` of `pre_commit`. Of a module in a package only a
/// well-known tool's: `http.server` is not the tool `http`.
fn tool_of_module(module: &str) -> Option<String> {
    let (package, inner) = module.split_once('.').unwrap_or((module, ""));
    let name = package.replace('_', "-");
    (inner.is_empty() || has(interpreter_of(&name), "python")).then_some(name)
}

/// The module that Python runs: `-m NAME` among the options in front of a script.
fn module(arguments: &[String]) -> Option<&str> {
    let mut rest = arguments.iter().map(String::as_str);
    while let Some(word) = rest.next() {
        match word {
            "-m" => return rest.next(),
            option if values_of("python").contains(&option) => drop(rest.next()),
            "-c" | "-" => return None,
            option if option.starts_with("--") => {}
            option if option.starts_with('-') => {
                match option.find('m').filter(|_| !option.contains(['W', 'X', 'c'])) {
                    Some(at) if at + 1 == option.len() => return rest.next(),
                    Some(at) => return Some(&option[at + 1..]),
                    None => {}
                }
            }
            _ => return None,
        }
    }
    None
}
