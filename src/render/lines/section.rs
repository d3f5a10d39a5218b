//! Sections: the templates of lines that have something in common, then the values of each line.

use std::fmt::Write as _;
use std::ops::Range;

use super::cost::about;
use super::form::Form;
use super::grid::Cut;
use super::template::MARK;
use super::unit::Unit;
use super::value;
use super::ways::Way;

/// Tokens that a section must save.
pub(super) const LEAST_SAVED: usize = 8;

/// Names on a line of a list.
const NAMES_A_LINE: usize = 10;

/// A line, or the lines of a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    pub(super) unit: Unit<'a>,
    /// Index of its form; `None` if it is written whole.
    pub(super) form: Option<usize>,
}

/// A section that may be written.
pub(super) struct Section<'a> {
    /// Indices of its units.
    pub(super) range: Range<usize>,
    /// Estimated tokens saved.
    pub(super) saved: usize,
    pub(super) way: Way,
    /// The cuts that take its rows apart.
    pub(super) cuts: Vec<Cut>,
    pub(super) parts: Vec<Part<'a>>,
    pub(super) forms: Vec<Form<'a>>,
}

/// Estimated tokens of a section.
pub(super) fn about_tokens(parts: &[Part<'_>], forms: &[Form<'_>]) -> usize {
    let mut rows = vec![0; forms.len()];
    let mut tokens = 8;
    let mut last = "";
    for Part { unit, form } in parts {
        if let Some(form) = *form {
            let heading = forms[form].headings.as_ref().map_or(last, |headings| headings[rows[form]]);
            if heading != last {
                tokens += about(heading) + 2;
                last = heading;
            }
            rows[form] += 1;
            tokens += usize::from(forms.len() > 1);
        } else {
            tokens += about(unit.text) + 1 + usize::from(unit.needs_mark());
        }
        tokens += 4 * usize::from(unit.is_repeated());
    }
    tokens + forms.iter().zip(rows).map(|(form, rows)| form.about_tokens(rows)).sum::<usize>()
}

impl Section<'_> {
    /// The text of the section; `None` where a line break within a value spoils the templates of records.
    pub(super) fn write(&self) -> Option<String> {
        let mut out = self.head()?;
        let mut at = vec![0; self.forms.len()];
        let mut heading = "";
        let mut names = Vec::new();
        for Part { unit, form } in &self.parts {
            if let Some(index) = *form {
                let form = &self.forms[index];
                let row = at[index];
                at[index] += 1;
                if let Some(headings) = &form.headings
                    && headings[row] != heading
                {
                    write_names(&mut out, &mut names);
                    heading = headings[row];
                    marked(&mut out, heading);
                }
                if form.is_list {
                    names.push(form.values[0][row]);
                } else if self.forms.len() > 1 || !form.is_silent() {
                    out.push_str(form.name);
                    form.write_row(&mut out, row);
                    out.push('\n');
                }
            } else {
                write_names(&mut out, &mut names);
                if unit.needs_mark() {
                    out.push_str(value::WHOLE);
                }
                out.push_str(unit.text);
                out.push('\n');
            }
            if unit.is_repeated() {
                write_names(&mut out, &mut names);
                unit.write_times(&mut out);
            }
        }
        write_names(&mut out, &mut names);
        Some(out)
    }

    fn head(&self) -> Option<String> {
        let mut out = String::new();
        let rows: usize = self.parts.iter().map(|part| part.unit.times).sum();
        match (self.forms.as_slice(), self.way) {
            ([form], Way::Records { height, .. }) => {
                let _ = writeln!(out, "{MARK}{rows} times {height} lines:");
                form.template.split('\n').for_each(|line| marked(&mut out, line));
                if form.template.split('\n').count() != height {
                    return None;
                }
            }
            ([form], _) => {
                let _ = writeln!(out, "{MARK}{rows} lines: {}", form.template);
            }
            (forms, _) => {
                let _ = writeln!(out, "{MARK}{rows} lines of {} forms:", forms.len());
                for form in forms {
                    let _ = writeln!(out, "{MARK}{}: {}", form.name, form.template);
                }
            }
        }
        Some(out)
    }
}

/// Appends a line behind the mark.
fn marked(out: &mut String, line: &str) {
    out.push_str(if line.is_empty() { MARK.trim_end() } else { MARK });
    out.push_str(line);
    out.push('\n');
}

/// Writes names, ten on a line, and takes them from the list.
fn write_names(out: &mut String, names: &mut Vec<&str>) {
    for names in names.chunks(NAMES_A_LINE) {
        for (at, name) in names.iter().enumerate() {
            if at > 0 {
                out.push(' ');
            }
            value::write(out, name, at == 0, false);
        }
        out.push('\n');
    }
    names.clear();
}
