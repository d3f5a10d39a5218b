//! Stand-in.
/// Stand-in.
pub fn count(text: &[u8]) -> usize {
    text.len() / 4
}
