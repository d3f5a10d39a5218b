//! Folds the spool into the database: every run exactly once, even where a fold is interrupted or several run at once.
//!
//! A run is identified by its time and nonce, and is inserted once however often it is read. How far each file has been
//! read is stored in the same transaction. So folding needs no lock against writers and renames none of their files: a
//! file is only ever appended to, and removed when its day is long over.

use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::io::{BufRead as _, BufReader, Read, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan as _, tz::TimeZone};
use rusqlite::types::Value;
use rusqlite::{
    Connection, OptionalExtension as _, Statement, Transaction, TransactionBehavior, params, params_from_iter,
};

use super::database::Error;
use super::record::{Line, Record};
use super::spool;
use crate::plural::counted;

/// Days from the end of a file's day until the file is removed. A process that opened the file in time has long written
/// by then. (A process that was stopped for days between opening and writing finds the file gone, and writes again: see
/// `spool::append`.)
const GRACE_DAYS: i32 = 2;
/// Longest line that is read, in bytes. A longer line is no record.
const LONGEST_LINE: u64 = 1 << 16;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Folded {
    pub runs: u64,
    /// Runs that were not in the database yet.
    pub new: u64,
    /// Lines that are no whole record.
    pub damaged: u64,
    /// Records of a later toto, which are left where they are.
    pub later: u64,
}

impl Folded {
    /// What was not counted and why, one line each, for people.
    pub fn uncounted(&self) -> impl Iterator<Item = String> {
        let reasons = [
            (self.damaged, "line", "no whole records"),
            (self.later, "run", "written down by a later toto, which counts them"),
        ];
        let line = |(number, thing, why)| format!("not counted: {} ({why})", counted(number, thing));
        reasons.into_iter().filter(|(number, ..)| *number > 0).map(line)
    }
}

/// Folds the spool in `dir` into the database; after an error nothing has been changed. With `is_final`, files whose
/// day is long over are removed afterwards.
pub fn fold(connection: &mut Connection, dir: &Path, is_final: bool) -> Result<Folded, Error> {
    let mut folded = Folded::default();
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let segments = spool::segments(dir)?;
    let known = transaction
        .prepare("SELECT name FROM segments")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<Vec<String>, _>>()?;
    for gone in known.iter().filter(|day| !segments.contains_key(*day)) {
        transaction.execute("DELETE FROM segments WHERE name = ?1", [gone])?;
    }
    let mut inserter = Inserter::new(&transaction)?;
    let mut done = Vec::new();
    for (day, path) in &segments {
        let Some((mut file, metadata)) = open(path) else { continue };
        let (from, damaged) = begun(&transaction, day, &metadata)?;
        file.seek(SeekFrom::Start(from))?;
        let before = folded;
        let (length, more) = read(&mut file, &mut inserter, &mut folded, false)?;
        if length > 0 {
            let damaged = damaged + more;
            transaction.execute(
                "INSERT OR REPLACE INTO segments VALUES (?1, ?2, ?3, ?4)",
                params![day, metadata.ino() as i64, (from + length) as i64, damaged as i64],
            )?;
        }
        if folded.later == before.later {
            done.push((day, path, from + length));
        }
    }
    folded.new = inserter.finish()?;
    transaction.commit()?;
    if is_final {
        for (day, path, length) in done {
            remove_if_over(day, path, length);
        }
    }
    Ok(folded)
}

/// Inserts the records of another machine, each once; after an error nothing has been changed.
pub fn merge(connection: &mut Connection, sources: &mut [Box<dyn Read>]) -> Result<Folded, Error> {
    let mut folded = Folded::default();
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut inserter = Inserter::new(&transaction)?;
    for source in sources {
        read(source, &mut inserter, &mut folded, true)?;
    }
    folded.new = inserter.finish()?;
    transaction.commit()?;
    Ok(folded)
}

/// Reads all lines. If more may be appended (not `is_whole`), the text behind the last newline is left for later.
/// Returns the length in bytes of the part that need not be read again, which ends in front of the first record of a
/// later toto, so that that version finds it; and how many lines of that part are no whole record.
fn read(
    source: &mut dyn Read,
    inserter: &mut Inserter<'_>,
    folded: &mut Folded,
    is_whole: bool,
) -> Result<(u64, u64), Error> {
    let mut reader = BufReader::with_capacity(1 << 20, source);
    let (mut line, mut length, mut damaged, before) = (Vec::new(), 0, 0, *folded);
    loop {
        line.clear();
        let read = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? as u64;
        let is_line = line.last() == Some(&b'\n') || read == LONGEST_LINE;
        if read == 0 || !(is_line || is_whole) {
            return Ok((length, damaged));
        }
        match Record::read(&line) {
            _ if line.iter().all(u8::is_ascii_whitespace) => {}
            Line::Run(run) => {
                inserter.add(&run)?;
                folded.runs += 1;
            }
            Line::Later => folded.later += 1,
            Line::Damaged => folded.damaged += 1,
        }
        if folded.later == before.later {
            length += read;
            damaged = folded.damaged - before.damaged;
        }
    }
}

/// The bytes of a file that have been read so far, and the damaged lines in them. A file that is shorter than the part
/// already read is another file with the same name and inode number.
fn begun(transaction: &Transaction<'_>, day: &str, file: &Metadata) -> Result<(u64, u64), Error> {
    let known = transaction
        .query_row(
            "SELECT folded, damaged FROM segments WHERE name = ?1 AND inode = ?2 AND folded <= ?3",
            params![day, file.ino() as i64, file.len() as i64],
            |row| Ok((row.get::<_, i64>(0)? as u64, row.get::<_, i64>(1)? as u64)),
        )
        .optional()?;
    Ok(known.unwrap_or_default())
}

