//! Runners of Python, JavaScript, Ruby, PHP and Elixir, and the Test Anything Protocol.

use super::super::record::Outcome::{Error, Expected, Failed, Skipped};
use super::below;
use super::body;
use super::engine::{Until, runner};
use super::rule::Act;
use super::rule::Counted::{Above, Files, Nothing, Opening, Run, Suite};

runner!(
    UNITTEST,
    "unittest",
    &["\nRan "],
    &[
        (Act::Fail(Failed), r"^FAIL: (?P<id>\S.*)$"),
        (Act::Fail(Error), r"^ERROR: (?P<id>\S.*)$"),
        (Act::Fail(Failed), r"^(?P<id>UNEXPECTED SUCCESS: \S.*)$"),
        (Act::Heading, r"^={70}$"),
        (Act::Total(Run(&[])), r"^Ran \d+ tests? in \d.*$"),
        (
            Act::Total(Run(&["failures", "errors", "unexpected successes"])),
            r"^(?:OK|FAILED|NO TESTS RAN)(?: \([a-z ]+=\d+.*\))?$"
        ),
        (Act::Skip, r"^(?P<id>\S+ \(\S+\))(?: \.\.\.)? skipped (?P<why>.*)$"),
        (Act::Pass, r"^\S.* \.\.\. ok$|^ok$"),
        (Act::Heading, r"^\w+ \([\w.]+\)$"),
        (Act::Repeated, r"^\S.* \.\.\. (?:FAIL|ERROR|expected failure)$|^(?:FAIL|ERROR)$"),
        (Act::Heading, r"^[.FEsxu]{2,}$"),
        (Act::Heading, r"^Found \d+ test\(s\)\.$|^System check identified no issues"),
        (Act::Heading, r"^(?:Creating|Destroying) test database"),
    ]
);

runner!(
    JEST,
    "jest",
    &["Test Suites: ", "\n  ● "],
    &[
        (Act::File, r"^ ?FAIL +(?P<file>\S+)(?: \(.*\))?$"),
        (Act::PassGroup, r"^ ?PASS +\S+(?: \(.*\))?$"),
        (Act::Log, r"^  ● Console$"),
        (Act::Fail(Error), r"^  ● (?P<id>Test suite failed to run)$"),
        (Act::Fail(Failed), r"^  ● (?P<id>\S.*)$"),
        (Act::Total(Files(&["failed"])), r"^Test Suites: +\d.* total$"),
        (Act::Total(Run(&["failed"])), r"^Tests: +\d.* total$"),
        (Act::Total(Run(&[])), r"^Snapshots: +\d.*$"),
        (Act::Heading, r"^Time: +\d.*$|^Ran all test suites|^Snapshot Summary$"),
        (Act::Heading, r"^Summary of all failing tests$"),
        (Act::End, r"^ › .*$|^  console\.\w+$|^A worker process has failed|^Jest did not exit"),
        (Act::Pass, r"^\s+✓ \S.*$"),
        (Act::Brief(Failed), r"^\s+✕ (?P<id>\S.*?)(?: \(\d+(?:\.\d+)? m?s\))?$"),
        (Act::Skip, r"^\s+(?:○ (?:skipped )?|✎ )(?P<id>\S.*)$"),
    ]
);

