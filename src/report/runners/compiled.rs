//! Runners of compiled languages: Go, Rust, Java and .NET, C and C++, Swift.

use super::super::record::Outcome::{Error, Failed};
use super::below;
use super::body;
use super::engine::{Until, runner};
use super::rule::Act;
use super::rule::Counted::{Nothing, Programs, Run, Suite};

runner!(
    GO,
    "go test",
    &["--- FAIL: ", "--- PASS: ", "ok  \t", "FAIL\t", "?   \t", "=== RUN   "],
    Until::Indent(&["panic: ", "fatal error: ", "\tpanic: "]),
    below::go,
    &[
        (Act::Fail(Failed), r"^ *--- FAIL: (?P<id>\S+) \(\d.*\)$"),
        (Act::Pass, r"^ *--- PASS: (?P<id>\S+) \(\d.*\)$"),
        (Act::Skip, r"^ *--- SKIP: (?P<id>\S+) \(\d.*\)$"),
        (Act::Begin, r"^=== (?:RUN|CONT|NAME)  +(?P<id>\S*)$"),
        (Act::Heading, r"^=== PAUSE .*$|^PASS$|^FAIL$"),
        (Act::PassGroup, r"^(?P<sure>ok  )\t\S+\t.*$|^✓  \S+ \(.*\)$"),
        (Act::Heading, r"^\?   \t\S+\t\[no test files\]$"),
        (Act::Brief(Error), r"^FAIL\t(?P<id>\S+) (?P<why>\[(?:build|setup) failed\])$"),
        // Where it stands, this line says whose the failures above are.
        (Act::End, r"^(?P<sure>FAIL)\t\S+\t\d.*$"),
        (Act::Total(Nothing), r"^DONE \d+ tests.*$"),
    ]
);

runner!(
    CARGO,
    "cargo test",
    &["test result: ", " stdout ----", " stderr ----"],
    Until::Sign,
    below::panic,
    &[
        (
            Act::Fail(Failed),
            r"^---- (?P<id>(?:(?P<file>\S+\.(?:rs|md)) - .*\(line (?P<line>\d+)\))|\S.*?) (?:stdout|stderr) ----$"
        ),
        (Act::Total(Suite(&["failed"])), r"^test result: .*$"),
        (Act::Suite, r"^ +Running (?P<id>unittests \S+) \(.*?(?P<of>[^/\\]+)-[0-9a-f]+(?:\.exe)?\)$"),
        (Act::Suite, r"^ +Running (?P<id>\S+) \(.*\)$"),
        (Act::Suite, r"^ +(?P<id>Doc-tests \S+)$"),
        (Act::Skip, r"^test (?P<id>\S.*?) \.\.\. ignored(?:, (?P<why>.*))?$"),
        (Act::Brief(Failed), r"^test (?P<id>\S.*?)(?: - should panic)? \.\.\. FAILED$"),
        (Act::Pass, r"^test (?P<id>\S.*?) \.\.\. (?:ok|bench: .*)$"),
        (Act::Planned, r"^running (?P<n>\d+) tests?$"),
        (Act::Heading, r"^failures:$|^successes:$|^all doctests ran in "),
        (Act::Repeated, r"^    (?P<id>[\w:]+(?: - should panic)?|\S+ - .*\(line \d+\))$"),
        (Act::Heading, r"^[.Fi]{2,}(?: \d+/\d+)?$"),
        (Act::Brief(Failed), r"^(?P<id>[\w:]+|\S+ - .*\(line \d+\)) --- FAILED$"),
        (
            Act::Heading,
            r"^ +(?:Compiling|Downloaded|Downloading|Checking|Finished|Locking|Updating|Adding|Fresh|Blocking) .*$"
        ),
        (Act::End, r"^error: (?:test failed|doctest failed|\d+ targets? failed)"),
    ]
);

