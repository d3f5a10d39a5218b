//! Other programs' configuration: put in, put in again, taken out, with nothing of anybody else's touched.

use llm_toto::edits::{Change, Format, Record, Undo, edit, undo, with_changes};
use proptest::prelude::*;
use serde_json::{Value, json};

const MARK: &str = ".toto/hook";

fn keys(at: &[&str]) -> Vec<String> {
    at.iter().map(ToString::to_string).collect()
}

fn hook() -> Change {
    let element =
        json!({ "matcher": "", "hooks": [{ "type": "command", "command": "\"$HOME\"/.toto/hook path" }] });
    Change::Append { at: keys(&["hooks", "SessionStart"]), element, mark: MARK.into() }
}

fn other_hook() -> Change {
    let element = json!({ "hooks": [{ "type": "command", "command": "\"$HOME\"/.toto/hook other" }] });
    Change::Append { at: keys(&["hooks", "PreCompact"]), element, mark: ".toto/hook other".into() }
}

fn variable() -> Change {
    Change::Set {
        at: keys(&["shell_environment_policy", "set", "BASH_ENV"]),
        value: json!("/home/u/.toto/env"),
    }
}

fn put(format: Format, text: &str, change: &Change) -> String {
    edit(format, text, change).unwrap().0
}

/// Put in, again, and out by the record; then out by what the text itself tells.
#[track_caller]
fn there_and_back(format: Format, text: Option<&str>, changes: &[Change]) -> String {
    let (new, record) = with_changes(format, text, None, "path", changes, true).unwrap();
    let new = new.unwrap();
    let again = with_changes(format, Some(&new), record.as_ref(), "path", changes, true).unwrap();
    assert_eq!(again, (Some(new.clone()), record.clone()), "a second time changes nothing");
    let unrecorded = with_changes(format, Some(&new), None, "path", changes, true).unwrap().0;
    assert_eq!(unrecorded.as_deref(), Some(&*new), "nor without the record");
    let kept: Record = serde_json::from_str(&serde_json::to_string(&record.unwrap()).unwrap()).unwrap();
    let back = with_changes(format, Some(&new), Some(&kept), "path", changes, false).unwrap();
    assert_eq!(back, (text.map(Into::into), None), "taken out of {new}");
    new
}

#[test]
fn json_gets_what_its_own_style_wants() {
    for (text, expected) in [
        (
            "{\n    \"a\": 1 // one\n}\n",
            "{\n    \"a\": 1, // one\n    \"hooks\": {\n        \"x\": [\n            2\n        ]\n    }\n}\n",
        ),
        ("{\"a\":1}", "{\"a\":1,\"hooks\":{\"x\":[2]}}"),
        ("{ \"a\": 1 }", "{ \"a\": 1, \"hooks\": {\"x\": [2]} }"),
        (
            "{\r\n\t\"a\": 1,\r\n}",
            "{\r\n\t\"a\": 1,\r\n\t\"hooks\": {\r\n\t\t\"x\": [\r\n\t\t\t2\r\n\t\t]\r\n\t},\r\n}",
        ),
        ("{}", "{\n  \"hooks\": {\n    \"x\": [\n      2\n    ]\n  }\n}"),
        (
            "{\n  // nothing yet\n}\n",
            "{\n  // nothing yet\n  \"hooks\": {\n    \"x\": [\n      2\n    ]\n  }\n}\n",
        ),
        ("", "{\n  \"hooks\": {\n    \"x\": [\n      2\n    ]\n  }\n}\n"),
        ("{ \"hooks\": { \"x\": [1 /* no comma */] } }", "{ \"hooks\": { \"x\": [1, /* no comma */ 2] } }"),
        ("{\"hooks\":{\"x\":[]}}", "{\"hooks\":{\"x\":[2]}}"),
        ("\u{feff}{\"hooks\":{}}", "\u{feff}{\"hooks\":{\"x\":[2]}}"),
    ] {
        let change = Change::Append { at: keys(&["hooks", "x"]), element: json!(2), mark: "no mark".into() };
        assert_eq!(there_and_back(Format::Json, Some(text), &[change]), expected, "{text:?}");
    }
}

