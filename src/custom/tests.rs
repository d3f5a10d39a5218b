//! Tests with filters as they are written for other tools.

use super::call::Call;
use super::engine::{Rules, run as run_all};
use super::schema::parse;

pub(super) fn run(filter: &str, exit: i32, text: &str) -> String {
    let file = parse(filter).unwrap();
    let rules = Rules::new(&file, filter, exit == 0).unwrap();
    let call = Call { exit: Some(exit), ..Call::default() };
    run_all(&rules, text.as_bytes(), &call)
        .map_or(text.into(), |filtered| String::from_utf8(filtered.text).unwrap())
}

const TESTS: &str = r#"
command = "suite"
skip = ["^test .* ok$", "^$"]

[[section]]
enter = "^failures:$"
exit = "^end$"
split_on = "^\\s*$"
collect_as = "blocks"

[[section]]
match = "^result:"
collect_as = "results"

[[chunk]]
split_on = "^Running "
collect_as = "suites"
group_by = "crate"
children_as = "parts"
[chunk.extract]
pattern = 'unit (\w+)'
as = "crate"
carry_forward = true
[[chunk.body_extract]]
pattern = 'Running (.*)'
as = "name"
[[chunk.aggregate]]
pattern = '(\d+) passed'
sum = "passed"
count_as = "runs"

[on_success]
output = """
{passed} passed in {runs} suites
{suites | each: " {crate}: {passed} ({parts.count})\n{parts | each: \"  {index}. {name}: {passed}\" | join: \"\\n\"}" | join: "\\n"}"""
[[on_success.aggregates]]
from = "results"
pattern = '(\d+) passed'
sum = "passed"
count_as = "runs"

[on_failure]
output = "{blocks.count} blocks\n{blocks | each: \"{index}) {value | truncate: 9}\" | join: \"; \"}\n{results}"

[fallback]
tail = 1
"#;

#[test]
fn sections_chunks_and_aggregates() {
    let text = "Running unit a\ntest x ok\nresult: 3 passed\nRunning more\nresult: 4 passed\nRunning unit b\nresult: 1 passed\n";
    assert_eq!(
        run(TESTS, 0, text),
        "… 8 passed in 3 suites\n…  a: 7 (2)\n…   1. unit a: 3\n…   2. more: 4\n…  b: 1 (1)\n…   1. unit b: 1\n"
    );
    assert_eq!(run(TESTS, 0, "one\ntwo\n"), "… 1 more lines\ntwo\n", "nothing was collected");
    let text = "failures:\none is long\nindeed\n\ntwo\nend\nresult: 1 failed\n";
    assert_eq!(run(TESTS, 1, text), "… 2 blocks\n… 1) one is lo…; 2) two\nresult: 1 failed\nfailures:\n");
}

#[test]
fn a_status_is_counted() {
    let filter = r#"
[parse]
branch = { line = 1, pattern = '^## (\S+?)(?:\.\.\.\S+)?$', output = "{1}" }
[parse.group]
key = { pattern = '^(.{2}) ', output = "{1}" }
labels = { "M " = "modified", "??" = "untracked" }
[output]
format = "{branch}{tracking}\n{group_counts}"
group_counts_format = "  {label}: {count}"
empty = "clean"
"#;
    let text = "## main...origin/main\n?? a\nM  b\n?? c\nXY d\n";
    assert_eq!(run(filter, 0, text), "… main\n…   untracked: 2\n…   modified: 1\n…   XY: 1\n");
    assert_eq!(run(filter, 0, "## main\n"), "… main\n… clean\n");
}

#[test]
fn values_of_json() {
    let filter = r#"
[[json.extract]]
path = "$.items[*]"
as = "pods"
[[json.extract.fields]]
field = "metadata.name"
as = "name"
[[json.extract]]
path = "$.kind"
as = "kind"
[on_success]
output = "{kind} {pods_count}: {pods | each: \"{name}\" | join: \", \"}"
"#;
    let text = r#"{"kind":"List","items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}]}"#;
    assert_eq!(run(filter, 0, text), "… List 2: a, b");
    assert_eq!(run(filter, 0, "no json\n"), "no json\n");
}

#[test]
fn the_first_line_that_matches_is_written_anew() {
    let filter = "[on_success]\nskip = ['^To ']\nextract = { pattern = '(\\S+)\\s*->\\s*(\\S+)', output = \"ok ✓ {2}\" }\n";
    assert_eq!(run(filter, 0, "To x\n  a..b  main -> trunk\n"), "… ok ✓ trunk\n");
    assert_eq!(run(filter, 0, "To x\nup to date\n"), "up to date\n… 1 more lines\n");
}

#[test]
fn a_template_that_is_too_much_work_is_left_alone() {
    let text = "line\n".repeat(20_000);
    let filter =
        "[on_success]\noutput = '''{output | lines | each: \"{output | lines | keep: \\\"x\\\"}\"}'''\n";
    assert!(run(filter, 0, &text).starts_with("line\n… 19999 more times\n"));
}

#[test]
fn quotes_in_quotes_may_be_escaped() {
    let filter = "[on_success]\noutput = '''{output | lines | each: \"{value | lines | keep: \\\"^b\\\"}\" | join: \"-\"}'''\n";
    assert_eq!(run(filter, 0, "a\nb\n"), "… -b\n");
}

#[test]
fn a_template_with_a_mistake_is_named() {
    for (template, expected) in [
        ("{a | jion: \"x\"}", "no pipe `jion`; did you mean `join`?"),
        ("{a", "`{a`: no `}`"),
        ("{a | keep: \"(\"}", "`(`: unclosed group"),
        ("{a | truncate: x}", "`truncate` wants a number: truncate: 80"),
        ("{a.size}", "`.size`: it may be .count, .lines or .blocks"),
        ("{a | each}", "`each` wants a template: each: \"{value}\""),
    ] {
        let filter = format!("command = \"a\"\n[on_success]\noutput = '''{template}'''\n");
        let mistake = Rules::new(&parse(&filter).unwrap(), &filter, true).unwrap_err();
        assert_eq!(mistake.to_string(), format!("3:10: {expected}"));
    }
    let filter = "[on_success]\noutput = '{ \"json\": {1} } {}'\n";
    assert!(Rules::new(&parse(filter).unwrap(), filter, true).is_ok());
}