runner!(
    NEXTEST,
    "cargo nextest",
    &["Nextest run ID", "nextest profile: ", " tests run: ", " test run: "],
    Until::Sign,
    below::nextest,
    &[
        (Act::Total(Programs(&["failed", "timed", "exec"])), r"^ *Summary \[.*\] .* tests? run: .*$"),
        (
            Act::Fail(Failed),
            r"^ +(?:TRY \d+ )?(?:FAIL|FAIL \+ LEAK|TIMEOUT|ABORT|SIG\w+) \[.*?\] +(?:\( *\d+/\d+\) +)?(?P<id>\S.*)$"
        ),
        (Act::Pass, r"^ +(?:PASS|SLOW|FLAKY|LEAK) \[.*\] .*$"),
        (Act::Skip, r"^ +SKIP \[.*?\] +(?P<id>.*)$"),
        (Act::Heading, r"^ *(?P<sure>Nextest run ID|Starting \d+ tests? across) .*|^[-─━]{4,}$"),
        (Act::Heading, r"^error: test run failed$"),
        (Act::End, r"^ *Cancell?ing due to |^error: "),
    ]
);

runner!(
    SUREFIRE,
    "surefire",
    &["Tests run: "],
    Until::Sign,
    below::java,
    &[
        (Act::Repeated, r"^(?:\[\w+\] )?Tests run: .* Time elapsed: .*<<< (?:FAILURE|ERROR)!.*$"),
        (Act::Fail(Failed), r"^(?:\[ERROR\] )?(?P<id>\S.*?)(?: +--)? +Time elapsed: .* <<< FAILURE!$"),
        (Act::Fail(Error), r"^(?:\[ERROR\] )?(?P<id>\S.*?)(?: +--)? +Time elapsed: .* <<< ERROR!$"),
        (Act::Pass, r"^(?:\[\w+\] )?Tests run: (?P<n>\d+), .* Time elapsed: .*$"),
        (
            Act::Total(Suite(&["Failures", "Errors"])),
            r"^(?:\[\w+\] )?Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+$"
        ),
        (Act::Brief(Failed), r"^\[ERROR\]   (?P<id>[\w$.]+)(?:\([^)]*\))?(?:[:> ].*|»)$"),
        (
            Act::Heading,
            r"^(?:\[\w+\] )?Running [\w.$]+$|^\[INFO\] *$|^\[ERROR\] *$|^(?:\[INFO\] )? T E S T S$|^(?:\[\w+\] )?(?:Results ?:|Failures: ?|Errors: ?|Failed tests: ?|Tests in error: ?)$|^\[INFO\] -+(?:[<\[].*[>\]]-+)?$|^-+$"
        ),
        (
            Act::Heading,
            r"^\[INFO\] (?:Scanning for projects|--- .* ---$|skip non existing|Nothing to compile|Building |Using '|Copying \d|Changes detected|Compiling \d|Recompiling|Using auto detected provider|Total time: |Finished at: |  from pom.xml)"
        ),
        (
            Act::Heading,
            r"^\[ERROR\] (?:-> \[Help 1\]|To see the full stack trace|Re-run Maven using|For more information about the errors|\[Help 1\] |Please refer to |See (?:/|dump files))"
        ),
        (Act::End, r"^\[(?:INFO|WARNING|ERROR)\] .*$"),
    ]
);

runner!(
    GRADLE,
    "gradle",
    &[" tests completed, ", " test completed, "],
    Until::Indent(&[]),
    below::gradle,
    &[
        (Act::Fail(Failed), r"^(?P<id>\S.* > \S.*) FAILED$"),
        (Act::Pass, r"^\S.* > \S.* PASSED$"),
        (Act::Skip, r"^(?P<id>\S.* > \S.*) SKIPPED$"),
        (Act::Total(Suite(&["failed"])), r"^\d+ tests? completed, .*$"),
        (Act::Heading, r"^\* (?:Try:|Get more help at .*)$"),
        (Act::Heading, r"^(?:> )?Run with --(?:stacktrace|info|debug|scan) .*$"),
    ]
);

