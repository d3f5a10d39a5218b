//! Reads PVFN and Schema-YAML back into JSON.

mod lex;
mod lines;
mod schema_yaml;
mod table;
mod value;

use thiserror::Error;

use value::Value;

/// Why a text could not be read back.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line}: {what}")]
pub struct ExpandError {
    /// Line number, from 1.
    pub line: usize,
    /// Bytes of the line from where it is wrong to its end, where that is known.
    left: Option<usize>,
    /// What is wrong there.
    pub what: String,
}

impl ExpandError {
    fn within(self, left: usize) -> Self {
        Self { left: Some(left), ..self }
    }

    /// Where in its line of `text`, which was read, in characters from 1: behind the indentation where nothing more
    /// is known.
    pub fn column(&self, text: &str) -> usize {
        let line = text.lines().nth(self.line.saturating_sub(1)).unwrap_or_default();
        let indentation = line.len() - line.trim_start_matches(' ').len();
        let before = self.left.map_or(indentation, |left| line.len().saturating_sub(left));
        line.get(..before).map_or(0, |before| before.chars().count()) + 1
    }
}

/// Reads one value as it stands behind `key=`.
pub(super) fn value_of(text: &str) -> Option<Value> {
    let mut shared = lex::Shared::default();
    let mut cursor = lex::Cursor::new(text, &mut shared);
    let mut value = cursor.value(false).ok().filter(|_| cursor.rest().is_empty())?;
    value.settle();
    Some(value)
}

/// Reads one document in PVFN or Schema-YAML and returns it as minified JSON; a stream becomes one document a line.
///
/// # Errors
/// The first line that is not in the notation (docs/notation.md).
pub fn expand(text: &str) -> Result<Vec<u8>, ExpandError> {
    let (value, stream) = if text.starts_with(schema_yaml::START) {
        (schema_yaml::read(text)?, false)
    } else {
        lines::Reader::new(text).document()?
    };
    let mut out = Vec::new();
    match value {
        Value::List(documents) if stream => {
            for document in documents {
                document.write_json(&mut out);
                out.push(b'\n');
            }
        }
        value => {
            value.write_json(&mut out);
            out.push(b'\n');
        }
    }
    Ok(out)
}
