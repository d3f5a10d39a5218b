//! The changes of several owners in one text, each of which can be taken out separately. The text is rebuilt from what
//! it was before any change, so that taking out the last owner leaves every byte as it was.

use serde::{Deserialize, Serialize};

use super::change::{Change, Format, Undo};
use super::edit::{edit, undo};
use crate::mistake::Mistake;

/// The changes in a text. Each has an owner: a word such as `path` or `rewrite`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The text before any change; `None` where there was no file.
    pub base: Option<String>,
    /// The changes in the text, in order.
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
    /// Whether this owner has changes in the text.
    pub fn has(&self, owner: &str) -> bool {
        self.entries.iter().any(|entry| entry.owner == owner)
    }

    /// Every owner with changes in the text.
    pub fn owners(&self) -> Vec<String> {
        let mut owners: Vec<_> = self.entries.iter().map(|entry| entry.owner.clone()).collect();
        owners.dedup();
        owners
    }
}

/// The text of a file with `owner`'s changes in it (without them where not `wanted`), and the record to keep. `None`
/// for a text means no file. Everything that others wrote since the last time stays.
///
/// `current` and `record` are those of the file now. Without a record, text that looks like these changes is taken to
/// be toto's.
///
/// # Errors
/// As [`edit`].
pub fn with_changes(
    format: Format,
    current: Option<&str>,
    record: Option<&Record>,
    owner: &str,
    changes: &[Change],
    wanted: bool,
) -> Result<(Option<String>, Option<Record>), Mistake> {
    let base = without_ours(format, current, record, changes, wanted)?;
    let others = record.iter().flat_map(|record| &record.entries).filter(|entry| entry.owner != owner);
    let own = changes.iter().filter(|_| wanted).map(|change| (owner.to_owned(), change.clone()));
    let all = others.map(|entry| (entry.owner.clone(), entry.change.clone())).chain(own);
    let mut text = base.clone().unwrap_or_default();
    let mut entries: Vec<Entry> = Vec::new();
    for (owner, change) in all {
        let (new, undo) = edit(format, &text, &change)?;
        text = new;
        entries.push(Entry { owner, change, undo });
    }
    if entries.is_empty() {
        return Ok((base, None));
    }
    if let (Some(current), None) = (current, record)
        && stand_in(format, current, changes)?
    {
        current.clone_into(&mut text);
    }
    Ok((Some(text.clone()), Some(Record { base, entries, after: text })))
}

/// Whether all of the changes are in the text.
fn stand_in(format: Format, text: &str, changes: &[Change]) -> Result<bool, Mistake> {
    for change in changes {
        if edit(format, text, change)?.0 != text {
            return Ok(false);
        }
    }
    Ok(true)
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
    let ours_alone = match record {
        Some(record) => record.base.is_none(),
        None => text != current && format == Format::Whole,
    };
    Ok(Some(text).filter(|text| !(ours_alone && is_blank(format, text))))
}

/// Whether the text has nothing but blanks or, in JSON, an empty object.
fn is_blank(format: Format, text: &str) -> bool {
    let bare = text.trim_start_matches('\u{feff}').trim();
    bare.is_empty() || format == Format::Json && bare.strip_prefix('{').is_some_and(|rest| rest.trim() == "}")
}
