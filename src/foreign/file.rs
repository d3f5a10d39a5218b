//! Edits configuration files on disk. The original text is kept below toto's own directory: as `edited/PATH/before` for
//! people, and in `edited/PATH/record.json` for [`super::record`].

use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::change::{Change, Format};
use super::disk;
use super::made::Made;
use super::record::{Record, with_changes};
use crate::mistake::Mistake;
use crate::sys::{directory, files};

/// Why a file is not edited, in one line.
#[derive(Debug, thiserror::Error)]
pub enum FileFault {
    /// The file does not parse, or holds something else at a place that toto needs.
    #[error("{}:{fault}; the file is left alone", path.display())]
    Text {
        /// Path of the file.
        path: PathBuf,
        /// The fault and its place.
        fault: Mistake,
    },
    /// The file is not UTF-8.
    #[error("{}: is not UTF-8 text; the file is left alone", .0.display())]
    NotText(PathBuf),
    /// An error of the file system.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// A configuration file, its text, and the record of toto's changes in it.
#[derive(Debug)]
pub struct File {
    path: PathBuf,
    end: PathBuf,
    toto_home: PathBuf,
    notes: PathBuf,
    text: Option<String>,
    record: Option<Record>,
}

/// The content of `record.json`.
#[derive(Serialize, Deserialize)]
struct Kept {
    record: Record,
}

/// A planned edit of a file, not written yet.
#[derive(Debug)]
pub struct Edit {
    file: File,
    new: Option<String>,
    record: Option<Record>,
}

impl File {
    /// Reads the file, and its record below `toto_home`. Either may be missing.
    ///
    /// # Errors
    /// [`FileFault`] where the file cannot be read or is not UTF-8.
    pub fn open(path: &Path, toto_home: &Path) -> Result<Self, FileFault> {
        let end = disk::end_of_links(path);
        let notes = notes_of(&end, toto_home);
        let text = disk::read(&end)?.map(String::from_utf8).transpose();
        let text = text.map_err(|_| FileFault::NotText(path.into()))?;
        let kept = disk::read(&notes.join(RECORD))?;
        let record = kept.and_then(|text| Some(serde_json::from_slice::<Kept>(&text).ok()?.record));
        Ok(Self { path: path.into(), end, toto_home: toto_home.into(), notes, text, record })
    }

    /// The file's text; `None` where there is no file.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// The record of toto's changes in the file, if there is one.
    pub fn record(&self) -> Option<&Record> {
        self.record.as_ref()
    }

    /// Plans the edit that makes `changes` the changes of `owner` in the file.
    ///
    /// # Errors
    /// [`FileFault`] where the text does not parse or has no place for the changes.
    pub fn put_in(self, owner: &str, changes: &[Change]) -> Result<Edit, FileFault> {
        self.plan(owner, changes, true)
    }

    /// Plans the edit that takes the changes of `owner` out of the file. The record says which these are; without a
    /// record, everything that looks like `changes` is taken out.
    ///
    /// # Errors
    /// [`FileFault`] where the text does not parse.
    pub fn take_out(self, owner: &str, changes: &[Change]) -> Result<Edit, FileFault> {
        self.plan(owner, changes, false)
    }

    fn plan(self, owner: &str, changes: &[Change], wanted: bool) -> Result<Edit, FileFault> {
        let format = Format::of(&self.path);
        match with_changes(format, self.text(), self.record(), owner, changes, wanted) {
            Ok((new, record)) => Ok(Edit { file: self, new, record }),
            Err(fault) => Err(FileFault::Text { path: self.path, fault }),
        }
    }
}

impl Edit {
    /// The file's path, as it was given.
    pub fn path(&self) -> &Path {
        &self.file.path
    }

    /// The file's text now; `None` where there is no file.
    pub fn before(&self) -> Option<&str> {
        self.file.text()
    }

    /// The file's text after the edit; `None` where there will be no file.
    pub fn after(&self) -> Option<&str> {
        self.new.as_deref()
    }

    /// Whether the file's text changes.
    pub fn is_change(&self) -> bool {
        self.new != self.file.text
    }

    /// Whether the owner has changes in the file as it is now.
    pub fn has(&self, owner: &str) -> bool {
        self.file.record().is_some_and(|record| record.has(owner))
    }

    /// Carries the edit out. The record is written first, so that there is no change without a record.
    ///
    /// # Errors
    /// The file system's, with the path; the file is then as it was.
    pub fn commit(self) -> io::Result<()> {
        let Self { file, new, record } = self;
        let is_change = new != file.text;
        let is_kept = record.is_some();
        if let Some(record) = record {
            let mut made = Made::noted(&file.toto_home)?;
            made.add_missing(&file.end);
            made.keep()?;
            keep(&file.notes, record)?;
        }
        match &new {
            Some(text) if is_change => disk::write(&file.end, text.as_bytes())?,
            None if is_change => {
                fs_err::remove_file(&file.end)?;
                Made::noted(&file.toto_home)?.sweep()?;
            }
            _ => {}
        }
        if !is_kept {
            forget(&file.notes)?;
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
    let mut open = vec![top.clone()];
    let mut found = Vec::new();
    while let Some(directory) = open.pop() {
        for path in directory::entries(&directory).unwrap_or_default() {
            if path.symlink_metadata().is_ok_and(|meta| meta.is_dir()) {
                open.push(path);
            } else if path.file_name().is_some_and(|name| name == RECORD)
                && let Ok(inner) = directory.strip_prefix(&top)
            {
                found.push(Path::new("/").join(inner));
            }
        }
    }
    found.sort();
    found
}

fn notes_of(file: &Path, toto_home: &Path) -> PathBuf {
    let parent = file.parent().unwrap_or(Path::new("/"));
    let parent = parent.canonicalize().unwrap_or_else(|_| parent.to_path_buf());
    let whole = parent.join(file.file_name().unwrap_or_default());
    let names = whole.components().filter(|part| matches!(part, Component::Normal(_)));
    toto_home.join(NOTES).join(names.collect::<PathBuf>())
}

fn keep(notes: &Path, record: Record) -> io::Result<()> {
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
    private(RECORD, &serde_json::to_vec_pretty(&Kept { record })?)
}

/// Removes the notes of a file, and the directories above them that are empty now.
fn forget(notes: &Path) -> io::Result<()> {
    for name in [RECORD, BACKUP] {
        match fs_err::remove_file(notes.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    for directory in notes.ancestors() {
        if std::fs::remove_dir(directory).is_err() || directory.ends_with(NOTES) {
            break;
        }
    }
    Ok(())
}
