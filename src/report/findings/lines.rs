//! What the codes of tools are whose findings begin with a line of a known form.

use super::form::is_error_number;

pub use super::form::is_rule;
pub use super::learned::is_number;

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
    (code.starts_with("DL") || code.starts_with("SC")) && code.len() == 6 && is_number(code)
}

pub fn is_gcc(code: &str) -> bool {
    code.starts_with("-W") || is_rule(code)
}
