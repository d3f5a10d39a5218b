//! Sections: the templates of lines that have something in common, then the values of each line.

use std::fmt::Write as _;
use std::ops::Range;

use super::cost::about;
use super::form::Form;
use super::grid::Cut;
use super::template::{MARK, integer, range};
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
        let mut list = Names::default();
        for Part { unit, form } in &self.parts {
            if let Some(index) = *form {
                let form = &self.forms[index];
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
                } else if self.forms.len() > 1 || !form.is_silent() {
                    out.push_str(form.name);
                    form.write_row(&mut out, row);
                    out.push('\n');
                }
            } else {
                list.end(&mut out);
                if unit.needs_mark() {
                    out.push_str(value::WHOLE);
                }
                out.push_str(unit.text);
                out.push('\n');
            }
            if unit.is_repeated() {
                list.end(&mut out);
                unit.write_times(&mut out);
            }
        }
        list.end(&mut out);
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

/// Writes names, ten on a line; numbers that count up become a range.
#[derive(Default)]
struct Names {
    on_line: usize,
    range: Option<(u64, u64)>,
}

impl Names {
    fn push(&mut self, out: &mut String, name: &str) {
        let number = integer(name);
        if let (Some((_, to)), Some(number)) = (&mut self.range, number)
            && number == *to + 1
        {
            *to = number;
            return;
        }
        self.settle(out);
        match number {
            Some(number) => self.range = Some((number, number)),
            None => self.put(out, name),
        }
    }

    /// Appends what separates a name from the one before; returns whether the name is the first of its line.
    fn separate(&mut self, out: &mut String) -> bool {
        if self.on_line == NAMES_A_LINE {
            out.push('\n');
            self.on_line = 0;
        } else if self.on_line > 0 {
            out.push(' ');
        }
        self.on_line += 1;
        self.on_line == 1
    }

    fn put(&mut self, out: &mut String, name: &str) {
        let is_first = self.separate(out);
        // A name that looks like a range stands in quotes.
        if range(name).is_some() {
            let _ = write!(out, "\"{name}\"");
        } else {
            value::write(out, name, is_first, false);
        }
    }

    fn settle(&mut self, out: &mut String) {
        let Some((from, to)) = self.range.take() else { return };
        if to - from >= 2 {
            self.separate(out);
            let _ = write!(out, "{from}..{to}");
        } else {
            for number in from..=to {
                self.put(out, &number.to_string());
            }
        }
    }

    fn end(&mut self, out: &mut String) {
        self.settle(out);
        if self.on_line > 0 {
            out.push('\n');
            self.on_line = 0;
        }
    }
}
