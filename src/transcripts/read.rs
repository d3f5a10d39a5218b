//! The sessions that agents keep on this machine, read and never written.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use ignore::overrides::OverrideBuilder;
use rusqlite::{Connection, OpenFlags};
use serde_json::Value;

use super::format::{Encoding, Format};
use crate::env;

/// Most bytes of a line or document; a longer one counts as unreadable.
const LONGEST: u64 = 256 << 20;

/// A file with one session or several.
pub struct Transcript<'f> {
    pub format: &'f Format,
    pub path: PathBuf,
    pub bytes: u64,
}

/// Every file that a format is for, sorted by path.
pub fn find(formats: &[Format]) -> Vec<Transcript<'_>> {
    let mut found = Vec::new();
    for format in formats {
        let [variable, below] = &format.root;
        let below_home = || Some(env::absolute(env::HOME)?.join(below));
        let Some(root) = env::absolute(variable).or_else(below_home) else { continue };
        let pattern = OverrideBuilder::new(&root).add(&format.files).and_then(|pattern| pattern.build());
        let Ok(pattern) = pattern else { continue };
        let top = root.join(beginning(&format.files));
        let walk = WalkBuilder::new(top).standard_filters(false).max_depth(Some(10)).build();
        for entry in walk.flatten().filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file())) {
            // The walk itself would not ask this of the place that it begins at.
            if !pattern.matched(entry.path(), false).is_whitelist() {
                continue;
            }
            let bytes = entry.metadata().map_or(0, |metadata| metadata.len());
            found.push(Transcript { format, path: entry.into_path(), bytes });
        }
    }
    found.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    found
}

/// The part of a pattern that names one place: all of it, or the directories in front of the first `*`.
pub(super) fn beginning(files: &str) -> &str {
    match files.split_once('*') {
        None => files,
        Some((literal, _)) => literal.rsplit_once('/').map_or("", |(directories, _)| directories),
    }
}

impl Transcript<'_> {
    /// Passes every document to `take`, with its session. Returns how many documents could not be read.
    pub fn read(&self, take: &mut dyn FnMut(&str, &Value)) -> io::Result<u64> {
        let name = self.path.display().to_string();
        match self.format.form {
            Encoding::Lines => {
                let mut reader = BufReader::with_capacity(1 << 18, File::open(&self.path)?);
                let (mut line, mut broken) = (Vec::new(), 0);
                while reader.by_ref().take(LONGEST).read_until(b'\n', &mut line)? > 0 {
                    let is_blank = line.iter().all(u8::is_ascii_whitespace);
                    broken += u64::from(!is_blank && !self.document(&name, &line, take));
                    line.clear();
                }
                Ok(broken)
            }
            Encoding::Document => {
                let mut text = Vec::new();
                File::open(&self.path)?.take(LONGEST).read_to_end(&mut text)?;
                Ok(u64::from(!self.document(&name, &text, take)))
            }
            Encoding::Database => self.database(take).map_err(io::Error::other),
        }
    }

    fn document(&self, session: &str, text: &[u8], take: &mut dyn FnMut(&str, &Value)) -> bool {
        let Ok(document) = serde_json::from_slice::<Value>(text) else { return false };
        let named = self.format.session_of(&document);
        take(named.as_deref().unwrap_or(session), &document);
        true
    }

    /// Reads a copy of the database: the agent may be writing, and its files stay untouched.
    fn database(&self, take: &mut dyn FnMut(&str, &Value)) -> anyhow::Result<u64> {
        let copies = tempfile::tempdir()?;
        let copy = copies.path().join("copy.db");
        std::fs::copy(&self.path, &copy)?;
        let log = |path: &Path| PathBuf::from(format!("{}-wal", path.display()));
        if log(&self.path).exists() {
            std::fs::copy(log(&self.path), log(&copy))?;
        }
        let connection = Connection::open_with_flags(&copy, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let mut statement = connection.prepare(self.format.query.as_deref().unwrap_or_default())?;
        let mut rows = statement.query([])?;
        let mut broken = 0;
        while let Some(row) = rows.next()? {
            let row = row.get::<_, String>(0).and_then(|session| Ok((session, row.get::<_, String>(1)?)));
            let is_read = row.is_ok_and(|(session, text)| self.document(&session, text.as_bytes(), take));
            broken += u64::from(!is_read);
        }
        Ok(broken)
    }
}
