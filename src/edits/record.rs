//! A change of a text, and how it is undone, whatever the format. The changes of several owners in one text can be
//! taken out separately: the text is rebuilt from what it was before any change, so that taking out the last owner
//! leaves every byte as it was.

use serde::{Deserialize, Serialize};

use super::change::{Change, Format, Undo};
use super::{json, toml};
use crate::mistake::Mistake;

/// The changes in a text. Each has an owner: a word such as `path` or `rewrite`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The text before any change; `None` where there was no file.
    pub base: Option<String>,
    entries: Vec<Entry>,
    /// The text with all changes, as toto left it.
    after: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Entry {
    owner: String,
    change: Change,
    undo: Undo,
}

impl Record {
    /// Every owner with changes in the text.
    pub fn owners(&self) -> Vec<String> {
        let mut owners: Vec<_> = self.entries.iter().map(|entry| entry.owner.clone()).collect();
        owners.dedup();
        owners
    }
}

/// The text with the change in it, and how to take the change out. Where it is there already, the text stays the same.
/// It is a mistake that the text does not parse, has something else in place of an object or array that the change
/// needs, or has to be toto's alone and is not.
pub fn edit(format: Format, text: &str, change: &Change) -> Result<(String, Undo), Mistake> {
    let refused = |message| Err(Mistake::at(text, 0, message));
    match (format, change.place(), change) {
        (Format::Json, Some(place), _) => json::edit(text, &place),
        (Format::Toml, Some(place), _) => toml::edit(text, &place),
        (Format::Whole, _, Change::Text { text: new, mark }) => {
            if text.is_empty() || text == new || text.contains(mark.as_str()) {
                return Ok((new.clone(), Undo::UNKNOWN));
            }
            refused("there is a file of this name that is not toto's")
        }
        (Format::Whole, ..) => refused("not a format that can be edited (JSON and TOML can)"),
        _ => refused("a JSON or TOML file is not ours alone"),
    }
}

/// The text without the change, and without the containers that came with it and are empty now. Everything that others
/// have changed since stays, and so does a value that they have put in place of toto's.
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

/// The text of a file with `owner`'s changes in it (without them where not `wanted`), and the record to keep. `None`
/// for a text means no file. Everything that others wrote since the last time stays.
///
/// `current` and `record` are those of now. Without a record, text that looks like these changes is taken for toto's.
pub fn with_changes(
    format: Format,
    current: Option<&str>,
    record: Option<&Record>,
    owner: &str,
    changes: &[Change],
    wanted: bool,
) -> Result<(Option<String>, Option<Record>), Mistake> {
    let base = without_ours(format, current, record, changes, wanted)?;
    let known: Vec<&Entry> = record.iter().flat_map(|record| &record.entries).collect();
    // Its changes stay where they were among those of others: to make them once more changes nothing.
    let place = known.iter().position(|entry| entry.owner == owner).unwrap_or(known.len());
    let (before, behind) = known.split_at(place);
    let of_others = |entries: &[&Entry]| -> Vec<(String, Change)> {
        let others = entries.iter().filter(|entry| entry.owner != owner);
        others.map(|entry| (entry.owner.clone(), entry.change.clone())).collect()
    };
    let own = changes.iter().filter(|_| wanted).map(|change| (owner.to_owned(), change.clone()));
    let mut text = base.clone().unwrap_or_default();
    let mut entries = Vec::new();
    for (owner, change) in of_others(before).into_iter().chain(own).chain(of_others(behind)) {
        let (new, undo) = edit(format, &text, &change)?;
        text = new;
        entries.push(Entry { owner, change, undo });
    }
    if entries.is_empty() {
        return Ok((base, None));
    }
    if let (Some(current), None) = (current, record) {
        let there = |all, change| Ok(all && edit(format, current, change)?.0 == current);
        text = if changes.iter().try_fold(true, there)? { current.to_owned() } else { text };
    }
    Ok((Some(text.clone()), Some(Record { base, entries, after: text })))
}

/// The text as it would be if no owner had ever changed it; `None` where there would be no file.
fn without_ours(
    format: Format,
    current: Option<&str>,
    record: Option<&Record>,
    changes: &[Change],
    wanted: bool,
) -> Result<Option<String>, Mistake> {
    let Some(current) = current else { return Ok(None) };
    if let Some(record) = record.filter(|record| record.after == current) {
        return Ok(record.base.clone());
    }
    let mut text = current.to_owned();
    for entry in record.iter().flat_map(|record| record.entries.iter().rev()) {
        text = undo(format, &text, &entry.change, &entry.undo)?;
    }
    if record.is_none() {
        // A wanted value that is there may be the user's own, and stays; one that has to go cannot be told from ours.
        for change in changes.iter().rev().filter(|change| !wanted || !matches!(change, Change::Set { .. })) {
            text = undo(format, &text, change, &Undo::UNKNOWN)?;
        }
    }
    let is_new = text != current && format == Format::Whole;
    let ours_alone = record.map_or(is_new, |record| record.base.is_none());
    let bare = text.trim_start_matches('\u{feff}').trim();
    let is_object = |text: &str| text.strip_prefix('{').is_some_and(|rest| rest.trim() == "}");
    let is_blank = bare.is_empty() || format == Format::Json && is_object(bare);
    Ok((!(ours_alone && is_blank)).then_some(text))
}