runner!(
    VITEST,
    "vitest",
    &[" Test Files  ", " FAIL  "],
    &[
        (Act::Fail(Error), r"^ FAIL +(?P<id>(?:\|.*?\| )?(?P<file>[^\[]*?) \[ .* \])$"),
        (Act::Fail(Failed), r"^ FAIL +(?P<id>(?:\|.*?\| )?(?P<file>[^>]*?) > .+)$"),
        (Act::Total(Files(&["failed"])), r"^ *Test Files  +(?:\d+|no tests).*$"),
        (Act::Total(Run(&["failed"])), r"^ *Tests  +(?:\d+|no tests).*$"),
        (Act::Total(Nothing), r"^ *(?:Snapshots|Errors|Type Errors)  +\d+.*$"),
        (Act::Listed, r"^⎯+ Failed Suites (?P<n>\d+) ⎯+$"),
        (Act::Listed, r"^⎯+ Failed Tests (?P<n>\d+) ⎯+$"),
        (Act::Heading, r"^ *(?:Start at|Duration)  .*$|^ (?:RUN|DEV)  v\d.*$|^⎯+.*$"),
        (Act::Brief(Failed), r"^\s+[×✗] (?P<id>\S.*?)(?: \(retry x\d+\))?(?: \d+m?s)?$"),
        (Act::PassGroup, r"^ ✓ \S.* \(\d+ tests?.*\).*$"),
        (Act::Pass, r"^\s+✓ \S.*$"),
        (Act::Skip, r"^\s+[↓□] (?P<id>\S.*)$"),
        (Act::Repeated, r"^ ❯ \S.* \(\d+ tests?.*\).*$|^\s+→ \S.*$"),
    ]
);

runner!(
    PLAYWRIGHT,
    "playwright",
    &[" tests using "],
    &[
        (
            Act::Fail(Failed),
            r"^  +\d+\) (?P<id>(?:\[[^\]]+\] › )?(?P<file>[^\s›]\S*?):(?P<line>\d+):(?P<col>\d+) › .+?)(?: [─━]+)?$"
        ),
        (
            Act::Total(Suite(&["failed"])),
            r"^  \d+ (?:failed|passed|skipped|flaky|interrupted|did not run)(?: \(.*\))?$"
        ),
        (Act::Repeated, r"^    (?:\[[^\]]+\] › )?\S+:\d+:\d+ › .*$"),
        (Act::Heading, r"^Running \d+ tests? using \d+ workers?.*$|^[·×±°F.T]+$"),
        (Act::Pass, r"^  +[✓✔]  *\d+ .*$|^  +ok  *\d+ .*$"),
        (Act::Repeated, r"^  +[✘xX]  *\d+ .*$"),
        (Act::Skip, r"^  +-  *\d+ (?P<id>.*)$"),
    ]
);

runner!(
    MOCHA,
    "mocha",
    &[" passing (", " failing"],
    Until::Sign,
    below::mocha,
    &[
        (Act::Total(Opening), r"^  \d+ passing(?: \(.*\))?$"),
        (Act::Total(Run(&["failing"])), r"^  \d+ failing$"),
        (Act::Total(Run(&[])), r"^  \d+ pending$"),
        (Act::Fail(Failed), r"^  (?P<nth>\d+)\) (?P<id>\S.*)$"),
        (Act::Repeated, r"^ {4,}\d+\) (?P<id>\S.*)$"),
        // tap's classic form, whose failures stand above its totals.
        (Act::Fail(Failed), r"^  not ok (?P<id>\S.*)$"),
        (Act::Heading, r"^(?P<sure>total) \.{3,} \d+/\d+$"),
        (Act::End, r"^  Skipped: \d+$"),
        (Act::Pass, r"^\s+[✔✓] \S.*$"),
        (Act::Skip, r"^ {4,}- (?P<id>\S.*)$"),
        (Act::Heading, r"^  [․.!,]+$"),
    ]
);

runner!(
    NODE,
    "node --test",
    &["ℹ tests ", "# tests "],
    Until::Indent(&[]),
    body::read,
    &[
        (Act::Fail(Failed), r"^\s*✖ (?P<id>\S.*?) \(\d[\d.]*m?s\)(?: # .*)?$"),
        (Act::Pass, r"^\s*✔ \S.* \(\d[\d.]*m?s\)(?: # .*)?$"),
        (Act::Skip, r"^\s*﹣ (?P<id>\S.*?) \(\d[\d.]*m?s\)(?: # (?P<why>SKIP.*))?$"),
        (Act::Heading, r"^\s*▶ .*$|^✖ failing tests:$|^ℹ duration_ms .*$|^ℹ suites \d+$"),
        (Act::Total(Nothing), r"^ℹ (?:tests|pass|fail|cancelled|skipped|todo) \d+$"),
        (Act::File, r"^test at (?P<file>.+?):(?P<line>\d+):(?P<col>\d+)$"),
    ]
);

