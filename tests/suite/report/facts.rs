//! What a report says, read by regular expressions that share nothing with `src/report`: for each failure its id and its
//! place, which belong on one line of the digest, and the first words of why.

use regex::Regex;

/// How the failures of a runner are found in its raw text. The patterns of a block are looked for from its head on to
/// the next head or to `end`.
pub struct Spec {
    /// The directory of the fixtures.
    pub family: &'static str,
    /// The line that begins a failure; group 1 is its id.
    pub head: &'static str,
    /// A line that ends a block.
    pub end: &'static str,
    /// Groups 1 and 2: file and line.
    pub place: &'static str,
    /// Whether the last place of a block is the nearest frame.
    pub last: bool,
    /// Group 1: words that say why.
    pub why: &'static str,
    /// The runner's totals: group 1 verbatim.
    pub total: &'static str,
    /// A block counts only where the text has these words, `{}` being its id: runners that name a test before its output.
    pub only: &'static str,
    /// Group 1: how many failed; the sum over the text is the number of failed tests. Empty: not to be compared.
    pub failed: &'static str,
}

/// Matches nothing.
const NEVER: &str = r"^\x00$";

pub const SPECS: &[Spec] = &[
    Spec {
        family: "pytest",
        head: r"^_+ (?:ERROR at \w+ of |ERROR collecting )?(?:\w+\.)*([\w/][^ ].*?) _+$",
        end: r"^=+ .* =+$|^-+ Captured",
        place: r"^(\S+\.py):(\d+): ?(?:\w*|in .*)$",
        last: true,
        why: r"^E +(\S.*)$",
        total: r"^=* ?(\d+ (?:failed|passed|errors?|skipped)\b.* in \d+\.\d+s)",
        only: "",
        failed: r"^(?:=+ )?(?:.* )?(\d+) failed\b.* in \d",
    },
    Spec {
        family: "pytest",
        head: r"^(?:FAILED|ERROR) \S+\.py::(\w+(?:::\w+)*)",
        end: r".*",
        place: NEVER,
        last: false,
        why: NEVER,
        total: NEVER,
        only: "",
        failed: "",
    },
    Spec {
        family: "unittest",
        head: r"^(?:FAIL|ERROR): (\S.*)$",
        end: r"^={70}$|^Ran ",
        place: r#"^  File "(.+)", line (\d+)"#,
        last: true,
        why: r"^([A-Z]\w*(?:Error|Exception): .*)$",
        total: r"^((?:Ran \d+ tests? in|FAILED|OK).*)$",
        only: "",
        failed: r"(?:\(|, )(?:failures|errors)=(\d+)",
    },
    Spec {
        family: "cargo",
        head: r"^---- (.*) (?:stdout|stderr) ----$",
        end: r"^failures:$",
        place: r" panicked at (\S+?):(\d+):\d+:$",
        last: false,
        why: r"^(assertion.*|called .*|Error: .*|note: test did not.*)$",
        total: r"^(test result: .*)$",
        only: "",
        failed: r"^test result: .*; (\d+) failed;",
    },
    Spec {
        family: "go",
        head: r"^ *--- FAIL: (\S+) ",
        end: r"^FAIL\t|^ok  \t|^=== |^ *--- ",
        place: r"^ +(\w+\.go):(\d+): ",
        last: false,
        why: r"^ +\w+\.go:\d+: (.*)$",
        total: r"^(FAIL\t.*s)$",
        only: "",
        failed: "",
    },
    Spec {
        family: "jest",
        head: r"^  ● (.* › .*|Test suite failed to run)$",
        end: r"^(?:FAIL|PASS|Test Suites:|Snapshot Summary)",
        place: r"^ +at .*?\(?([\w./-]+):(\d+):\d+\)?$",
        last: false,
        why: r"^    (\S.*)$",
        total: r"^((?:Tests|Test Suites): .*)$",
        only: "",
        failed: "",
    },
    Spec {
        family: "vitest",
        head: r"^ FAIL  (?:.* > )?(.+?)(?: \[ .* \])?$",
        end: r"^⎯",
        place: r"^ ❯ .*?([\w./-]+):(\d+):\d+$",
        last: false,
        why: r"^(\w*Error: .*)$",
        total: r"^ +((?:Snapshots|Tests|Test Files)  \d.*)$",
        only: "",
        failed: "",
    },
    Spec {
        family: "mocha",
        head: r"^ {7,}(\S.*):$",
        end: r"^  \d+\) ",
        place: r"^ +at .*\((\S+?):(\d+):\d+\)$",
        last: false,
        why: r"^ {5,}(\w*Error.*)$",
        total: r"^  (\d+ (?:passing|failing).*)$",
        only: "",
        failed: r"^  (\d+) failing$",
    },
    Spec {
        family: "node",
        head: r"^\s*✖ (\S.*?) \(\d[\d.]*ms\)$",
        end: r"^\s*[✔▶﹣ℹ]|^test at",
        place: r"^ +at .*\((\S+?):(\d+):\d+\)$",
        last: false,
        why: r"^\s+(\w*Error.*)$",
        total: r"^((?:ℹ|#) (?:tests|pass|fail|cancelled|skipped) \d+)$",
        only: "",
        failed: "",
    },
    Spec {
        family: "node",
        head: r"^\s*not ok \d+ - (.*)$",
        end: r"^\s*(?:ok |# |1\.\.)",
        place: r"location: '(.+?):(\d+):\d+'",
        last: false,
        why: r"^\s+error: '(.*)'$",
        total: NEVER,
        only: "",
        failed: "",
    },
    Spec {
        family: "playwright",
        head: r"^  +\d+\) (.*?)(?: ─+)?$",
        end: r"^  \d+ (?:failed|passed)",
        place: r"^ +at (\S+):(\d+):\d+$",
        last: false,
        why: r"^ +(Error: .*)$",
        total: r"^  (\d+ (?:failed|passed|skipped).*)$",
        only: "",
        failed: r"^  (\d+) failed",
    },
    Spec {
        family: "rspec",
        head: r"^  \d+\) (\S.*)$",
        end: r"^Finished|^Failures:|^rspec ",
        place: r"^ +# (\S+\.rb):(\d+)",
        last: false,
        why: r"^ +(expected: .*|\w+Error:)$",
        total: r"^(\d+ examples?, .*)$",
        only: "",
        failed: r"^\d+ examples?, (\d+) failures?",
    },
    Spec {
        family: "minitest",
        head: r"^(\w+#\w+)(?: \[.*\])?:$",
        end: r"^ +\d+\) |^\d+ runs",
        place: r" \[(.+):(\d+)\]:$|^ +(\S+\.rb):(\d+):in",
        last: false,
        why: r"^(Expected.*|\w+Error: .*)$",
        total: r"^(\d+ runs, .*)$",
        only: "",
        failed: r"(\d+) (?:failures|errors)",
    },
    Spec {
        family: "phpunit",
        head: r"^\d+\) (\S+::test(?:[^R]|R[^i]).*)$",
        end: r"^There|^--$|^FAILURES",
        place: r"^(/.*\.php):(\d+)$",
        last: false,
        why: r"^(Failed asserting.*|\w+Exception: .*)$",
        total: r"^(Tests: \d.*|OK.*)$",
        only: "",
        failed: r"(?:Errors|Failures): (\d+)",
    },
    Spec {
        family: "gtest",
        head: r"^\[  FAILED  \] ([^\s,]+).* \(\d+ ms\)$",
        end: r".*",
        place: NEVER,
        last: false,
        why: NEVER,
        total: r"^(\[  (?:PASSED|FAILED)  \] \d+ tests?.*|\[==========\] .* ran\..*)$",
        only: "",
        failed: r"^ (\d+) FAILED TESTS?",
    },
    Spec {
        family: "gtest",
        head: r"^\[ RUN      \] (\S+)$",
        end: r"^\[  ",
        place: r"^(\S+):(\d+): Failure$",
        last: false,
        why: r"^( +Actual: .*)$",
        total: NEVER,
        only: "[  FAILED  ] {}",
        failed: "",
    },
    Spec {
        family: "ctest",
        head: r"^ *\d+/\d+ Test +#\d+: (\S+) \.*\*\*\*",
        end: r".*",
        place: NEVER,
        last: false,
        why: NEVER,
        total: r"^(\d+% tests passed, .*)$",
        only: "",
        failed: "",
    },
    Spec {
        family: "catch2",
        head: r"^(\w+)$",
        end: r"^={70,}$",
        place: r"^(\S+):(\d+): FAILED:$",
        last: false,
        why: r"^  (\S.*)$",
        total: r"^((?:test cases|assertions): .*|All tests passed.*)$",
        only: "",
        failed: "",
    },
    Spec {
        family: "exunit",
        head: r"^  \d+\) (test .*)$",
        end: r"^Finished",
        place: r"^       (\S+\.exs):(\d+): ",
        last: false,
        why: r"^     (\*\* .*|left: .*)$",
        total: r"^(\d+ tests?, .*)$",
        only: "",
        failed: r"(\d+) failures?",
    },
    Spec {
        family: "surefire",
        head: r"^\[ERROR\] (\w+)\(.*<<< (?:FAILURE|ERROR)!$",
        end: r"^\[",
        place: r"^\tat [\w.]+\((\w+\.java):(\d+)\)$",
        last: false,
        why: r"^([\w.]+(?:Error|Exception): .*)$",
        total: r"^(\[\w+\] Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+)$",
        only: "",
        failed: "",
    },
    Spec {
        family: "cargo",
        head: r"^thread '(tests::\w+|api_\w+)'.* panicked at \S+:$",
        end: r".*",
        place: r" panicked at (\S+?):(\d+):\d+:$",
        last: false,
        why: NEVER,
        total: NEVER,
        only: "",
        failed: "",
    },
    Spec {
        family: "go",
        head: r"^=== RUN   (\S+)$",
        end: r"^=== |^ *--- ",
        place: r"^ +(\w+\.go):(\d+): ",
        last: false,
        why: NEVER,
        total: NEVER,
        only: "--- FAIL: {} ",
        failed: "",
    },
    Spec {
        family: "ctest",
        head: r"^\[ RUN      \] (\S+)$",
        end: r"^\[  ",
        place: r"^(\S+):(\d+): Failure$",
        last: false,
        why: r"^( +Actual: .*)$",
        total: r"^(\[  (?:PASSED|FAILED)  \] \d+ tests?.*|\[==========\] .* ran\..*)$",
        only: "[  FAILED  ] {}",
        failed: "",
    },
    Spec {
        family: "nextest",
        head: r"^ +FAIL \[.*\] (\S.*)$",
        end: r"^ +PASS",
        place: r" panicked at (\S+?):(\d+):\d+:$",
        last: false,
        why: r"^(assertion.*)$",
        total: r"^ *(Summary .*)$",
        only: "",
        failed: "",
    },
    Spec {
        family: "gradle",
        head: r"^(\S.* > .*) FAILED$",
        end: r"^\d+ tests? completed",
        place: r"at (?:[\w./]+\.failingTest\(|app//org\.opensearch\.[\w.]+\()?(\w+\.java):(\d+)\)?$",
        last: false,
        why: r"^    (\S+Error\b.*)$",
        total: r"^(\d+ tests? completed, .*)$",
        only: "",
        failed: r"(\d+) failed",
    },
    Spec {
        family: "dotnet",
        head: r"^ *Failed +([A-Z]\S*)",
        end: r"^ *(?:Passed|Skipped) |^ *Test Run",
        place: r" in (\S+):line (\d+)$",
        last: false,
        why: r"^ *(Assert\..*)$",
        total: r"^ *(Total tests: .*|Failed: \d+|Passed: \d+|Test Run Failed.*)$",
        only: "",
        failed: r"^ +Failed: (\d+)",
    },
    Spec {
        family: "swift",
        head: r"^\S+\.swift:\d+: error: (\S+) : ",
        end: r".*",
        place: r"^(\S+\.swift):(\d+): error",
        last: false,
        why: r"^$",
        total: r"^\t (Executed .*)$",
        only: "",
        failed: "",
    },
    Spec {
        family: "trace",
        head: r"^(\w*Error: .*)$",
        end: NEVER,
        place: r"^ +at .*\((/\S+?):(\d+):\d+\)$",
        last: false,
        why: NEVER,
        total: NEVER,
        only: "",
        failed: "",
    },
];

