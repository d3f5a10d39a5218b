//! jest, vitest, mocha, node's own runner, playwright.

use super::super::super::record::Outcome::{Error, Failed};
use super::super::body;
use super::super::engine::{Table, Until, runner};
use super::super::rule::Act;
use super::below;

runner!(
    JEST,
    "jest",
    &["Test Suites: ", "\n  ● "],
    Table {
        rules: &[
            (Act::File, r"^ ?FAIL +(?P<file>\S+)(?: \(.*\))?$"),
            (Act::PassGroup, r"^ ?PASS +\S+(?: \(.*\))?$"),
            (Act::Log, r"^  ● Console$"),
            (Act::Fail(Error), r"^  ● (?P<id>Test suite failed to run)$"),
            (Act::Fail(Failed), r"^  ● (?P<id>\S.*)$"),
            (Act::Total, r"^(?:Test Suites|Tests|Snapshots): +\d.*$"),
            (
                Act::Heading,
                r"^Time: +\d.*$|^Ran all test suites|^Snapshot Summary$|^Summary of all failing tests$"
            ),
            (Act::End, r"^ › .*$|^  console\.\w+$|^A worker process has failed|^Jest did not exit"),
            (Act::Pass, r"^\s+✓ \S.*$"),
            (Act::Brief(Failed), r"^\s+✕ (?P<id>\S.*?)(?: \(\d+(?:\.\d+)? m?s\))?$"),
            (Act::Skip, r"^\s+(?:○ (?:skipped )?|✎ )(?P<id>\S.*)$"),
        ],
        until: Until::Sign,
        below: body::read,
    }
);

runner!(
    VITEST,
    "vitest",
    &[" Test Files  ", " FAIL  "],
    Table {
        rules: &[
            (Act::Fail(Error), r"^ FAIL +(?P<id>(?:\|.*?\| )?(?P<file>[^\[]*?) \[ .* \])$"),
            (Act::Fail(Failed), r"^ FAIL +(?P<id>(?:\|.*?\| )?(?P<file>[^>]*?) > .+)$"),
            (Act::Total, r"^ *(?:Test Files|Tests|Snapshots|Errors|Type Errors)  +(?:\d+|no tests).*$"),
            (Act::Heading, r"^ *(?:Start at|Duration)  .*$|^ (?:RUN|DEV)  v\d.*$|^⎯+.*$"),
            (Act::Brief(Failed), r"^\s+[×✗] (?P<id>\S.*?)(?: \(retry x\d+\))?(?: \d+m?s)?$"),
            (Act::PassGroup, r"^ ✓ \S.* \(\d+ tests?.*\).*$"),
            (Act::Pass, r"^\s+✓ \S.*$"),
            (Act::Skip, r"^\s+[↓□] (?P<id>\S.*)$"),
            (Act::Repeated, r"^ ❯ \S.* \(\d+ tests?.*\).*$|^\s+→ \S.*$"),
        ],
        until: Until::Sign,
        below: body::read,
    }
);

runner!(
    PLAYWRIGHT,
    "playwright",
    &[" tests using "],
    Table {
        rules: &[
            (
                Act::Fail(Failed),
                r"^  +\d+\) (?P<id>(?:\[[^\]]+\] › )?(?P<file>[^\s›]\S*?):(?P<line>\d+):(?P<col>\d+) › .+?)(?: [─━]+)?$"
            ),
            (Act::Total, r"^  \d+ (?:failed|passed|skipped|flaky|interrupted|did not run)(?: \(.*\))?$"),
            (Act::Repeated, r"^    (?:\[[^\]]+\] › )?\S+:\d+:\d+ › .*$"),
            (Act::Heading, r"^Running \d+ tests? using \d+ workers?.*$|^[·×±°F.T]+$"),
            (Act::Pass, r"^  +[✓✔]  *\d+ .*$|^  +ok  *\d+ .*$"),
            (Act::Repeated, r"^  +[✘xX]  *\d+ .*$"),
            (Act::Skip, r"^  +-  *\d+ (?P<id>.*)$"),
        ],
        until: Until::Sign,
        below: body::read,
    }
);

runner!(
    MOCHA,
    "mocha",
    &[" passing (", " failing"],
    Table {
        rules: &[
            (Act::Total, r"^  \d+ passing(?: \(.*\))?$|^  \d+ (?:failing|pending)$"),
            (Act::Fail(Failed), r"^  \d+\) (?P<id>\S.*)$"),
            (Act::Repeated, r"^ {4,}\d+\) (?P<id>\S.*)$"),
            (Act::Pass, r"^\s+[✔✓] \S.*$"),
            (Act::Skip, r"^ {4,}- (?P<id>\S.*)$"),
            (Act::Heading, r"^  [․.!,]+$"),
        ],
        until: Until::Sign,
        below: below::mocha,
    }
);

runner!(
    NODE,
    "node --test",
    &["ℹ tests ", "# tests "],
    Table {
        rules: &[
            (Act::Fail(Failed), r"^\s*✖ (?P<id>\S.*?) \(\d[\d.]*m?s\)(?: # .*)?$"),
            (Act::Pass, r"^\s*✔ \S.* \(\d[\d.]*m?s\)(?: # .*)?$"),
            (Act::Skip, r"^\s*﹣ (?P<id>\S.*?) \(\d[\d.]*m?s\)(?: # (?P<why>SKIP.*))?$"),
            (Act::Heading, r"^\s*▶ .*$|^✖ failing tests:$|^ℹ duration_ms .*$|^ℹ suites \d+$"),
            (Act::Total, r"^ℹ (?:tests|pass|fail|cancelled|skipped|todo) \d+$"),
            (Act::File, r"^test at (?P<file>.+?):(?P<line>\d+):(?P<col>\d+)$"),
        ],
        until: Until::Indent(&[]),
        below: body::read,
    }
);
