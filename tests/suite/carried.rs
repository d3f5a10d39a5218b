//! The head of a printed table where one of its further pages begins.

use llm_toto::render::pvfn::carried::head_at;

const TABLE: &str = "total 8\nrows[5]{NAME READY=1/1 STATUS=… AGE NODE=a}, unless a row says otherwise:\n \
                     next 3 rows: STATUS=Running\n web 3d NODE=b\n api 4d\n";

#[test]
fn a_table_that_goes_on_has_its_head() {
    let head = "rows[5]{NAME READY=1/1 STATUS=… AGE NODE=a}, unless a row says otherwise, continued:\n next 1 row: \
                STATUS=Running\n";
    assert_eq!(head_at(TABLE, " db 5d"), head);
    let later = format!("{TABLE} db 5d\n");
    assert!(!head_at(&later, " log 6d").contains("next"), "the group is over");
}

#[test]
fn what_is_no_row_has_none() {
    assert_eq!(head_at(TABLE, "total 9"), "");
    assert_eq!(head_at("rows[40]:\n - a=1\n", " - a=2"), "", "a list of JSON");
    assert_eq!(head_at("a text\n with lines\n", " of its own"), "");
    let long = format!("rows[2]{{{}}}:\n a\n", "name ".repeat(200));
    assert_eq!(head_at(&long, " b"), "");
}
