//! cargo's own runner, its tests of documentation, and nextest.

use super::super::super::record::Outcome::Failed;
use super::super::engine::{Table, Until, runner};
use super::super::rule::Act;
use super::below;

runner!(
    CARGO,
    "cargo test",
    &["test result: ", " stdout ----", " stderr ----"],
    Table {
        rules: &[
            (
                Act::Fail(Failed),
                r"^---- (?P<id>(?:(?P<file>\S+\.(?:rs|md)) - .*\(line (?P<line>\d+)\))|\S.*?) (?:stdout|stderr) ----$"
            ),
            (Act::Total, r"^test result: .*$"),
            (Act::Suite, r"^ +Running (?P<id>unittests \S+) \(.*?(?P<of>[^/\\]+)-[0-9a-f]+(?:\.exe)?\)$"),
            (Act::Suite, r"^ +Running (?P<id>\S+) \(.*\)$"),
            (Act::Suite, r"^ +(?P<id>Doc-tests \S+)$"),
            (Act::Skip, r"^test (?P<id>\S.*?) \.\.\. ignored(?:, (?P<why>.*))?$"),
            (Act::Brief(Failed), r"^test (?P<id>\S.*?)(?: - should panic)? \.\.\. FAILED$"),
            (Act::Pass, r"^test (?P<id>\S.*?) \.\.\. (?:ok|bench: .*)$"),
            (Act::Heading, r"^failures:$|^running \d+ tests?$|^successes:$|^all doctests ran in "),
            (Act::Repeated, r"^    (?P<id>[\w:]+(?: - should panic)?|\S+ - .*\(line \d+\))$"),
            (Act::Heading, r"^[.Fi]{2,}(?: \d+/\d+)?$"),
            (Act::Brief(Failed), r"^(?P<id>[\w:]+|\S+ - .*\(line \d+\)) --- FAILED$"),
            (
                Act::Heading,
                r"^ +(?:Compiling|Downloaded|Downloading|Checking|Finished|Locking|Updating|Adding|Fresh|Blocking) .*$"
            ),
            (Act::End, r"^error: (?:test failed|doctest failed|\d+ targets? failed)"),
        ],
        until: Until::Sign,
        below: below::panic,
    }
);

runner!(
    NEXTEST,
    "cargo nextest",
    &["Nextest run ID", "nextest profile: ", " tests run: ", " test run: "],
    Table {
        rules: &[
            (Act::Total, r"^ *Summary \[.*\] .* tests? run: .*$"),
            (
                Act::Fail(Failed),
                r"^ +(?:TRY \d+ )?(?:FAIL|FAIL \+ LEAK|TIMEOUT|ABORT|SIG\w+) \[.*?\] +(?:\( *\d+/\d+\) +)?(?P<id>\S.*)$"
            ),
            (Act::Pass, r"^ +(?:PASS|SLOW|FLAKY|LEAK) \[.*\] .*$"),
            (Act::Skip, r"^ +SKIP \[.*?\] +(?P<id>.*)$"),
            (
                Act::Heading,
                r"^ *Nextest run ID .*|^ *Starting \d+ tests? across|^[-─━]{4,}$|^error: test run failed$"
            ),
            (Act::End, r"^ *Cancell?ing due to |^error: "),
        ],
        until: Until::Sign,
        below: below::nextest,
    }
);