#[test]
fn toml_gets_what_its_own_style_wants() {
    let block = "[shell_environment_policy.set]\nBASH_ENV = \"/home/u/.toto/env\"\n";
    let entry = "BASH_ENV = \"/home/u/.toto/env\"";
    for (text, expected) in [
        ("", block.to_string()),
        ("# mine\nmodel = \"x\" # tail\n", format!("# mine\nmodel = \"x\" # tail\n\n{block}")),
        ("[a]\nb = 1", format!("[a]\nb = 1\n\n{block}")),
        (
            "[shell_environment_policy]\ninherit = \"all\" # keep\n\n[z]\n",
            format!("[shell_environment_policy]\ninherit = \"all\" # keep\nset.{entry}\n\n[z]\n"),
        ),
        (
            "[shell_environment_policy.set] # mine\nA = \"b\"\r\n\n# end\n",
            format!("[shell_environment_policy.set] # mine\nA = \"b\"\r\n{entry}\n\n# end\n"),
        ),
        (
            "shell_environment_policy.inherit = \"all\"\n[z]\n",
            format!(
                "shell_environment_policy.inherit = \"all\"\nshell_environment_policy.set.{entry}\n[z]\n"
            ),
        ),
        (
            "shell_environment_policy = { set = { A = \"b\" } }\n",
            format!("shell_environment_policy = {{ set = {{ A = \"b\", {entry} }} }}\n"),
        ),
        ("shell_environment_policy = {}", format!("shell_environment_policy = {{ set.{entry} }}")),
        (
            "[shell_environment_policy.set]\nBASH_ENV = '/mine' # why\n",
            format!("[shell_environment_policy.set]\n{entry} # why\n"),
        ),
        (
            "[shell_environment_policy.filters]\nx = 1\n",
            format!("[shell_environment_policy.filters]\nx = 1\n\n{block}"),
        ),
    ] {
        let got = there_and_back(Format::Toml, Some(text), &[variable()]);
        // The first line decides how lines end.
        assert_eq!(got.replace("\r\n", "\n"), expected.replace("\r\n", "\n"), "{text:?}");
        let parsed: toml::Table = toml::from_str(&got).unwrap();
        assert_eq!(parsed["shell_environment_policy"]["set"]["BASH_ENV"].as_str(), Some("/home/u/.toto/env"));
    }
    let top = Change::Set { at: keys(&["allow_login_shell"]), value: json!(false) };
    let got = there_and_back(Format::Toml, Some("# head\n[a]\nb = 1\n"), &[top, variable()]);
    assert_eq!(got, format!("allow_login_shell = false\n\n# head\n[a]\nb = 1\n\n{block}"));
}

#[test]
fn a_table_made_by_dotted_keys_in_an_inline_table_gets_one_more() {
    for (text, expected, alone) in [
        (
            "shell_environment_policy = { set.A = 1, x = 2 }\n",
            "shell_environment_policy = { set.A = 1, set.BASH_ENV = \"/home/u/.toto/env\", x = 2 }\n",
            "shell_environment_policy = { set.A = 1, x = 2 }\n",
        ),
        (
            "a = 1\nshell_environment_policy = {}\n",
            "a = 1\nshell_environment_policy = { set.BASH_ENV = \"/home/u/.toto/env\" }\n",
            "a = 1\nshell_environment_policy = {}\n",
        ),
        (
            "shell_environment_policy = { \"set\" . BASH_ENV = \"/home/u/.toto/env\" , x.\"a,b\" = { c = [1] } }",
            "shell_environment_policy = { \"set\" . BASH_ENV = \"/home/u/.toto/env\" , x.\"a,b\" = { c = [1] } }",
            "shell_environment_policy = { x.\"a,b\" = { c = [1] } }",
        ),
        (
            "shell_environment_policy = {\n  x = [\"BASH_ENV\"], # one, two\n  set.BASH_ENV = \"/home/u/.toto/env\"\n}\n",
            "shell_environment_policy = {\n  x = [\"BASH_ENV\"], # one, two\n  set.BASH_ENV = \"/home/u/.toto/env\"\n}\n",
            "shell_environment_policy = {\n  x = [\"BASH_ENV\"], # one, two\n  }\n",
        ),
    ] {
        let got = put(Format::Toml, text, &variable());
        assert_eq!(got, expected);
        assert_eq!(undo(Format::Toml, &got, &variable(), &Undo::UNKNOWN).unwrap(), alone);
    }
    let held = "shell_environment_policy = { set.BASH_ENV.x = 1 }\n";
    let fault = edit(Format::Toml, held, &variable()).unwrap_err().to_string();
    assert!(fault.contains("`shell_environment_policy.set.BASH_ENV` is not a single value"), "{fault}");
    let mut strings = variable();
    if let Change::Set { at, value } = variable() {
        strings = Change::Append { at, element: value, mark: MARK.into() };
    }
    let tables = "[[shell_environment_policy.set.BASH_ENV]]\nx = 1\n";
    assert!(edit(Format::Toml, tables, &strings).is_err(), "a string is no element of a list of tables");
}

