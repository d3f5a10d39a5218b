//! Opens the database and brings it up to date. A damaged database is made anew of what can be read; a database that
//! cannot be written is read into memory.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags, Row, TransactionBehavior};
use rustix::fs::{FlockOperation, flock};
use serde::Deserialize as _;
use serde_json::Value;

use super::fold::{Folded, Inserter, fold};
use super::record::{Record, VERSION};
use super::spool;
use crate::sys::files::{append_private, make_private};

/// Why the ledger cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("no home directory, so there is no ledger")]
    NoHome,
    #[error("the ledger is of a later toto (version {0} of its tables, this one knows {known}); update toto", known = TABLES)]
    Later(usize),
    #[error("{} is not a file: move it away", .0.display())]
    NoFile(PathBuf),
    #[error("{0}")]
    Database(#[from] rusqlite::Error),
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// Longest wait for another toto that folds a long spool.
const PATIENCE: Duration = Duration::from_secs(60);

/// The ledger, with the whole spool folded into it.
pub struct Ledger {
    pub connection: Connection,
    pub notes: Vec<String>,
}

impl Ledger {
    /// Opens the ledger and folds the spool into it. Where the database is damaged or cannot be written, the ledger has
    /// what can be read. Fails without a home, for the database of a later toto, or where the database can neither be
    /// opened nor rescued.
    pub fn open() -> Result<Self, Error> {
        let home = spool::home().ok_or(Error::NoHome)?;
        match open_and_fold(&home) {
            Err(error) if error.is_damage() => rescue_or_read(&home, &error),
            Err(error) if error.is_unwritable() => in_memory(&home, &error),
            opened => opened,
        }
    }

    /// The answer to a question. Where only that finds the database damaged, it is rescued and asked again.
    pub fn ask<T>(&mut self, question: impl Fn(&Connection) -> Result<T, Error>) -> Result<T, Error> {
        match question(&self.connection) {
            Err(error) if error.is_damage() => {
                let home = spool::home().ok_or(Error::NoHome)?;
                let earlier = std::mem::take(&mut self.notes);
                *self = rescue_or_read(&home, &error)?;
                self.notes.splice(0..0, earlier);
                question(&self.connection)
            }
            answer => answer,
        }
    }
}

fn path(home: &Path) -> PathBuf {
    home.join("ledger.db")
}

fn open_and_fold(home: &Path) -> Result<Ledger, Error> {
    make_private(home)?;
    let mut connection = open(&path(home))?;
    let folded = fold(&mut connection, &spool::directory(home), true)?;
    Ok(ledger(connection, &folded, Vec::new()))
}

fn ledger(connection: Connection, folded: &Folded, mut notes: Vec<String>) -> Ledger {
    let damaged = "SELECT ifnull(sum(damaged), 0) FROM segments";
    let damaged = connection.query_row(damaged, [], |row| row.get::<_, i64>(0)).unwrap_or(0) as u64;
    notes.extend(Folded { damaged, ..*folded }.uncounted());
    Ledger { connection, notes }
}

fn open(path: &Path) -> Result<Connection, Error> {
    match path.metadata() {
        Ok(file) if !file.is_file() => return Err(Error::NoFile(path.to_owned())),
        Ok(_) => {}
        // SQLite gives its files the database's own mode.
        Err(_) => drop(append_private(path)?),
    }
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "cache_size", -64 * 1024)?; // KiB, as it is negative
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    migrate(&mut connection, TABLES)?;
    Ok(connection)
}

fn rescue_or_read(home: &Path, reason: &Error) -> Result<Ledger, Error> {
    rescue(home, reason)
        .or_else(|error| if error.is_unwritable() { in_memory(home, reason) } else { Err(error) })
}

