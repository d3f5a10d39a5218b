//! The changes of an edit, for a person to read.

use similar::TextDiff;

use crate::foreign::Edit;

/// The edit as a unified diff with colours.
pub fn unified(edit: &Edit) -> String {
    let name = edit.path().display().to_string();
    let side = |text: Option<&str>| if text.is_some() { name.clone() } else { "/dev/null".to_owned() };
    let (before, after) = (edit.before().unwrap_or_default(), edit.after().unwrap_or_default());
    let diff = TextDiff::from_lines(before, after)
        .unified_diff()
        .context_radius(2)
        .header(&side(edit.before()), &side(edit.after()))
        .to_string();
    diff.lines().map(coloured).collect()
}

fn coloured(line: &str) -> String {
    let style = match line.as_bytes().first() {
        _ if line.starts_with("---") || line.starts_with("+++") => "\x1b[1m",
        Some(b'+') => "\x1b[32m",
        Some(b'-') => "\x1b[31m",
        Some(b'@') => "\x1b[36m",
        _ => return format!("{line}\n"),
    };
    format!("{style}{line}\x1b[0m\n")
}
