//! docs/reach.md and, line by line, docs/benchmarks/reach.md, made of the table.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Line, lines, listed};

const BEGIN: &str = "<!-- table: reach -->\n";
const END: &str = "<!-- table end -->\n";

fn code(text: &str) -> String {
    let text = text.replace('|', "\\|");
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

/// How many lines are seen, by ecosystem.
fn sums(lines: &[Line]) -> String {
    let mut by: BTreeMap<&str, Vec<&Line>> = BTreeMap::new();
    for line in lines {
        by.entry(&line.ecosystem).or_default().push(line);
    }
    by.insert("all", lines.iter().collect());
    let mut text = String::from(
        "| ecosystem | lines | projects | by the farm alone | with `agents setup` |\n|---|---|---|---|---|\n",
    );
    for (ecosystem, lines) in &by {
        let projects: std::collections::BTreeSet<_> = lines.iter().map(|line| &line.repository).collect();
        let seen = |test: fn(&Line) -> bool| {
            let count = lines.iter().filter(|line| test(line)).count();
            format!("{count} ({} %)", count * 100 / lines.len())
        };
        let (farm, agents) = (seen(|line| line.farm), seen(|line| line.agents));
        let _ = writeln!(text, "| {ecosystem} | {} | {} | {farm} | {agents} |", lines.len(), projects.len());
    }
    let own = lines.iter().filter(|line| line.own).count();
    let _ = writeln!(
        text,
        "\nOf those that are seen {own} are an interpreter's own program, which the shim becomes at once."
    );
    text
}

/// The list, and each line that is not seen, or only with `agents setup`.
fn single(lines: &[Line]) -> String {
    let names: Vec<_> = listed(lines).iter().map(|name| code(name)).collect();
    let mut text = format!("The list, as far as the lines have its names: {}.\n", names.join(", "));
    text += "\nNot seen, and why:\n\n| line | from | why |\n|---|---|---|\n";
    for line in lines.iter().filter(|line| !line.agents) {
        let why = line.why.as_deref().unwrap_or_default();
        let _ = writeln!(text, "| {} | {}, {} | {why} |", code(&line.run), line.repository, line.file);
    }
    text += "\nSeen only with `agents setup`:\n\n| line | from |\n|---|---|\n";
    for line in lines.iter().filter(|line| line.agents && !line.farm) {
        let activated = if line.venv { ", environment activated" } else { "" };
        let _ = writeln!(text, "| {} | {}, {}{activated} |", code(&line.run), line.repository, line.file);
    }
    text
}

#[test]
fn the_pages_are_what_the_table_says() {
    let lines = lines();
    for (name, table) in [("reach.md", sums(&lines)), ("benchmarks/reach.md", single(&lines))] {
        let path = format!("{}/docs/{name}", env!("CARGO_MANIFEST_DIR"));
        let page = std::fs::read_to_string(&path).unwrap();
        let (head, rest) = page.split_once(BEGIN).expect("the table's place");
        let (_, tail) = rest.split_once(END).expect("the table's end");
        let made = format!("{head}{BEGIN}{table}{END}{tail}");
        if std::env::var_os("TOTO_REACH").is_some_and(|value| value == "write") {
            std::fs::write(path, made).unwrap();
        } else {
            assert!(
                made == page,
                "docs/{name} is stale: TOTO_REACH=write cargo test --test suite reach::page"
            );
        }
    }
}
