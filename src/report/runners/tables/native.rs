//! googletest, Catch2, ctest, `swift test`.

use super::super::super::record::Outcome::Failed;
use super::super::body;
use super::super::engine::{Table, Until, runner};
use super::super::rule::Act;
use super::below;

runner!(
    GTEST,
    "googletest",
    &["[==========] "],
    Table {
        rules: &[
            (Act::Begin, r"^\[ RUN      \] (?P<id>\S.*)$"),
            (Act::Pass, r"^\[       OK \] (?P<id>[^\s,]+) \(\d+ ms\)$"),
            (Act::Pass, r"^\[       OK \] (?P<id>\S+).* \(\d+ ms\)$"),
            (Act::Fail(Failed), r"^\[  FAILED  \] (?P<id>[^\s,]+) \(\d+ ms\)$"),
            (Act::Fail(Failed), r"^\[  FAILED  \] (?P<id>(?P<key>[^\s,]+)(?:, where .*)?) \(\d+ ms\)$"),
            (Act::Skip, r"^\[  SKIPPED \] (?P<id>[^\s,]+).* \(\d+ ms\)$"),
            (
                Act::Total,
                r"^\[==========\] \d+ tests? from .* ran\..*$|^\[  (?:PASSED|FAILED|SKIPPED) *\] \d+ tests?[.,].*$"
            ),
            (Act::Brief(Failed), r"^\[  FAILED  \] (?P<id>[^\s,]+(?:, where .*)?)$"),
            (Act::Repeated, r"^\[  SKIPPED \] \S+$"),
            (
                Act::Heading,
                r"^\[==========\] .*$|^\[----------\] .*$|^ *\d+ FAILED TESTS?$|^Running main\(\) from .*$|^Note: .*(?:shuffle|filter).*$"
            ),
        ],
        until: Until::Indent(&[]),
        below: below::gtest,
    }
);

runner!(
    CATCH2,
    "Catch2",
    &["test cases: ", "All tests passed ("],
    Table {
        rules: &[
            (Act::Fail(Failed), r"^(?P<id>)(?P<file>\S.*?):(?P<line>\d+): FAILED:$"),
            (Act::Total, r"^(?:test cases|assertions): +\d+.*$|^All tests passed \(.*\)$"),
            (
                Act::Heading,
                r"^[-=.~]{70,}$|^\S+ is a Catch2? .*host application\.$|^Run with -\? for options$|^Randomness seeded to: \d+$"
            ),
        ],
        until: Until::Sign,
        below: below::catch2,
    }
);

runner!(
    CTEST,
    "ctest",
    &["% tests passed, "],
    Table {
        rules: &[
            (
                Act::Fail(Failed),
                r"^ *\d+/\d+ Test +#\d+: (?P<id>\S.*?) \.*(?P<why>(?:\*\*\*|   )(?:Failed|Timeout|Exception|Not Run|Crashed)[^.]*?) +\d+\.\d+ sec$"
            ),
            (Act::Pass, r"^ *\d+/\d+ Test +#\d+: \S.* \.* +Passed +\d+\.\d+ sec$"),
            (Act::Skip, r"^ *\d+/\d+ Test +#\d+: (?P<id>\S.*?) \.*\*\*\*Skipped .*$"),
            (Act::Total, r"^\d+% tests passed, .*$"),
            (Act::Brief(Failed), r"^\t *\d+ - (?P<id>\S.*?) \((?P<why>[A-Z]\w+.*)\)$"),
            (
                Act::Heading,
                r"^ *Start +\d+: .*$|^Test project .*$|^Internal ctest changing into directory: .*$|^Total Test time \(real\) = .*$|^The following tests FAILED:$|^Errors while running CTest$|^Output from these tests are in: .*$|^Use .--rerun-failed .*$"
            ),
        ],
        until: Until::Sign,
        below: body::read,
    }
);

runner!(
    SWIFT,
    "swift test",
    &["Test Case '", "Executed "],
    Table {
        rules: &[
            (
                Act::Fail(Failed),
                r"^(?P<file>/?\S.*?\.swift):(?P<line>\d+): error: (?P<id>-?\[?[\w.]+[ .]\w+\]?) : (?P<why>.*)$"
            ),
            (Act::Pass, r"^Test Case '.*' passed \(.*\)\.?$"),
            (Act::Brief(Failed), r"^Test Case '(?P<id>.*)' failed \(.*\)\.?$"),
            (Act::Skip, r"^Test Case '(?P<id>.*)' skipped \(.*\)\.?$"),
            (Act::Total, r"^\t Executed \d+ tests?, .*$"),
            (Act::Heading, r"^Test (?:Case|Suite) '.*' (?:started|passed|failed) ?(?:at .*)?$"),
        ],
        until: Until::Indent(&[]),
        below: body::read,
    }
);
