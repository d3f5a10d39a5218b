//! Words around a report or in front of its lines, by programs that run the runner and by CI systems.

/// Wraps the text of a report.
pub type Wrap = fn(&str) -> String;

fn prefixed(text: &str, prefix: impl Fn(usize) -> String) -> String {
    text.lines().enumerate().map(|(at, line)| format!("{}{line}\n", prefix(at))).collect()
}

fn time(at: usize) -> String {
    format!("{:02}:{:02}:{:02}", 9 + at / 3600, at / 60 % 60, at % 60)
}

pub const WRAPPINGS: &[(&str, Wrap)] = &[
    ("make", |text| format!("pytest tests\n{text}make: *** [Makefile:2: test] Error 1\n")),
    ("make -w", |text| {
        format!(
            "make: Entering directory '/home/dev/project'\npytest tests\n{text}make: *** [Makefile:2: test] Error 1\nmake: Leaving directory '/home/dev/project'\n"
        )
    }),
    ("npm test", |text| {
        format!(
            "\n> webapp@1.4.2 test\n> pytest tests\n\n{text}npm error Lifecycle script `test` failed with error:\nnpm error code 1\n"
        )
    }),
    ("just", |text| format!("pytest tests\n{text}error: Recipe `test` failed on line 2 with exit code 1\n")),
    ("uv run", |text| {
        format!("   Built shop @ file:///home/dev/project\nInstalled 5 packages in 12ms\n{text}")
    }),
    ("poetry run", |text| format!("Creating virtualenv shop-py3.11\n{text}")),
    ("tox", |text| {
        format!(
            "py311: commands[0]> pytest tests\n{text}py311: exit 1 (0.61 seconds) /home/dev/project> pytest tests pid=4242\n  py311: FAIL code 1 (0.69=setup[0.08]+cmd[0.61] seconds)\n  evaluation failed :( (0.75 seconds)\n"
        )
    }),
    ("docker compose run", |text| format!(" Container project-db-1  Running\n{text}")),
    ("docker compose up", |text| {
        format!("Attaching to web-1\n{}web-1 exited with code 1\n", prefixed(text, |_| "web-1  | ".into()))
    }),
    ("time", |text| format!("{text}\nreal\t0m1.204s\nuser\t0m0.911s\nsys\t0m0.120s\n")),
    ("script", |text| {
        format!(
            "Script started on 2026-11-22 04:00:00+00:00 [COMMAND=\"pytest\" <not executed on terminal>]\n{}\nScript done on 2026-11-22 04:00:01+00:00 [COMMAND_EXIT_CODE=\"1\"]\n",
            text.replace('\n', "\r\n")
        )
    }),
    ("turbo", |text| {
        format!(
            "• Packages in scope: web\n• Running test in 1 packages\n{} Tasks:    0 successful, 1 total\n",
            prefixed(text, |_| "web:test: ".into())
        )
    }),
    ("pnpm -r", |text| {
        format!(
            "Scope: 2 of 3 workspace projects\npackages/web test$ pytest tests\n{}packages/web test: Failed\n",
            prefixed(text, |_| "packages/web test: ".into())
        )
    }),
    ("yarn workspaces foreach", |text| prefixed(text, |_| "[web]: ".into())),
    ("concurrently", |text| prefixed(text, |_| "[0] ".into())),
    ("lerna", |text| prefixed(text, |_| "web: ".into())),
    ("GitHub's log", |text| prefixed(text, |at| format!("2026-11-22T{}.1234567Z ", time(at)))),
    ("gh run view --log", |text| {
        prefixed(text, |at| format!("test\tRun tests\t2026-11-22T{}.1234567Z ", time(at)))
    }),
    ("Jenkins", |text| prefixed(text, |at| format!("[2026-11-22T{}.123Z] ", time(at)))),
    ("ts", |text| prefixed(text, |at| format!("{} ", time(at)))),
    ("BuildKit", |text| {
        format!(
            "#11 [test 4/4] RUN pytest tests\n{}#11 ERROR: process \"/bin/sh -c pytest tests\" did not complete successfully: exit code: 1\n",
            prefixed(text, |at| format!("#11 {}.204 ", at / 10))
        )
    }),
    ("CRLF", |text| text.replace('\n', "\r\n")),
    ("two at once", |text| {
        text.lines().map(|line| format!("web:test: {line}\napi:build: compiling\n")).collect()
    }),
];
