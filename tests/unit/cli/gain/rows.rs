use crate::cli::gain::query::Query;
use crate::cli::gain::rows::*;
use crate::ledger::sums::Scope;
use crate::ledger::sums::Sums;

#[test]
fn a_line_for_each_group() {
    let sums = Sums { runs: 2, without: 100, given: 30, receipt: 10, ..Sums::default() };
    let query = Query { scope: Scope::default(), price: 3.0, top: None };
    let text = csv("tool", &[("a,\"b".into(), sums)], &query);
    assert_eq!(
        text,
        "tool,runs,failed,bytes,given_bytes,tokens,without,given,receipt,tool_us,own_us,again,saved,percent,dollars\n\
         \"a,\"\"b\",2,0,0,0,0,100,30,10,0,0,0,60,60.0,0.00018\n"
    );
}
