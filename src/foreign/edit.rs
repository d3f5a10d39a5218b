//! Edits a text by a change, and undoes it, whatever the format.

use super::change::{Change, Format, Undo};
use super::{json, toml};
use crate::mistake::Mistake;

/// The text with the change in it, and how to take the change out. Where it is there already, the text stays the same.
///
/// # Errors
/// [`Mistake`] where the text does not parse, where it has something else in place of an object or array that the change
/// needs, or where a file that has to be toto's alone is not.
pub fn edit(format: Format, text: &str, change: &Change) -> Result<(String, Undo), Mistake> {
    match (format, change.place()) {
        (Format::Json, Some(place)) => json::edit(text, &place),
        (Format::Toml, Some(place)) => toml::edit(text, &place),
        (Format::Whole, _) => edit_whole(text, change),
        _ => Err(Mistake::at(text, 0, "a JSON or TOML file is not ours alone")),
    }
}

/// The text without the change, and without the containers that came with it and are empty now. Everything that others
/// have changed since stays, and so does a value that they have put in place of toto's.
///
/// # Errors
/// [`Mistake`] where the text does not parse.
pub fn undo(format: Format, text: &str, change: &Change, undo: &Undo) -> Result<String, Mistake> {
    if !undo.added {
        return Ok(text.to_owned());
    }
    match (format, change.place(), change) {
        (Format::Json, Some(place), _) => json::undo(text, &place, undo),
        (Format::Toml, Some(place), _) => toml::undo(text, &place, undo),
        (Format::Whole, _, Change::Text { text: ours, mark })
            if text == ours || text.contains(mark.as_str()) =>
        {
            Ok(String::new())
        }
        _ => Ok(text.to_owned()),
    }
}

/// For a file that is toto's alone.
fn edit_whole(text: &str, change: &Change) -> Result<(String, Undo), Mistake> {
    let Change::Text { text: new, mark } = change else {
        return Err(Mistake::at(text, 0, "not a format that can be edited (JSON and TOML can)"));
    };
    if !text.is_empty() && text != new && !text.contains(mark.as_str()) {
        return Err(Mistake::at(text, 0, "there is a file of this name that is not toto's"));
    }
    Ok((new.clone(), Undo::UNKNOWN))
}
