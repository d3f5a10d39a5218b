use crate::ledger::Error;
use crate::ledger::database::*;
use rusqlite::Connection;

#[test]
fn an_older_database_is_brought_up_with_its_sums() {
    let mut connection = Connection::open_in_memory().unwrap();
    migrate(&mut connection, 1).unwrap();
    for (at, status) in [(1, "0"), (2, "3"), (3, "NULL")] {
        let run = format!(
            "INSERT INTO runs VALUES ({at}, 0, 20000, 1, 2, 3, NULL, 4, 5, 6, 70, 7, 20, 18, 5, 2, 9, 8, {status}, NULL, 0)"
        );
        connection.execute_batch(&run).unwrap();
    }
    migrate(&mut connection, TABLES).unwrap();
    let sums: (i64, i64, i64, i64) = connection
        .query_row("SELECT runs, failed, alone, filter FROM days", [], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })
        .unwrap();
    assert_eq!(sums, (3, 1, 54, 0));
    migrate(&mut connection, TABLES).unwrap();
}

#[test]
fn a_later_database_is_left_alone() {
    let mut connection = Connection::open_in_memory().unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    assert!(matches!(migrate(&mut connection, TABLES), Err(Error::Later(99))));
}
