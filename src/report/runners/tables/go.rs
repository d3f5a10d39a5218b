//! `go test`, with or without `-v`, and gotestsum, which hands the same lines on.

use super::super::super::record::Outcome::{Error, Failed};
use super::super::engine::{Table, Until, runner};
use super::super::rule::Act;
use super::below;

runner!(
    GO,
    "go test",
    &["--- FAIL: ", "--- PASS: ", "ok  \t", "FAIL\t", "?   \t", "=== RUN   "],
    Table {
        rules: &[
            (Act::Fail(Failed), r"^ *--- FAIL: (?P<id>\S+) \(\d.*\)$"),
            (Act::Pass, r"^ *--- PASS: (?P<id>\S+) \(\d.*\)$"),
            (Act::Skip, r"^ *--- SKIP: (?P<id>\S+) \(\d.*\)$"),
            (Act::Begin, r"^=== (?:RUN|CONT|NAME)  +(?P<id>\S*)$"),
            (Act::Heading, r"^=== PAUSE .*$|^PASS$|^FAIL$"),
            (Act::PassGroup, r"^(?P<sure>ok  )\t\S+\t.*$|^✓  \S+ \(.*\)$"),
            (Act::Heading, r"^\?   \t\S+\t\[no test files\]$"),
            (Act::Brief(Error), r"^FAIL\t(?P<id>\S+) (?P<why>\[(?:build|setup) failed\])$"),
            // Where it stands, this line says whose the failures above are.
            (Act::Sum, r"^FAIL\t\S+\t\d.*$"),
            (Act::Total, r"^DONE \d+ tests.*$"),
        ],
        until: Until::Indent(&["panic: ", "fatal error: ", "\tpanic: "]),
        below: below::go,
    }
);
