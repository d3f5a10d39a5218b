//! Files that are toto's alone.

use super::change::{Change, Undo};
use crate::mistake::Mistake;

pub fn edit(text: &str, change: &Change) -> Result<(String, Undo), Mistake> {
    let Change::Text { text: new, mark } = change else {
        return Err(Mistake::at(text, 0, "not a format that can be edited (JSON and TOML can)"));
    };
    if !text.is_empty() && text != new && !text.contains(mark.as_str()) {
        return Err(Mistake::at(text, 0, "there is a file of this name that is not toto's"));
    }
    Ok((new.clone(), Undo { existing: 0, ..Undo::UNKNOWN }))
}

/// The empty text for a file that is still toto's; every other text as it is.
pub fn undo(text: &str, change: &Change) -> String {
    match change {
        Change::Text { text: ours, mark } if text == ours || text.contains(mark.as_str()) => String::new(),
        _ => text.to_owned(),
    }
}
