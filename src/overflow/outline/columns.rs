//! The records of a list as columns: one value, or a few, a record at each path.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::rows::Record;
use super::tally::{has_names, is_list_of_pairs, pair_of};
use super::values::shown;
use crate::document::{Document, Id, Kind, is_number, write_json_string};

/// What stands where a record has no value.
pub const ABSENT: &str = "-";
/// Most columns that are looked at; deepest, and longest list whose elements share a cell.
const MOST: usize = 160;
const DEEPEST: usize = 4;
const LONGEST_LIST: usize = 4;
/// Longest cell, in characters.
const LONGEST: usize = 60;

/// The values at one path of every record.
#[derive(Default)]
pub struct Column {
    /// `State.Name`; `SecurityGroups.GroupId` of lists; `Tags.env` of `{Key, Value}`.
    pub name: String,
    /// Its place among the columns of the first records.
    pub order: usize,
    /// Steps of its path.
    pub depth: usize,
    /// Whether every value can be told in its cell: short ones, in lists as long as the others of that list.
    pub is_whole: bool,
    /// Whether some cell holds the elements of a list.
    pub is_list: bool,
    /// Whether all values are numbers.
    pub numbers: bool,
    /// Records without a value.
    pub absent: usize,
    /// The different cells, as they are written.
    pub values: Vec<String>,
    /// Which of them each record has.
    pub of_row: Vec<usize>,
    cells: Vec<Vec<Id>>,
    /// Elements of the list whose values each cell holds.
    lengths: Vec<usize>,
}

/// All columns of a list's records.
pub struct Columns {
    pub all: Vec<Column>,
    /// How many records there are.
    pub rows: usize,
    /// What one of them is called: `instance` of `Instances`, in small letters.
    pub record: String,
    by_name: HashMap<String, usize, RandomState>,
    /// Paths below which some record has more than is looked at.
    untold: Vec<String>,
}

/// Where a value stands.
#[derive(Clone, Copy)]
struct At<'p> {
    row: usize,
    path: &'p str,
    depth: usize,
    /// Elements of the list that it is one of.
    list: Option<usize>,
    /// Whether something above cannot be told in a cell.
    is_spoilt: bool,
}

impl Columns {
    /// The column of the records' own keys, where they are named members of an object.
    pub const KEY: &'static str = "(key)";

    /// The columns of these records of the list called `name`.
    pub fn of(document: &Document<'_>, records: &[Record], name: &str) -> Self {
        let record = name.to_ascii_lowercase();
        let record = record.strip_suffix("ies").map(|stem| format!("{stem}y")).unwrap_or(record);
        let mut columns = Self {
            all: Vec::new(),
            rows: records.len(),
            record: record.strip_suffix('s').map(str::to_owned).unwrap_or(record),
            by_name: HashMap::default(),
            untold: Vec::new(),
        };
        for (row, record) in records.iter().enumerate() {
            if record.is_named
                && let Some(column) = columns.column(Self::KEY, 1)
            {
                column.put(row, record.id);
            }
            for (list, above) in &record.above {
                for member in document.children(*above).filter(|&member| document.is_scalar(member)) {
                    let path = format!("{list}.{}", key_of(document, member));
                    columns.visit(document, member, At::of(row, &path, 2));
                }
            }
            columns.visit(document, record.id, At::of(row, "", 0));
        }
        let Self { all, untold, .. } = &mut columns;
        untold.sort_unstable();
        untold.dedup();
        for column in all {
            column.is_whole &= !untold.iter().any(|path| column.name.starts_with(path.as_str()));
            column.settle(document);
        }
        columns
    }

