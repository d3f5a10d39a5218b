//! Build time: generates an index of the library by tool, so that a run parses only the filter that it needs.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Deserialize;

use crate::commands::Table;

/// The key of a filter file that the index needs; the test suite checks the other keys.
#[derive(Deserialize)]
struct Head {
    command: toml::Value,
}

/// Reads `src/filters/*.toml` and writes `filters.rs` into `out_dir`. A filter without a command is for those of the
/// column of `table` that has its name.
pub fn generate(out_dir: &Path, table: &Table) {
    println!("cargo::rerun-if-changed=src/filters");
    match lay_out(table) {
        Ok(code) => std::fs::write(out_dir.join("filters.rs"), code).expect("OUT_DIR is writable"),
        Err(message) => println!("cargo::error={message}"),
    }
}

#[expect(clippy::disallowed_methods, reason = "a build may end so")]
fn lay_out(table: &Table) -> Result<String, String> {
    let mut paths: Vec<_> = std::fs::read_dir("src/filters")
        .map_err(|error| format!("src/filters: {error}"))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    paths.sort();
    let mut filters = String::new();
    let mut index: BTreeMap<String, Vec<(Vec<String>, usize)>> = BTreeMap::new();
    for (number, path) in paths.iter().enumerate() {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut source =
            std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        if let Some(tools) = table.get(&name) {
            source.insert_str(0, &format!("command = {:?}\n", calls(tools)));
        }
        // A filter's tests come last in its file, and are not parsed with its rules.
        let (rules, tests) = source.split_at(source.find("\n[[test]]").map_or(source.len(), |at| at + 1));
        let tests = packed(tests);
        filters += &format!("    Source {{ name: {name:?}, rules: {rules:?}, tests: &{tests:?} }},\n");
        let head: Head = toml::from_str(rules).map_err(|error| format!("{}: {error}", path.display()))?;
        for command in commands(&head.command).ok_or(format!("{}: no command", path.display()))? {
            let mut words = command.split_whitespace().map(str::to_owned);
            let tool = words.next().ok_or(format!("{}: an empty command", path.display()))?;
            index.entry(tool).or_default().push((words.collect(), number));
        }
    }
    let mut code =
        format!("pub static FILTERS: &[Source] = &[\n{filters}];\nstatic INDEX: &[(&str, &[Entry])] = &[\n");
    for (tool, mut entries) in index {
        // The longest command first.
        entries.sort_by_key(|(words, number)| (usize::MAX - words.len(), words.clone(), *number));
        if let Some(twice) = entries.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(format!("src/filters: {tool} {} has two filters", twice[0].0.join(" ")));
        }
        let entries: Vec<String> =
            entries.iter().map(|(words, number)| format!("(&{words:?}, {number})")).collect();
        code += &format!("    ({tool:?}, &[{}]),\n", entries.join(", "));
    }
    code.push_str("];\n");
    Ok(code)
}

/// Compresses tests by DEFLATE: they are four fifths of the library, and no run of a tool reads them.
fn packed(tests: &str) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(tests.as_bytes()).and_then(|()| encoder.finish()).expect("writing to memory")
}

fn calls(tools: &BTreeMap<String, Vec<Vec<String>>>) -> Vec<String> {
    let calls = tools.iter().flat_map(|(tool, patterns)| patterns.iter().map(move |words| (tool, words)));
    calls.map(|(tool, words)| [std::slice::from_ref(tool), words].concat().join(" ")).collect()
}

fn commands(value: &toml::Value) -> Option<Vec<&str>> {
    match value {
        toml::Value::String(command) => Some(vec![command]),
        toml::Value::Array(commands) => commands.iter().map(toml::Value::as_str).collect(),
        _ => None,
    }
}
