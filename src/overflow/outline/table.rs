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
const SHORT: usize = 20;
/// Columns of a higher rank are told in tables of less tokens only.
const LAST_TO_FILL: u32 = 4;
const ENOUGH: usize = 600;
/// So many hexadecimal digits and more are no name.
const OPAQUE: usize = 32;
/// Names of what is asked for first wherever there are few values of it.
const ASKED_FOR: [&str; 10] =
    ["state", "status", "phase", "type", "kind", "severity", "level", "namespace", "size", "mode"];
/// Names of what is not told: when something was made, which the range above tells, and what only a program compares.
const SELDOM: [&str; 9] =
    ["time", "date", "timestamp", "created", "updated", "uid", "hash", "etag", "resourceversion"];

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
    /// The column that the rows are put together by, so that its long values are said once each.
    group: Option<&'c Column>,
    most: usize,
    /// Tokens of what is taken.
    used: usize,
}

impl<'c> Choice<'c> {
    /// None where the records have no names, or nothing but names would fit.
    fn of(columns: &'c Columns, most: usize) -> Option<Self> {
        let rows = columns.rows;
        let all: Vec<&Column> = columns.all.iter().filter(|column| column.is_whole).collect();
        let identifier = all
            .iter()
            .filter(|column| is_name_of_rows(column, rows) && name_rank(column, &columns.record).is_some())
            .min_by_key(|column| (name_rank(column, &columns.record), column.depth))?;
        let mut choice = Self { columns, taken: Vec::new(), notes: Vec::new(), group: None, most, used: 0 };
        if !choice.take(identifier) {
            return None;
        }
        let mut others: Vec<(u32, &Column)> =
            all.iter().filter_map(|column| Some((rank(column, rows)?, *column))).collect();
        others.sort_by_key(|(rank, column)| (*rank, column.numbers, column.bytes(), column.depth));
        for (rank, column) in others {
            // Beyond what is chosen by, a table is no longer than it has to be.
            if rank > LAST_TO_FILL {
                choice.most = choice.most.min(ENOUGH);
            }
            if choice.taken.len() < MOST_COLUMNS && !std::ptr::eq(column, *identifier) {
                choice.offer(column);
            }
        }
        (choice.taken.len() > 1).then_some(choice)
    }

    /// Takes a column, or what of it goes with the values of one that is taken, where there is room.
    fn offer(&mut self, column: &'c Column) {
        if self.taken.iter().copied().chain(self.group).any(|told| told.says(column)) {
            return;
        }
        let taken = self.taken[1..].iter().copied().chain(self.group);
        let told = taken.filter(|told| told.values.len() * 2 <= self.columns.rows);
        let told = told.filter(|told| !told.is_list && !column.is_list && told.tells(column));
        let told = told.min_by_key(|told| (!told.is_beside(column), told.values.len()));
        let is_same = told.is_some_and(|told| column.tells(told));
        let is_reference = is_reference(&column.name);
        if is_same && !is_reference {
            // The same in other words.
            return;
        }
        let note =
            told.filter(|_| is_reference).map(|told| (note(told, column), is_same || told.is_beside(column)));
        let is_cheaper = |(note, goes_together): &(String, bool)| {
            *goes_together && tokens::count(note.as_bytes()) < column.tokens()
        };
        let is_told = !note.as_ref().is_some_and(is_cheaper) && (self.group_by(column) || self.take(column));
        if let Some((note, _)) = note.filter(|_| !is_told) {
            let cost = tokens::count(note.as_bytes()) + 1;
            if self.used + cost <= self.most {
                self.used += cost;
                self.notes.push(note);
            }
        }
    }

    /// Puts the rows together by a column of a few long values.
    fn group_by(&mut self, column: &'c Column) -> bool {
        let once: usize = column.values.iter().map(|value| tokens::count(value.as_bytes()) + 2).sum();
        let is_long = column.bytes() > SHORT * self.columns.rows && !column.is_list;
        let fits =
            self.group.is_none() && is_long && once * 2 <= column.tokens() && self.used + once <= self.most;
        if fits {
            self.used += once;
            self.group = Some(column);
        }
        fits
    }

    fn take(&mut self, column: &'c Column) -> bool {
        let cost = column.tokens() + tokens::count(column.name.as_bytes()) + 1;
        let fits = self.used + cost <= self.most;
        if fits {
            self.used += cost;
            self.taken.push(column);
        }
        fits
    }

    fn write(mut self, jq: &str) -> String {
        let Columns { rows, all, .. } = self.columns;
        // As the records have them, behind their name.
        self.taken[1..].sort_by_key(|column| column.order);
        let by = self.group.map_or_else(String::new, |group| format!(", by {}", group.name));
        let told = self.taken.len() + usize::from(self.group.is_some());
        let mut out = format!("All {rows} of {jq}, {told} of {} columns (-: none){by}:\n", all.len());
        let names: Vec<&str> = self.taken.iter().map(|column| column.name.as_str()).collect();
        let _ = writeln!(out, "{}", names.join(" "));
        let row = |row: usize| {
            let values: Vec<&str> = self.taken.iter().map(|column| column.value(row)).collect();
            values.join(" ")
        };
        match self.group {
            None => (0..*rows).for_each(|at| out.extend([&row(at), "\n"])),
            Some(group) => {
                for (at, value) in group.values.iter().enumerate() {
                    out.extend([value, ":\n"]);
                    let of_group = (0..*rows).filter(|&row| group.of_row[row] == at);
                    of_group.for_each(|at| out.extend([" ", &row(at), "\n"]));
                }
            }
        }
        for note in &self.notes {
            let _ = writeln!(out, "{note}");
        }
        out
    }
}

