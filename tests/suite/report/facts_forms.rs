//! The forms in which runners write failures, as regular expressions: the table of the reader in `facts.rs`.

use super::Spec;

/// Matches nothing.
const NEVER: &str = r"^\x00$";

/// A form that has nothing but its failures.
const BASE: Spec = Spec {
    family: "",
    head: NEVER,
    end: NEVER,
    place: NEVER,
    above: false,
    last: false,
    why: NEVER,
    total: NEVER,
    only: "",
    failed: "",
};

pub const SPECS: &[Spec] = &[
    Spec {
        family: "pytest",
        head: r"^_+ (?:ERROR at \w+ of |ERROR collecting )?(?:\w+\.)*([\w/][^ ].*?) _+$",
        end: r"^=+ .* =+$|^-+ Captured",
        place: r"^(\S+\.py):(\d+): ?(?:\w*|in .*)$",
        last: true,
        why: r"^E +(\S.*)$",
        total: r"^(?:=* ?|!+ )(\d+ (?:failed|passed|errors?|skipped)\b.* in \d+\.\d+s|[\w: ]+(?: failures| collection))",
        failed: r"^(?:=+ )?(?:.* )?(\d+) failed\b.* in \d",
        ..BASE
    },
    Spec { family: "pytest", head: r"^(?:FAILED|ERROR) \S+\.py::(\w+(?:::\w+)*)", end: r".*", ..BASE },
    Spec {
        family: "unittest",
        head: r"^(?:FAIL|ERROR): (\S.*)$",
        end: r"^={70}$|^Ran ",
        place: r#"^  File "(.+)", line (\d+)"#,
        last: true,
        why: r"^([A-Z]\w*(?:Error|Exception): .*)$",
        total: r"^((?:Ran \d+ tests? in|FAILED|OK).*)$",
        failed: r"(?:\(|, )(?:failures|errors)=(\d+)",
        ..BASE
    },
    Spec {
        family: "cargo",
        head: r"^---- (\S+(?: - should panic)?) (?:stdout|stderr) ----$",
        end: r"^failures:$",
        place: r" panicked at (\S+?):(\d+):\d+:$",
        why: r"^(assertion.*|called .*|Error: .*|note: test did not.*)$",
        total: r"^(test result: .*)$",
        failed: r"^test result: .*; (\d+) failed;",
        ..BASE
    },
    // A documentation test is named by its place; the place of its panic is counted within the test.
    Spec {
        family: "cargo",
        head: r"^---- (\S+ - .*) (?:stdout|stderr) ----$",
        end: r"^failures:$",
        why: r"^(assertion.*|called .*|Error: .*|note: test did not.*)$",
        ..BASE
    },
    Spec {
        family: "go",
        head: r"^ *--- FAIL: (\S+) ",
        end: r"^FAIL\t|^ok  \t|^=== |^ *--- ",
        place: r"^ +(\w+\.go):(\d+): ",
        why: r"^ +\w+\.go:\d+: (.*)$",
        total: r"^(FAIL\t.*s)$",
        ..BASE
    },
    Spec {
        family: "jest",
        head: r"^  ● (.* › .*|Test suite failed to run)$",
        end: r"^(?:FAIL|PASS|Test Suites:|Snapshot Summary)",
        place: r"^ +at .*?\(?([\w./-]+):(\d+):\d+\)?$",
        why: r"^    (\S.*)$",
        total: r"^((?:Tests|Test Suites): .*)$",
        ..BASE
    },
    Spec {
        family: "vitest",
        head: r"^ FAIL  (?:.* > )?(.+?)(?: \[ .* \])?$",
        end: r"^⎯",
        place: r"^ ❯ .*?([\w./-]+):(\d+):\d+$",
        why: r"^(\w*Error: .*)$",
        total: r"^ +((?:Snapshots|Tests|Test Files)  \d.*)$",
        ..BASE
    },
    Spec {
        family: "mocha",
        head: r"^ {7,}(\S.*):$",
        end: r"^  \d+\) ",
        place: r"^ +at .*\((\S+?):(\d+):\d+\)$",
        why: r"^ {5,}(\w*Error.*)$",
        total: r"^  (\d+ (?:passing|failing).*)$",
        failed: r"^  (\d+) failing$",
        ..BASE
    },
    Spec {
        family: "node",
        head: r"^\s*✖ (\S.*?) \(\d[\d.]*ms\)$",
        end: r"^\s*[✔▶﹣ℹ]|^test at",
        place: r"^ +at .*\((\S+?):(\d+):\d+\)$",
        why: r"^\s+(\w*Error.*)$",
        total: r"^((?:ℹ|#) (?:tests|pass|fail|cancelled|skipped) \d+)$",
        ..BASE
    },
    Spec {
        family: "node",
        head: r"^\s*not ok \d+ - (.*)$",
        end: r"^\s*(?:ok |# |1\.\.)",
        place: r"location: '(.+?):(\d+):\d+'",
        why: r"^\s+error: '(.*)'$",
        ..BASE
    },
    Spec {
        family: "playwright",
        head: r"^  +\d+\) (.*?)(?: ─+)?$",
        end: r"^  \d+ (?:failed|passed)",
        place: r"^ +at (\S+):(\d+):\d+$",
        why: r"^ +(Error: .*)$",
        total: r"^  (\d+ (?:failed|passed|skipped).*)$",
        failed: r"^  (\d+) failed",
        ..BASE
    },
    Spec {
        family: "rspec",
        head: r"^  \d+\) (\S.*)$",
        end: r"^Finished|^Failures:|^rspec ",
        place: r"^ +# (\S+\.rb):(\d+)",
        why: r"^ +(expected: .*|\w+Error:)$",
        total: r"^(\d+ examples?, .*)$",
        failed: r"^\d+ examples?, (\d+) failures?",
        ..BASE
    },
    Spec {
        family: "minitest",
        head: r"^(\w+#\w+)(?: \[.*\])?:$",
        end: r"^ +\d+\) |^\d+ runs",
        place: r" \[(.+):(\d+)\]:$|^ +(\S+\.rb):(\d+):in",
        why: r"^(Expected.*|\w+Error: .*)$",
        total: r"^(\d+ runs, .*)$",
        failed: r"(\d+) (?:failures|errors)",
        ..BASE
    },
    Spec {
        family: "test-unit",
        head: r"^(?:Failure|Error): (\S+\(\w+\)):?$",
        end: r"^={79}$",
        place: r"^(unit_test\.rb):(\d+):in",
        why: r"^ *(<.*> expected but was|one is not two|NoMethodError: .*)$",
        total: r"^(\d+ tests, .*)$",
        failed: r"(\d+) (?:failures|errors)",
        ..BASE
    },
    Spec {
        family: "phpunit",
        head: r"^\d+\) (\S+::test(?:[^R]|R[^i]).*)$",
        end: r"^There|^--$|^FAILURES",
        place: r"^(/.*\.php):(\d+)$",
        why: r"^(Failed asserting.*|\w+Exception: .*)$",
        total: r"^(Tests: \d.*|OK.*)$",
        failed: r"(?:Errors|Failures): (\d+)",
        ..BASE
    },
    Spec {
        family: "prove",
        head: r"^ *#   Failed test '(.*)'$",
        end: r"^[^#]*$",
        place: r"^ *#   at (\S+) line (\d+)\.$",
        why: r"^ *# +(got: .*|doesn't match .*|Structures begin .*)$",
        total: r"^(Result: .*|Files=.*)$",
        ..BASE
    },
    Spec {
        family: "tap",
        head: r"^ {8}not ok \d+ - ([^#]*)$",
        end: r"^ *\.\.\.$",
        place: r"^ +Test\.<anonymous> \((\S+):(\d+):\d+\)$",
        why: r"^ *([-+]4|[-+]3|[-+] +\S+,)$",
        total: r"^    (# failed \d+ of \d+ tests)$",
        failed: r"# failed (\d+) of",
        ..BASE
    },
    Spec {
        family: "tap",
        head: r"^not ok \d+ ([^-].*)$",
        end: r"^  \.\.\.$",
        place: r"^    at: .*\((\S+):(\d+):\d+\)$",
        why: r"^    ((?:expected|actual): +\w+|  \{ names: .*)$",
        total: r"^(# (?:tests|pass|fail) +\d+)$",
        failed: r"^# fail  (\d+)$",
        ..BASE
    },
    // vitest's, whose suites end in a brace.
    Spec {
        family: "tap",
        head: r"^ {8}not ok \d+ - (.*) # time=\S+$",
        end: r"^ +\.\.\.$",
        place: r#"^ +at: "(\S+):(\d+):\d+"$"#,
        why: r"^ +(message: .*)$",
        ..BASE
    },
    Spec {
        family: "mocha",
        head: r"^  not ok (.*)$",
        end: r"^  \S",
        place: r"^ +Test\.<anonymous> \((\S+):(\d+):\d+\)$",
        why: r"^    ([-+] +\S+,|[-+]\d)$",
        ..BASE
    },
    Spec {
        family: "meson",
        head: r"^ *\d+/\d+ (\S.*?) +(?:FAIL|TIMEOUT|UNEXPECTEDPASS) ",
        end: r"^\s*$",
        why: r"^(t_area.*|fine)$",
        total: r"^((?:Ok|Expected Fail|Fail|Unexpected Pass|Skipped|Timeout): +\d+)",
        ..BASE
    },
    Spec {
        family: "gtest",
        head: r"^\[  FAILED  \] ([^\s,]+).* \(\d+ ms\)$",
        end: r".*",
        total: r"^(\[  (?:PASSED|FAILED)  \] \d+ tests?.*|\[==========\] .* ran\..*)$",
        failed: r"^ (\d+) FAILED TESTS?",
        ..BASE
    },
    Spec {
        family: "gtest",
        head: r"^\[ RUN      \] (\S+)$",
        end: r"^\[  ",
        place: r"^(\S+):(\d+): Failure$",
        why: r"^( +Actual: .*)$",
        only: "[  FAILED  ] {}",
        ..BASE
    },
    Spec {
        family: "ctest",
        head: r"^ *\d+/\d+ Test +#\d+: (\S+) \.*\*\*\*",
        end: r".*",
        total: r"^(\d+% tests passed, .*)$",
        ..BASE
    },
    Spec {
        family: "catch2",
        head: r"^(\w+)$",
        end: r"^={70,}$",
        place: r"^(\S+):(\d+): FAILED:$",
        why: r"^  (\S.*)$",
        total: r"^((?:test cases|assertions): .*|All tests passed.*)$",
        ..BASE
    },
    Spec {
        family: "doctest",
        head: r"^(?:TEST CASE: | +Scenario:) +(\S.*)$",
        end: r"^={70,}$",
        place: r"^(\S+?):(\d+): (?:FATAL )?ERROR: ",
        why: r"^(?:\S+:\d+: ((?:FATAL )?ERROR: .*)|  (values: .*|logged: .*))$",
        total: r"^(\[doctest\] (?:test cases|assertions): .*)$",
        ..BASE
    },
    Spec {
        family: "exunit",
        head: r"^ {0,2}\d+\) (test .*)$",
        end: r"^Finished",
        place: r"^       (?:\(shop [\d.]+\) )?(\S+\.exs?):(\d+): ",
        why: r"^     (\*\* .*|left: .*)$",
        total: r"^(\d+ tests?, .*)$",
        failed: r"(\d+) failures?",
        ..BASE
    },
    Spec {
        family: "surefire",
        head: r"^\[ERROR\] (\w+)\(.*<<< (?:FAILURE|ERROR)!$",
        end: r"^\[",
        place: r"^\tat [\w.]+\((\w+\.java):(\d+)\)$",
        why: r"^([\w.]+(?:Error|Exception): .*)$",
        total: r"^(\[\w+\] Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+)$",
        ..BASE
    },
    Spec {
        family: "cargo",
        head: r"^thread '(tests::\w+|api_\w+)'.* panicked at \S+:$",
        end: r".*",
        place: r" panicked at (\S+?):(\d+):\d+:$",
        ..BASE
    },
    Spec {
        family: "go",
        head: r"^=== RUN   (\S+)$",
        end: r"^=== |^ *--- ",
        place: r"^ +(\w+\.go):(\d+): ",
        only: "--- FAIL: {} ",
        ..BASE
    },
    Spec {
        family: "ctest",
        head: r"^\[ RUN      \] (\S+)$",
        end: r"^\[  ",
        place: r"^(\S+):(\d+): Failure$",
        why: r"^( +Actual: .*)$",
        total: r"^(\[  (?:PASSED|FAILED)  \] \d+ tests?.*|\[==========\] .* ran\..*)$",
        only: "[  FAILED  ] {}",
        ..BASE
    },
    Spec {
        family: "nextest",
        head: r"^ +FAIL \[.*\] (\S.*)$",
        end: r"^ +PASS",
        place: r" panicked at (\S+?):(\d+):\d+:$",
        why: r"^(assertion.*)$",
        total: r"^ *(Summary .*)$",
        ..BASE
    },
    Spec {
        family: "gradle",
        head: r"^(\S.* > .*) FAILED$",
        end: r"^\d+ tests? completed",
        place: r"at (?:[\w./]+\.failingTest\(|app//org\.opensearch\.[\w.]+\()?(\w+\.java):(\d+)\)?$",
        why: r"^    (\S+Error\b.*)$",
        total: r"^(\d+ tests? completed, .*)$",
        failed: r"(\d+) failed",
        ..BASE
    },
    Spec {
        family: "dotnet",
        head: r"^ *Failed +([A-Z]\S*)",
        end: r"^ *(?:Passed|Skipped) |^ *Test Run",
        place: r" in (\S+):line (\d+)$",
        why: r"^ *(Assert\..*)$",
        total: r"^ *(Total tests: .*|Failed: \d+|Passed: \d+|Test Run Failed.*)$",
        failed: r"^ +Failed: (\d+)",
        ..BASE
    },
    Spec {
        family: "swift",
        head: r"^\S+\.swift:\d+: error: (\S+) : ",
        end: r".*",
        place: r"^(\S+\.swift):(\d+): error",
        why: r"^$",
        total: r"^\t (Executed .*)$",
        ..BASE
    },
    // A scenario is told by its first line, and by a list of those that failed.
    Spec {
        family: "behave",
        head: r"^  \S+\.feature:\d+  (.*)$",
        end: r".*",
        place: r"^  (\S+\.feature):(\d+)  ",
        total: r"^(\d+ (?:feature|scenario|step)s? passed, .*)$",
        ..BASE
    },
    Spec { family: "behave", head: r"^ +(ASSERT FAILED: .*|\w+Error: .*)$", end: r".*", ..BASE },
    // A step that no code defines, by the code that is proposed for it.
    Spec { family: "behave", head: r"^@\w+\(u'(.*)'\)$", end: r".*", ..BASE },
    Spec {
        family: "behave",
        head: r#"^ {8}File "(features/[^"]+)""#,
        end: r".*",
        place: r#"^ {8}File "(.+)", line (\d+)"#,
        ..BASE
    },
    Spec {
        family: "ava",
        head: r"^  ((?:cart › )?(?:ink|a brush|deep|throws|no assertion|async))$",
        end: r"^  ─$",
        place: r"^  (\S+\.mjs):(\d+)$|\(file://(/home/dev/cart/cart\S+?):(\d+):\d+\)$",
        why: r"^  (Error thrown.*|Function returned:|Value is not.*|Error: .*|Difference .*|\w[\w ]+ price)$",
        total: r"^  (\d+ (?:tests?|known|uncaught) \w+.*)$",
        failed: r"^  (\d+) tests failed$",
        ..BASE
    },
    // Suites are told by their totals.
    Spec {
        family: "robot",
        head: r"^(\S.*?) +\| (?:FAIL|SKIP) \|$",
        end: r"^[-=]{70,}$",
        why: r"^(\S.*)$",
        total: r"^(\d+ tests?, .*)$",
        ..BASE
    },
    Spec {
        family: "busted",
        head: r"^(the cart .*)$",
        end: r"^$",
        place: r"^(\S+\.lua):(\d+): ",
        why: r"^\S+\.lua:\d+: (.*)$",
        total: r"^(\d+ success.*)$",
        ..BASE
    },
    // The text of a failure stands above its heading.
    Spec {
        family: "bun",
        head: r"^\(fail\) (.*?)(?: \[\d.*\])?$|^# (Unhandled .*)$",
        end: r"^\(pass\) |^\S+:$",
        place: r"^ +at .*\((/\S+?):(\d+):\d+\)$",
        above: true,
        last: true,
        total: r"^ *(\d+ (?:pass|skip|todo|fail|error)|Ran \d+ tests .*)$",
        failed: r"^ *(\d+) fail$",
        ..BASE
    },
    Spec { family: "bun", head: r"^((?:\w*Error|error): .*)$", end: r".*", ..BASE },
    Spec {
        family: "deno",
        head: r"^(\S.*) => \S+:\d+:\d+$|^(\S+ \(uncaught error\))$",
        end: r"^ FAILURES$|^FAILED$",
        place: r"\(?file://(\S+?):(\d+):\d+\)?$",
        why: r"^error: (.*)$",
        total: r"^(\d+ (?:passed|failed|ignored)\b.*)$",
        ..BASE
    },
    Spec {
        family: "jasmine",
        head: r"^(?:\d+\) )?((?:cart|hooks|Suite error:) .*)$",
        end: r"^Pending:$",
        place: r"^ +at .*\((/\S+?):(\d+):\d+\)$",
        why: r"^ {4}(Expected .*|\w*Error: .*|Not run .*)$",
        total: r"^(\d+ specs, .*)$",
        failed: r"^\d+ specs, (\d+) failures",
        ..BASE
    },
    Spec {
        family: "karma",
        head: r"^(?:\x1b\[\dA\x1b\[2K)?WebKit [\d.]+ \(.*\) (.*) FAILED$|(WebKit .*\) ERROR)$",
        end: r": Executed ",
        place: r"^\s+at .*\((\S+?):(\d+):\d+\)$",
        why: r"^\t(Expected .*|\w*Error: .*|Not run .*)$",
        total: r"^(?:\x1b\[\dA\x1b\[2K)?(WebKit .* \(0\.035 secs .*)$",
        ..BASE
    },
    Spec {
        family: "cucumber",
        head: r"^\d+\) (Scenario: .*)$",
        end: r"^$x",
        place: r"^ +at .*\((/\S+?):(\d+):\d+\)$",
        why: r"^ +(\w*Error\b.*|Undefined\. .*|Pending)$",
        total: r"^(\d+ s(?:cenarios|teps) \(.*)$",
        ..BASE
    },
    Spec {
        family: "zig",
        head: r"^\d+/\d+ (main\.test\.(?:adds wrong|divides|strings|slices))\.\.\.|^error: '(.*)' (?:failed|leaked)",
        end: r"^\d+/\d+ ",
        place: r"^ *(\S+?main\.zig):(\d+):\d+: ",
        total: r"^(\d+ passed; .*|\d+ tests leaked .*|Build Summary: .*)$",
        ..BASE
    },
    Spec {
        family: "zig",
        head: r"(expected 5, found 4|FAIL \(.*\)|First difference occurs.*|slices differ.*|leaked \d+ alloc\w+)",
        end: r".*",
        ..BASE
    },
    Spec {
        family: "dart",
        head: r"^\d\d:\d\d .*: (\S+_test\.dart: .*|loading .*) \[E\]$",
        end: r"^\d\d:\d\d ",
        place: r"^  (\S+\.dart) (\d+):\d+ ",
        why: r"^  (Expected: .*|Bad state: .*|Failed to load .*)$",
        total: r"^(\d\d:\d\d .*: Some tests failed\.)$",
        ..BASE
    },
    Spec { family: "trace", head: r"^(\w*Error: .*)$", place: r"^ +at .*\((/\S+?):(\d+):\d+\)$", ..BASE },
    Spec { family: "trace", head: r"^INTERNALERROR> (\w+Error: .*)$", ..BASE },
    Spec { family: "trace", head: r"^ {4}\| pytest\.(PytestUnraisable\w+: .*)$", ..BASE },
];