#[test]
fn toml_lists_of_tables_get_a_table() {
    for text in [
        "",
        "a = 1\n",
        "[[hooks.SessionStart]]\nmatcher = \"x\"\nhooks = []\n",
        "[hooks]\nSessionStart = [{ matcher = \"x\" }]\n",
        "hooks = { SessionStart = [] }\n",
    ] {
        let got = there_and_back(Format::Toml, Some(text), &[hook()]);
        let parsed: toml::Table = toml::from_str(&got).unwrap();
        let list = parsed["hooks"]["SessionStart"].as_array().unwrap();
        assert_eq!(serde_json::to_value(list.last()).unwrap()["hooks"][0]["type"], "command", "{got}");
        let alone = undo(Format::Toml, &got, &hook(), &Undo { existing: 3, ..Undo::UNKNOWN }).unwrap();
        assert!(!alone.contains(MARK) && toml::from_str::<toml::Table>(&alone).is_ok(), "{alone}");
    }
}

#[test]
fn a_text_that_cannot_be_edited_is_refused_with_its_place() {
    for (format, text, expected) in [
        (Format::Json, "{\n  \"a\": 1\n  \"b\": 2\n}", "2:9: Expected comma"),
        (Format::Json, "{\"a\": tru}", "1:7: Unexpected token"),
        (Format::Json, "{\n \"a\": [1, 2", "2:7: Unterminated array"),
        (Format::Json, "{\"a\": \"\\q\"}", "1:8: Invalid escape"),
        (Format::Json, "{} x", "1:4: Text cannot contain more than one JSON value"),
        (Format::Json, "/* x", "1:1: Unterminated comment block"),
        (Format::Json, "{\n  \"hooks\": []\n}", "2:12: `hooks` is not an object"),
        (Format::Json, "{\"hooks\": {\"SessionStart\": {}}}", "1:28: `hooks.SessionStart` is not an array"),
        (Format::Json, "[]", "1:1: the file is not an object"),
        (Format::Toml, "a = 1\nb = [\n", "2:6: unclosed array"),
        (Format::Toml, "hooks = 3\n", "1:9: `hooks` is not a table"),
        (Format::Toml, "[hooks]\nSessionStart = 3\n", "2:16: `hooks.SessionStart` is not an array"),
        (Format::Whole, "x", "1:1: not a format that can be edited"),
    ] {
        let fault = edit(format, text, &hook()).unwrap_err().to_string();
        assert!(fault.starts_with(expected), "{text:?}: {fault}");
    }
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(edit(Format::Json, &deep, &hook()).unwrap_err().message.contains("depth"));
}

#[test]
fn what_is_there_already_stays_when_ours_goes() {
    let own = "{\"hooks\":{\"SessionStart\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"mine\"}]}]}}";
    there_and_back(Format::Json, Some(own), &[hook(), other_hook()]);
    let Change::Append { element, .. } = hook() else { unreachable!() };
    let same = json!({ "hooks": { "SessionStart": [element] } }).to_string();
    let (new, undone) = edit(Format::Json, &same, &hook()).unwrap();
    assert_eq!((new, undone.added), (same, false));
}

#[test]
fn only_ours_goes_from_a_file_that_its_program_wrote_anew() {
    let (new, record) = with_changes(Format::Json, Some("{\"a\":1}"), None, "path", &[hook()], true).unwrap();
    let mut value: Value = serde_json::from_str(&new.unwrap()).unwrap();
    value["hooks"]["SessionStart"][0]["hooks"].as_array_mut().unwrap().push(json!({ "command": "theirs" }));
    value["model"] = json!("x");
    let rewritten = serde_json::to_string_pretty(&value).unwrap();
    let (back, record) =
        with_changes(Format::Json, Some(&rewritten), record.as_ref(), "path", &[hook()], false).unwrap();
    assert_eq!(record, None);
    let mut expected = value.clone();
    expected["hooks"]["SessionStart"][0]["hooks"].as_array_mut().unwrap().remove(0);
    assert_eq!(serde_json::from_str::<Value>(&back.unwrap()).unwrap(), expected);
}

#[test]
fn a_file_of_ours_alone_goes_whatever_its_program_did_to_it() {
    for rewritten in [None, Some("{}\n"), Some("{\n}")] {
        let (new, record) = with_changes(Format::Json, None, None, "path", &[hook()], true).unwrap();
        let current = rewritten.map_or(new.unwrap(), Into::into);
        let back =
            with_changes(Format::Json, Some(&current), record.as_ref(), "path", &[hook()], false).unwrap();
        assert_eq!(back, (None, None));
    }
}

