//! The values that a template can name (texts, lists and records of the output), and a budget for the work on them.

use std::borrow::Cow;
use std::cell::Cell;

use regex::bytes::{Captures, Regex};

use crate::filter::lines::lines_of;
use crate::filter::pattern::Pattern;

/// A value of a template. Bytes that are not UTF-8 stay as they came.
#[derive(Clone, Debug)]
pub enum Value<'a> {
    Text(Cow<'a, [u8]>),
    /// Lines, blocks or records.
    List(Vec<Value<'a>>),
    /// Fields by name, in the order in which they were found.
    Record(Names<'a>),
}

/// Values by name; of equal names the last counts.
pub type Names<'a> = Vec<(String, Value<'a>)>;

impl<'a> Value<'a> {
    pub fn number(number: i64) -> Self {
        Self::Text(Cow::Owned(number.to_string().into_bytes()))
    }

    /// A list of lines of the output.
    pub fn lines(lines: impl IntoIterator<Item = &'a [u8]>) -> Self {
        Self::List(lines.into_iter().map(|line| Self::Text(Cow::Borrowed(line))).collect())
    }

    /// Appends the value as text: a list as its items, one a line; a record as its fields. `None`: the budget is spent.
    pub fn write(&self, out: &mut Vec<u8>, budget: &Budget) -> Option<()> {
        match self {
            Self::Text(text) => {
                budget.spend(text.len())?;
                out.extend_from_slice(text);
            }
            Self::List(items) => {
                for (at, item) in items.iter().enumerate() {
                    out.extend_from_slice(if at > 0 { b"\n" } else { b"" });
                    item.write(out, budget)?;
                }
            }
            Self::Record(fields) => {
                for (at, (name, value)) in fields.iter().enumerate() {
                    out.extend_from_slice(if at > 0 { b", " } else { b"" });
                    out.extend_from_slice(name.as_bytes());
                    out.push(b'=');
                    value.write(out, budget)?;
                }
            }
        }
        budget.spend(1)
    }

    /// The value as text; `None` where the budget is spent.
    pub fn to_text(&self, budget: &Budget) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        self.write(&mut text, budget)?;
        Some(text)
    }

    /// Number of items of a list, of lines of a text, of fields of a record.
    pub fn count(&self) -> usize {
        match self {
            Self::Text(text) => lines_of(text).count(),
            Self::List(items) => items.len(),
            Self::Record(fields) => fields.len(),
        }
    }

    /// The amount to look at: the bytes of a text, else the items or fields.
    pub fn length(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            other => other.count(),
        }
    }

    pub fn field(&self, wanted: &str) -> Option<&Self> {
        let Self::Record(fields) = self else { return None };
        fields.iter().find(|(name, _)| name == wanted).map(|(_, value)| value)
    }
}

/// The captures of a match by number and by name.
pub fn capture_names<'a>(pattern: &Regex, captures: &Captures<'a>) -> Names<'a> {
    let mut names = Vec::new();
    for (at, name) in pattern.capture_names().enumerate() {
        let Some(capture) = captures.get(at) else { continue };
        let value = Value::Text(capture.as_bytes().into());
        names.extend(name.map(|name| (name.to_owned(), value.clone())));
        names.push((at.to_string(), value));
    }
    names
}

/// The captures of the first match by number and by name; `None` where nothing matches.
pub fn captures_of<'a>(pattern: &Pattern, text: &'a [u8]) -> Option<Names<'a>> {
    let pattern = pattern.get()?;
    Some(capture_names(pattern, &pattern.captures(text)?))
}

/// The work that may still be done, in bytes looked at: that of a template in a template grows with their product.
#[derive(Debug)]
pub struct Budget(pub(super) Cell<usize>);

impl Budget {
    /// A budget for an output of this many bytes: enough for any template that makes the output smaller.
    pub fn for_input(bytes: usize) -> Self {
        Self(Cell::new(bytes.saturating_mul(16) + (1 << 20)))
    }

    /// Spends these bytes and one more; `None` once the budget is spent.
    pub fn spend(&self, bytes: usize) -> Option<()> {
        let left = self.0.get().checked_sub(bytes + 1);
        self.0.set(left.unwrap_or(0));
        left.map(drop)
    }
}
