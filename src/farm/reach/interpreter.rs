//! Tells an interpreter's calls that run a tool from those that run the caller's own program, whose output is left
//! alone.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt as _;

use super::{INTERPRETERS, TOOLS};
use crate::farm::refusals::{well_known, without_version};

/// Modules that are tools when `python -m` runs them.
const MODULES: &str = "pytest unittest mypy ruff pip pylint flake8 black isort pyright tox nox coverage pre_commit build \
    twine sphinx django bandit pip_audit hatch poetry pdm uv compileall doctest";
/// Names of scripts that are tools when `php` runs them.
const SCRIPTS_OF_PHP: &str =
    "phpunit simple-phpunit phpstan pest psalm php-cs-fixer phpcs rector testbench composer artisan";
/// Names of scripts that are tools when `ruby -S` runs them.
const SCRIPTS_OF_RUBY: &str = "rspec rake rubocop bundle rails minitest";
/// Runners that are interpreters if they are given a file, and their subcommands.
const COMMANDS: &[(&str, &str)] = &[
    ("bun", "test run install add remove update outdated audit build x pm ci i a rm publish"),
    (
        "deno",
        "test task fmt lint check bench install add remove cache doc coverage outdated publish compile info bump-version",
    ),
];
/// Options of interpreters and runners whose value is the next word.
const WITH_VALUE: &[(&str, &str)] = &[
    ("python", "-W -X --check-hash-based-pycs"),
    ("ruby", "-I -r -C"),
    ("php", "-d -c -z"),
    ("timeout", "-k -s --kill-after --signal"),
];

/// Whether this is a call of an interpreter by a path, or of a runner, that runs no tool. An interpreter called by
/// its bare name does not count: a user who links `python` itself (`--force`) wants everything that it prints.
pub fn runs_own_program(args: &[OsString]) -> bool {
    let words: Option<Vec<&str>> = args.iter().map(|arg| arg.to_str()).collect();
    let Some(words) = words else { return false };
    let by_path = args.first().is_some_and(|name| name.as_bytes().contains(&b'/'));
    let Some(name) = words.first().map(|word| base(word)) else { return false };
    let listed = COMMANDS.iter().any(|(command, _)| *command == name) || by_path && is_interpreter(name);
    listed && !runs_a_tool(&words)
}

fn base(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

fn has(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|listed| listed == name)
}

fn is_interpreter(name: &str) -> bool {
    has(INTERPRETERS, name) || has(INTERPRETERS, without_version(name))
}

/// Whether these words, which may call an interpreter, run a tool.
fn runs_a_tool(words: &[&str]) -> bool {
    let Some((first, arguments)) = words.split_first() else { return false };
    let full = base(first);
    let name = match without_version(full) {
        stem if is_interpreter(stem) => stem,
        _ => full,
    };
    if let Some((_, commands)) = COMMANDS.iter().find(|(command, _)| *command == name) {
        return behind_options(name, arguments).first().is_some_and(|command| has(commands, command));
    }
    let rest = behind_options(name, arguments);
    let options = &arguments[..arguments.len() - rest.len()];
    match name {
        "python" => {
            module(arguments).is_some_and(|module| has(MODULES, module.split('.').next().unwrap_or_default()))
        }
        "node" => options.iter().any(|option| *option == "--test" || *option == "--run"),
        "php" => rest.first().is_some_and(|script| has(SCRIPTS_OF_PHP, base(script))),
        "ruby" => options.contains(&"-S") && rest.first().is_some_and(|script| has(SCRIPTS_OF_RUBY, script)),
        // The first word behind the options is the duration.
        "timeout" => rest.get(1).is_some() && runs_a_tool(&rest[1..]),
        _ => has(TOOLS, name) || well_known().any(|known| known == name),
    }
}

/// The module that Python runs: `-m NAME` among the options in front of a script.
fn module<'a>(arguments: &[&'a str]) -> Option<&'a str> {
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        match *word {
            "-m" => return rest.next().copied(),
            option if has(with_value("python"), option) => drop(rest.next()),
            "-c" | "-" => return None,
            option if option.starts_with("--") => {}
            option if option.starts_with('-') => {
                match option.find('m').filter(|_| !option.contains(['W', 'X', 'c'])) {
                    Some(at) if at + 1 == option.len() => return rest.next().copied(),
                    Some(at) => return Some(&option[at + 1..]),
                    None => {}
                }
            }
            _ => return None,
        }
    }
    None
}

fn with_value(name: &str) -> &'static str {
    WITH_VALUE.iter().find(|(tool, _)| *tool == name).map_or("", |(_, options)| *options)
}

/// The arguments behind the leading options of the tool `name`.
fn behind_options<'a, 'w>(name: &str, arguments: &'a [&'w str]) -> &'a [&'w str] {
    let values = with_value(name);
    let mut at = 0;
    while let Some(word) = arguments.get(at).filter(|word| word.starts_with('-') && word.len() > 1) {
        at += 1 + usize::from(has(values, word));
    }
    arguments.get(at..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(line: &str) -> bool {
        runs_own_program(&line.split(' ').map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn a_tool_behind_an_interpreter_is_told_from_a_program() {
        for line in [
            "/r/python -m pytest -q",
            ".venv/bin/python3.12 -m mypy src",
            "/r/python -W error -X dev -m unittest",
            "/r/python -Im pip list",
            "/r/python -mpytest",
            "/r/node --test",
            "/r/node --experimental-x --test tests/",
            "/r/php vendor/bin/phpunit --filter x",
            "/r/php -d memory_limit=-1 artisan test",
            "/r/ruby -S rspec",
            "/r/timeout 60 pytest -x",
            "/r/timeout -k 5 60s python -m pytest",
            "bun test",
            "deno task ok",
        ] {
            assert!(!own(line), "{line}");
        }
        for line in [
            "/r/python app.py -m pytest",
            "/r/python -c print(1) -m pytest",
            "/r/python",
            "/r/python -m http.server",
            "/r/python - -m pytest",
            "/r/node server.js --test",
            "/r/node -e 1",
            "/r/php server.php phpunit",
            "/r/ruby -I lib rspec",
            "/r/timeout 5 python app.py",
            "/r/timeout 5",
            "bun index.ts",
            "deno run main.ts",
        ] {
            assert!(own(line), "{line}");
        }
        // Linked by --force: every call counts.
        assert!(!own("python app.py"));
    }
}
