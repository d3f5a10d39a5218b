//! Reads PVFN and Schema-YAML back into JSON.

mod lex;
mod lines;
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
    /// What is wrong there.
    pub what: String,
}

/// Reads one document in PVFN and returns it as minified JSON; a stream becomes one document a line.
///
/// # Errors
/// The first line that is not in the notation (docs/notation.md).
pub fn expand(text: &str) -> Result<Vec<u8>, ExpandError> {
    let (value, stream) = lines::Reader::new(text).document()?;
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
