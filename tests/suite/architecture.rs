//! Imports run downward: a room uses only rooms of lower layers, so that data flows one way.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::harness::files_below;

/// From the bottom up; rooms of one layer do not use each other.
const LAYERS: &[&[&str]] = &[
    &["commands", "env", "failure", "fnv", "glob", "hidden", "mistake", "plural", "sys", "words"],
    &["agents", "marks"],
    &["config", "trust"],
    &["tokens"],
    &["document"],
    &["render", "filter", "report"],
    &["custom"],
    &["pipeline", "fetch"],
    &["overflow"],
    &["source"],
    &["path", "consumer", "store", "receipt", "edits", "ledger"],
    &["run"],
    &["farm", "deliver", "hook", "packs"],
    &["agent_setup", "transcripts", "viewer"],
    &["shim"],
    &["cli"],
];

fn layer(room: &str) -> usize {
    LAYERS
        .iter()
        .position(|rooms| rooms.contains(&room))
        .unwrap_or_else(|| panic!("src/{room} has no place in LAYERS"))
}

/// Every `crate::ROOM` of a source file.
fn imports(text: &str) -> BTreeSet<String> {
    let room = |rest: &str| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut rooms: BTreeSet<String> =
        text.match_indices("crate::").map(|(at, found)| room(&text[at + found.len()..])).collect();
    for (at, found) in text.match_indices("crate::{") {
        let group = text[at + found.len()..].split("};").next().unwrap_or_default();
        let mut depth = 0;
        let outer: String = group
            .chars()
            .filter(|c| {
                depth += i32::from(*c == '{') - i32::from(*c == '}');
                depth == 0
            })
            .collect();
        rooms.extend(outer.split(',').map(|item| room(item.trim())));
    }
    rooms.retain(|room| !room.is_empty());
    rooms
}

fn all_sources() -> Vec<(String, std::path::PathBuf)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = files_below(&src);
    found.retain(|path| path.extension().is_some_and(|ext| ext == "rs"));
    assert!(found.len() > 20, "the sources are not where they were");
    let room = |path: &Path| {
        let first = path.strip_prefix(&src).unwrap().components().next().unwrap();
        Path::new(first.as_os_str()).file_stem().unwrap().to_str().unwrap().to_owned()
    };
    found
        .into_iter()
        .map(|path| (room(&path), path))
        .filter(|(room, _)| room != "main" && room != "lib")
        .collect()
}

#[test]
fn imports_run_downward() {
    let mut wrong = Vec::new();
    for (room, path) in all_sources() {
        for used in imports(&fs::read_to_string(&path).unwrap()) {
            if used != room && layer(&used) >= layer(&room) {
                wrong.push(format!("{}: {room} uses {used}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn unsafe_is_allowed_in_one_room() {
    for (room, path) in all_sources() {
        // Cargo.toml denies it.
        let text = fs::read_to_string(&path).unwrap().replace("forbid(unsafe_code)", "");
        assert!(room == "sys" || !text.contains("unsafe_code"), "{}", path.display());
    }
}

/// Longest line of a comment, in characters.
const COLUMNS: usize = 120;
/// Where comments may be wider, for now.
const WIDE: [&str; 4] = ["custom/", "render/", "report/", "viewer/lacked.rs"];

#[test]
fn comments_are_no_wider_than_the_page() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wide = Vec::new();
    for (_, path) in all_sources() {
        let file = path.strip_prefix(&src).unwrap().to_str().unwrap();
        if WIDE.iter().any(|other| file.starts_with(other)) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let is_wide = |line: &str| line.trim_start().starts_with("//") && line.chars().count() > COLUMNS;
        let lines = text.lines().enumerate().filter(|(_, line)| is_wide(line));
        wide.extend(lines.map(|(number, _)| format!("src/{file}:{}", number + 1)));
    }
    assert!(wide.is_empty(), "{wide:#?}");
}

#[test]
fn every_import_form_is_seen() {
    let text = "use crate::env;\nuse crate::{config, path::{self, Guard}, run::emit};\nfn f() { crate::store::root() }";
    let expected = ["config", "env", "path", "run", "store"].map(String::from);
    assert_eq!(imports(text), expected.into());
}

/// Files in which names of tools stand for something else than what is known of a command.
const NAMED: &[(&str, &str)] = &[
    ("consumer/window", "how the options of viewers and of wrappers are read"),
    ("farm/known.rs", "which tools are worth a link, in their order, and by which interpreter"),
    ("farm/probe.rs", "how shells are asked"),
    ("path/search.rs", "directories of version managers"),
    ("hook/filters.rs", "how the options of filters behind a pipe are read"),
    ("report/", "each family bears its tool's name"),
    ("source/command.rs", "how the commands that print files are read"),
];
/// Most names in a file that are no list.
const FEW: usize = 6;

#[test]
fn one_table_says_what_is_known_of_commands() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let table: toml::Table = fs::read_to_string(src.join("commands/table.toml")).unwrap().parse().unwrap();
    let is_syntax =
        |row: &toml::Value| row.get("stays").is_some_and(|it| it.as_str().unwrap().contains("shell"));
    let tools: BTreeSet<&str> =
        table.iter().filter(|(_, row)| !is_syntax(row)).flat_map(|(names, _)| names.split(' ')).collect();
    let mut lists = Vec::new();
    for (_, path) in all_sources() {
        let text = fs::read_to_string(&path).unwrap();
        let literals = text.split('"').skip(1).step_by(2);
        let words =
            |literal: &str| literal.split([' ', ',', '\\', '\n']).map(str::to_owned).collect::<Vec<_>>();
        // A sentence has other words, too.
        let is_list =
            |words: &Vec<String>| words.iter().all(|word| word.is_empty() || tools.contains(&**word));
        let named: BTreeSet<String> = literals.map(words).filter(is_list).flatten().collect();
        let file = path.strip_prefix(&src).unwrap().to_str().unwrap();
        if named.len() > FEW && !NAMED.iter().any(|(other, _)| file.starts_with(other)) {
            lists.push(format!("{file}: {named:?}"));
        }
    }
    assert!(lists.is_empty(), "{lists:#?}");
}

#[test]
fn one_file_knows_the_words_of_a_failure() {
    const WORDS: [&str; 8] = ["error", "fail", "fatal", "panic", "exception", "denied", "refused", "abort"];
    for (room, path) in all_sources() {
        let text = fs::read_to_string(&path).unwrap();
        let known = |literal: &&str| WORDS.iter().filter(|word| literal.contains(**word)).count() > 2;
        let list = text.split('"').skip(1).step_by(2).find(known);
        // What checks filters shares nothing with what it checks.
        let is_known = room == "failure" || path.ends_with("custom/checks.rs");
        assert!(is_known || list.is_none(), "{}: {list:?}", path.display());
    }
}
