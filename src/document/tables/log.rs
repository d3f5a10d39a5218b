//! Logs: lines with times in front. The date, the time, and the fields behind them whose names are sure are columns; the
//! message is the rest of the line.

use std::ops::Range;

use super::fields::{self, Fit};
use super::line::Line;
use super::rows::Rows;
use super::stamps::{Form, stamp};

/// Least lines with a time.
const LEAST: usize = 8;
/// So many lines may have no time for each that has one: stack traces, bodies of requests.
const MOST_OTHERS: usize = 2;
/// Lengths of a field whose padding is told apart.
const LENGTHS: usize = 64;

/// What all lines of a log have in front of their messages.
pub struct Log {
    form: Form,
    fields: Vec<Fit>,
    /// Whether a dash stands before all messages.
    dashed: bool,
    /// By the length of what stands before the message: the fewest blanks between.
    blanks: [usize; LENGTHS],
}

impl Log {
    /// What the lines have, if the text is a log.
    pub fn of(text: &str) -> Option<Self> {
        let mut log = None::<Self>;
        let (mut timed, mut others) = (0, 0);
        // For each number of fields: the padding behind them.
        let mut blanks = Vec::new();
        let mut dashed = Vec::new();
        let mut cells = Vec::new();
        for line in Line::all(text, 0) {
            let stamp = stamp(line.text, &mut cells)
                .filter(|(form, _)| log.as_ref().is_none_or(|log| log.form == *form));
            let Some((form, end)) = stamp else {
                others += usize::from(!line.text.is_empty());
                continue;
            };
            timed += 1;
            let log = log.get_or_insert_with(|| {
                let fields = fields::of(form, line.text, end);
                blanks.resize(fields.len() + 1, [usize::MAX; LENGTHS]);
                dashed.resize(fields.len() + 1, true);
                Self { form, fields, dashed: false, blanks: [0; LENGTHS] }
            });
            let (mut start, mut at) = (cells.last()?.start, end);
            for count in 0..=log.fields.len() {
                let rest = &line.text[at..];
                let fewest = &mut blanks[count][(at - start).min(LENGTHS - 1)];
                *fewest = (*fewest).min(rest.len() - rest.trim_start_matches([' ', '\t']).len());
                dashed[count] &= !form.is_access() && rest.starts_with(" - ");
                let Some(fit) = log.fields.get(count) else { break };
                match fit.read(line.text, at) {
                    Some((cell, end)) => (start, at) = (cell.start, end),
                    None => log.fields.truncate(count),
                }
            }
        }
        let mut log = log.filter(|_| timed >= LEAST && others <= timed * MOST_OTHERS)?;
        log.fields.truncate(fields::certain(&log.fields));
        (log.dashed, log.blanks) = (dashed[log.fields.len()], blanks[log.fields.len()]);
        Some(log)
    }

    /// Reads the lines with a time that begin at `at`.
    pub fn read<'a>(&self, text: &'a str, at: usize, rows: &mut Rows<'a>) -> Option<usize> {
        let mut end = None;
        let mut cells = Vec::new();
        for line in Line::all(text, at) {
            let Some((_, behind)) = stamp(line.text, &mut cells).filter(|(form, _)| *form == self.form)
            else {
                break;
            };
            if end.is_none() {
                let fields = self.fields.iter().map(|fit| fit.field);
                rows.columns(self.form.names().chain(fields).chain(["message"]));
            }
            rows.row();
            let mut column = 0;
            let mut add = |cell: Range<usize>| {
                let is_none = self.form.is_access() && line.text[cell.clone()] == *"-";
                let cell = if is_none { 0..0 } else { line.start + cell.start..line.start + cell.end };
                rows.cell(column, cell);
                column += 1;
            };
            let (mut start, mut at) = (cells.last()?.start, behind);
            cells.drain(..).for_each(&mut add);
            for fit in &self.fields {
                let (cell, end) = fit.read(line.text, at)?;
                (start, at) = (cell.start, end);
                add(cell);
            }
            let blanks = if self.dashed { " - ".len() } else { self.blanks[(at - start).min(LENGTHS - 1)] };
            add((at + blanks).min(line.text.len())..line.text.len());
            end = Some(line.next);
        }
        end
    }
}
