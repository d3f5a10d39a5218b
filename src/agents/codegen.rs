//! Generates static Rust tables from `src/agents/*.toml` and `src/consumer/processes.toml`. A part of `build.rs`:
//! nothing is parsed when a tool runs, and a mistake in a table stops the build with its file and key.

#[path = "file.rs"]
#[allow(dead_code, reason = "most fields are read by their `Debug` alone")]
mod file;

use file::{Agent, check};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt::{Debug, Write as _};
use std::fs;
use std::path::Path;

/// The keys of `src/consumer/processes.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProcessFile {
    shells: Vec<String>,
    interpreters: Vec<String>,
    inits: Vec<String>,
    never: Vec<String>,
}

/// Bytes of a process's name that the kernel keeps (`TASK_COMM_LEN` less the final NUL, proc(5)).
const COMM_LENGTH: usize = 15;

/// Reads the tables and writes `agents.rs` and `processes.rs` into `out_dir`; the error is the first mistake.
#[allow(dead_code, clippy::print_stdout, clippy::disallowed_methods, reason = "of the build; not of tests")]
pub fn generate(out_dir: &Path) -> Result<(), String> {
    println!("cargo::rerun-if-changed=src/agents");
    println!("cargo::rerun-if-changed=src/consumer/processes.toml");
    let processes = read(Path::new("src/consumer/processes.toml"))?;
    let mut files = Vec::new();
    for entry in fs::read_dir("src/agents").map_err(|e| format!("src/agents: {e}"))? {
        let path = entry.map_err(|e| e.to_string())?.path();
        if path.extension().is_some_and(|e| e == "toml") {
            files.push(read(&path)?);
        }
    }
    files.sort();
    write(&out_dir.join("processes.rs"), &process_tables(&processes)?)?;
    write(&out_dir.join("agents.rs"), &agent_table(&files, &processes)?)
}

/// A file's name for messages, and its text.
pub type Source = (String, String);

fn read(path: &Path) -> Result<Source, String> {
    let name = path.display().to_string();
    let text = fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
    Ok((name, text))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

fn parse<T: for<'a> Deserialize<'a>>((name, text): &Source) -> Result<T, String> {
    toml::from_str(text).map_err(|e| {
        let line = e.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
        format!("{name}:{line}: {}", e.message().replace('\n', " "))
    })
}

/// Rust source of the tables in `src/consumer/processes.rs`, each sorted for binary search.
pub fn process_tables(source: &Source) -> Result<String, String> {
    let file: ProcessFile = parse(source)?;
    let mut text = String::new();
    let ProcessFile { shells, interpreters, inits, never } = &file;
    for (name, list) in
        [("SHELLS", shells), ("INTERPRETERS", interpreters), ("INITS", inits), ("NEVER", never)]
    {
        // Of each long name also the form to which the kernel cuts it.
        let forms = list.iter().flat_map(|name| [name, name.get(..COMM_LENGTH).unwrap_or(name)]);
        let sorted: BTreeSet<&str> = forms.collect();
        if sorted.contains("") {
            return Err(format!("{}: {}: an empty name", source.0, name.to_lowercase()));
        }
        let _ = writeln!(text, "pub static {name}: &[&str] = &{:?};", Vec::from_iter(sorted));
    }
    Ok(text)
}

/// Rust source of `agents::AGENTS`, in the order of the files.
pub fn agent_table(files: &[Source], processes: &Source) -> Result<String, String> {
    let known: ProcessFile = parse(processes)?;
    let mut text =
        String::from("pub static AGENTS: &[Agent] = {\n    use Mode::{Interactive, Login, Plain};\n    &[\n");
    for source in files {
        let agent: Agent = parse(source)?;
        let stem = Path::new(&source.0).file_stem().unwrap_or_default().to_string_lossy();
        let never = |name: &str| known.never.iter().chain(&known.shells).any(|never| never == name);
        check(&agent, &stem, never).map_err(|problem| format!("{}: {problem}", source.0))?;
        let _ = writeln!(text, "    {},", rust(&agent));
    }
    text.push_str("]};\n");
    Ok(text)
}

/// The `Debug` form of a value as Rust: a list is a reference to one.
fn rust(value: &impl Debug) -> String {
    let (mut text, mut in_string, mut is_escaped) = (String::new(), false, false);
    for c in format!("{value:?}").chars() {
        if c == '[' && !in_string {
            text.push('&');
        }
        text.push(c);
        in_string ^= c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
    }
    text
}
