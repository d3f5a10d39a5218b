//! Tables of aligned columns under a header: `kubectl get`, `docker ps`, `ps`, `df`.

use super::rows::Rows;

/// Reads a table that begins at `at`.
pub fn read<'a>(_text: &'a str, _at: usize, _rows: &mut Rows<'a>) -> Option<usize> {
    None
}
