//! Tables: columns, what holds for all rows, and the rows.

use std::collections::HashSet;

use indexmap::{IndexMap, IndexSet};

use super::error::Fault;
use super::lex::Cursor;
use super::shared::Shared;
use super::value::{Assignments, Step, Value, resolve, say};
use crate::render::pvfn::carried::group_of;
use crate::render::pvfn::printed::GROUPED;
use crate::render::pvfn::scalar::{REST, is_bare_key, is_quoted, is_value};
use crate::render::pvfn::table::Part;
use crate::render::pvfn::templates::next_hole;

/// A path, and the prefix and suffix of all its cells.
type Column = (Vec<Step>, Option<(String, String)>);

/// The columns of a table, and the values that its `all:` and `default:` lines gave so far.
#[derive(Default)]
pub struct Shape {
    /// Whether the rows begin with their keys.
    pub keyed: bool,
    columns: Vec<Column>,
    /// Whether the last column takes the rest of the line. What a row says against the table stands in front then.
    pub rest: bool,
    /// The paths of the columns.
    names: HashSet<Vec<Step>>,
    /// The values that a row has unless it says otherwise, by path.
    standing: Assignments,
    /// The size of these values.
    standing_size: usize,
    /// The values that the next rows have in common, and the number of these rows.
    group: Assignments,
    group_left: usize,
    /// Whether no row came since the head of a group.
    grouped: bool,
}

impl Shape {
    /// The shape that the text between the braces of a header describes.
    pub fn new(header: &str, shared: &mut Shared) -> Result<Self, Fault> {
        let keyed = header == "*" || header.starts_with("* ");
        let (columns, rest) = header.strip_suffix(REST).map_or((header, false), |columns| (columns, true));
        let mut cursor = Cursor::new(if keyed { columns[1..].trim_start() } else { columns }, shared);
        let mut columns = Vec::new();
        while !cursor.rest().is_empty() {
            let path = cursor.path()?;
            let affixes = if cursor.eat("=") { Some(cursor.pattern()?) } else { None };
            columns.push((path, affixes));
            cursor.blank_or_end()?;
        }
        let names = columns.iter().map(|(path, _): &Column| path.clone()).collect();
        Ok(Self { keyed, columns, rest, names, ..Self::default() })
    }

    /// The shape of a table that was printed as text, and the names of all its columns, in order.
    pub fn printed(header: &str, shared: &mut Shared) -> Result<(Self, IndexSet<Step>), Fault> {
        let (mut shape, mut names) = (Self::default(), IndexSet::new());
        let mut cursor = Cursor::new(header, shared);
        while !cursor.rest().is_empty() {
            let path = cursor.path()?;
            names.extend(path.iter().cloned());
            let is_said = cursor.eat("=");
            if is_said && cursor.rest().split(' ').next() == Some(GROUPED) {
                cursor.eat(GROUPED);
            } else if is_said {
                let value = cursor.value()?;
                shape.standing_size += value.size();
                shape.standing.insert(path, value);
            } else if shape.rest {
                return Err("no column behind the one that takes the rest of the line".into());
            } else {
                shape.rest = cursor.eat(REST.encode_utf8(&mut [0; 4]));
                shape.columns.push((path, None));
            }
            cursor.blank_or_end()?;
        }
        Ok((shape, names))
    }

    /// Reads a line of the table: a row and its key, or what holds for several rows, which is kept.
    pub fn line(
        &mut self,
        text: &str,
        shared: &mut Shared,
    ) -> Result<Option<(Option<String>, Assignments)>, Fault> {
        let standing = ["all: ", "default: "].iter().find_map(|name| text.strip_prefix(name));
        if let Some(pairs) = standing.filter(|_| !shared.are_texts) {
            let mut said = Assignments::new();
            Cursor::new(pairs, shared).pairs(|path, value| value.flatten(path, &mut said))?;
            for (path, value) in said {
                let value = template(&path, value, &self.names);
                self.standing_size += value.size();
                self.standing_size -= self.standing.insert(path, value).map_or(0, |old| old.size());
            }
            return Ok(None);
        }
        if let Some((rows, pairs)) = group_of(text) {
            // A long group goes on in another line with the same head.
            if self.group_left != rows || !self.grouped {
                self.group.clear();
            }
            (self.group_left, self.grouped) = (rows, true);
            if !pairs.is_empty() {
                Cursor::new(pairs, shared).pairs(|path, value| value.flatten(path, &mut self.group))?;
            }
            return Ok(None);
        }
        self.grouped = false;
        if self.group_left == 0 {
            self.group.clear();
        }
        self.group_left = self.group_left.saturating_sub(1);
        self.row(&mut Cursor::new(text, shared)).map(Some)
    }

