use crate::ledger::database::*;
use rusqlite::Connection;

#[test]
fn a_damaged_value_is_not_taken_for_a_missing_one() {
    let connection = Connection::open_in_memory().unwrap();
    let is_read = |value: &str| {
        let question = format!("SELECT {value} AS saved");
        connection.query_row(&question, [], |row| Ok(json_of(row).is_some())).unwrap()
    };
    assert!(is_read("NULL") && is_read("'k7q2x'") && !is_read("x'00'") && !is_read("0.5"));
}