runner!(
    DOTNET,
    "dotnet test",
    &["Error Message:", "Failed!  - Failed:", "Passed!  - Failed:", "Total tests: "],
    &[
        (Act::Fail(Failed), r"^ *(?:Failed|X) +(?P<id>[\w.]+(?:[.(]\S.*?)?)(?: \[[<\d].*\])?$"),
        (Act::Pass, r"^ *(?:Passed|√) +(?P<id>[\w.]+(?:[.(]\S.*?)?)(?: \[[<\d].*\])?$"),
        (Act::Skip, r"^ *Skipped +(?P<id>\S.*?)(?: \[.*\])?$"),
        (Act::Total(Suite(&["Failed"])), r"^(?:Failed|Passed|Skipped)! +- Failed: .*$|^Total tests: .*$"),
        (Act::Total(Suite(&["Failed"])), r"^ +(?:Passed|Failed|Skipped): \d+$"),
        (Act::Total(Nothing), r"^ *Test Run (?:Failed|Successful|Aborted)\.?$"),
        (Act::Brief(Failed), r"^\[xUnit\.net .*?\] +(?P<id>\S.*) \[FAIL\]$"),
        (Act::Repeated, r"^\[xUnit\.net .*?\] .*$"),
        (Act::Heading, r"^Microsoft \(R\) Test Execution|^Copyright \(c\) Microsoft"),
        (Act::Heading, r"^Starting test execution|^A total of \d+ test files|^Test run for "),
    ]
);

runner!(
    GTEST,
    "googletest",
    &["[==========] "],
    Until::Indent(&[]),
    below::gtest,
    &[
        (Act::Open, r"^\[ RUN      \] (?P<id>\S.*)$"),
        (Act::Pass, r"^\[       OK \] (?P<id>[^\s,]+).* \(\d+ ms\)$"),
        (Act::Fail(Failed), r"^\[  FAILED  \] (?P<id>(?P<key>[^\s,]+)(?:, where .*)?) \(\d+ ms\)$"),
        (Act::Skip, r"^\[  SKIPPED \] (?P<id>[^\s,]+).* \(\d+ ms\)$"),
        (Act::Total(Run(&[])), r"^\[==========\] \d+ tests? from .* ran\..*$"),
        (Act::Total(Run(&[])), r"^\[  PASSED  \] \d+ tests?[.,].*$"),
        (Act::Total(Run(&["test", "tests"])), r"^\[  FAILED  \] \d+ tests?[.,].*$"),
        (Act::Total(Run(&[])), r"^\[  SKIPPED \] \d+ tests?[.,].*$"),
        (Act::Brief(Failed), r"^\[  FAILED  \] (?P<id>[^\s,]+(?:, where .*)?)$"),
        (Act::Repeated, r"^\[  SKIPPED \] \S+$"),
        (Act::Heading, r"^\[==========\] .*$|^\[----------\] .*$|^ *\d+ FAILED TESTS?$"),
        (Act::Heading, r"^Running main\(\) from .*$|^Note: .*(?:shuffle|filter).*$"),
    ]
);

runner!(
    CATCH2,
    "Catch2",
    &["test cases: ", "All tests passed ("],
    Until::Sign,
    below::catch2,
    &[
        (Act::Fail(Failed), r"^(?P<id>)(?P<file>\S.*?):(?P<line>\d+): FAILED:$"),
        (Act::Total(Run(&[])), r"^test cases: +\d+.*$|^All tests passed \(.*\)$"),
        (Act::Total(Run(&["failed"])), r"^assertions: +\d+.*$"),
        (Act::Heading, r"^[-=.~]{70,}$|^\S+ is a Catch2? .*host application\.$|^Run with -\? for options$"),
        (Act::Heading, r"^Randomness seeded to: \d+$"),
    ]
);

