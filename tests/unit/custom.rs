//! Tests of the engine, first with filters as they are written for other tools.

#[path = "custom/find.rs"]
mod find;
#[path = "custom/summary/json.rs"]
mod json;
#[path = "custom/schema.rs"]
mod schema;
#[path = "custom/script.rs"]
mod script;
#[path = "custom/testing.rs"]
mod testing;
#[path = "custom/tree.rs"]
mod tree;

use super::Call;
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
    assert!(run(filter, 0, &text) == text);
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

#[test]
fn lines_fold_by_run_or_together() {
    let text = "ok 1\nok 2\nbad\nok 3\nok 4\nok 5\n";
    let filter = "[[fold]]\nmatch = '^ok'\nas = \"passing\"\n";
    assert_eq!(run(filter, 0, text), "… 2 passing\nbad\n… 3 passing\n");
    let filter = format!("{filter}together = true\n");
    assert_eq!(run(&filter, 0, text), "… 5 passing\nbad\n");
    assert_eq!(run(&filter, 0, "… 5 passing\nbad\n"), "… 5 passing\nbad\n");
    assert_eq!(run(&filter, 0, "ok 1\nbad\n"), "ok 1\nbad\n");
}

#[test]
fn what_says_why_stays_after_a_failure() {
    let text = "note 1\nnote 2: error x\nnote 3\n";
    let filter = "skip = ['^note']\n";
    assert_eq!(run(filter, 0, text), "");
    assert_eq!(run(filter, 1, text), "note 2: error x\n");
    // What a harmless fold matches may say anything; what stands behind that, a name aside, may not.
    let harmless =
        |pattern: &str| format!("[[fold]]\nmatch = '{pattern}'\nas = \"notes\"\nharmless = true\n");
    assert_eq!(run(&harmless("^note.*"), 1, text), "… 3 notes\n");
    assert_eq!(run(&harmless("^note"), 1, text), text);
    assert_eq!(run(&harmless("^note"), 1, &text.replace("error x", "src/error.rs")), "… 3 notes\n");
    assert_eq!(run("[on_failure]\ntail = 1\n", 1, text), "… 1 more lines\nnote 2: error x\nnote 3\n");
    assert_eq!(run("max_lines = 1\n", 1, text), "note 1\nnote 2: error x\n… 1 more lines\n");
}

#[test]
fn a_tree_that_keep_would_take_apart_is_not_drawn() {
    let source = "keep = ['^  ']\n[tree]\npattern = '^(\\s*)(\\S+)$'\nmin_files = 1\nmin_shared_depth = 0\ncollapse_single_child = false\n";
    let once = run(source, 0, "  src/b/d.rs\ngone\n");
    assert_eq!(once, "  src/b/d.rs\n");
    assert_eq!(run(source, 0, &once), once);
    assert!(run(&source.replace("['^  ']", "['']"), 0, "  src/b/d.rs\n").contains("as a tree"));
}

#[test]
fn lines_that_a_fold_brings_together_are_folded_at_once() {
    let source = "[[fold]]\nmatch = '^x'\nas = 'xs'\ntogether = false\n[[fold]]\nmatch = '^c'\nas = 'cs'\ntogether = true\n";
    assert_eq!(run(source, 0, "c\nx 1\nc\nx 2\n"), "… 2 cs\n… 2 xs\n");
}

#[test]
fn keep_and_tidy() {
    assert_eq!(run("keep = ['a']\n", 0, "a\nb\nab\n"), "a\nab\n");
    assert_eq!(run("collapse_empty_lines = true\n", 0, "a\n\n\n\nb\n"), "a\n\nb\n");
    assert_eq!(run("strip_empty_lines = true\ntrim_lines = true\n", 0, " a \n\nb\n"), "a\nb\n");
    assert_eq!(run("dedup = true\n", 0, "a\na\nb\n"), "a\nb\n");
    assert_eq!(run("dedup_window = 2\n", 0, "a\nb\na\nc\nd\na\n"), "a\nb\nc\nd\na\n");
    let cut = run("truncate_lines_at = 3\n", 0, &("é".repeat(99) + "\n"));
    assert_eq!(cut, "ééé… 96 more chars\n");
    assert_eq!(run("truncate_lines_at = 3\n", 0, &cut), cut);
    assert_eq!(run("head = 1\n", 0, "a\nb\nc\n"), "a\n… 2 more lines\n");
    assert_eq!(run("fallback.tail = 1\n", 0, "a\nb\nc\n"), "… 2 more lines\nc\n");
}

