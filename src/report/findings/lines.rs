//! Tools whose findings begin with a line of a known form: a table, from the forms that are most distinctive to those
//! that are least.

use super::super::record::Severity;
use super::super::section::Family;
use super::form::{self, form, is_error_number, is_rule};
use super::pretty;
use super::tool::{Indented, TOOL, Tool, read};

const ANY_CODE: fn(&str) -> bool = |_| true;

/// Whether a code is capitals, then digits: `E501`, `SA1019`, `CS0246`.
fn is_numbered(code: &str) -> bool {
    let letters = code.bytes().take_while(u8::is_ascii_uppercase).count();
    (1..=8).contains(&letters)
        && code.len() > letters + 1
        && code[letters..].bytes().all(|byte| byte.is_ascii_digit())
}

const TSC: Tool = Tool {
    forms: &[
        form("{paren}: {word} {code}: {message}", |code| code.starts_with("TS")),
        form("{word} {code}: {message}", |code| code.starts_with("TS")),
    ],
    indented: Indented::Message,
    totals: &["Found # error*"],
    ..TOOL
};

fn is_msbuild(code: &str) -> bool {
    code.len() > 3 && is_error_number(code)
}

const MSBUILD: Tool = Tool {
    forms: &[
        form("‹{number}>›{paren}: {word} {code}: {message}", is_msbuild),
        form("{file} : {word} {code}: {message}", is_msbuild),
    ],
    is_indented: true,
    again: &["Build FAILED.", "Build succeeded."],
    success: &[
        "# Warning(s)",
        "# Error(s)",
        "Build FAILED.",
        "Build succeeded.",
        "Build succeeded in *",
        "Build failed with *",
        "*=== Build: # succeeded, *",
        "Time Elapsed *",
    ],
    headings: &[
        "Microsoft (R) Build Engine version *",
        "MSBuild version *",
        "Copyright (C) Microsoft Corporation*",
        "Determining projects to restore...",
        "All projects are up-to-date for restore.",
        "Restored *",
        "* -> *",
    ],
    ..TOOL
};

const RUFF: Tool = Tool {
    forms: &[
        form("{place}: {code} ‹[*] ›{message}", is_numbered),
        form("{place}: {code}: ‹[*] ›{message}", |code| matches!(code, "SyntaxError" | "invalid-syntax")),
    ],
    totals: &[
        "Found # error*",
        "[*] # fixable*",
        "# fixable*",
        "# hidden fix*",
        "No fixes available (*",
        "# unsafe fix* available*",
        "Would fix # error*",
        "Fixed # error*",
    ],
    success: &["All checks passed!"],
    ..TOOL
};

const PYLINT: Tool = Tool {
    forms: &[form("{place}: {code}: {message}", is_numbered)],
    shows_twins: true,
    success: &["Your code has been rated at *"],
    headings: &["\\** Module *", "-----*"],
    ..TOOL
};

const BANDIT: Tool =
    Tool { forms: &[form("{place}: {code}[bandit]: {word}: {message}", is_numbered)], ..TOOL };

const RUBOCOP: Tool = Tool {
    forms: &[form("{place}: {word}: ‹[Correctable] ›‹[Corrected] ›{code}: {message}", |code| {
        code.contains('/')
    })],
    success: &["# file* inspected, *"],
    headings: &["Inspecting # file*", "Offenses:"],
    ..TOOL
};

const HADOLINT: Tool = Tool {
    forms: &[
        form("{place} {code} {word}: {message}", is_hadolint),
        form("{place} {code} {message}", is_hadolint),
        form("{file} {code} {message}", is_hadolint),
    ],
    ..TOOL
};

fn is_hadolint(code: &str) -> bool {
    (code.starts_with("DL") || code.starts_with("SC")) && code.len() == 6 && is_numbered(code)
}

const KOTLIN: Tool = Tool {
    forms: &[
        form("{word}: file://{place} {message}", ANY_CODE),
        form("{word}: {spaced}: {message}", ANY_CODE),
    ],
    extensions: &["kt", "kts"],
    ..TOOL
};