/// Copies what can be read of a damaged database, and the whole spool, into a new database. The new database takes the
/// place of the damaged one in one step; the damaged one is kept beside it.
fn rescue(home: &Path, reason: &Error) -> Result<Ledger, Error> {
    let damaged = path(home);
    let lock = append_private(&home.join("ledger.lock"))?;
    flock(&lock, FlockOperation::LockExclusive).map_err(io::Error::from)?;
    // Another process may have rescued the database by now.
    let is_sound = |Ledger { connection, .. }: &Ledger| {
        let check = |row: &Row<'_>| row.get::<_, String>(0);
        connection.pragma_query_value(None, "integrity_check", check).is_ok_and(|answer| answer == "ok")
    };
    if let Some(ledger) = open_and_fold(home).ok().filter(is_sound) {
        return Ok(ledger);
    }
    let aside = format!("ledger.db.damaged-{}", spool::now());
    for leftover in ["ledger.db.new", "ledger.db.new-journal"] {
        let _ = std::fs::remove_file(home.join(leftover));
    }
    let fresh = home.join("ledger.db.new");
    let mut connection = open(&fresh)?;
    let rows = copy(&damaged, &mut connection)?;
    let folded = fold(&mut connection, &spool::directory(home), false)?;
    drop(connection);
    std::fs::hard_link(&damaged, home.join(&aside))?;
    let journal = home.join("ledger.db-journal");
    if journal.exists() {
        std::fs::rename(journal, home.join(format!("{aside}-journal")))?;
    }
    std::fs::rename(&fresh, &damaged)?;
    let note = format!(
        "the ledger was damaged ({reason}): {rows} of its runs could be read and were kept, {} more are from the spool; the damaged file is now {}",
        folded.new,
        home.join(aside).display()
    );
    Ok(ledger(open(&damaged)?, &folded, vec![note]))
}

/// A ledger in memory, with the runs of the database and of the spool.
fn in_memory(home: &Path, reason: &Error) -> Result<Ledger, Error> {
    let mut connection = Connection::open_in_memory()?;
    migrate(&mut connection, TABLES)?;
    copy(&path(home), &mut connection)?;
    let folded = fold(&mut connection, &spool::directory(home), false)?;
    let note = format!(
        "{} cannot be written ({reason}); the figures are of all runs that were recorded",
        path(home).display()
    );
    Ok(ledger(connection, &folded, vec![note]))
}

/// Copies every run that can be read from either end of the table; returns the number of runs.
fn copy(from: &Path, into: &mut Connection) -> Result<u64, Error> {
    let transaction = into.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut inserter = Inserter::new(&transaction)?;
    // A FIFO would be waited for.
    if from.is_file()
        && let Ok(source) = Connection::open_with_flags(from, OpenFlags::SQLITE_OPEN_READ_ONLY)
        && !copy_runs(&source, "ASC", &mut inserter)?
    {
        copy_runs(&source, "DESC", &mut inserter)?;
    }
    let rows = inserter.finish()?;
    transaction.commit()?;
    Ok(rows)
}

/// Copies the runs in this order up to one that cannot be read; returns whether the end was reached.
fn copy_runs(source: &Connection, order: &str, inserter: &mut Inserter<'_>) -> Result<bool, Error> {
    let name = |column: &str| format!("(SELECT name FROM names WHERE id = runs.{column})");
    let known = |column: &str| format!("ifnull({}, '?') AS {column}", name(column));
    let names = ["tool", "call", "shape", "session", "level"].map(known).join(", ");
    let (filter, agent) = (name("filter"), name("agent"));
    let question = format!(
        "SELECT {VERSION} AS v, at, nonce, {names}, {filter} AS filter, {agent} AS agent, bytes, given_bytes, tokens,
         alone AS without, given, receipt, tool_us, own_us, status, saved, estimated
         FROM runs ORDER BY at {order}, nonce {order}"
    );
    let Ok(mut statement) = source.prepare(&question) else { return Ok(false) };
    let Ok(mut rows) = statement.query([]) else { return Ok(false) };
    while let Ok(row) = rows.next() {
        let Some(row) = row else { return Ok(true) };
        let Some(run) = json_of(row) else { break };
        let Ok(run) = Record::deserialize(&run) else { break };
        inserter.add(&run)?;
    }
    Ok(false)
}

/// A row as a JSON object: a run as its line in the spool, or sums; `None` if a value is neither whole number nor text.
pub(super) fn json_of(row: &Row<'_>) -> Option<Value> {
    let value = |at: usize| {
        let column = row.as_ref().column_name(at).ok()?;
        let value = match row.get_ref(at).ok()? {
            ValueRef::Integer(is_estimated) if column == "estimated" => (is_estimated != 0).into(),
            ValueRef::Integer(figure) => figure.into(),
            ValueRef::Text(text) => std::str::from_utf8(text).ok()?.into(),
            ValueRef::Null => Value::Null,
            ValueRef::Real(_) | ValueRef::Blob(_) => return None,
        };
        Some((column.to_owned(), value))
    };
    (0..row.as_ref().column_count()).map(value).collect()
}

