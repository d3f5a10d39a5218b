//! Build time: lays the table out as a sorted static table a column, so that a run touches only what it asks for.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// By column and tool: the patterns, each as its words.
pub type Table = BTreeMap<String, BTreeMap<String, Vec<Vec<String>>>>;

const SOURCES: [&str; 2] = ["src/commands/table.toml", "src/ledger/calls.toml"];

/// Reads the rows and writes `commands.rs` into `out_dir`.
pub fn generate(out_dir: &Path) -> Table {
    let mut table = Table::new();
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
        let text = std::fs::read_to_string(source).expect(source);
        add_rows(&text, &mut table).unwrap_or_else(|error| panic!("{source}: {error}"));
    }
    let mut code = String::new();
    for (column, tools) in &table {
        writeln!(code, "/// `{column}` in the table.").expect("writing to a string");
        writeln!(code, "pub static {}: Column = Column(&[", column.to_uppercase()).expect("as above");
        for (tool, patterns) in tools {
            let patterns: Vec<_> = patterns.iter().map(|words| format!("&{words:?}")).collect();
            writeln!(code, "    ({tool:?}, &[{}]),", patterns.join(", ")).expect("as above");
        }
        code.push_str("]);\n");
    }
    std::fs::write(out_dir.join("commands.rs"), code).expect("OUT_DIR is writable");
    table
}

fn add_rows(text: &str, table: &mut Table) -> Result<(), String> {
    let rows: BTreeMap<String, BTreeMap<String, toml::Value>> =
        toml::from_str(text).map_err(|error| error.to_string())?;
    let mut seen = std::collections::BTreeSet::new();
    for (names, row) in &rows {
        for name in names.split(' ') {
            if !seen.insert(name) {
                return Err(format!("{name} stands in two rows"));
            }
            for (column, value) in row {
                let patterns = patterns(column, value).ok_or(format!("{name}: {column} = {value}"))?;
                table.entry(column.clone()).or_default().insert(name.to_owned(), patterns);
            }
        }
    }
    Ok(())
}

fn patterns(column: &str, value: &toml::Value) -> Option<Vec<Vec<String>>> {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    match value {
        toml::Value::Boolean(true) => Some(vec![Vec::new()]),
        // A sentence.
        toml::Value::String(text) if column == "stays" => Some(vec![vec![text.clone()]]),
        toml::Value::String(text) => Some(text.split(',').map(words).collect()),
        // Long patterns go over several lines.
        toml::Value::Array(list) => {
            list.iter().map(|text| Some(words(&text.as_str()?.replace('\n', "")))).collect()
        }
        _ => None,
    }
}
