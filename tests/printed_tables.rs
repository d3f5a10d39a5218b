//! Tables as tools print them, and what must hold of each, shared by the suite and the fuzz target: whatever is read as a
//! cell stood in that row under that name, whole, and what is written in forms says the same.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use llm_toto::document::tables::{Part, Tables, read};
use llm_toto::render::expand::printed::{TableReader, is_head};
use llm_toto::render::forms;

/// The cells of a row by name, without those that are empty.
pub type Row = BTreeMap<String, String>;

/// The rows of a table.
pub fn rows(tables: &Tables<'_>, table: u32) -> Vec<Row> {
    let document = &tables.document;
    let cell = |id| {
        let key = document.key_id(id).expect("a cell has a name");
        (document.key(key).to_owned(), document.text(id).into_owned())
    };
    document.children(table).map(|row| document.children(row).map(cell).collect()).collect()
}

/// The rows of all tables of a text, and what is left of it.
fn parts(text: &str) -> (Vec<Vec<Row>>, String) {
    let Some(tables) = read(text) else { return (Vec::new(), text.to_owned()) };
    let (mut found, mut rest) = (Vec::new(), String::new());
    for part in &tables.parts {
        match part {
            Part::Text(text) => rest.push_str(text),
            Part::Table(table) => found.push(rows(&tables, *table)),
        }
    }
    (found, rest)
}

/// The rows of all tables that stand in forms.
fn written(forms: &str) -> Result<Vec<Vec<Row>>, String> {
    let mut reader = TableReader::new(forms, usize::MAX);
    let (mut found, mut at) = (Vec::new(), 0);
    while at < forms.len() {
        let line = forms[at..].split_inclusive('\n').next().unwrap_or_default();
        if !is_head(line) {
            at += line.len();
            continue;
        }
        let (table, end) = reader.read(at).map_err(|error| error.to_string())?;
        let row = |cells: &Vec<Option<String>>| {
            let named = table.heads.iter().zip(cells);
            named.filter_map(|(name, cell)| Some((name.clone(), cell.clone()?))).collect()
        };
        found.push(table.rows.iter().map(row).collect());
        at = end;
    }
    Ok(found)
}

/// How a tool lays a table out.
#[derive(Clone, Debug)]
pub enum Layout {
    /// Go's tabwriter: characters are counted; columns as wide as their longest cell, then blanks.
    Tabwriter { least: usize, blanks: usize, trailing: bool },
    /// ps: bytes are counted; widths are fixed, and what is longer moves the rest of the line.
    Fixed { more: Vec<usize>, right: Vec<bool> },
    /// df: terminal columns are counted; one blank between columns, all but the first and the last on the right.
    Numbers,
    /// pip: characters are counted; one blank between columns, dashes below the header.
    Underlined,
    /// mysql: terminal columns are counted; lines around all.
    Boxed,
    /// psql: terminal columns are counted; lines between columns and below the header.
    Psql,
}

/// A table, and the lines around it.
#[derive(Clone, Debug)]
pub struct Table {
    pub layout: Layout,
    pub names: Vec<String>,
    pub rows: Vec<Vec<String>>,
    pub title: String,
    pub total: String,
}

impl Table {
    /// The table as the tool prints it.
    pub fn print(&self) -> String {
        let count = self.names.len();
        let lines = || std::iter::once(&self.names).chain(&self.rows);
        let widest: Vec<usize> =
            (0..count).map(|at| lines().map(|line| self.width(&line[at])).max().unwrap_or(0)).collect();
        let rule = |cross: &str, over: usize| {
            let dashes: Vec<String> = widest.iter().map(|width| "-".repeat(width + over)).collect();
            dashes.join(cross)
        };
        let mut text = self.title.clone();
        for (number, line) in lines().enumerate() {
            text += &match self.layout {
                Layout::Boxed | Layout::Psql => self.drawn(line, &widest),
                _ => self.aligned(line, &widest),
            };
            text.push('\n');
            text += &match self.layout {
                Layout::Underlined if number == 0 => rule(" ", 0) + "\n",
                Layout::Psql if number == 0 => rule("+", 2) + "\n",
                Layout::Boxed if number == 0 || number == self.rows.len() => format!("+{}+\n", rule("+", 2)),
                _ => String::new(),
            };
        }
        if matches!(self.layout, Layout::Boxed) {
            text.insert_str(self.title.len(), &format!("+{}+\n", rule("+", 2)));
        }
        text + &self.total
    }

    fn width(&self, text: &str) -> usize {
        match self.layout {
            Layout::Fixed { .. } => text.len(),
            Layout::Numbers | Layout::Boxed | Layout::Psql => text.chars().map(columns).sum(),
            _ => text.chars().count(),
        }
    }

    fn aligned(&self, line: &[String], widest: &[usize]) -> String {
        let mut printed = String::new();
        for (at, cell) in line.iter().enumerate() {
            let is_last = at + 1 == line.len();
            let (right, room, blanks) = match &self.layout {
                Layout::Tabwriter { least, blanks, .. } => (false, (*least).max(widest[at] + blanks), 0),
                Layout::Fixed { more, right } => {
                    (right[at] && !is_last, self.width(&self.names[at]) + more[at], 1)
                }
                Layout::Numbers => (at > 0 && !is_last, widest[at], 1),
                _ => (false, widest[at], 1),
            };
            let pad = room.saturating_sub(self.width(cell));
            let bare = is_last && !matches!(self.layout, Layout::Tabwriter { trailing: true, .. });
            let (before, after) = if right { (pad, 0) } else { (0, if bare { 0 } else { pad }) };
            let after = after + if is_last { 0 } else { blanks };
            write!(printed, "{:before$}{cell}{:after$}", "", "").expect("a string");
        }
        printed
    }

