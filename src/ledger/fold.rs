//! The spool into the database: every run exactly once, whenever it is interrupted and however many do it at once.
//!
//! A run is named by its time and nonce, and is taken in once however often it is read; how far each file has been
//! read stands in the same transaction. So nothing has to be locked or renamed under those who write: a file is only
//! ever appended to, and removed when its day is long over.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read, Seek as _, SeekFrom};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan as _, tz::TimeZone};
use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};

use super::Error;
use super::insert::Inserter;
use super::record::{Line, Record};
use super::spool::{self, Segment};

/// A file of the spool is removed when its day has been over for so many days: who opened it in time to write has
/// long written. (One that was stopped in between for days finds it gone, and writes again: see `spool::append`.)
const GRACE_DAYS: i32 = 2;
/// No line is longer, in bytes; what is, is no record.
const LONGEST_LINE: u64 = 1 << 16;

/// What was found in what was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Folded {
    /// Runs.
    pub runs: u64,
    /// Of these, so many were not known yet.
    pub new: u64,
    /// Lines that are no whole record.
    pub damaged: u64,
    /// Records of a later toto, which were left where they are.
    pub later: u64,
}

/// Folds the spool in `dir` into the database. With `is_final` files whose day is long over are removed after it.
///
/// # Errors
/// The database's, or the file system's; nothing has been changed then.
pub fn fold(connection: &mut Connection, dir: &Path, is_final: bool) -> Result<Folded, Error> {
    let mut folded = Folded::default();
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let segments = spool::segments(dir)?;
    forget_missing(&transaction, &segments)?;
    let mut inserter = Inserter::new(&transaction)?;
    let mut done = Vec::new();
    for segment in &segments {
        let (from, damaged) = begun(&transaction, segment)?;
        let Some((mut file, inode)) = open(segment) else { continue };
        // A shorter one is another file of that name and number.
        let (from, damaged) = if file.metadata()?.len() < from { (0, 0) } else { (from, damaged) };
        file.seek(SeekFrom::Start(from))?;
        let before = folded;
        let Taken { length, damaged: more } = read(&mut file, &mut inserter, &mut folded, false)?;
        if length > 0 {
            let damaged = damaged + more;
            transaction.execute(
                "INSERT OR REPLACE INTO segments VALUES (?1, ?2, ?3, ?4)",
                params![segment.day, inode, (from + length) as i64, damaged as i64],
            )?;
        }
        if folded.later == before.later {
            done.push((segment, from + length));
        }
    }
    folded.new = inserter.finish()?;
    transaction.commit()?;
    if is_final {
        for (segment, length) in &done {
            remove_if_over(segment, *length);
        }
    }
    Ok(folded)
}

/// Takes in what another machine has written down. The same twice counts once.
///
/// # Errors
/// The database's, or the source's; nothing has been changed then.
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

/// What need not be read again: all before the first record of a later toto, which that one is to find.
#[derive(Clone, Copy, Default)]
struct Taken {
    /// Bytes.
    length: u64,
    /// Lines among them that are no whole record.
    damaged: u64,
}

/// Reads lines to the end, or to the last newline where more may come.
fn read(
    source: &mut dyn Read,
    inserter: &mut Inserter<'_>,
    folded: &mut Folded,
    is_whole: bool,
) -> Result<Taken, Error> {
    let mut reader = BufReader::with_capacity(1 << 20, source);
    let (mut line, mut taken, before) = (Vec::new(), Taken::default(), *folded);
    loop {
        line.clear();
        let read = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? as u64;
        let is_line = line.last() == Some(&b'\n') || read == LONGEST_LINE;
        if read == 0 || !(is_line || is_whole) {
            return Ok(taken);
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
            taken = Taken { length: taken.length + read, damaged: folded.damaged - before.damaged };
        }
    }
}

/// How far a file has been read, and the damaged lines so far.
fn begun(transaction: &Transaction<'_>, segment: &Segment) -> Result<(u64, u64), Error> {
    let Some((_, inode)) = open(segment) else { return Ok((0, 0)) };
    let known = transaction
        .query_row(
            "SELECT folded, damaged FROM segments WHERE name = ?1 AND inode = ?2",
            params![segment.day, inode],
            |row| Ok((row.get::<_, i64>(0)? as u64, row.get::<_, i64>(1)? as u64)),
        )
        .optional()?;
    Ok(known.unwrap_or_default())
}

/// None where it cannot be read or is no file.
fn open(segment: &Segment) -> Option<(File, i64)> {
    let is_file = |file: &File| file.metadata().is_ok_and(|metadata| metadata.is_file());
    // What is no file is not opened: a FIFO would have us wait.
    segment.path.symlink_metadata().ok().filter(std::fs::Metadata::is_file)?;
    let file = File::open(&segment.path).ok().filter(is_file)?;
    let inode = file.metadata().ok()?.ino() as i64;
    Some((file, inode))
}

fn forget_missing(transaction: &Transaction<'_>, segments: &[Segment]) -> Result<(), Error> {
    let mut read = transaction.prepare("SELECT name FROM segments")?;
    let known = read.query_map([], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
    for name in known.iter().filter(|name| !segments.iter().any(|segment| segment.day == **name)) {
        transaction.execute("DELETE FROM segments WHERE name = ?1", [name])?;
    }
    Ok(())
}

/// Removes a file that was read up to `length`, when nobody adds to it any more.
fn remove_if_over(segment: &Segment, length: u64) {
    let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
    let over = |day: Date| day.checked_add(GRACE_DAYS.days()).is_ok_and(|last| last < today);
    let is_over = segment.day.len() == 10 && segment.day.parse::<Date>().is_ok_and(over);
    let Some((mut file, _)) = open(segment).filter(|_| is_over) else { return };
    // Who is faster has removed it.
    if file.metadata().is_ok_and(|file| file.len() == length) && std::fs::remove_file(&segment.path).is_ok() {
        // What was written in this very moment goes on to the current file.
        let mut late = Vec::new();
        let read = file.seek(SeekFrom::Start(length)).and_then(|_| file.read_to_end(&mut late));
        if read.is_ok() && !late.is_empty() {
            let _ = spool::append_to(&segment.path, &late);
        }
    }
}
