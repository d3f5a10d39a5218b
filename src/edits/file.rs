//! Edits configuration files on disk. The original text is kept below toto's own directory: as `edited/PATH/before` for
//! people, and in `edited/PATH/record.json` for [`super::record`].

use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path, PathBuf};

use anyhow::anyhow;
use ignore::{DirEntry, WalkBuilder};
use serde_json::{Value, json};

use super::change::{Change, Format};
use super::disk;
use super::record::{Record, with_changes};
use crate::sys::files;

/// A configuration file as it is now.
pub struct File {
    /// The file's path, as it was given.
    pub path: PathBuf,
    /// Its text; `None` where there is no file.
    pub text: Option<String>,
    /// The record of toto's changes in the file, if there is one.
    pub record: Option<Record>,
    end: PathBuf,
    toto_home: PathBuf,
    notes: PathBuf,
}

/// A planned edit of a file, not written yet.
pub struct Edit {
    pub file: File,
    /// The file's text after the edit; `None` where there will be no file.
    pub after: Option<String>,
    record: Option<Record>,
}

impl File {
    /// Reads the file, and its record below `toto_home`. Either may be missing. Fails where the file is not UTF-8.
    pub fn open(path: &Path, toto_home: &Path) -> anyhow::Result<Self> {
        let end = disk::end_of_links(path);
        let notes = notes_of(&end, toto_home);
        let text = disk::read(&end)?.map(String::from_utf8).transpose();
        let text =
            text.map_err(|_| anyhow!("{}: is not UTF-8 text; the file is left alone", path.display()))?;
        let kept = disk::read(&notes.join(RECORD))?;
        let kept: Option<Value> = kept.and_then(|text| serde_json::from_slice(&text).ok());
        let record = kept.and_then(|mut kept| serde_json::from_value(kept.get_mut("record")?.take()).ok());
        Ok(Self { path: path.into(), text, record, end, toto_home: toto_home.into(), notes })
    }

    pub fn has(&self, owner: &str) -> bool {
        self.record.iter().flat_map(Record::owners).any(|known| known == owner)
    }

    /// Plans the edit that makes `changes` the changes of `owner` in the file or, if not `wanted`, takes those of
    /// `owner` out. The record says which these are; without a record, everything that looks like `changes` goes. Fails
    /// where the text does not parse or has no place for the changes.
    pub fn plan(self, owner: &str, changes: &[Change], wanted: bool) -> anyhow::Result<Edit> {
        let format = Format::of(&self.path);
        match with_changes(format, self.text.as_deref(), self.record.as_ref(), owner, changes, wanted) {
            Ok((after, record)) => Ok(Edit { file: self, after, record }),
            Err(fault) => Err(anyhow!("{}:{fault}; the file is left alone", self.path.display())),
        }
    }
}

impl Edit {
    pub fn is_change(&self) -> bool {
        self.after != self.file.text
    }

    /// Carries the edit out, the record first: no change is without one. After an error the file is as it was.
    pub fn commit(self) -> io::Result<()> {
        let is_change = self.is_change();
        let Self { file, after, record } = self;
        if let Some(record) = &record {
            disk::note_missing(&file.toto_home, [&*file.end])?;
            keep(&file.notes, record)?;
        }
        match &after {
            Some(text) if is_change => disk::write(&file.end, text.as_bytes())?,
            None if is_change => {
                fs_err::remove_file(&file.end)?;
                disk::sweep(&file.toto_home)?;
            }
            _ => {}
        }
        if record.is_some() {
            return Ok(());
        }
        for name in [RECORD, BACKUP] {
            files::if_there(fs_err::remove_file(file.notes.join(name)))?;
        }
        // The directories above that are empty now go, too.
        for directory in file.notes.ancestors() {
            if std::fs::remove_dir(directory).is_err() || directory.ends_with(NOTES) {
                break;
            }
        }
        Ok(())
    }
}

const RECORD: &str = "record.json";
const BACKUP: &str = "before";
const NOTES: &str = "edited";

/// The paths of all files that have a record.
pub fn edited_files(toto_home: &Path) -> Vec<PathBuf> {
    let top = toto_home.join(NOTES);
    let walk = WalkBuilder::new(&top).standard_filters(false).build().flatten();
    let is_file = |entry: &DirEntry| entry.file_type().is_some_and(|kind| kind.is_file());
    let records = walk.filter(|entry| entry.file_name() == RECORD && is_file(entry));
    let edited =
        |record: DirEntry| Some(Path::new("/").join(record.path().parent()?.strip_prefix(&top).ok()?));
    let mut found: Vec<_> = records.filter_map(edited).collect();
    found.sort_unstable();
    found
}

fn notes_of(file: &Path, toto_home: &Path) -> PathBuf {
    let parent = file.parent().unwrap_or(Path::new("/"));
    let parent = parent.canonicalize().unwrap_or_else(|_| parent.to_path_buf());
    let whole = parent.join(file.file_name().unwrap_or_default());
    let names = whole.components().filter(|part| matches!(part, Component::Normal(_)));
    toto_home.join(NOTES).join(names.collect::<PathBuf>())
}

fn keep(notes: &Path, record: &Record) -> io::Result<()> {
    files::make_private(notes)?;
    let private = |name: &str, text: &[u8]| {
        let path = notes.join(name);
        disk::write(&path, text)?;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))
    };
    match &record.base {
        Some(base) => private(BACKUP, base.as_bytes())?,
        None => drop(std::fs::remove_file(notes.join(BACKUP))),
    }
    private(RECORD, &serde_json::to_vec_pretty(&json!({ "record": record }))?)
}