runner!(
    CTEST,
    "ctest",
    &["% tests passed, "],
    &[
        (
            Act::Fail(Failed),
            r"^ *\d+/\d+ Test +#\d+: (?P<id>\S.*?) \.*(?P<why>(?:\*\*\*|   )(?:Failed|Timeout|Exception|Not Run|Crashed)[^.]*?) +\d+\.\d+ sec$"
        ),
        (Act::Pass, r"^ *\d+/\d+ Test +#\d+: \S.* \.* +Passed +\d+\.\d+ sec$"),
        (Act::Skip, r"^ *\d+/\d+ Test +#\d+: (?P<id>\S.*?) \.*\*\*\*Skipped .*$"),
        (Act::Total(Programs(&["test", "tests"])), r"^\d+% tests passed, .*$"),
        (Act::Brief(Failed), r"^\t *\d+ - (?P<id>\S.*?) \((?P<why>[A-Z]\w+.*)\)$"),
        (
            Act::Heading,
            r"^ *Start +\d+: .*$|^Test project .*$|^Internal ctest changing into directory: .*$|^Total Test time \(real\) = .*$|^The following tests FAILED:$|^Errors while running CTest$|^Output from these tests are in: .*$|^Use .--rerun-failed .*$"
        ),
    ]
);

runner!(
    SWIFT,
    "swift test",
    &["Test Case '", "Executed "],
    Until::Indent(&[]),
    body::read,
    &[
        (
            Act::Fail(Failed),
            r"^(?P<file>/?\S.*?\.swift):(?P<line>\d+): error: (?P<id>-?\[?[\w.]+[ .]\w+\]?) : (?P<why>.*)$"
        ),
        (Act::Pass, r"^Test Case '.*' passed \(.*\)\.?$"),
        (Act::Brief(Failed), r"^Test Case '(?P<id>.*)' failed \(.*\)\.?$"),
        (Act::Skip, r"^Test Case '(?P<id>.*)' skipped \(.*\)\.?$"),
        (Act::Total(Nothing), r"^\t Executed \d+ tests?, .*$"),
        (Act::Heading, r"^Test (?:Case|Suite) '.*' (?:started|passed|failed) ?(?:at .*)?$"),
    ]
);

runner!(
    MESON,
    "meson test",
    &["Unexpected Pass: "],
    Until::Sign,
    below::meson,
    &[
        (Act::Pass, r"^ *\d+/\d+ \S.* (?:OK|EXPECTEDFAIL) +\d+\.\d+s.*$"),
        (Act::Skip, r"^ *\d+/\d+ (?P<id>\S.*?) +SKIP +\d+\.\d+s.*$"),
        (
            Act::Fail(Failed),
            r"^ *\d+/\d+ (?P<id>\S.*?) +(?P<why>UNEXPECTEDPASS|(?:FAIL|ERROR|TIMEOUT|INTERRUPT) +\d+\.\d+s .*\S) *\d*\.?\d*s?$"
        ),
        (Act::Total(Run(&[])), r"^Ok: +\d+ *$"),
        (Act::Total(Run(&[])), r"^Expected Fail: +\d+ *$"),
        (Act::Total(Run(&["Fail"])), r"^Fail: +\d+ *$"),
        (Act::Total(Run(&["Unexpected Pass"])), r"^Unexpected Pass: +\d+ *$"),
        (Act::Total(Run(&[])), r"^Skipped: +\d+ *$"),
        (Act::Total(Run(&["Timeout"])), r"^Timeout: +\d+ *$"),
        (Act::Heading, r"^Summary of Failures:$|^\[\d+/\d+\] (?:Compiling|Linking|Generating) .*$"),
        (Act::Heading, r"^ninja: (?:no work to do\.|Entering directory .*)$"),
        // The line of the test says so, too.
        (Act::Repeated, r"^\S.* time out \(After .*\)$"),
        (Act::End, r"^Full log written to .*$"),
    ]
);