#[test]
fn two_owners_go_one_after_the_other_in_any_order() {
    for text in [None, Some("{}"), Some("{ }\n"), Some("{\"hooks\":{}}"), Some("{\n  \"a\": [] // x\n}\n")] {
        for first_out in ["path", "rewrite"] {
            let (one, record) = with_changes(Format::Json, text, None, "path", &[hook()], true).unwrap();
            let (two, record) =
                with_changes(Format::Json, one.as_deref(), record.as_ref(), "rewrite", &[other_hook()], true)
                    .unwrap();
            assert_eq!(record.as_ref().unwrap().owners(), ["path", "rewrite"]);
            let (less, record) =
                with_changes(Format::Json, two.as_deref(), record.as_ref(), first_out, &[], false).unwrap();
            let last_out = if first_out == "path" { "rewrite" } else { "path" };
            assert_eq!(record.as_ref().unwrap().owners(), [last_out]);
            let (none, record) =
                with_changes(Format::Json, less.as_deref(), record.as_ref(), last_out, &[], false).unwrap();
            assert_eq!((none.as_deref(), record), (text, None));
        }
    }
}

#[test]
fn a_foreign_file_is_not_overwritten() {
    let change = |text: &str| Change::Text { text: text.into(), mark: "by toto".into() };
    assert!(edit(Format::Whole, "theirs", &change("// by toto\n")).is_err());
    let (new, record) =
        with_changes(Format::Whole, None, None, "path", &[change("// by toto 1\n")], true).unwrap();
    let (new, record) = with_changes(
        Format::Whole,
        new.as_deref(),
        record.as_ref(),
        "path",
        &[change("// by toto 2\n")],
        true,
    )
    .unwrap();
    assert_eq!(new.as_deref(), Some("// by toto 2\n"));
    assert_eq!(
        with_changes(Format::Whole, new.as_deref(), record.as_ref(), "path", &[], false).unwrap(),
        (None, None)
    );
}

/// White space and comments, as they may stand between any two tokens.
fn blank() -> impl Strategy<Value = String> {
    prop_oneof![6 => "[ \t]{0,2}", 2 => "\n {0,4}", 1 => "\r\n\t?", 1 => " /\\* [a-z,{]{0,4} \\*/", 1 => " // [a-z,}\"]{0,5}\n *"]
}

/// A document of random values in a random layout, with or without hooks.
fn document() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_string()),
        Just("-1.50e3".into()),
        Just("\"a\\\"{,\\u00e9\"".into()),
        Just("true".into())
    ];
    let value = leaf.prop_recursive(4, 24, 4, |inner| {
        let parts = prop::collection::vec((blank(), inner, blank()), 0..4);
        (parts, any::<bool>(), any::<bool>(), blank())
            .prop_map(|(parts, object, trailing, gap)| container(&parts, object, trailing, &gap))
    });
    let parts = prop::collection::vec((blank(), value, blank()), 0..4);
    (parts, any::<bool>(), blank(), blank(), blank()).prop_map(|(parts, trailing, gap, before, behind)| {
        format!("{before}{}{behind}", container(&parts, true, trailing, &gap))
    })
}

fn container(parts: &[(String, String, String)], object: bool, trailing: bool, gap: &str) -> String {
    let names = ["a", "hooks", "SessionStart", "b"];
    let member = |(index, (before, value, behind)): (usize, &(String, String, String))| {
        let key = if object { format!("\"{}\"{gap}:", names[index % 4]) } else { String::new() };
        format!("{before}{key}{value}{behind}")
    };
    let mut inner = parts.iter().enumerate().map(member).collect::<Vec<_>>().join(",");
    if trailing && !parts.is_empty() {
        inner.push(',');
    }
    let (open, close) = if object { ('{', '}') } else { ('[', ']') };
    format!("{open}{inner}{gap}{close}")
}

