//! Writes sections: the templates of lines that have something in common, then the values of each line.

use std::fmt::Write as _;

use super::cost::about;
use super::form::Form;
use super::names::Names;
use super::template::MARK;
use super::value;

/// Tokens that a section must save.
pub(super) const LEAST_SAVED: usize = 8;

/// A line, or the lines of a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    pub(super) text: &'a str,
    /// How many times it stands there in a row.
    pub(super) times: usize,
    /// Index of its form; `None` if it is written whole.
    pub(super) form: Option<usize>,
    /// Whether it is a reference to `times` lines above.
    pub(super) is_reference: bool,
}

/// Estimated tokens of a section.
pub(super) fn about_tokens(parts: &[Part<'_>], forms: &[Form<'_>]) -> usize {
    let mut rows = vec![0; forms.len()];
    let mut tokens = 8;
    let mut last = "";
    for part in parts {
        if let Some(form) = part.form {
            let heading = forms[form].headings.as_ref().map_or(last, |headings| headings[rows[form]]);
            if heading != last {
                tokens += about(heading) + 2;
                last = heading;
            }
            rows[form] += 1;
            tokens += usize::from(forms.len() > 1);
        } else {
            let is_marked = !part.is_reference && !value::is_indented(part.text);
            tokens += about(part.text) + 1 + usize::from(is_marked);
        }
        tokens += if part.times > 1 && !part.is_reference { 4 } else { 0 };
    }
    tokens + forms.iter().zip(rows).map(|(form, rows)| form.about_tokens(rows)).sum::<usize>()
}

/// The text of one section: of lines (`height` 1) or of records of `height` lines.
pub(super) fn write(parts: &[Part<'_>], forms: &[Form<'_>], height: usize) -> Option<String> {
    let mut out = String::new();
    let rows: usize = parts.iter().map(|part| part.times).sum();
    if forms.len() > 1 {
        let _ = writeln!(out, "{MARK}{rows} lines of {} forms:", forms.len());
        for form in forms {
            let _ = writeln!(out, "{MARK}{}: {}", form.name, form.template);
        }
    } else if height == 1 {
        let _ = writeln!(out, "{MARK}{rows} lines: {}", forms[0].template);
    } else {
        let _ = writeln!(out, "{MARK}{rows} times {height} lines:");
        let lines: Vec<&str> = forms[0].template.split('\n').collect();
        if lines.len() != height {
            return None;
        }
        for line in lines {
            marked(&mut out, line);
        }
    }
    let mut at = vec![0; forms.len()];
    let mut heading = "";
    let mut list = Names::default();
    for part in parts {
        if let Some(index) = part.form {
            let form = &forms[index];
            let row = at[index];
            at[index] += 1;
            if let Some(headings) = &form.headings
                && headings[row] != heading
            {
                list.end(&mut out);
                heading = headings[row];
                marked(&mut out, heading);
            }
            if form.is_list {
                list.push(&mut out, form.values[0][row]);
            } else if forms.len() > 1 {
                out.push_str(form.name);
                form.write_row(&mut out, row, false);
                out.push('\n');
            } else if !form.is_silent() {
                form.write_row(&mut out, row, true);
                out.push('\n');
            }
        } else if part.is_reference {
            list.end(&mut out);
            out.push_str(part.text);
            out.push('\n');
        } else {
            list.end(&mut out);
            value::write_whole(&mut out, part.text);
        }
        if part.times > 1 && !part.is_reference {
            list.end(&mut out);
            let _ = writeln!(out, "{MARK}×{}", part.times);
        }
    }
    list.end(&mut out);
    Some(out)
}

/// Appends a line behind the mark.
fn marked(out: &mut String, line: &str) {
    out.push_str(if line.is_empty() { MARK.trim_end() } else { MARK });
    out.push_str(line);
    out.push('\n');
}