    fn drawn(&self, line: &[String], widest: &[usize]) -> String {
        let padded = line.iter().zip(widest).map(|(cell, width)| {
            let pad = width - self.width(cell);
            format!(" {cell}{:pad$} ", "")
        });
        let row = padded.collect::<Vec<_>>().join("|");
        if matches!(self.layout, Layout::Boxed) { format!("|{row}|") } else { row.trim_end().to_owned() }
    }

    /// What is wrong in how the printed table is read or written, if anything.
    pub fn violation(&self) -> Option<String> {
        let printed = self.print();
        let (found, rest) = parts(&printed);
        if let Some(line) = self.title.lines().chain(self.total.lines()).find(|line| !rest.contains(line)) {
            return Some(format!("{line:?} is missing in\n{rest}\nof\n{printed}"));
        }
        let forms = forms::render(&printed, false).unwrap_or_default();
        let told = match written(&forms) {
            Ok(told) => told,
            Err(error) => return Some(format!("{error} in\n{forms}")),
        };
        let named = |line: &Vec<String>| {
            let cells = self.names.iter().cloned().zip(line.iter().cloned());
            cells.filter(|(_, cell)| !cell.is_empty()).collect()
        };
        let expected: Vec<Row> = self.rows.iter().map(named).collect();
        // A table may end before its last row, and one may begin late, but what is read is right.
        let is_there = |read: &&Vec<Row>| expected.windows(read.len()).any(|rows| rows == read.as_slice());
        if let Some(wrong) = found.iter().chain(&told).find(|read| !is_there(read)) {
            return Some(format!("{printed}\n{wrong:#?}\n{forms}"));
        }
        let exact = forms::render(&printed, true)?;
        let back = forms::read(&exact, usize::MAX);
        (back.as_ref() != Some(&printed)).then(|| format!("{printed:?}\ndoes not come back from\n{exact}"))
    }
}

/// The columns that a terminal shows a character in, of those that are used here.
fn columns(character: char) -> usize {
    match character {
        '\u{300}'..='\u{36F}' => 0,
        '一'..='龥' | '가'..='힣' | '😀'..='🙏' => 2,
        _ => 1,
    }
}

/// Most cells of a table that bytes tell.
const MOST: usize = 60;

/// The table that a text tells: the name of its layout, its names, and its rows, each a line; cells stand between tabs.
pub fn told(text: &str) -> Option<Table> {
    let mut lines = text.lines();
    let (layout, options) = lines.next()?.split_once(' ')?;
    let option = |at: usize| usize::from(options.as_bytes().get(at).copied().unwrap_or_default());
    let names: Vec<String> = lines.next()?.split('\t').take(9).zip("ABCDEFGHI".chars()).map(name).collect();
    let each = 0..names.len();
    let layout = match layout {
        "tabwriter" => Layout::Tabwriter {
            least: option(0) % 2 * 10,
            blanks: 2 + option(1) % 2,
            trailing: option(2) % 2 == 1,
        },
        "fixed" => Layout::Fixed {
            more: each.clone().map(|at| option(at) / 2 % 7).collect(),
            right: each.map(|at| option(at) % 2 == 1).collect(),
        },
        "numbers" => Layout::Numbers,
        "underlined" => Layout::Underlined,
        "boxed" => Layout::Boxed,
        "psql" => Layout::Psql,
        _ => return None,
    };
    let is_single = matches!(layout, Layout::Fixed { .. } | Layout::Numbers);
    let cell = |at: usize, cell: &str| {
        // In the same column of all rows, several blanks would be a gutter.
        let words: Vec<&str> = cell.split_whitespace().collect();
        match words.first() {
            // The last column of a row begins with a word, as a tool that leaves it empty says nothing of it.
            None if is_single || at + 1 == names.len() => "x".to_owned(),
            Some(first) if is_single && at + 1 < names.len() => (*first).to_owned(),
            _ => words.join(" "),
        }
    };
    let known =
        |text: &str| text.chars().all(|c| columns(c) != 1 || matches!(c, ' '..='~' | '\t' | 'à'..='ö'));
    let row = |line: &str| {
        let mut cells = line.split('\t').chain(std::iter::repeat(""));
        (0..names.len()).map(|at| cell(at, cells.next().unwrap_or_default())).collect()
    };
    let rows: Vec<Vec<String>> = lines.filter(|line| known(line)).take(MOST / names.len()).map(row).collect();
    (names.len() > 1).then(|| Table { layout, names, rows, title: String::new(), total: String::new() })
}

/// A name in capitals, other than those that begin with another letter.
fn name((text, first): (&str, char)) -> String {
    let is_known = |c: &char| c.is_ascii_uppercase() || " %_()/".contains(*c);
    let name: String = text.chars().filter(is_known).collect();
    format!("{first}{}", name.split_whitespace().take(2).collect::<Vec<_>>().join(" "))
}
