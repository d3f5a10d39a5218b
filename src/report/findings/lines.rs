//! What the codes of tools are whose findings begin with a line of a known form, and which lines lead to a finding.

use super::form::{self, is_error_number};

pub use super::form::is_rule;

/// Whether a code is capitals, then digits: `E501`, `SA1019`, `CS0246`.
pub fn is_numbered(code: &str) -> bool {
    let letters = code.bytes().take_while(u8::is_ascii_uppercase).count();
    (1..=8).contains(&letters)
        && code.len() > letters + 1
        && code[letters..].bytes().all(|byte| byte.is_ascii_digit())
}

pub fn is_tsc(code: &str) -> bool {
    code.starts_with("TS")
}

pub fn is_msbuild(code: &str) -> bool {
    code.len() > 3 && is_error_number(code)
}

pub fn is_syntax(code: &str) -> bool {
    matches!(code, "SyntaxError" | "invalid-syntax")
}

pub fn is_cop(code: &str) -> bool {
    code.contains('/')
}

pub fn is_hadolint(code: &str) -> bool {
    (code.starts_with("DL") || code.starts_with("SC")) && code.len() == 6 && is_numbered(code)
}

pub fn is_gcc(code: &str) -> bool {
    code.starts_with("-W") || is_rule(code)
}

/// Whether a line leads to what the compiler found: `In file included from src/a.h:5,`, `src/a.c: In function ‘f’:`.
pub fn leads_to_finding(line: &str) -> bool {
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