/// The text less its comments, as a value. Trailing commas are taken out as well.
fn value_of(text: &str) -> Option<Value> {
    let mut bare = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '"' => 2 + rest[1..].match_indices('"').find(|(at, _)| !rest[..=*at].ends_with('\\'))?.0,
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' => rest.find("*/")? + 2,
            _ => c.len_utf8(),
        };
        if c == '}' || c == ']' {
            bare.truncate(bare.trim_end().trim_end_matches(',').len());
        }
        if c != '/' {
            bare.push_str(&rest[..length]);
        }
        rest = &rest[length..];
    }
    serde_json::from_str(&bare).ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_json_comes_back_byte_for_byte(text in document()) {
        let changes = [hook(), other_hook()];
        if edit(Format::Json, &text, &changes[0]).is_ok() {
            let new = there_and_back(Format::Json, Some(&text), &changes);
            let value = value_of(&new);
            prop_assert!(value.is_some(), "{new}");
            let list = value.unwrap()["hooks"]["SessionStart"].clone();
            prop_assert!(list.as_array().unwrap().last().unwrap().to_string().contains(MARK));
        }
    }

    #[test]
    fn without_a_record_ours_goes_and_nothing_else(text in document()) {
        if let Ok((new, undone)) = edit(Format::Json, &text, &hook()) {
            let back = undo(Format::Json, &new, &hook(), &undone).unwrap();
            prop_assert_eq!(value_of(&back), value_of(&text), "{} became {}", new, back);
            for comment in text.split("/*").skip(1) {
                prop_assert!(back.contains(comment.split("*/").next().unwrap()));
            }
        }
    }

    #[test]
    fn what_others_put_in_meanwhile_stays(text in document(), key in "[c-f]") {
        let others = Change::Append { at: keys(&["b", &key]), element: json!([1]), mark: "none".into() };
        let Ok((new, undone)) = edit(Format::Json, &text, &hook()) else { return Ok(()) };
        let Ok((both, _)) = edit(Format::Json, &new, &others) else { return Ok(()) };
        let back = undo(Format::Json, &both, &hook(), &undone).unwrap();
        let alone = put(Format::Json, &text, &others);
        prop_assert_eq!(value_of(&back), value_of(&alone), "{} became {}", both, back);
    }

    #[test]
    fn noise_never_panics(text in "[{}\\[\\]\",:/*\n a1\\\\\u{e9}=.#']{0,24}") {
        for format in [Format::Json, Format::Toml, Format::Whole] {
            for change in [hook(), variable()] {
                if let Ok((new, undone)) = edit(format, &text, &change) {
                    undo(format, &new, &change, &undone).unwrap();
                }
            }
        }
    }

    #[test]
    fn any_toml_comes_back_byte_for_byte(
        lines in prop::collection::vec(prop_oneof![
            Just("# note\n"), Just("\n"), Just("a = 1 # x\n"), Just("b.c = '''\nm\n'''\n"), Just("[t]\n"), Just("[t.u]\n"),
            Just("[shell_environment_policy]\n"), Just("[shell_environment_policy.set]\n"), Just("set.A = 'x'\n"),
            Just("shell_environment_policy.inherit = 'all'\n"), Just("shell_environment_policy.set = { B = [1] }\n"),
            Just("set = {}\n"), Just("shell_environment_policy = { set.A = 1 }\n"), Just("[[hooks.SessionStart]]\n"), Just("x = { y = { z = 1 } }\n"), Just("BASH_ENV = ''\n"),
        ], 0..9),
        crlf: bool, cut: bool,
    ) {
        let mut text = lines.concat();
        if crlf { text = text.replace('\n', "\r\n"); }
        if cut { text.truncate(text.trim_end().len()); }
        for change in [variable(), hook()] {
            let Ok((new, undone)) = edit(Format::Toml, &text, &change) else { continue };
            let before: toml::Table = toml::from_str(&text).unwrap();
            prop_assert!(toml::from_str::<toml::Table>(&new).is_ok(), "{text:?} became {new:?}");
            there_and_back(Format::Toml, Some(&text), std::slice::from_ref(&change));
            let back = undo(Format::Toml, &new, &change, &undone).unwrap();
            prop_assert_eq!(toml::from_str::<toml::Table>(&back).unwrap(), before, "{:?} became {:?}", new, back);
        }
    }
}

/// What one owner makes once more stays where it was among what others made since.
#[test]
fn the_changes_of_two_owners_stay_in_their_order() {
    let first = with_changes(Format::Json, Some("{}"), None, "path", &[hook()], true).unwrap();
    let (text, record) =
        with_changes(Format::Json, first.0.as_deref(), first.1.as_ref(), "hook", &[other_hook()], true)
            .unwrap();
    for (owner, change) in [("path", hook()), ("hook", other_hook())] {
        let again =
            with_changes(Format::Json, text.as_deref(), record.as_ref(), owner, &[change], true).unwrap();
        assert_eq!(again, (text.clone(), record.clone()), "{owner}");
    }
}