runner!(
    RSPEC,
    "rspec",
    &[" examples, ", " example, "],
    &[
        (Act::Now(Skipped), r"^Pending: .*$"),
        (Act::Now(Failed), r"^Failures:$"),
        (Act::Fail(Failed), r"^  (?P<nth>\d+)\) (?P<id>\S.*)$"),
        (Act::Fail(Error), r"^(?P<id>An error occurred while loading (?P<file>\S+?)\.)$"),
        (Act::Total(Run(&["failure", "failures", "error", "errors"])), r"^\d+ examples?, .*$"),
        (Act::Brief(Failed), r"^rspec '?(?P<file>[^\s\[]+?)(?::(?P<line>\d+)|\[[\d:]+\])'? # (?P<id>\S.*)$"),
        (Act::Heading, r"^Finished in .*$|^Failed examples:$|^Randomized with seed \d+$|^Run options: .*$"),
        (Act::Repeated, r"^\s+.* \(FAILED - \d+\)$|^\s+.* \(PENDING: .*\)$"),
        (Act::Heading, r"^[.F*]{1,}$"),
    ]
);

runner!(
    MINITEST,
    "minitest",
    &[" runs, ", " assertions, "],
    Until::Sign,
    below::minitest,
    &[
        (Act::Fail(Failed), r"^ *(?P<nth>\d+)\) (?P<id>Failure):$"),
        (Act::Fail(Error), r"^ *(?P<nth>\d+)\) (?P<id>Error):$"),
        (Act::Fail(Skipped), r"^ *(?P<nth>\d+)\) (?P<id>Skipped):$"),
        (Act::Total(Run(&["failures", "errors"])), r"^\d+ (?:runs|tests), \d+ assertions, .*$"),
        (Act::Heading, r"^Run options: .*$|^# Running:$|^Finished in .*$|^You have skipped tests\..*$"),
        (Act::Heading, r"^[.FESR]+$"),
        (Act::Pass, r"^\S+#\S+ = \d+\.\d+ s = \.$"),
        (Act::Repeated, r"^\S+#\S+ = \d+\.\d+ s = [FES]$"),
    ]
);

runner!(
    PHPUNIT,
    "phpunit",
    &["PHPUnit ", "Assertions: ", "Pest"],
    &[
        (Act::Now(Error), r"^There (?:was|were) \d+ errors?:$"),
        (Act::Now(Failed), r"^There (?:was|were) \d+ failures?:$"),
        (Act::Now(Skipped), r"^There (?:was|were) \d+ (?:skipped|incomplete) tests?:$"),
        (Act::Aside, r"^There (?:was|were) \d+ .*:$"),
        (Act::Fail(Failed), r"^(?P<nth>\d+)\) (?P<id>[\w\\]+::\S.*)$"),
        (Act::Fail(Failed), r"^ ✘ (?P<id>\S.*?)(?: \[\d.*\])?$"),
        (Act::Pass, r"^ ✔ \S.*$"),
        (Act::Fail(Failed), r"^ +FAILED +(?P<id>\S.*)$"),
        (Act::End, r"^ [↩☢∅⚠] \S.*$"),
        (
            Act::Total(Run(&["Failures", "Errors"])),
            r"^Tests: \d+, Assertions: .*$|^OK(?:, but .*)?(?: \(\d+ tests?, .*\))?!?$"
        ),
        (Act::Total(Run(&["failed"])), r"^ +Tests: +\d+ .*$"),
        (Act::Heading, r"^FAILURES!$|^ERRORS!$|^--$|^Time: .*, Memory: .*$|^PHPUnit \d.*$|^Runtime: .*$"),
        (Act::Heading, r"^Configuration: .*$"),
        (Act::Heading, r"^[.FEWRSDIN]+ +\d+ / \d+ \( *\d+%\)$|^[.FEWRSDIN]{40,}$"),
    ]
);