const MAVEN: Tool = Tool {
    forms: &[form("[{word}] {bracket} {message}", ANY_CODE)],
    indented: Indented::Notes,
    front: "[ERROR] ",
    extensions: &["java", "kt"],
    again: &["[INFO] BUILD FAILURE", "[INFO] BUILD SUCCESS"],
    totals: &["[INFO] BUILD FAILURE", "[INFO] # error*", "[INFO] # warning*"],
    headings: &[
        "[INFO] --------*",
        "[INFO]",
        "[ERROR]",
        "[INFO] Scanning for projects...",
        "[ERROR] COMPILATION ERROR :*",
        "[WARNING] COMPILATION WARNING :*",
        "[ERROR] To see the full stack trace *",
        "[ERROR] Re-run Maven *",
        "[ERROR] For more information about the errors*",
        "[ERROR] [Help #] http*",
        "[ERROR] -> [Help #]",
        "[INFO] Total time:*",
        "[INFO] Finished at:*",
        "[INFO] Final Memory:*",
        "[INFO] --- *",
        "[INFO] Compiling # source file*",
        "[INFO] Changes detected*",
    ],
    ..TOOL
};

const JAVAC: Tool = Tool {
    forms: &[form("{place}: {word}: ‹[{code}] ›{message}", is_rule)],
    indented: Indented::Notes,
    extensions: &["java"],
    totals: &["# error*", "# warning*"],
    ..TOOL
};

const GCC: Tool = Tool {
    forms: &[form("{place}: {word}: {message}‹ [{code}]›", |code| {
        code.starts_with("-W") || is_rule(code)
    })],
    indented: Indented::Notes,
    // Most lines are no notes, and reading them by the form costs as much as reading a finding.
    is_note: |line| {
        let read = || GCC.forms[0].read(line);
        memchr::memmem::find(line.as_bytes(), b": note: ").is_some()
            && read().is_some_and(|finding| finding.word == "note" && finding.code.is_empty())
    },
    leads: leads_to_finding,
    totals: &["# error*", "# warning*"],
    headings: &["compilation terminated."],
    ..TOOL
};

/// Whether a line leads to what the compiler found: `In file included from src/a.h:5,`, `src/a.c: In function ‘f’:`.
fn leads_to_finding(line: &str) -> bool {
    line.starts_with("In file included from ")
        || line.trim_start().starts_with("from ") && line.starts_with("    ") && line.ends_with([',', ':'])
        || line.contains("required from ") && form::colons(line).is_some()
        || line.ends_with(':') && LEADS.iter().any(|lead| line.contains(lead))
}

/// The text behind the path, in a line that names the function or scope in which the compiler found something. In other
/// locales the words differ, and the line stays.
const LEADS: &[&str] = &[
    ": In function ",
    ": At top level:",
    ": In member function ",
    ": In static member function ",
    ": In constructor ",
    ": In destructor ",
    ": In instantiation of ",
    ": In lambda function:",
    ": In substitution of ",
    ": At global scope:",
    ": In static function ",
];

/// Go's compiler, vet, staticcheck, golangci-lint: `main.go:3:8: imported and not used: "os"`.
const GO: Tool = Tool {
    forms: &[
        form("{place}: {message} ({code})", is_rule),
        form("vet: {place}: {message}", ANY_CODE),
        form("{place}: {message}", ANY_CODE),
    ],
    indented: Indented::Notes,
    needs_column: true,
    severity: Severity::Error,
    extensions: &["go"],
    totals: &["# issues:", "# issues.", "\\* *: #"],
    headings: &["\\# *"],
    ..TOOL
};

macro_rules! family {
    ($name:literal, $tool:ident, $signs:expr) => {
        Family { name: $name, signs: $signs, read: |section| read(section, &$tool) }
    };
}

/// In the order in which they are asked.
pub const FAMILIES: &[Family] = &[
    family!("tsc", TSC, &["error TS", "): warning TS"]),
    family!("msbuild", MSBUILD, &[": error ", ": warning "]),
    family!("pylint", PYLINT, &["Your code has been rated at ", "************* Module "]),
    family!("rubocop", RUBOCOP, &[": C: ", ": W: ", ": E: ", ": F: ", ": R: ", " inspected, "]),
    family!("bandit", BANDIT, &["[bandit]: "]),
    family!("ruff", RUFF, &[".py:", ".pyi:", ".ipynb:", "All checks passed!"]),
    family!("hadolint", HADOLINT, &[" DL", " SC"]),
    family!("kotlin", KOTLIN, &[".kt:", ".kts:"]),
    family!("maven", MAVEN, &["[ERROR] ", "[WARNING] "]),
    pretty::MYPY,
    family!("javac", JAVAC, &[".java:"]),
    family!("gcc", GCC, &[": error: ", ": warning: ", ": fatal error: ", ": note: ", ": info: "]),
    family!("go", GO, &[".go:"]),
];