/// Words that belong on one line of a digest.
pub type Fact = Vec<String>;

/// Frames that are not the project's, as far as the fixtures have any.
fn is_foreign(file: &str) -> bool {
    ["site-packages", "/usr/lib/", "node_modules", "node:", "/gems/", "babel", ".cargo/registry", "junit"]
        .iter()
        .any(|part| file.contains(part))
}

/// What a text says of its failures, by one row of the table.
pub fn read(spec: &Spec, text: &str) -> Vec<Fact> {
    let [head, end, place, why, total] =
        [spec.head, spec.end, spec.place, spec.why, spec.total].map(|pattern| Regex::new(pattern).unwrap());
    let lines: Vec<_> = text.lines().map(str::trim_end).collect();
    let mut facts: Vec<Fact> =
        lines.iter().filter_map(|line| Some(vec![total.captures(line)?[1].trim().to_owned()])).collect();
    for (at, line) in lines.iter().enumerate() {
        let Some(found) = head.captures(line) else { continue };
        let id = found.get(1).map_or("", |id| id.as_str());
        if !spec.only.is_empty() && !text.contains(&spec.only.replace("{}", id)) {
            continue;
        }
        let behind = &lines[at + 1..];
        let length =
            behind.iter().position(|line| head.is_match(line) || end.is_match(line)).unwrap_or(behind.len());
        let block = &lines[at..=at + length.min(behind.len())];
        let block = &block[..(length + 1).min(block.len())];
        let places = block.iter().filter_map(|line| {
            let groups = place.captures(line)?;
            let of = |first, second| Some((groups.get(first)?.as_str(), groups.get(second)?.as_str()));
            of(1, 2).or_else(|| of(3, 4)).filter(|(file, _)| !is_foreign(file))
        });
        let place = if spec.last { places.last() } else { { places }.next() };
        let mut fact: Fact = vec![id.to_owned()];
        fact.extend(place.map(|(file, line)| format!("{file}:{line}")));
        facts.push(fact);
        let why = block.iter().skip(1).find_map(|line| why.captures(line));
        facts.extend(why.map(|why| vec![why[1].trim().chars().take(90).collect()]));
    }
    facts
}

/// How many failed, by the runner's own totals; `None` where they do not say.
pub fn failed(spec: &Spec, text: &str) -> Option<u64> {
    if spec.failed.is_empty() {
        return None;
    }
    let pattern = Regex::new(spec.failed).unwrap();
    let counts = text
        .lines()
        .flat_map(|line| pattern.captures_iter(line).map(|found| found[1].parse::<u64>().unwrap()));
    Some(counts.sum())
}

/// The facts that no line of a digest has.
pub fn missing<'f>(facts: &'f [Fact], digest: &str) -> Vec<&'f Fact> {
    let lines: Vec<_> = digest.lines().collect();
    facts
        .iter()
        .filter(|fact| !lines.iter().any(|line| fact.iter().all(|words| line.contains(words.as_str()))))
        .collect()
}
