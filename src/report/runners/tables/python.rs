//! unittest, and Django's runner, which writes alike.

use super::super::super::record::Outcome::{Error, Failed};
use super::super::body;
use super::super::engine::{Table, Until, runner};
use super::super::rule::Act;

runner!(
    UNITTEST,
    "unittest",
    &["\nRan "],
    Table {
        rules: &[
            (Act::Fail(Failed), r"^FAIL: (?P<id>\S.*)$"),
            (Act::Fail(Error), r"^ERROR: (?P<id>\S.*)$"),
            (Act::Fail(Failed), r"^(?P<id>UNEXPECTED SUCCESS: \S.*)$"),
            (Act::Heading, r"^={70}$"),
            (Act::Total, r"^Ran \d+ tests? in \d.*$"),
            (Act::Total, r"^(?:OK|FAILED|NO TESTS RAN)(?: \(.*\))?$"),
            (Act::Skip, r"^(?P<id>\S+ \(\S+\))(?: \.\.\.)? skipped (?P<why>.*)$"),
            (Act::Pass, r"^\S.* \.\.\. ok$|^ok$"),
            (Act::Heading, r"^\w+ \([\w.]+\)$"),
            (Act::Repeated, r"^\S.* \.\.\. (?:FAIL|ERROR|expected failure)$|^(?:FAIL|ERROR)$"),
            (Act::Heading, r"^[.FEsxu]{2,}$"),
            (
                Act::Heading,
                r"^Found \d+ test\(s\)\.$|^System check identified no issues|^(?:Creating|Destroying) test database"
            ),
        ],
        until: Until::Sign,
        below: body::read,
    }
);
