//! All records of a document's longest list, a row each, with the columns that name them and that they are chosen by:
//! which of them has which state, group and type is what is asked for next.

use std::fmt::Write as _;

use super::columns::{ABSENT, Column, Columns};
use super::rows::Longest;
use super::tally::Tally;
use crate::document::Document;
use crate::tokens;

/// Most records, and most columns, of a table.
const MOST_ROWS: u64 = 400;
const MOST_COLUMNS: usize = 12;
/// Up to so many different values are chosen by; such a value takes no more bytes.
const FEW: usize = 12;
const SHORT: usize = 16;
/// Names of what is asked for first wherever there are few values of it.
const ASKED_FOR: [&str; 10] =
    ["state", "status", "phase", "type", "kind", "severity", "level", "namespace", "size", "mode"];
/// Names of what tells when, which is seldom chosen by.
const TIMES: [&str; 5] = ["time", "date", "timestamp", "created", "updated"];

/// The table of a document whose rows fit `most` tokens, all of them; none where they do not, or have no names.
pub fn table(document: &Document<'_>, tally: &Tally, longest: &Longest, most: usize) -> Option<String> {
    longest.levels(document, tally).into_iter().find_map(|level| {
        if level.items > MOST_ROWS {
            return None;
        }
        let columns = Columns::of(document, &level.records(document), &level.name);
        Some(Choice::of(&columns, most)?.write(&level.jq))
    })
}

/// The columns of a table, in the order in which they are taken.
struct Choice<'c> {
    columns: &'c Columns,
    taken: Vec<&'c Column>,
    /// What goes with the values of a taken column, said once.
    notes: Vec<String>,
    left: usize,
}

impl<'c> Choice<'c> {
    /// None where the records have no names, or nothing but names would fit.
    fn of(columns: &'c Columns, most: usize) -> Option<Self> {
        let rows = columns.rows;
        let all: Vec<&Column> = columns.all.iter().filter(|column| column.is_whole).collect();
        let identifier = all
            .iter()
            .filter(|column| is_name_of_rows(column, rows))
            .min_by_key(|column| (name_rank(column, &columns.record), column.depth))?;
        let mut choice = Self { columns, taken: Vec::new(), notes: Vec::new(), left: most };
        if !choice.take(identifier) {
            return None;
        }
        let mut others: Vec<(u32, &Column)> =
            all.iter().filter_map(|column| Some((rank(column, rows)?, *column))).collect();
        others.sort_by_key(|(rank, column)| (*rank, column.depth, column.bytes()));
        for (_, column) in others {
            if choice.taken.len() < MOST_COLUMNS && !std::ptr::eq(column, *identifier) {
                choice.offer(column);
            }
        }
        (choice.taken.len() > 1).then_some(choice)
    }

    /// Takes a column, or what of it goes with the values of one that is taken, where there is room.
    fn offer(&mut self, column: &'c Column) {
        let told = self.taken[1..].iter().filter(|told| told.values.len() * 2 <= self.columns.rows);
        let Some(told) = told.filter(|told| told.tells(column)).min_by_key(|told| told.values.len()) else {
            self.take(column);
            return;
        };
        let is_told_by_it = column.tells(told) && !is_reference(&column.name);
        if is_told_by_it || column.is_list || told.is_list {
            // The same in other words.
            return;
        }
        let mut note = format!("{} by {}:", column.name, told.name);
        for (at, value) in told.values.iter().enumerate() {
            let row = told.of_row.iter().position(|&of_row| of_row == at).unwrap_or_default();
            let _ = write!(note, "{} {value} {}", if at > 0 { "," } else { "" }, column.value(row));
        }
        let cost = tokens::count(note.as_bytes());
        if cost < column.tokens() && cost <= self.left {
            self.left -= cost;
            self.notes.push(note);
        } else {
            self.take(column);
        }
    }

    fn take(&mut self, column: &'c Column) -> bool {
        let cost = column.tokens() + tokens::count(column.name.as_bytes()) + 1;
        let fits = cost <= self.left;
        if fits {
            self.left -= cost;
            self.taken.push(column);
        }
        fits
    }