runner!(
    BEHAVE,
    "behave",
    &["scenario passed, ", "scenarios passed, "],
    Until::Sign,
    below::behave,
    &[
        (Act::PassBlock, r"^(?:Feature| +Scenario(?: Outline)?): .*? +# (?P<key>\S+:\d+)$"),
        (Act::Now(Failed), r"^Failing scenarios:$"),
        (Act::Now(Error), r"^Errored scenarios:$"),
        (Act::Fail(Failed), r"^  (?P<id>(?P<key>\S+\.feature:\d+)  \S.*)$"),
        (Act::Total(Nothing), r"^\d+ features? passed, .*$"),
        (Act::Total(Run(&["failed", "error"])), r"^\d+ scenarios? passed, .*$"),
        (Act::Total(Nothing), r"^\d+ steps? passed, .*$"),
        (Act::Heading, r"^Took \d+.*$|^USING RUNNER: .*$"),
    ]
);

runner!(
    ROBOT,
    "robot",
    &["| FAIL |", "| PASS |"],
    Until::Sign,
    below::robot,
    &[
        (Act::Fail(Failed), r"^(?P<id>[^|\s].*?)?(?: +|^)\| FAIL \|$"),
        (Act::Fail(Skipped), r"^(?P<id>[^|\s].*?) +\| SKIP \|$"),
        (Act::Pass, r"^(?:[^|\s].* +)?\| PASS \|$"),
        (Act::Total(Above), r"^\d+ tests?, \d+ passed, \d+ failed(?:, \d+ skipped)?$"),
        (Act::Heading, r"^={40,}$|^-{40,}$"),
    ]
);

runner!(
    BUSTED,
    "busted",
    &[" / 0 failures / ", " failures / ", " failure / "],
    Until::Sign,
    below::busted,
    &[
        (Act::Fail(Failed), r"^Failure (?:->|→) (?P<file>\S+) @ (?P<line>\d+)$"),
        (Act::Fail(Error), r"^Error (?:->|→) (?P<file>\S+) @ (?P<line>\d+)$"),
        (Act::Fail(Skipped), r"^Pending (?:->|→) (?P<file>\S+) @ (?P<line>\d+)$"),
        (
            Act::Total(Run(&["failure", "failures", "error", "errors"])),
            r"^\d+ success(?:es)? / \d+ failures? / \d+ errors? / \d+ pending : .*$"
        ),
        (Act::Heading, r"^[-+*.●◼✱◌]+$"),
    ]
);

runner!(
    EXUNIT,
    "ExUnit",
    &[" tests, ", " test, "],
    Until::Indent(&[]),
    below::exunit,
    &[
        (Act::Fail(Failed), r"^  (?P<nth>\d+)\) (?P<id>(?:test|doctest|property|feature) \S.* \([\w.]+\))$"),
        (
            Act::Total(Run(&["failure", "failures"])),
            r"^(?:\d+ doctests?, )?(?:\d+ propert(?:y|ies), )?\d+ tests?, \d+ failures?.*$"
        ),
        (Act::Heading, r"^Finished in .*\(.* (?:async|sync).*$|^Running ExUnit with seed: .*$"),
        (Act::Heading, r"^Randomized with seed \d+$"),
        (Act::Heading, r"^[.*]+$"),
    ]
);

