//! docs/filters.md against the code: every key is in it, and nothing else is; its examples do what it says.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use llm_toto::custom::schema::parse;

use crate::harness::{Sandbox, run};

/// How a key of each table is written in a filter file, and how the page names it.
const TABLES: &[(&str, &str)] = &[
    ("", ""),
    ("[[fold]]", "fold."),
    ("[on_success]", "on_success."),
    ("[[match_output]]", "match_output."),
    ("[[replace]]", "replace."),
    ("[extract]", "extract."),
    ("[[section]]", "section."),
    ("[on_success.aggregate]", "aggregate."),
    ("[[chunk]]", "chunk."),
    ("[chunk]\nextract", "chunk.extract."),
    ("[parse]", "parse."),
    ("[parse.branch]", "parse.branch."),
    ("[parse.group]", "parse.group."),
    ("[output]", "output."),
    ("[json]", "json."),
    ("[[json.extract]]", "json.extract."),
    ("[[json.extract.fields]]", "json.extract.fields."),
    ("[[step]]", "step."),
    ("[tree]", "tree."),
    ("[[variant]]", "variant."),
    ("[variant.detect]", "variant.detect."),
    ("[pipeline]", "pipeline."),
    ("[fallback]", "fallback."),
    ("[[test]]", "test."),
    ("[[test.expect]]", "test.expect."),
];

fn page() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/filters.md")).unwrap()
}

/// The keys that the code knows, as its own error lists them.
fn known() -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for (table, prefix) in TABLES {
        let text = match *table {
            "[chunk]\nextract" => "[[chunk]]\nextract = { \"?\" = 1 }\n".to_owned(),
            "[[json.extract.fields]]" => "[[json.extract]]\nfields = [{ \"?\" = 1 }]\n".to_owned(),
            "[[test.expect]]" => "[[test]]\nexpect = [{ \"?\" = 1 }]\n".to_owned(),
            "[variant.detect]" => "[[variant]]\ndetect = { \"?\" = 1 }\n".to_owned(),
            table => format!("{table}\n\"?\" = 1\n"),
        };
        let error = toml::from_str::<llm_toto::custom::schema::FilterFile>(&text).unwrap_err();
        let listed = error.message().split_once("expected").unwrap_or_else(|| panic!("{text}: {error}")).1;
        keys.extend(listed.split('`').skip(1).step_by(2).map(|key| format!("{prefix}{key}")));
    }
    keys
}

/// The keys in the first cells of the page's tables of keys.
fn documented() -> BTreeSet<String> {
    let page = page();
    let tables = page.split("| key |").skip(1).filter_map(|rest| rest.split("\n\n").next());
    let cells = tables.flat_map(str::lines).filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_owned).collect()
}

#[test]
fn every_key_is_documented_and_every_documented_key_is_one() {
    let (known, documented) = (known(), documented());
    let missing: Vec<_> = known.difference(&documented).collect();
    let invented: Vec<_> = documented.difference(&known).collect();
    assert!(missing.is_empty() && invented.is_empty(), "not in the page: {missing:?}\nno key: {invented:?}");
    assert!(known.len() > 100);
}

/// The page's TOML examples, in their order.
fn examples() -> Vec<String> {
    page().split("```toml\n").skip(1).filter_map(|rest| Some(rest.split("```").next()?.to_owned())).collect()
}

#[test]
fn every_example_is_a_filter_without_mistakes_that_passes_its_tests() {
    let examples = examples();
    assert!(examples.len() >= 3);
    let sandbox = Sandbox::new();
    for (number, text) in examples.iter().enumerate() {
        parse(text).unwrap_or_else(|mistake| panic!("{mistake}\n{text}"));
        let file = sandbox.home_file(format!("{number}.toml"), text);
        let command = if text.contains("[[test]]") { "test" } else { "check" };
        let outcome = run(sandbox.toto([command]).arg(&file));
        assert_eq!(outcome.code(), 0, "{text}\n{}{}", outcome.out(), outcome.err());
    }
}
