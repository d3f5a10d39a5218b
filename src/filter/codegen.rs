//! Build time: generates an index of the library by tool, so that a run parses only the filter that it needs.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Deserialize;

/// The key of a filter file that the index needs; the test suite checks the other keys.
#[derive(Deserialize)]
struct Head {
    command: toml::Value,
}

/// The content of `src/filter/words.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    wrappers: Vec<String>,
    options: BTreeMap<String, String>,
}

/// Reads `src/filters/*.toml` and `src/filter/words.toml` and writes `filters.rs` and `filter_words.rs` into `out_dir`.
pub fn generate(out_dir: &Path) {
    println!("cargo::rerun-if-changed=src/filters");
    println!("cargo::rerun-if-changed=src/filter/words.toml");
    for (file, code) in [("filters.rs", lay_out()), ("filter_words.rs", words())] {
        match code {
            Ok(code) => std::fs::write(out_dir.join(file), code).expect("OUT_DIR is writable"),
            Err(message) => println!("cargo::error={message}"),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a build may end so")]
fn lay_out() -> Result<String, String> {
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
        let source = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
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
        format!("static FILTERS: &[Source] = &[\n{filters}];\nstatic INDEX: &[(&str, &[Entry])] = &[\n");
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

fn commands(value: &toml::Value) -> Option<Vec<&str>> {
    match value {
        toml::Value::String(command) => Some(vec![command]),
        toml::Value::Array(commands) => commands.iter().map(toml::Value::as_str).collect(),
        _ => None,
    }
}

fn words() -> Result<String, String> {
    let source = "src/filter/words.toml";
    let text = std::fs::read_to_string(source).map_err(|error| format!("{source}: {error}"))?;
    let words: Words = toml::from_str(&text).map_err(|error| format!("{source}: {error}"))?;
    let split = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let wrappers: String =
        words.wrappers.iter().map(|wrapper| format!("    &{:?},\n", split(wrapper))).collect();
    let option = |(tool, options): (&String, &String)| format!("    ({tool:?}, &{:?}),\n", split(options));
    let options: String = words.options.iter().map(option).collect();
    Ok(format!(
        "static WRAPPERS: &[&[&str]] = &[\n{wrappers}];\nstatic OPTIONS: &[(&str, &[&str])] = &[\n{options}];\n"
    ))
}