    /// Goes down to the scalars: never deeper than [`DEEPEST`].
    fn visit(&mut self, document: &Document<'_>, id: Id, at: At<'_>) {
        if document.is_scalar(id) {
            if matches!(document.span(id), "null" | "\"\"" | "") {
                return;
            }
            let Some(column) = self.column(at.path, at.depth) else { return };
            column.put(at.row, id);
            column.is_whole &= !at.is_spoilt;
            if let Some(length) = at.list {
                column.is_list |= length > 1;
                column.is_whole &= length <= LONGEST_LIST;
                column.lengths[at.row] = length;
            }
            return;
        }
        if at.depth >= DEEPEST || document.is_childless(id) {
            return;
        }
        let is_record = at.depth == 0;
        if document.kind(id) == Kind::Object {
            if has_names(document, id) {
                self.untold.push(format!("{}.", at.path));
                return;
            }
            for member in document.children(id) {
                let path = at.joined(&key_of(document, member));
                self.visit(document, member, At { path: &path, depth: at.depth + 1, ..at });
            }
        } else if is_record {
            for (position, member) in document.children(id).enumerate().take(MOST) {
                let path = format!("[{position}]");
                self.visit(document, member, At { path: &path, depth: 1, ..at });
            }
        } else if is_list_of_pairs(document, id) {
            for (key, value) in document.children(id).filter_map(|pair| pair_of(document, pair)) {
                let path = at.joined(&document.text(key));
                self.visit(document, value, At { path: &path, depth: at.depth + 1, ..at });
            }
        } else {
            let list = Some(document.children(id).count());
            let is_spoilt = at.is_spoilt || at.list.is_some();
            document.children(id).for_each(|item| self.visit(document, item, At { list, is_spoilt, ..at }));
        }
    }

    fn column(&mut self, name: &str, depth: usize) -> Option<&mut Column> {
        if let Some(&at) = self.by_name.get(name) {
            return self.all.get_mut(at);
        }
        let order = self.all.len();
        if order >= MOST {
            return None;
        }
        self.by_name.insert(name.to_owned(), order);
        let cells = vec![Vec::new(); self.rows];
        self.all.push(Column {
            name: written(name),
            order,
            depth,
            is_whole: true,
            cells,
            lengths: vec![0; self.rows],
            ..Column::default()
        });
        self.all.last_mut()
    }
}

impl<'p> At<'p> {
    fn of(row: usize, path: &'p str, depth: usize) -> Self {
        Self { row, path, depth, list: None, is_spoilt: false }
    }

    fn joined(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }
}

impl Column {
    fn put(&mut self, row: usize, id: Id) {
        self.cells[row].push(id);
    }

    /// Writes the cells, and tells the different ones apart.
    fn settle(&mut self, document: &Document<'_>) {
        let cells = std::mem::take(&mut self.cells);
        let mut known: HashMap<String, usize, RandomState> = HashMap::default();
        // An element without this value would move those behind it.
        self.is_whole &= cells
            .iter()
            .zip(&self.lengths)
            .all(|(ids, &length)| length == 0 || ids.is_empty() || ids.len() == length);
        self.numbers = cells.iter().flatten().all(|&id| is_number(document.span(id)));
        if !self.is_whole {
            return;
        }
        for ids in &cells {
            self.absent += usize::from(ids.is_empty());
            let cell = if self.name == Columns::KEY {
                ids.iter().map(|&id| written(&key_of(document, id))).collect()
            } else {
                cell(document, ids)
            };
            self.is_whole &= cell.chars().count() <= LONGEST;
            let next = known.len();
            let at = *known.entry(cell).or_insert(next);
            self.of_row.push(at);
        }
        let mut values: Vec<(usize, String)> = known.into_iter().map(|(value, at)| (at, value)).collect();
        values.sort_unstable();
        self.values = values.into_iter().map(|(_, value)| value).collect();
    }
}

fn key_of(document: &Document<'_>, id: Id) -> String {
    document.key_id(id).map_or_else(String::new, |key| document.key(key).to_owned())
}

/// One value, or those of a list with commas between.
fn cell(document: &Document<'_>, ids: &[Id]) -> String {
    if ids.is_empty() {
        return ABSENT.to_owned();
    }
    let value = |id: &Id| {
        let text = shown(document, *id);
        let is_quoted = text.starts_with('"');
        if !is_quoted && (text == ABSENT || text.contains(' ')) { quoted(&document.text(*id)) } else { text }
    };
    ids.iter().map(value).collect::<Vec<_>>().join(",")
}

/// A name on one line, without a blank.
fn written(name: &str) -> String {
    if name.contains(|c: char| c.is_control() || c.is_whitespace()) { quoted(name) } else { name.to_owned() }
}

fn quoted(text: &str) -> String {
    let mut quoted = Vec::new();
    write_json_string(&mut quoted, text);
    String::from_utf8_lossy(&quoted).into_owned()
}
