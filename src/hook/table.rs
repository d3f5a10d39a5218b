//! Which commands are rewritten, and which are not and why. Users add to that by rules (`rewrites.toml`).

use crate::commands::{EXCEPT, REWRITTEN, STAYS};

/// Why the table leaves a command alone; None where it is to be rewritten. The tool's name, without a directory, is
/// the first of the words.
pub(super) fn unlisted(words: &[String]) -> Option<&'static str> {
    let name = words[0].as_str();
    if let Some(reasons) = STAYS.of(name) {
        return Some(reasons[0][0]);
    }
    if REWRITTEN.of(name).is_none() {
        return Some("it is not on the list");
    }
    let is_listed = REWRITTEN.holds_for(words) && !EXCEPT.holds_for(words);
    (!is_listed).then_some("this subcommand is not on the list")
}