/// The file with its metadata; `None` where it cannot be read or is no regular file.
fn open(path: &Path) -> Option<(File, Metadata)> {
    // Only a regular file is opened: opening a FIFO would block.
    path.symlink_metadata().ok().filter(Metadata::is_file)?;
    let file = File::open(path).ok()?;
    let metadata = file.metadata().ok().filter(Metadata::is_file)?;
    Some((file, metadata))
}

/// Removes a file that was read up to `length`, if its day is long over.
fn remove_if_over(day: &str, path: &Path, length: u64) {
    let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
    let over = |day: Date| day.checked_add(GRACE_DAYS.days()).is_ok_and(|last| last < today);
    if day.len() != 10 || !day.parse().is_ok_and(over) {
        return;
    }
    // Another process may have removed the file first.
    if let Some((mut file, _)) = open(path).filter(|(_, metadata)| metadata.len() == length)
        && std::fs::remove_file(path).is_ok()
    {
        // Lines that were appended since the length was compared go to the current file.
        let mut late = Vec::new();
        let read = file.seek(SeekFrom::Start(length)).and_then(|_| file.read_to_end(&mut late));
        if read.is_ok() && !late.is_empty() {
            let current = path.with_file_name(spool::segment_name(spool::now()));
            let _ = spool::open(&current).and_then(|mut file| file.write_all(&late));
        }
    }
}

/// Key of the sums that a run belongs to: day, then the names' numbers of tool, call, shape, filter, agent, level.
type Key = [i64; 7];
/// The totals: runs, failed, bytes, `given_bytes`, tokens, alone, given, receipt, `tool_us`, `own_us`.
type Totals = [i64; 10];

/// Inserts runs, within one transaction; [`Inserter::finish`] writes the sums.
pub struct Inserter<'t> {
    transaction: &'t Transaction<'t>,
    insert: Statement<'t>,
    names: HashMap<String, i64>,
    sums: HashMap<Key, Totals>,
    zone: TimeZone,
    new: u64,
}

impl<'t> Inserter<'t> {
    pub fn new(transaction: &'t Transaction<'t>) -> Result<Self, Error> {
        let mut read = transaction.prepare("SELECT name, id FROM names")?;
        let names = read.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
        let insert = transaction.prepare(
            "INSERT OR IGNORE INTO runs VALUES
             (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)",
        )?;
        Ok(Self { transaction, insert, names, sums: HashMap::new(), zone: TimeZone::system(), new: 0 })
    }

    pub fn add(&mut self, run: &Record<'_>) -> Result<(), Error> {
        let time = Timestamp::from_microsecond(run.at).unwrap_or_default();
        let offset = i64::from(self.zone.to_offset(time).seconds());
        // In the local time zone, counted from 1970-01-01.
        let day = (time.as_second() + offset).div_euclid(86_400);
        let required = [&run.tool, &run.call, &run.shape].map(Some);
        let names = [run.filter.as_ref(), run.agent.as_ref(), Some(&run.session), Some(&run.level)];
        let mut numbers = [None; 7];
        for (number, name) in numbers.iter_mut().zip(required.into_iter().chain(names)) {
            *number = name.map(|name| self.number_of(name)).transpose()?;
        }
        let tokens = [run.tokens, run.without, run.given, run.receipt];
        let figures = [run.bytes, run.given_bytes].into_iter().chain(tokens).chain([run.tool_us, run.own_us]);
        let figures = figures.map(|figure| figure as i64);
        let saved = run.saved.as_deref().map(str::to_owned);
        let key = [run.at, run.nonce.into(), day].map(Value::from).into_iter();
        let row = key.chain(numbers.map(Value::from)).chain(figures.clone().map(Value::from)).chain([
            run.status.into(),
            saved.into(),
            run.estimated.into(),
        ]);
        if self.insert.execute(params_from_iter(row))? == 1 {
            self.new += 1;
            let [tool, call, shape, filter, agent, _, level] = numbers.map(Option::unwrap_or_default);
            let sums = self.sums.entry([day, tool, call, shape, filter, agent, level]).or_default();
            let failed = i64::from(run.status.unwrap_or(0) != 0);
            for (sum, figure) in sums.iter_mut().zip([1, failed].into_iter().chain(figures)) {
                *sum += figure;
            }
        }
        Ok(())
    }

    /// Writes the sums; returns the number of new runs.
    pub fn finish(self) -> Result<u64, Error> {
        let mut add = self.transaction.prepare(
            "INSERT INTO days VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
             ON CONFLICT DO UPDATE SET runs = runs + ?8, failed = failed + ?9, bytes = bytes + ?10,
                 given_bytes = given_bytes + ?11, tokens = tokens + ?12, alone = alone + ?13, given = given + ?14,
                 receipt = receipt + ?15, tool_us = tool_us + ?16, own_us = own_us + ?17",
        )?;
        for (key, sums) in &self.sums {
            add.execute(params_from_iter(key.iter().chain(sums)))?;
        }
        Ok(self.new)
    }

    fn number_of(&mut self, name: &str) -> Result<i64, Error> {
        if let Some(number) = self.names.get(name) {
            return Ok(*number);
        }
        let insert = "INSERT INTO names (name) VALUES (?1) RETURNING id";
        let number = self.transaction.query_row(insert, [name], |row| row.get(0))?;
        self.names.insert(name.to_owned(), number);
        Ok(number)
    }
}