impl Error {
    fn is_damage(&self) -> bool {
        matches!(self.code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
            // The tables are missing, although the database's version says that it has them.
            || matches!(self, Self::Database(error) if error.to_string().contains("no such table"))
    }

    /// Whether the error is only that something cannot be written.
    fn is_unwritable(&self) -> bool {
        use ErrorCode::{CannotOpen, DiskFull, PermissionDenied, ReadOnly, SystemIoFailure};
        let code = self.code();
        matches!(self, Self::Io(_) | Self::NoFile(_))
            || matches!(code, Some(ReadOnly | CannotOpen | DiskFull | SystemIoFailure | PermissionDenied))
    }

    fn code(&self) -> Option<ErrorCode> {
        let Self::Database(error) = self else { return None };
        error.sqlite_error_code()
    }
}

/// One script per version; `PRAGMA user_version` is the number of scripts that a database has had.
///
/// Version 1 has the runs, by time and nonce, in that order on disk, and a table of names. Version 2 adds the sums per
/// day (in the time zone where the runs were folded), so that most questions need not read every run.
const MIGRATIONS: &[&str] = &[
    "CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
     CREATE TABLE runs (
         at INTEGER NOT NULL, nonce INTEGER NOT NULL, day INTEGER NOT NULL,
         tool INTEGER NOT NULL, call INTEGER NOT NULL, shape INTEGER NOT NULL, filter INTEGER, agent INTEGER,
         session INTEGER NOT NULL, level INTEGER NOT NULL,
         bytes INTEGER NOT NULL, given_bytes INTEGER NOT NULL, tokens INTEGER NOT NULL, alone INTEGER NOT NULL,
         given INTEGER NOT NULL, receipt INTEGER NOT NULL, tool_us INTEGER NOT NULL, own_us INTEGER NOT NULL,
         status INTEGER, saved TEXT, estimated INTEGER NOT NULL,
         PRIMARY KEY (at, nonce)
     ) WITHOUT ROWID;
     CREATE INDEX runs_of_session ON runs (session);
     CREATE TABLE segments (
         name TEXT PRIMARY KEY, inode INTEGER NOT NULL, folded INTEGER NOT NULL, damaged INTEGER NOT NULL
     ) WITHOUT ROWID;",
    "CREATE TABLE days (
         day INTEGER NOT NULL, tool INTEGER NOT NULL, call INTEGER NOT NULL, shape INTEGER NOT NULL,
         filter INTEGER NOT NULL, agent INTEGER NOT NULL, level INTEGER NOT NULL,
         runs INTEGER NOT NULL, failed INTEGER NOT NULL, bytes INTEGER NOT NULL, given_bytes INTEGER NOT NULL,
         tokens INTEGER NOT NULL, alone INTEGER NOT NULL, given INTEGER NOT NULL, receipt INTEGER NOT NULL,
         tool_us INTEGER NOT NULL, own_us INTEGER NOT NULL,
         PRIMARY KEY (day, tool, call, shape, filter, agent, level)
     ) WITHOUT ROWID;
     INSERT INTO days
         SELECT day, tool, call, shape, ifnull(filter, 0), ifnull(agent, 0), level, count(*),
             sum(ifnull(status, 0) <> 0), sum(bytes), sum(given_bytes), sum(tokens), sum(alone), sum(given),
             sum(receipt), sum(tool_us), sum(own_us)
         FROM runs GROUP BY 1, 2, 3, 4, 5, 6, 7;",
];

pub const TABLES: usize = MIGRATIONS.len();

/// Brings a database to this version, in one transaction. A second process finds the work done. [`Error::Later`] for a
/// database of a later toto.
pub(super) fn migrate(connection: &mut Connection, version: usize) -> Result<(), Error> {
    if version_of(connection)? == version {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let from = version_of(&transaction)?;
    if from > version {
        return Err(Error::Later(from));
    }
    for script in &MIGRATIONS[from..version] {
        transaction.execute_batch(script)?;
    }
    transaction.pragma_update(None, "user_version", version as i64)?;
    Ok(transaction.commit()?)
}

fn version_of(connection: &Connection) -> Result<usize, Error> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0))? as usize)
}
