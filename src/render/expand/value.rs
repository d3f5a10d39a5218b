//! The values that the notation is read into: trees of steps that may still be added to, and JSON once they are whole.

use indexmap::IndexMap;

use super::error::Fault;
use super::shared::Shared;
use crate::document::write_json_string;
use crate::render::Style;
use crate::render::pvfn::scalar::looks_typed;
use crate::render::pvfn::table::Part;

/// One step of a path, as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Member of an object.
    Key(String),
    /// Element of a list.
    Index(usize),
}

/// A value read from the notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `-`: nothing stands here.
    Absent,
    Text(String),
    /// A number, `true`, `false` or `null`, as it stood.
    Literal(String),
    /// Text with values of the same row in it.
    Template(Vec<Part<Vec<Step>>>),
    List(Vec<Value>),
    /// Steps and the values below them: an object, or a list written by its indexes.
    Tree(IndexMap<Step, Value>),
}

/// The values of a row, by path.
pub type Assignments = IndexMap<Vec<Step>, Value>;

/// Adds what a row says at `path`: a value, or that nothing stands there or below.
pub fn say(path: &[Step], value: Value, row: &mut Assignments) {
    let mut said = Assignments::new();
    value.flatten(path, &mut said);
    for (path, value) in said {
        if value == Value::Absent {
            row.retain(|known, _| !known.starts_with(&path));
        } else {
            row.insert(path, value);
        }
    }
}

/// The value of a template in a row: none where a column has none.
pub fn resolve(parts: &[Part<Vec<Step>>], row: &Assignments, shared: &mut Shared) -> Result<Value, Fault> {
    let mut text = String::new();
    for part in parts {
        match part {
            Part::Text(part) => text.push_str(part),
            Part::Path(path) => match row.get(path) {
                Some(value @ (Value::Text(part) | Value::Literal(part))) => {
                    shared.spend(value.size())?;
                    if parts.len() == 1 {
                        return Ok(value.clone());
                    }
                    text.push_str(part);
                }
                _ => return Ok(Value::Absent),
            },
        }
    }
    Ok(Value::Text(text))
}

impl Value {
    /// What a text without quotes says.
    pub fn bare(text: &str) -> Self {
        if looks_typed(text) { Self::Literal(text.to_owned()) } else { Self::Text(text.to_owned()) }
    }

    /// Sets the value at `path`. A tree with members is merged into a tree; any other value takes the place of the one
    /// there.
    pub fn set(&mut self, path: &[Step], value: Self) {
        let Some((first, rest)) = path.split_first() else {
            match (self, value) {
                (Self::Tree(tree), Self::Tree(more)) if !more.is_empty() => {
                    for (step, value) in more {
                        tree.entry(step).or_insert(Self::Absent).set(&[], value);
                    }
                }
                (place, value) => *place = value,
            }
            return;
        };
        if !matches!(self, Self::Tree(_)) {
            *self = Self::Tree(IndexMap::new());
        }
        if let Self::Tree(tree) = self {
            tree.entry(first.clone()).or_insert(Self::Absent).set(rest, value);
        }
    }

    /// Adds the value at each path below this value to `flat`; an empty tree is a value of its own.
    pub fn flatten(self, path: &[Step], flat: &mut IndexMap<Vec<Step>, Self>) {
        match self {
            Self::Tree(tree) if !tree.is_empty() => {
                for (step, value) in tree {
                    let mut below = path.to_vec();
                    below.push(step);
                    value.flatten(&below, flat);
                }
            }
            value => {
                flat.insert(path.to_vec(), value);
            }
        }
    }

    /// Number of values in it, and one more for each sixteen bytes of a text.
    pub fn size(&self) -> usize {
        match self {
            Self::Absent => 1,
            Self::Text(text) | Self::Literal(text) => 1 + text.len() / 16,
            Self::Template(parts) => {
                let size = |part: &Part<_>| if let Part::Text(text) = part { 1 + text.len() / 16 } else { 1 };
                parts.iter().map(size).sum()
            }
            Self::List(list) => 1 + list.iter().map(Self::size).sum::<usize>(),
            Self::Tree(tree) => 1 + tree.values().map(Self::size).sum::<usize>(),
        }
    }

    /// Number of lists and objects around the deepest value.
    pub fn depth(&self) -> usize {
        match self {
            Self::List(list) => 1 + list.iter().map(Self::depth).max().unwrap_or(0),
            Self::Tree(tree) => 1 + tree.values().map(Self::depth).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// Removes absent values and the trees that hold nothing else, and turns trees of indexes into lists. A tree that
    /// was empty from the start stays.
    pub fn settle(&mut self) {
        match self {
            Self::List(list) => list.iter_mut().for_each(Self::settle),
            Self::Tree(tree) if !tree.is_empty() => {
                tree.values_mut().for_each(Self::settle);
                tree.retain(|_, value| *value != Self::Absent);
                if tree.is_empty() {
                    *self = Self::Absent;
                } else if tree.keys().all(|step| matches!(step, Step::Index(_))) {
                    let mut list: Vec<_> = std::mem::take(tree).into_iter().collect();
                    list.sort_unstable_by_key(|(step, _)| match step {
                        Step::Index(index) => *index,
                        Step::Key(_) => 0,
                    });
                    *self = Self::List(list.into_iter().map(|(_, value)| value).collect());
                }
            }
            _ => {}
        }
    }

    /// Appends the value as JSON in a style.
    pub fn write_styled(&self, out: &mut Vec<u8>, style: Style) {
        self.write_spaced(out, style);
        out.extend_from_slice(style.end.as_bytes());
    }

    /// Recursion is bounded by the depth that the reader accepts.
    fn write_spaced(&self, out: &mut Vec<u8>, style: Style) {
        match self {
            Self::Absent | Self::Template(_) => out.extend_from_slice(b"null"),
            Self::Text(text) => write_json_string(out, text),
            Self::Literal(text) => out.extend_from_slice(text.as_bytes()),
            Self::List(list) => {
                out.push(b'[');
                for (at, value) in list.iter().enumerate() {
                    out.extend_from_slice(if at == 0 { "" } else { style.comma }.as_bytes());
                    value.write_spaced(out, style);
                }
                out.push(b']');
            }
            Self::Tree(tree) => {
                out.push(b'{');
                for (at, (step, value)) in tree.iter().enumerate() {
                    out.extend_from_slice(if at == 0 { "" } else { style.comma }.as_bytes());
                    match step {
                        Step::Key(key) => write_json_string(out, key),
                        Step::Index(index) => write_json_string(out, &index.to_string()),
                    }
                    out.extend_from_slice(style.colon.as_bytes());
                    value.write_spaced(out, style);
                }
                out.push(b'}');
            }
        }
    }
}
