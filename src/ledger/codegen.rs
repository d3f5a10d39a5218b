//! Build time: writes `calls.toml` as sorted static tables.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;

/// The contents of `src/ledger/calls.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Calls {
    verbs: String,
    names: String,
    tools: BTreeMap<String, Vec<String>>,
}

/// Reads `src/ledger/calls.toml` and writes `calls.rs` into `out_dir`.
pub fn generate(out_dir: &Path) {
    let source = "src/ledger/calls.toml";
    println!("cargo::rerun-if-changed={source}");
    let text = std::fs::read_to_string(source).expect(source);
    let mut calls: Calls = toml::from_str(&text).unwrap_or_else(|error| panic!("{source}: {error}"));
    for name in calls.names.split_whitespace() {
        calls.tools.entry(name.to_owned()).or_default();
    }
    let mut verbs: Vec<&str> = calls.verbs.split_whitespace().collect();
    verbs.sort_unstable();
    let mut code = format!("static VERBS: &[&str] = &{verbs:?};\nstatic TOOLS: &[(&str, &[&[&str]])] = &[\n");
    for (tool, patterns) in &calls.tools {
        let patterns: Vec<String> = patterns
            .iter()
            .map(|pattern| format!("&{:?}", pattern.replace('\n', "").split_whitespace().collect::<Vec<_>>()))
            .collect();
        writeln!(code, "    ({tool:?}, &[{}]),", patterns.join(", ")).expect("writing to a string");
    }
    code.push_str("];\n");
    std::fs::write(out_dir.join("calls.rs"), code).expect("OUT_DIR is writable");
}
