//! `JUnit` by Maven's surefire and by gradle; dotnet's runner.

use super::super::super::record::Outcome::{Error, Failed};
use super::super::body;
use super::super::engine::{Table, Until, runner};
use super::super::rule::Act;
use super::below;

runner!(
    SUREFIRE,
    "surefire",
    &["Tests run: "],
    Table {
        rules: &[
            (Act::Repeated, r"^(?:\[\w+\] )?Tests run: .* Time elapsed: .*<<< (?:FAILURE|ERROR)!.*$"),
            (Act::Fail(Failed), r"^(?P<id>\S.* Time elapsed: .*) <<< FAILURE!$"),
            (Act::Fail(Error), r"^(?P<id>\S.* Time elapsed: .*) <<< ERROR!$"),
            (Act::Pass, r"^(?:\[\w+\] )?Tests run: (?P<n>\d+), .* Time elapsed: .*$"),
            (Act::Total, r"^(?:\[\w+\] )?Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+$"),
            (Act::Brief(Failed), r"^\[ERROR\]   (?P<id>[\w$.]+)(?:\([^)]*\))?[:> ].*$"),
            (Act::Brief(Failed), r"^\[ERROR\]   (?P<id>[\w$.]+)(?:\([^)]*\))?»$"),
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
        ],
        until: Until::Sign,
        below: below::java,
    }
);

runner!(
    GRADLE,
    "gradle",
    &[" tests completed, ", " test completed, "],
    Table {
        rules: &[
            (Act::Fail(Failed), r"^(?P<id>\S.* > \S.*) FAILED$"),
            (Act::Pass, r"^\S.* > \S.* PASSED$"),
            (Act::Skip, r"^(?P<id>\S.* > \S.*) SKIPPED$"),
            (Act::Total, r"^\d+ tests? completed, .*$"),
            (
                Act::Heading,
                r"^\* (?:Try:|Get more help at .*)$|^(?:> )?Run with --(?:stacktrace|info|debug|scan) .*$"
            ),
        ],
        until: Until::Indent(&[]),
        below: below::gradle,
    }
);

runner!(
    DOTNET,
    "dotnet test",
    &["Error Message:", "Failed!  - Failed:", "Passed!  - Failed:", "Total tests: "],
    Table {
        rules: &[
            (Act::Fail(Failed), r"^ *(?:Failed|X) +(?P<id>[\w.]+(?:[.(]\S.*?)?)(?: \[[<\d].*\])?$"),
            (Act::Pass, r"^ *(?:Passed|√) +(?P<id>[\w.]+(?:[.(]\S.*?)?)(?: \[[<\d].*\])?$"),
            (Act::Skip, r"^ *Skipped +(?P<id>\S.*?)(?: \[.*\])?$"),
            (
                Act::Total,
                r"^(?:Failed|Passed|Skipped)! +- Failed: .*$|^Total tests: .*$|^ +(?:Passed|Failed|Skipped): \d+$|^ *Test Run (?:Failed|Successful|Aborted)\.?$"
            ),
            (Act::Brief(Failed), r"^\[xUnit\.net .*?\] +(?P<id>\S.*) \[FAIL\]$"),
            (Act::Repeated, r"^\[xUnit\.net .*?\] .*$"),
            (
                Act::Heading,
                r"^Microsoft \(R\) Test Execution|^Copyright \(c\) Microsoft|^Starting test execution|^A total of \d+ test files|^Test run for "
            ),
        ],
        until: Until::Sign,
        below: body::read,
    }
);