#[test]
fn what_a_filter_writes_is_told_from_what_the_tool_printed() {
    let filter =
        "skip = ['^noise']\non_empty = \"tool: all well\"\n[on_success]\noutput = \"ok ✓ {output}\"\n";
    assert_eq!(run(filter, 0, "noise\nmain\n"), "… ok ✓ main\n");
    let filter = "[on_success]\noutput = \"{output | lines | keep: \\\"^b\\\" | join: \\\"\\\\n\\\"}\"\n";
    assert_eq!(run(filter, 0, "a\nb 1\nb 2\n"), "b 1\nb 2\n… 1 more lines\n");
    assert_eq!(run("skip = ['.']\non_empty = \"all gone\"\n", 0, "a\nb\n"), "… all gone\n");
}

#[test]
fn good_news_needs_no_exit_status() {
    let filter = "[on_success]\noutput = \"ok ✓ 12 passed, 0 failed, no warnings\"\n";
    assert_eq!(run(filter, 0, "main\nx\n"), "… ok ✓ 12 passed, 0 failed, no warnings\n");
    let filter = filter.replace("0 failed", "2 failed");
    assert_eq!(run(&filter, 0, "main\n"), "… exit status 0\n… ok ✓ 12 passed, 2 failed, no warnings\n");
    let filter = "on_empty = \"nothing staged\"\n";
    assert_eq!(run(filter, 0, ""), "… nothing staged");
}

#[test]
fn a_section_may_hold_the_line_that_opens_it() {
    let filter = "[[section]]\nenter = '^BAD'\nexit = '^(PASS|BAD)'\ninclude_enter = true\ncollect_as = \"blocks\"\n\
                  [on_success]\noutput = \"{blocks | join: '; '}\"\n";
    let filter = filter.replace("'; '", "\\\"; \\\"");
    assert_eq!(run(&filter, 0, "PASS a\nBAD b\nwhy\nBAD c\nPASS d\nend\n"), "… BAD b; why; BAD c\n");
    let without = filter.replace("include_enter = true\n", "");
    assert_eq!(run(&without, 0, "PASS a\nBAD b\nwhy\nPASS d\nend\n"), "why\n… 4 more lines\n");
}

#[test]
fn a_summary_does_not_hide_a_failure() {
    let filter = "[[match_output]]\ncontains = \"main\"\noutput = \"ok ✓\"\n";
    assert_eq!(run(filter, 0, "main\nx\n"), "… ok ✓\n");
    assert_eq!(
        run(filter, 2, "main\nerror: no disk\nsrc/a.rs:3 here\nx\n"),
        "… exit status 2\n… ok ✓\nerror: no disk\nsrc/a.rs:3 here\n"
    );
    assert_eq!(run(filter, 2, "main\nx\n"), "… exit status 2\n… ok ✓\nmain\nx\n");
    let filter = filter.replace("ok ✓", "✗ failed");
    assert_eq!(run(&filter, 0, "main\nx\n"), "… exit status 0\n… ✗ failed\n");
}

#[test]
fn match_output_has_exceptions_and_captures() {
    let filter = "match_output = [\n{ contains = \"done\", output = \"never\", unless = \"(?m)^w\" },\n\
                  { pattern = 'took (\\d+)', message = \"{1} s: {line_containing}\" },\n]\n";
    assert_eq!(run(filter, 0, "w\ndone\nit took 5 s\nx\n"), "… 5 s: it took 5 s\n");
    assert_eq!(run(filter, 0, "a\n"), "a\n");
}

#[test]
fn lines_are_written_anew() {
    let filter =
        "skip = ['^up ']\n[[replace]]\npattern = '^(\\S+)\\s+\\S+\\s+(\\S+)$'\noutput = \"{1}: $2\"\n";
    assert_eq!(run(filter, 0, "web  old   new\nup\n"), "… web: new\nup\n");
    let filter = "[[replace]]\npattern = '^\\d+ (.*)$'\noutput = \"{1}\"\n";
    assert_eq!(run(filter, 0, "12 x\n"), "x\n", "a part of the line is the tool's");
    assert_eq!(run(filter, 0, "12 13 x\n"), "… 13 x\n", "it would change again");
    assert_eq!(run(filter, 1, "12 error x\n"), "12 error x\n");
    let filter = "[[replace]]\npattern = '/home/\\w+'\noutput = \"~\"\nreplace_all = true\n";
    assert_eq!(run(filter, 0, "/home/a/b /home/c\n"), "… ~/b ~\n");
}

#[test]
fn an_expression_that_is_wrong_or_too_large_is_named_with_its_place() {
    for (pattern, reason) in [("(", "unclosed group"), ("(?:a{1000}){1000}", "size limit")] {
        let source = format!("skip = [\n  \"ok\",\n  \"{pattern}\",\n]\n");
        let error = Rules::new(&parse(&source).unwrap(), &source, true).unwrap_err();
        assert_eq!((error.line, error.column), (3, 3));
        assert!(error.message.contains(reason), "{error}");
    }
    assert_eq!(run("skip = ['^[✓✔] ok']\n", 0, "✔ ok\nok\n"), "ok\n", "characters match");
}
