//! Build time: lays `table.toml` out as a sorted static table.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// Reads `src/passthrough/table.toml` and writes `passthrough.rs` into `out_dir`.
pub fn generate(out_dir: &Path) {
    let source = "src/passthrough/table.toml";
    println!("cargo::rerun-if-changed={source}");
    let text = std::fs::read_to_string(source).expect(source);
    let table: BTreeMap<String, Vec<String>> =
        toml::from_str(&text).unwrap_or_else(|e| panic!("{source}: {e}"));
    let mut code = String::from("static TABLE: &[(&str, &[&[&str]])] = &[\n");
    for (tool, patterns) in &table {
        let patterns: Vec<Vec<&str>> = patterns.iter().map(|p| p.split_whitespace().collect()).collect();
        let patterns: Vec<String> = patterns.iter().map(|words| format!("&{words:?}")).collect();
        writeln!(code, "    ({tool:?}, &[{}]),", patterns.join(", ")).expect("writing to a string");
    }
    code.push_str("];\n");
    std::fs::write(out_dir.join("passthrough.rs"), code).expect("OUT_DIR is writable");
}