runner!(
    PROVE,
    "prove",
    &["\nResult: FAIL", "\nResult: PASS", "\nResult: NOTESTS"],
    Until::Sign,
    below::prove,
    &[
        (Act::Fail(Failed), r"^ *#   Failed test '(?P<id>.*)'$"),
        // What is not done yet may fail: TAP's directive, in parentheses where Test::More explains the failure.
        (Act::Fail(Expected), r"^ *#   Failed \((?i:todo)\) test '(?P<id>.*)'$"),
        (Act::Brief(Expected), r"^ *not ok \d+(?: -)? ?(?P<id>.*?) # (?i:todo)\b.*$"),
        (Act::Brief(Failed), r"^ *not ok \d+(?: -)? ?(?P<id>.*)$"),
        (Act::Pass, r"^ *ok \d+.*$"),
        (Act::PassGroup, r"^\S+ \.\.+ ok$"),
        (Act::Skip, r"^(?P<id>\S+) \.\.+ skipped: (?P<why>.*)$"),
        (Act::Total(Nothing), r"^Files=\d+, Tests=\d+,.*$|^Result: (?:FAIL|PASS|NOTESTS)$"),
        // The summary at the end says so, too.
        (Act::Repeated, r"^\S+ \.\.+$|^Dubious, test returned .*$|^Failed \d+/\d+ subtests$"),
        (Act::Repeated, r"^All \d+ subtests passed$|^ *# Looks like you (?:failed|planned) .*$"),
        (Act::Heading, r"^Test Summary Report$|^-+$|^ *\d+\.\.\d+$|^All tests successful\.$"),
        (Act::End, r"^ *[^ #].*$|^# Tests were run but .*$|^# Looks like your test .*$"),
    ]
);

// vitest's: suites have braces.
runner!(
    TAP_OF_VITEST,
    "vitest tap",
    &["s {\n    1.."],
    Until::Sign,
    below::tap,
    &[
        (Act::Heading, r"^\s*(?:not )?ok \d+ - .* # time=\S+ (?P<sure>\{)$"),
        (Act::Skip, r"^\s*ok \d+ - (?P<id>.*?) # (?P<why>(?i:skip|todo)\b.*)$"),
        (Act::Pass, r"^\s*ok \d+ - .* # time=\S+$"),
        (Act::Fail(Failed), r"^\s*not ok \d+ - (?P<id>.*) # time=\S+$"),
        (Act::Heading, r"^TAP version \d+$|^\s*\d+\.\.\d+$|^\s*\}$"),
    ]
);

// A test is a `# Subtest:` in a file's; its `ok` behind its assertions has the time, and so has the file's own.
runner!(
    TAP_OF_NODE,
    "tap",
    &[" # time="],
    Until::Indent(&[]),
    below::tap,
    &[
        (Act::PassBlock, r"^\s*not ok \d+ - (?P<key>.*) # time=\S+$"),
        (Act::Pass, r"^    ok \d+ - .* # time=\S+$"),
        (Act::PassGroup, r"^ok \d+ - .* # time=\S+$"),
        (Act::Repeated, r"^ {8,}ok \d+ - .*$"),
        (Act::Skip, r"^\s*(?:not )?ok \d+ - (?P<id>.*?) # (?P<why>(?i:skip|todo)\b.*)$"),
        (Act::Fail(Failed), r"^\s*not ok \d+ - (?P<id>.*)$"),
        (Act::Total(Nothing), r"^    # failed \d+ (?:of \d+ )?tests?$"),
        (Act::Repeated, r"^(?: {8,})?# failed \d+ (?:of \d+ )?tests?$|^ *# (?:skip|todo): \d+$"),
        (Act::Heading, r"^TAP version \d+$|^\s*# Subtest: .*$|^\s*\d+\.\.\d+$|^ *# time=\S+$"),
    ]
);

runner!(
    TAP,
    "TAP",
    &["TAP version ", "\nnot ok ", "1.."],
    Until::Indent(&[]),
    below::tap,
    &[
        (Act::Skip, r"^\s*(?:not )?ok \d+(?: -)? ?(?P<id>.*?) # (?P<why>(?i:skip|todo)\b.*)$"),
        (Act::Fail(Failed), r"^\s*not ok \d+(?: -)? ?(?P<id>.*)$"),
        (Act::PassBlock, r"^\s*ok \d+(?: -)? ?.*$"),
        (Act::Total(Nothing), r"^# (?:tests|pass|fail|cancelled|skipped|todo) +\d+$"),
        (Act::Total(Nothing), r"^# (?:failed \d+ of|Failed|Looks like you failed) .*$"),
        (Act::Heading, r"^TAP version \d+$|^\s*# Subtest: .*$|^\s*\d+\.\.\d+$|^# (?:duration_ms|suites) .*$"),
    ]
);
