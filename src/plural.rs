//! Numbers of things, in words.

/// A number of things: `1 line`, `2 lines`.
pub fn counted(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}
