//! The forms of findings as regular expressions: the oracle's table.

/// A form: the outputs that have it, and expressions for its findings and for other lines.
pub struct Form {
    /// Names of outputs, as their files are called.
    pub names: &'static [&'static str],
    /// Groups: `file`, `line`, `column`, `word`, `code`, `message`; `head` names the file (and line) of the matches
    /// below it.
    pub finding: &'static str,
    /// Lines that must be in the digest, whatever the number of blanks between their words.
    pub lines: &'static str,
}

/// All forms.
pub const FORMS: &[Form] = &[
    Form {
        names: &[
            "rustc-build",
            "clippy",
            "clippy-denied",
            "cargo-build-errors-many",
            "cargo-build-errors-many-pty",
            "cargo-build-warnings",
            "cargo-build-warnings-pty",
            "cargo-check",
            "cargo-clippy-serde_json",
        ],
        finding: r"(?m)^(?P<word>error|warning)(?:\[(?P<code>\w+)\])?: (?P<message>.+)\n +--> (?P<file>.+?):(?P<line>\d+):(?P<column>\d+)$",
        lines: r"(?m)^(?:error: could not compile .*|warning: `.*generated \d+ warnings?.*)$",
    },
    Form {
        names: &["rustc-short", "cargo-check-short"],
        finding: r"(?m)^(?P<file>[^\s:]+):(?P<line>\d+):(?P<column>\d+): (?P<word>error|warning)(?:\[(?P<code>\w+)\])?: (?P<message>.+)$",
        lines: r"(?m)^error: could not compile .*$",
    },
    Form {
        names: &["tsc", "tsc-errors"],
        finding: r"(?m)^(?P<file>[^\s(]+)\((?P<line>\d+),(?P<column>\d+)\): (?P<word>error) (?P<code>TS\d+): (?P<message>.+)$",
        lines: r"(?m)^  \S.*$",
    },
    Form {
        names: &["tsc-pretty", "tsc-errors-pretty-pty"],
        finding: r"(?m)^(?P<file>\S+?):(?P<line>\d+):(?P<column>\d+) - (?P<word>error) (?P<code>TS\d+): (?P<message>.+)$",
        lines: r"(?m)^Found \d+ errors.*$",
    },
    Form {
        names: &["deno-check"],
        finding: r"(?m)^(?P<code>TS\d+) \[ERROR\]: (?P<message>.+)\n(?:.*\n)*?    at file://(?P<file>\S+?):(?P<line>\d+):(?P<column>\d+)$",
        lines: r"(?m)^Found \d+ errors.*$",
    },
    Form {
        names: &["sphinx"],
        finding: r"(?m)^(?:checking consistency\.\.\. )?(?P<file>/[^\s:]+)(?::(?P<line>\d+))?: (?P<word>WARNING|ERROR|CRITICAL): (?P<message>.+?)(?: \[(?P<code>\S+)\])?$",
        lines: r"(?m)^build succeeded, .*$",
    },
    Form {
        names: &["cfn-lint"],
        finding: r"(?m)^(?P<code>[EWI]\d{4}) (?P<message>.+)\n(?P<file>\S+?):(?P<line>\d+):(?P<column>\d+)$",
        lines: "",
    },
    Form {
        names: &["flutter-analyze"],
        finding: r"(?m)^ *(?P<word>error|warning|info) • (?P<message>.+) • (?P<file>\S+?):(?P<line>\d+):(?P<column>\d+) • (?P<code>\S+)$",
        lines: r"(?m)^\d+ issues found.*$",
    },
    Form {
        names: &["dart-analyze"],
        finding: r"(?m)^ *(?P<word>error|warning|info) - (?P<file>\S+?):(?P<line>\d+):(?P<column>\d+) - (?P<message>.+) - (?P<code>\S+)$",
        lines: r"(?m)^\d+ issues found.*$",
    },
    Form {
        names: &["eslint-stylish"],
        finding: r"(?m)^(?P<head>/\S+)$|^ +(?P<line>\d+):(?P<column>\d+) +(?P<word>error|warning) +(?P<message>\S.*?) {2,}(?P<code>\S+)$",
        lines: r"(?m)^✖ .*$|^ +\d+ errors? and .* fixable.*$",
    },
    Form {
        names: &["eslint-unix"],
        finding: r"(?m)^(?P<file>\S+?):(?P<line>\d+):(?P<column>\d+): (?P<message>.+) \[(?P<word>Error|Warning)/(?P<code>\S+)\]$",
        lines: r"(?m)^\d+ problems$",
    },
    Form {
        names: &["eslint-compact"],
        finding: r"(?m)^(?P<file>\S+?): line (?P<line>\d+), col (?P<column>\d+), (?P<word>Error|Warning) - (?P<message>.+) \((?P<code>\S+)\)$",
        lines: r"(?m)^\d+ problems$",
    },
    Form {
        names: &["biome-lint"],
        finding: r"(?m)^(?P<file>\S+?):(?P<line>\d+):(?P<column>\d+) (?P<code>lint/\S+) .*\n\s*\n  [×!] (?P<message>.+)$",
        lines: r"(?m)^(?:Checked|Found) \d+ .*$",
    },
    Form {
        names: &["prettier-check"],
        finding: r"(?m)^\[(?P<word>warn)\] (?P<file>\S+/\S+)$",
        lines: r"(?m)^\[warn\] Code style issues.*$",
    },
    Form {
        names: &["prettier-syntax"],
        finding: r"(?m)^\[(?P<word>error)\] (?P<file>\S+): (?P<message>\w+: .+) \((?P<line>\d+):(?P<column>\d+)\)$",
        lines: r"(?m)^Error occurred.*$",
    },
    Form {
        names: &["ruff-full"],
        finding: r"(?m)^(?P<code>[A-Z]+\d+) (?:\[\*\] )?(?P<message>.+)\n +--> (?P<file>\S+?):(?P<line>\d+):(?P<column>\d+)$",
        lines: r"(?m)^Found \d+ .*$|^\[\*\] \d+ fixable.*$",
    },
    Form {
        names: &["ruff-format-check"],
        finding: r"(?m)^unformatted: (?P<message>.+)\n +--> (?P<file>\S+?):(?P<line>\d+):(?P<column>\d+)$",
        lines: r"(?m)^\d+ files would be .*$",
    },
    Form {
        names: &["ruff-concise", "ruff-check", "flake8", "flake8-source"],
        finding: r"(?m)^(?P<file>\S+?):(?P<line>\d+):(?P<column>\d+): (?P<code>[A-Z]+\d+) (?:\[\*\] )?(?P<message>.+)$",
        lines: r"(?m)^Found \d+ .*$",
    },
    Form {
        names: &["ruff-grouped"],
        finding: r"(?m)^(?P<head>\S+\.py):$|^ +(?P<line>\d+):(?P<column>\d+) +(?P<code>[A-Z]+\d+) (?:\[\*\] )?(?P<message>.+)$",
        lines: r"(?m)^Found \d+ .*$",
    },
    Form {
        names: &["ruff-github"],
        finding: r"(?m)^::(?P<word>error) title=.*?\((?P<code>\w+)\),file=(?P<file>[^,]+),line=(?P<line>\d+),col=(?P<column>\d+).*?::\S+:\d+:\d+: \w+ (?P<message>.+)$",
        lines: "",
    },
    Form {
        names: &["pylint"],
        finding: r"(?m)^(?P<file>\S+?):(?P<line>\d+):(?P<column>\d+): (?P<code>[A-Z]\d{4}): (?P<message>.+)$",
        lines: r"(?m)^Your code has been rated.*$",
    },
    Form {
        names: &["mypy", "mypy-pretty", "mypy-strict"],
        finding: r"(?m)^(?P<file>\S+?\.py):(?P<line>\d+)(?::(?P<column>\d+))?: (?P<word>error): (?P<message>(?s:.{1,600}?))(?:  |\s*\n)\[(?P<code>[\w-]+)\]$",
        lines: r"(?m)^Found \d+ errors.*$",
    },
    Form {
        names: &["pyright"],
        finding: r"(?m)^  (?P<file>\S+?):(?P<line>\d+):(?P<column>\d+) - (?P<word>error|warning): (?P<message>.+?)(?:\n\s{4,}.+?)*? \((?P<code>report\w+)\)$",
        lines: r"(?m)^\d+ errors?, .*$",
    },
    Form {
        names: &["black-check"],
        finding: r"(?m)^(?P<message>would reformat) (?P<file>\S+)$",
        lines: r"(?m)^\d+ files would be .*$",
    },
    Form {
        names: &["bandit"],
        finding: r"(?m)^>> Issue: \[(?P<code>B\d+:\w+)\] (?P<message>.+)\n   Severity: (?P<word>\w+) .*\n(?:   .*\n)*?   Location: (?P<file>\S+?):(?P<line>\d+):(?P<column>\d+)$",
        lines: r"(?m)^\t\t(?:Low|Medium|High): \d+$",
    },
    Form {
        names: &["bandit-custom"],
        finding: r"(?m)^(?P<file>\S+?):(?P<line>\d+): (?P<code>B\d+)\[bandit\]: (?P<word>\w+): (?P<message>.+)$",
        lines: "",
    },
    Form {
        names: &[
            "gcc",
            "gcc-locale-c",
            "gxx",
            "clang",
            "clangxx",
            "make",
            "make-link",
            "cmake-build",
            "ninja",
            "make-errors",
            "make-warnings",
            "gxx-template-errors",
            "swift-build",
            "kotlinc",
        ],
        finding: r"(?m)^(?P<file>(?:/|\.|[\w-]+[/.])[^:\n]*):(?P<line>\d+):(?P<column>\d+): (?P<word>fatal error|error|warning): (?P<message>.+?)(?: \[(?P<code>-[\w=+-]+)\])?$",
        lines: r"(?m)^(?:g?make(?:\[\d+\])?: \*\*\* |collect2: error: )(.+)$|^\d+ warnings and \d+ errors generated\.$|^FAILED: .*$|undefined reference to \S+$",
    },
    Form {
        names: &["shellcheck-gcc"],
        finding: r"(?m)^(?P<file>\S+?):(?P<line>\d+):(?P<column>\d+): (?P<word>error|warning|note): (?P<message>.+) \[(?P<code>SC\d+)\]$",
        lines: "",
    },
    Form {
        names: &["shellcheck"],
        finding: r"(?m)^In (?P<head>\S+ line \d+):$|^ *\^[-^]* (?P<code>SC\d+) \((?P<word>\w+)\): (?P<message>.+)$",
        lines: "",
    },
    Form {
        names: &["cmake-errors", "cmake-not-found"],
        finding: r"(?m)^CMake (?P<word>Error|Warning)(?: \(dev\))? at (?P<file>\S+?):(?P<line>\d+) \((?P<code>\w+)\):\n  (?P<message>.+)$",
        lines: r"(?m)^-- Configuring incomplete.*$",
    },
    Form {
        names: &["javac", "javac-syntax", "javac-errors"],
        finding: r"(?m)^(?P<file>\S+\.java):(?P<line>\d+): (?P<word>error|warning): (?:\[(?P<code>\w+)\] )?(?P<message>.+)$",
        lines: r"(?m)^\d+ (?:errors?|warnings?)$|^  (?:symbol|location): .*$",
    },
    Form {
        names: &["kotlin-gradle"],
        finding: r"(?m)^(?P<word>[ew]): (?P<file>/\S+): \((?P<line>\d+), (?P<column>\d+)\): (?P<message>.+)$",
        lines: r"(?m)^Execution failed.*$",
    },
    Form {
        names: &["kotlin-gradle-file"],
        finding: r"(?m)^(?P<word>[ew]): file://(?P<file>/\S+?):(?P<line>\d+):(?P<column>\d+) (?P<message>.+)$",
        lines: r"(?m)^Execution failed.*$",
    },
    Form {
        names: &["go-build", "go-vet", "go-build-module", "go-build-errors"],
        finding: r"(?m)^(?:vet: )?(?P<file>\S+\.go):(?P<line>\d+):(?P<column>\d+): (?P<message>.+)$",
        lines: r"(?m)^\t(?:have|want) .*$",
    },
    Form {
        names: &["staticcheck", "golangci-lint"],
        finding: r"(?m)^(?P<file>\S+\.go):(?P<line>\d+):(?P<column>\d+): (?P<message>.+?) +\((?P<code>\w+)\)$",
        lines: r"(?m)^\d+ issues:$|^\* \w+: \d+$",
    },
    Form {
        names: &["rubocop", "rubocop-emacs"],
        finding: r"(?m)^(?P<file>\S+?):(?P<line>\d+):(?P<column>\d+): (?P<word>[CWEFR]): (?:\[Correctable\] )?(?P<code>\w+/\w+): (?P<message>.+)$",
        lines: r"(?m)^\d+ files inspected.*$",
    },
    Form {
        names: &["yamllint"],
        finding: r"(?m)^(?P<head>\S+\.ya?ml)$|^ +(?P<line>\d+):(?P<column>\d+) +(?P<word>error|warning) +(?P<message>.+?) +\((?P<code>[\w-]+)\)$",
        lines: "",
    },
    Form {
        names: &["yamllint-parsable"],
        finding: r"(?m)^(?P<file>\S+?):(?P<line>\d+):(?P<column>\d+): \[(?P<word>error|warning)\] (?P<message>.+) \((?P<code>[\w-]+)\)$",
        lines: "",
    },
    Form {
        names: &["yamllint-github"],
        finding: r"(?m)^::(?P<word>error|warning) file=(?P<file>[^,]+),line=(?P<line>\d+),col=(?P<column>\d+)::\d+:\d+ (?:\[(?P<code>[\w-]+)\] )?(?P<message>.+)$",
        lines: "",
    },
    Form {
        names: &["hadolint", "hadolint-old"],
        finding: r"(?m)^(?P<file>[^\s:]+)(?::(?P<line>\d+))? (?P<code>(?:DL|SC)\d{4}) (?:(?P<word>error|warning|info|style): )?(?P<message>.+)$",
        lines: "",
    },
    Form {
        names: &["terraform-validate", "terraform-validate-color", "terraform-plan-error"],
        finding: r"(?m)^(?:│ )?(?P<word>Error): (?P<message>.+)\n(?:│ )?\s*\n(?:│ )?  on (?P<file>\S+) line (?P<line>\d+)",
        lines: "",
    },
    Form {
        names: &["msbuild", "dotnet-build"],
        finding: r"(?m)^(?:\d+>)?(?P<file>\S+\.cs)\((?P<line>\d+),(?P<column>\d+)[\d,]*\): (?P<word>error|warning) (?P<code>\w+): (?P<message>.+?)(?: \[[^\]]+\])?$",
        lines: r"(?m)^ +\d+ (?:Warning|Error)\(s\)$|XML comment analysis.*$",
    },
    Form {
        names: &["maven-compile"],
        finding: r"(?m)^\[(?P<word>ERROR)\] (?P<file>/\S+\.java):\[(?P<line>\d+),(?P<column>\d+)\] (?P<message>.+)$",
        lines: r"(?m)^  (?:symbol|location): .*$|^\[INFO\] \d+ errors? *$",
    },
    Form {
        names: &["valgrind"],
        finding: r"(?m)^==\d+== (?P<message>\S.*)\n(?:==\d+== +at 0x.* \(in .*\)\n)?==\d+== +(?:at|by) 0x\w+: \w+ \((?P<file>\w+\.c):(?P<line>\d+)\)$",
        lines: r"(?m)(?:Address 0x\w+ is .* (?:alloc|free)'d|in use at exit: .*|(?:lost|reachable): .*|(?:ERROR|LEAK) SUMMARY: .*)$",
    },
    Form {
        names: &["sanitizer"],
        finding: r"(?m)^==\d+==(?P<word>ERROR): (?P<message>.*)\n.*\n +#0 .*\n +#1 0x\w+ in \w+ (?P<file>/\S+):(?P<line>\d+)$",
        lines: r"(?m)^WRITE of .*$|^0x\w+ is located .*$|^SUMMARY: .*$|\w+ /home/\S+$",
    },
    Form {
        names: &["learned-jshint"],
        finding: r"(?m)^(?P<file>\S+): line (?P<line>\d+), col (?P<column>\d+), (?P<message>.+)$",
        lines: r"(?m)^\d+ errors$",
    },
    Form {
        names: &["learned-markdownlint"],
        finding: r"(?m)^(?P<file>md/\S+?):(?P<line>\d+)(?::(?P<column>\d+))? (?P<word>error) (?P<code>MD\S+) (?P<message>.+)$",
        lines: r"(?m)^Summary: .*$",
    },
    Form {
        names: &["learned-vulture"],
        finding: r"(?m)^(?P<file>\S+?\.py):(?P<line>\d+): (?P<message>.+)$",
        lines: "",
    },
    Form {
        names: &["learned-luacheck"],
        finding: r"(?m)^ +(?P<file>\S+?):(?P<line>\d+):(?P<column>\d+): (?P<message>.+)$",
        lines: r"(?m)^Total: .*$",
    },
    Form {
        names: &["learned-oxlint"],
        finding: r"(?m)^  (?P<word>[x!]) (?:(?P<code>\S+\(\S+\)): )?(?P<message>.+)\n +,-\[(?P<file>\S+?):(?P<line>\d+):(?P<column>\d+)\]$",
        lines: r"(?m)^Found \d+ .*$",
    },
    Form {
        names: &["learned-svelte-check"],
        finding: r"(?m)^(?P<file>/\S+?):(?P<line>\d+):(?P<column>\d+)\n(?P<word>Warn|Error): (?P<message>.+)$",
        lines: r"(?m)^svelte-check found .*$",
    },
    Form {
        names: &["learned-gfortran"],
        finding: r"(?m)^(?P<file>\w+\.f90):(?P<line>\d+):(?P<column>\d+):\n\n.*\n.*\n(?P<word>Warning|Error): (?P<message>.+)$",
        lines: r"(?m)^\w+\.f90:\d+:\d+: Warning: .*$",
    },
    Form {
        names: &["learned-esbuild"],
        finding: r"(?m)^\S \[(?P<word>\w+)\] (?P<message>.+)\n\n +(?P<file>\S+?):(?P<line>\d+):(?P<column>\d+):$",
        lines: r"(?m)here:\n\n +\S+:\d+:\d+:$|^\d+ of \d+ warnings .*$",
    },
    Form {
        names: &["learned-tslint"],
        finding: r"(?m)^(?P<head>\S+\.ts):\d+:\d+$|^(?P<word>ERROR): (?P<line>\d+):(?P<column>\d+) +(?P<code>\S+) +(?P<message>.+)$",
        lines: "",
    },
    Form {
        names: &["learned-pydocstyle"],
        finding: r"(?m)^(?P<file>\S+\.py):(?P<line>\d+) .*:\n +(?P<code>D\d+): (?P<message>.+)$",
        lines: "",
    },
    Form {
        names: &["learned-checkstyle"],
        finding: r"(?m)^\[(?P<word>ERROR)\] (?P<file>\S+?):(?P<line>\d+)(?::(?P<column>\d+))?: (?P<message>.+) \[(?P<code>\w+)\]$",
        lines: r"(?m)^Checkstyle ends .*$",
    },
    Form {
        names: &["learned-pylint-parseable"],
        finding: r"(?m)^(?P<file>\S+?):(?P<line>\d+): \[(?P<code>\w+\([\w-]+\)),.*?\] (?P<message>.+)$",
        lines: r"(?m)^Your code has been rated.*$",
    },
    Form {
        names: &["learned-clang-msvc"],
        finding: r"(?m)^(?P<file>\S+?)\((?P<line>\d+),(?P<column>\d+)\): (?P<word>error|warning|note): (?P<message>.+?)(?: \[(?P<code>-W\w+-[\w-]+)\])?$",
        lines: r"(?m)^\d+ warnings and .*$",
    },
    Form {
        names: &["barred-sqlfluff"],
        finding: r"(?m)^== \[(?P<head>\S+)\] FAIL$|^L: +(?P<line>\d+) \| P: +(?P<column>\d+) \| (?P<code>\w+) \| (?P<message>.+)$",
        lines: "",
    },
    Form {
        names: &["barred-phpcs"],
        finding: r"(?m)^FILE: (?P<head>\S+)$|^ *(?P<line>\d+) \| (?P<word>ERROR) \| (?P<message>.+)$",
        lines: r"(?m)^FOUND .*$|^PHPCBF .*$",
    },
];