/// What of one column goes with each value of another.
fn note(told: &Column, column: &Column) -> String {
    let mut note = format!("{} of each {}:", column.name, told.name);
    for (at, value) in told.values.iter().enumerate() {
        let row = told.of_row.iter().position(|&of_row| of_row == at).unwrap_or_default();
        let _ = write!(note, "{} {value} {}", if at > 0 { "," } else { "" }, column.value(row));
    }
    note
}

/// Whether nearly every row has a value of its own here.
fn is_name_of_rows(column: &Column, rows: usize) -> bool {
    !column.is_list && column.absent == 0 && column.values.len() * 10 >= rows * 8
}

/// How well a column of different values names the records, the best lowest: `InstanceId` of instances, then names, ids,
/// any text. A number without such a name does not.
fn name_rank(column: &Column, record: &str) -> Option<u32> {
    let (whole, last) = (column.name.to_ascii_lowercase(), last_of(&column.name));
    let of_record = last.strip_prefix(record).is_some_and(|rest| matches!(rest, "id" | "name"));
    match () {
        () if whole == Columns::KEY || of_record && !record.is_empty() => Some(0),
        () if matches!(whole.as_str(), "id" | "name" | "metadata.name" | "key" | "address") => Some(1),
        () if column.numbers => None,
        () if last == "name" => Some(2),
        () if is_reference(&column.name) => Some(3),
        () => (!is_seldom(&last)).then_some(4),
    }
}

/// What is told sooner has a lower rank; nothing where there is nothing to tell.
fn rank(column: &Column, rows: usize) -> Option<u32> {
    let last = last_of(&column.name);
    let different = column.values.len();
    let is_short = column.bytes() <= SHORT * rows;
    let is_few = different <= FEW && different * 2 <= rows && is_short;
    let filled = rows - column.absent;
    let is_unlike = (different - usize::from(column.absent > 0)) * 10 >= filled * 8;
    let base = match () {
        () if different < 2 || filled * 10 < rows => return None,
        () if is_seldom(&last) || column.is_opaque() => return None,
        () if column.values.iter().any(|value| value.contains("://")) => return None,
        () if different <= FEW && different * 2 <= rows && is_asked_for(&column.name) => 1,
        () if matches!(last.as_str(), "name" | "version") && different * 2 > rows => 2,
        () if !is_unlike && is_reference(&column.name) => 3,
        () if is_few && !column.numbers => 3,
        () if !is_unlike && (is_short || column.numbers) => 4,
        () if column.numbers => 5,
        () if is_short || !is_unlike => 6,
        () => 8,
    };
    let deep = match column.depth {
        ..=2 => 0,
        3 => 1,
        _ => 3,
    };
    Some(base + deep + u32::from(column.absent * 2 > rows) * 2 + u32::from(column.is_list) * 2)
}

/// `State.Name`, `VolumeType`: the last word that says what it is of ends as what is asked for first.
fn is_asked_for(name: &str) -> bool {
    let mut words = name.rsplit('.').map(str::to_ascii_lowercase);
    let mut said = words.find(|word| !matches!(word.as_str(), "name" | "code" | "value" | "s")).into_iter();
    said.any(|word| ASKED_FOR.iter().any(|asked| word.ends_with(asked)))
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

fn is_seldom(last: &str) -> bool {
    SELDOM.iter().any(|word| last.ends_with(word))
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

    /// Whether this one, which may name the records, holds every value of the other: `auth-5d9f-x7` that of `auth`.
    fn says(&self, other: &Self) -> bool {
        let mut rows = self.of_row.iter().zip(&other.of_row);
        let is_in = |(&one, &two): (&usize, &usize)| {
            let (one, two) = (&self.values[one], other.values[two].trim_end_matches('-'));
            two.is_empty() || one == two || two.len() > 2 && one.contains(two)
        };
        rows.all(is_in)
    }

    /// Whether all values are numbers that only programs compare, such as UUIDs and digests.
    fn is_opaque(&self) -> bool {
        let is_opaque = |value: &str| {
            value.len() >= OPAQUE && value.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
        };
        self.values.iter().all(|value| value == ABSENT || is_opaque(value))
    }

    /// Whether both are fields of one object.
    fn is_beside(&self, other: &Self) -> bool {
        let parent = |name: &str| name.rsplit_once('.').map(|(parent, _)| parent.to_owned());
        parent(&self.name).is_some() && parent(&self.name) == parent(&other.name)
    }

    /// Whether every value of this column has one value of the other beside it.
    fn tells(&self, other: &Self) -> bool {
        let mut beside = vec![None; self.values.len()];
        self.of_row.iter().zip(&other.of_row).all(|(&one, &two)| *beside[one].get_or_insert(two) == two)
    }
}
