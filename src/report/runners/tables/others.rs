//! phpunit (and pest's plain format), `ExUnit`, and the Test Anything Protocol.

use super::super::super::record::Outcome::{Error, Failed, Skipped};
use super::super::body;
use super::super::engine::{Table, Until, runner};
use super::super::rule::Act;
use super::below;

runner!(
    PHPUNIT,
    "phpunit",
    &["PHPUnit ", "Assertions: ", "Pest"],
    Table {
        rules: &[
            (Act::Now(Error), r"^There (?:was|were) \d+ errors?:$"),
            (Act::Now(Failed), r"^There (?:was|were) \d+ failures?:$"),
            (Act::Now(Skipped), r"^There (?:was|were) \d+ (?:skipped|incomplete) tests?:$"),
            (Act::Aside, r"^There (?:was|were) \d+ .*:$"),
            (Act::Fail(Failed), r"^\d+\) (?P<id>[\w\\]+::\S.*)$"),
            (Act::Fail(Failed), r"^ ✘ (?P<id>\S.*?)(?: \[\d.*\])?$"),
            (Act::Pass, r"^ ✔ \S.*$"),
            (Act::Fail(Failed), r"^ +FAILED +(?P<id>\S.*)$"),
            (Act::End, r"^ [↩☢∅⚠] \S.*$"),
            (
                Act::Total,
                r"^Tests: \d+, Assertions: .*$|^OK(?:, but .*)?(?: \(\d+ tests?, .*\))?!?$|^ +Tests: +\d+ .*$"
            ),
            (
                Act::Heading,
                r"^FAILURES!$|^ERRORS!$|^--$|^Time: .*, Memory: .*$|^PHPUnit \d.*$|^Runtime: .*$|^Configuration: .*$"
            ),
            (Act::Heading, r"^[.FEWRSDIN]+ +\d+ / \d+ \( *\d+%\)$|^[.FEWRSDIN]{40,}$"),
        ],
        until: Until::Sign,
        below: body::read,
    }
);

runner!(
    EXUNIT,
    "ExUnit",
    &[" tests, ", " test, "],
    Table {
        rules: &[
            (Act::Fail(Failed), r"^  \d+\) (?P<id>(?:test|doctest|property|feature) \S.* \([\w.]+\))$"),
            (Act::Total, r"^(?:\d+ doctests?, )?(?:\d+ propert(?:y|ies), )?\d+ tests?, \d+ failures?.*$"),
            (
                Act::Heading,
                r"^Finished in .*\(.* (?:async|sync).*$|^Running ExUnit with seed: .*$|^Randomized with seed \d+$"
            ),
            (Act::Heading, r"^[.*]+$"),
        ],
        until: Until::Indent(&[]),
        below: below::exunit,
    }
);

runner!(
    TAP,
    "TAP",
    &["TAP version ", "\nnot ok ", "1.."],
    Table {
        rules: &[
            (Act::Skip, r"^\s*(?:not )?ok \d+(?: -)? ?(?P<id>.*?) # (?P<why>(?i:skip|todo)\b.*)$"),
            (Act::Fail(Failed), r"^\s*not ok \d+(?: -)? ?(?P<id>.*)$"),
            (Act::PassBlock, r"^\s*ok \d+(?: -)? ?.*$"),
            (
                Act::Total,
                r"^# (?:tests|pass|fail|cancelled|skipped|todo) +\d+$|^# (?:failed \d+ of|Failed|Looks like you failed) .*$"
            ),
            (
                Act::Heading,
                r"^TAP version \d+$|^\s*# Subtest: .*$|^\s*\d+\.\.\d+$|^# (?:duration_ms|suites) .*$"
            ),
        ],
        until: Until::Indent(&[]),
        below: below::tap,
    }
);