/// Expressions for the number of findings that a tool states: the groups are summed up.
pub const STATED: &[(&str, &str)] = &[
    ("rustc-build", r"due to (\d+) previous errors; (\d+) warnings"),
    ("clippy", r"generated (\d+) warnings"),
    ("cargo-build-errors-many", r"due to (\d+) previous errors"),
    ("tsc-pretty", r"Found (\d+) errors"),
    ("sphinx", r"succeeded, (\d+) warnings"),
    ("flutter-analyze", r"(\d+) issues found"),
    ("dart-analyze", r"(\d+) issues found"),
    ("deno-check", r"Found (\d+) errors"),
    ("tsc-errors-pretty-pty", r"Found (\d+) errors"),
    ("eslint-stylish", r"✖ (\d+) problems"),
    ("eslint-unix", r"(?m)^(\d+) problems"),
    ("eslint-compact", r"(?m)^(\d+) problems"),
    ("biome-lint", r"Found (\d+) errors"),
    ("ruff-full", r"Found (\d+) errors"),
    ("ruff-concise", r"Found (\d+) errors"),
    ("ruff-grouped", r"Found (\d+) errors"),
    ("ruff-check", r"(\d+) remaining"),
    ("ruff-format-check", r"(\d+) files would be reformatted"),
    ("black-check", r"(\d+) files would be reformatted"),
    ("mypy", r"Found (\d+) errors"),
    ("mypy-pretty", r"Found (\d+) errors"),
    ("pyright", r"(\d+) errors, (\d+) warnings"),
    ("clang", r"(\d+) warnings and (\d+) errors generated"),
    ("clangxx", r"(\d+) errors generated"),
    ("javac", r"(?m)^(\d+) errors\n(\d+) warnings"),
    ("javac-errors", r"(?m)^(\d+) errors\n(\d+) warnings"),
    ("maven-compile", r"(?m)^\[INFO\] (\d+) errors"),
    ("golangci-lint", r"(?m)^(\d+) issues:"),
    ("rubocop", r"(\d+) offenses detected"),
    ("valgrind", r"from (\d+) contexts"),
    ("prettier-check", r"issues found in (\d+) files"),
    ("learned-checkstyle", r"ends with (\d+) errors"),
];
