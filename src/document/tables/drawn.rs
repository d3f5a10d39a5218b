//! Tables drawn with lines: psql, mysql, `sqlite3 -box`, `aws --output table`, markdown.

use super::rows::Rows;

/// Reads a table that begins at `at`.
pub fn read<'a>(_text: &'a str, _at: usize, _rows: &mut Rows<'a>) -> Option<usize> {
    None
}
