//! Outlines (`kubectl describe`, manual pages) and drawn trees (`npm ls`, `tree`): one blank per level, which costs no
//! token of its own, in place of alignment and drawn lines.

use std::borrow::Cow;

use super::super::lines::{Lines, is_mark};

/// The characters that trees are drawn with.
const DRAWING: [char; 8] = ['│', '├', '└', '─', '┬', '┐', '╭', '╰'];

/// Writes indentation and drawn lines as one blank per level, and leaves one blank behind a key's colon.
pub fn indent(lines: &mut Lines<'_>) {
    let mut levels: Vec<usize> = Vec::new();
    for at in 0..lines.len() {
        let line = lines.get(at);
        let Ok(text) = std::str::from_utf8(line) else {
            levels.clear();
            continue;
        };
        if is_mark(line) {
            continue;
        }
        let drawn = text.char_indices().find(|(_, c)| !(c.is_whitespace() || DRAWING.contains(c)));
        let Some((start, _)) = drawn else {
            continue;
        };
        let column = width(&text[..start]);
        while levels.last().is_some_and(|last| *last >= column) {
            levels.pop();
        }
        let depth = if column == 0 { 0 } else { levels.len() + usize::from(levels.first() != Some(&0)) };
        levels.push(column);
        let mut out = " ".repeat(depth);
        out.push_str(&key_and_value(text[start..].trim_end()));
        if out.as_bytes() != line {
            lines.set(at, out.into_bytes());
        }
    }
}

/// Width in columns; a tab goes to the next multiple of eight.
fn width(text: &str) -> usize {
    text.chars().fold(0, |column, c| if c == '\t' { (column / 8 + 1) * 8 } else { column + 1 })
}

/// `Name:      web` with one blank behind the first colon.
fn key_and_value(text: &str) -> Cow<'_, str> {
    match text.split_once(':') {
        Some((key, value)) if value.starts_with("  ") || value.starts_with('\t') => {
            Cow::Owned(format!("{key}: {}", value.trim_start()))
        }
        _ => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::lines::tests::changed;
    use super::*;

    fn indented(text: &str) -> String {
        changed(text, indent)
    }

    #[test]
    fn alignment_becomes_levels() {
        let text = "Name:       web\nLabels:     a=1\n            b=2\nIPs:\n  IP:   10.0.0.1\nNode:  \n";
        let out = "Name: web\nLabels: a=1\n b=2\nIPs:\n IP: 10.0.0.1\nNode:\n";
        assert_eq!(indented(text), out);
        assert_eq!(indented(out), out);
    }

    #[test]
    fn drawn_trees_become_levels() {
        let text = "app@1.0.0 /srv/app\n├─┬ a@1\n│ ├── b@2\n│ └─┬ c@3\n│   └── d@4\n└── e@5\n";
        let out = "app@1.0.0 /srv/app\n a@1\n  b@2\n  c@3\n   d@4\n e@5\n";
        assert_eq!(indented(text), out);
        assert_eq!(indented(out), out);
    }
}
