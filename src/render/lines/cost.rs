//! What texts cost, and where they may be cut.

/// Tokens of a short text.
pub(super) fn cost(text: &str) -> usize {
    crate::tokens::count(text.as_bytes())
}

fn is_boundary(byte: u8) -> bool {
    byte.is_ascii() && !byte.is_ascii_alphanumeric()
}

/// Bytes that all begin with, up to the last sign among them.
pub(super) fn boundary_prefix(cells: &[&str]) -> usize {
    let mut common = cells[0].len();
    for cell in cells {
        common = cells[0].bytes().zip(cell.bytes()).take(common).take_while(|(a, b)| a == b).count();
    }
    cells[0].as_bytes()[..common].iter().rposition(|&byte| is_boundary(byte)).map_or(0, |at| at + 1)
}

/// Bytes that all end with, from the first sign among them.
pub(super) fn boundary_suffix(cells: &[&str]) -> usize {
    let first = cells[0].as_bytes();
    let mut common = first.len();
    for cell in cells {
        common = first.iter().rev().zip(cell.bytes().rev()).take(common).take_while(|(a, b)| *a == b).count();
    }
    let end = &first[first.len() - common..];
    end.iter().position(|&byte| is_boundary(byte)).map_or(0, |at| common - at)
}