    fn row(&self, cursor: &mut Cursor<'_, '_>) -> Result<(Option<String>, Assignments), Fault> {
        cursor.shared.spend(self.standing_size + self.group.values().map(Value::size).sum::<usize>())?;
        let mut row = self.standing.clone();
        row.extend(self.group.iter().map(|(path, value)| (path.clone(), value.clone())));
        let key = if self.keyed { Some(cursor.key()?) } else { None };
        if self.keyed && !self.columns.is_empty() {
            cursor.expect(" ")?;
        }
        while self.rest
            && let Some((path, value)) = cursor.pair_ahead()?
        {
            say(&path, value, &mut row);
        }
        for (at, (path, affixes)) in self.columns.iter().enumerate() {
            if at > 0 && !cursor.eat(" ") {
                return Err(format!("{} cells expected", self.columns.len()));
            }
            let rest = cursor.rest();
            let is_of_texts = cursor.shared.are_texts;
            let is_cell =
                if is_of_texts { is_quoted(rest) || matches!(rest, "" | "-") } else { is_value(rest) };
            if self.rest && at + 1 == self.columns.len() && !is_cell {
                row.insert(path.clone(), Value::Text(cursor.rest().to_owned()));
                cursor.at = cursor.text.len();
                break;
            }
            let value = cursor.value()?;
            let value = match (value, affixes) {
                (Value::Text(own) | Value::Literal(own), Some((before, behind))) => {
                    cursor.shared.spend((before.len() + behind.len()) / 16)?;
                    Value::Text(format!("{before}{own}{behind}"))
                }
                (value, _) => value,
            };
            value.flatten(path, &mut row);
        }
        if cursor.blank_or_end()? {
            cursor.pairs(|path, value| say(path, value, &mut row))?;
        }
        Ok((key, row))
    }
}

/// The object that a row's values make.
pub fn object(row: &Assignments, shared: &mut Shared) -> Result<Value, Fault> {
    let mut tree = Value::Tree(IndexMap::new());
    for (path, value) in row {
        match value {
            Value::Absent => {}
            Value::Template(parts) => tree.set(path, resolve(parts, row, shared)?),
            value => tree.set(path, value.clone()),
        }
    }
    Ok(tree)
}

/// A text at `path` that holds names of columns in braces as a template; any other value as it is. A name is that of a
/// member of the same object, or else of the row; `{metadata.labels.app}` is a path from the row.
fn template(path: &[Step], value: Value, columns: &HashSet<Vec<Step>>) -> Value {
    let Value::Text(text) = &value else { return value };
    let column = |name: &str| {
        if name.contains('.') {
            // A key of digits alone stands in quotes, and `00` is no number of an element.
            let step = |step: &str| match step.parse::<usize>() {
                Ok(index) if index.to_string() == step => Some(Step::Index(index)),
                _ => is_bare_key(step).then(|| Step::Key(step.to_owned())),
            };
            let path: Option<Vec<Step>> = name.split('.').map(step).collect();
            return path.filter(|path| columns.contains(path));
        }
        let beside = [&path[..path.len() - 1], &[Step::Key(name.to_owned())]].concat();
        let in_row = &beside[path.len() - 1..];
        let is_column = |path: &&[Step]| is_bare_key(name) && columns.contains(*path);
        [&beside, in_row].into_iter().find(is_column).map(<[Step]>::to_vec)
    };
    let (mut parts, mut rest) = (Vec::new(), text.as_str());
    while let Some((before, path, behind)) = next_hole(rest, column) {
        parts.extend((!before.is_empty()).then(|| Part::Text(before.to_owned())));
        parts.push(Part::Path(path));
        rest = behind;
    }
    if parts.is_empty() {
        return value;
    }
    parts.extend((!rest.is_empty()).then(|| Part::Text(rest.to_owned())));
    Value::Template(parts)
}
