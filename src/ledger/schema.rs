//! The database's tables, version by version.

use rusqlite::{Connection, TransactionBehavior};

use super::Error;

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

pub const VERSION: usize = MIGRATIONS.len();

/// Brings a database to this version, in one transaction. A second process finds the work done. [`Error::Later`] for a
/// database of a later toto.
pub fn migrate(connection: &mut Connection, version: usize) -> Result<(), Error> {
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
