use crate::farm::reach::{runs_own_program, tool_of};
use std::ffi::OsString;

fn args(line: &str) -> Vec<OsString> {
    line.split(' ').map(OsString::from).collect()
}

#[test]
fn a_tool_behind_an_interpreter_is_told_from_a_program() {
    for (line, tool) in [
        ("pytest -q", "pytest"),
        (".venv/bin/pytest", "pytest"),
        ("python -m pytest -q", "pytest"),
        (".venv/bin/python3.12 -m mypy src", "mypy"),
        ("python3 -W error -X dev -m unittest", "unittest"),
        ("python -m sphinx.cmd.build docs out", "sphinx"),
        ("python -m pre_commit run", "pre-commit"),
        ("python -Im pip list", "pip"),
        ("python -mpytest", "pytest"),
        ("node --test", "node:test"),
        ("node --experimental-x --test tests/", "node:test"),
        ("node --run build", "npm"),
        ("node --inspect node_modules/jest/bin/jest.js --ci", "jest"),
        ("node ./node_modules/.bin/tsc", "tsc"),
        ("php vendor/bin/phpunit --filter x", "phpunit"),
        ("php -d memory_limit=-1 artisan test", "artisan"),
        ("ruby -S rspec", "rspec"),
        ("timeout 60 pytest -x", "pytest"),
        ("timeout -k 5 60s python -m pytest", "pytest"),
        ("env -u X A=1 ruff check", "ruff"),
        ("xargs -0 -n 5 env B=2 eslint", "eslint"),
    ] {
        assert_eq!(tool_of(&args(line)).as_deref(), Some(tool), "{line}");
    }
    for line in [
        "python app.py -m pytest",
        "python -c print(1) -m pytest",
        "python",
        "python -m http.server",
        "python - -m pytest",
        "node server.js --test",
        "node jest",
        "node -e 1",
        "ruby -I lib rspec",
        "timeout 5 python app.py",
        "timeout 5",
        "env",
        "env A=1",
        "xargs",
    ] {
        assert_eq!(tool_of(&args(line)), None, "{line}");
    }
}

#[test]
fn a_runner_that_is_given_a_file_runs_no_tool() {
    for line in ["bun index.ts", "deno run main.ts", "bun"] {
        assert!(runs_own_program(&args(line)), "{line}");
    }
    for line in ["bun test", "deno task ok", "python app.py", "aws"] {
        assert!(!runs_own_program(&args(line)), "{line}");
    }
}