    fn write(mut self, jq: &str) -> String {
        let Columns { rows, all, .. } = self.columns;
        // As the records have them, behind their name.
        self.taken[1..].sort_by_key(|column| column.order);
        let mut out = format!("All {rows} of {jq}, {} of {} columns:\n", self.taken.len(), all.len());
        let names: Vec<&str> = self.taken.iter().map(|column| column.name.as_str()).collect();
        let _ = writeln!(out, "{}", names.join(" "));
        for row in 0..*rows {
            let values: Vec<&str> = self.taken.iter().map(|column| column.value(row)).collect();
            let _ = writeln!(out, "{}", values.join(" "));
        }
        for note in &self.notes {
            let _ = writeln!(out, "{note}");
        }
        out
    }
}

/// Whether nearly every row has a value of its own here.
fn is_name_of_rows(column: &Column, rows: usize) -> bool {
    !column.is_list && column.absent == 0 && column.values.len() * 10 >= rows * 8
}

/// How well a column of different values names the records: `InstanceId` of instances best, then names, ids, any text.
fn name_rank(column: &Column, record: &str) -> u32 {
    let (whole, last) = (column.name.to_ascii_lowercase(), last_of(&column.name));
    let of_record = last.strip_prefix(record).is_some_and(|rest| matches!(rest, "id" | "name"));
    match () {
        () if whole == Columns::KEY || of_record && !record.is_empty() => 0,
        () if matches!(whole.as_str(), "id" | "name" | "metadata.name" | "key" | "address") => 1,
        () if column.numbers => 9,
        () if last == "name" => 2,
        () if is_reference(&column.name) => 3,
        () if !is_time(&last) => 4,
        () => 8,
    }
}

/// What is told sooner has a lower rank; nothing where there is nothing to tell.
fn rank(column: &Column, rows: usize) -> Option<u32> {
    let last = last_of(&column.name);
    let different = column.values.len();
    let is_few = different <= FEW && different * 2 <= rows && column.bytes() <= SHORT * rows;
    let base = match () {
        () if different < 2 => return None,
        () if is_time(&last) => 9,
        () if is_few && ASKED_FOR.iter().any(|word| last.ends_with(word)) => 1,
        () if last == "name" && different * 2 > rows => 2,
        () if is_few && !column.numbers => 3,
        () if is_reference(&column.name) && different * 10 < rows * 8 => 4,
        () if column.numbers || column.bytes() <= SHORT * rows => 5,
        () if different * 10 < rows * 8 => 7,
        () => 8,
    };
    Some(base + u32::from(column.depth > 2) * 3 + u32::from(column.absent * 2 > rows))
}

/// The last word of a path, in small letters.
fn last_of(name: &str) -> String {
    name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase()
}

/// Whether a key names what others refer to: `InstanceId`, `nodeName`.
fn is_reference(name: &str) -> bool {
    let last = last_of(name);
    last.ends_with("id") || last.ends_with("name")
}

fn is_time(last: &str) -> bool {
    TIMES.iter().any(|word| last.ends_with(word))
}

impl Column {
    /// The value of a row, or what stands for none.
    fn value(&self, row: usize) -> &str {
        self.of_row.get(row).and_then(|&at| self.values.get(at)).map_or(ABSENT, String::as_str)
    }

    /// Bytes of all rows.
    fn bytes(&self) -> usize {
        self.of_row.iter().map(|&at| self.values[at].len()).sum()
    }

    /// Tokens of all rows.
    fn tokens(&self) -> usize {
        let mut times = vec![0; self.values.len()];
        self.of_row.iter().for_each(|&at| times[at] += 1);
        let cost = |(value, times): (&String, usize)| times * tokens::count(format!(" {value}").as_bytes());
        self.values.iter().zip(times).map(cost).sum()
    }

    /// Whether every value of this column has one value of the other beside it.
    fn tells(&self, other: &Self) -> bool {
        let mut beside = vec![None; self.values.len()];
        self.of_row.iter().zip(&other.of_row).all(|(&one, &two)| *beside[one].get_or_insert(two) == two)
    }
}
