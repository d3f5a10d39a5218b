//! Every measured number in README.md and docs/ comes out of `tests/bench/report`: it stands between `<!-- figures:
//! NAME -->` and `<!-- end -->`, which that command fills, on one page.
//!
//! What a sentence says by hand is told from it by its unit: a percentage, milli- and microseconds, decimal kilobytes
//! and the like, tokens, a ratio. A limit of the code that is written in one of these says so on its line by
//! [`ALLOWED`] (limits in KiB, MiB and whole seconds need no such word). Fenced and indented blocks show what a program
//! prints or a file holds, and words in backquotes what somebody types.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// Says of a line that its number is a constant of the code.
const ALLOWED: &str = "<!-- constant -->";
const BEGIN: &str = "<!-- figures: ";
const END: &str = "<!-- end -->";
/// A table that another test holds to what it is made of.
const TABLE: &str = "<!-- table: ";
const TABLE_END: &str = "<!-- table end -->";

/// Of a line of prose, what looks like something that was measured.
fn measured() -> Regex {
    let units = "%|[mµn]s|[KMGT]B|MiB/s|GiB/s|x|tok|tokens?|instructions|system calls";
    Regex::new(&format!(r"[0-9] ?({units})([^\w]|$)|[0-9] (of|in) [0-9]|[^.\w]0\.[0-9]{{2,3}}([^.\w]|$)"))
        .unwrap()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The pages that are written by hand, by their place in the repository.
fn pages() -> Vec<(PathBuf, String)> {
    let docs = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = ["README.md", "CONTRIBUTING.md"].map(|name| root().join(name)).into();
    paths.extend(docs.filter(|path| path.extension().is_some_and(|kind| kind == "md")));
    assert!(paths.len() > 10, "{paths:?}");
    paths
        .into_iter()
        .map(|path| (path.strip_prefix(root()).unwrap().into(), fs::read_to_string(&path).unwrap()))
        .collect()
}

/// A section of the report.
struct Section {
    title: String,
    /// Another program measured it, and said when.
    is_kept: bool,
}

/// The sections of the report, by name.
fn sections() -> BTreeMap<String, Section> {
    let source = fs::read_to_string(root().join("tests/bench/report/sections.py")).unwrap();
    let section = Regex::new(r#"Section\("([a-z0-9-]+)", "([^"]+)",\s+(\w+)"#).unwrap();
    let found: BTreeMap<String, Section> = section
        .captures_iter(&source)
        .map(|found| found.extract::<3>().1)
        .map(|[name, title, by]| (name.into(), Section { title: title.into(), is_kept: by == "kept" }))
        .collect();
    assert_eq!(found.len(), source.matches(" Section(").count());
    assert!(found.len() > 10, "{}", found.len());
    found
}

/// The name of the block that begins with this line.
fn named(line: &str) -> Option<&str> {
    line.strip_prefix(BEGIN)?.strip_suffix(" -->")
}

/// The files of each block, by its name.
fn places() -> BTreeMap<String, Vec<PathBuf>> {
    let mut places: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for (path, page) in pages() {
        for name in page.lines().filter_map(named) {
            places.entry(name.into()).or_default().push(path.clone());
        }
    }
    places
}

/// The lines that somebody wrote as prose, with their numbers.
fn prose(page: &str) -> Vec<(usize, &str)> {
    let (mut fenced, mut figures) = (false, false);
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(page.lines()) {
        figures = line.starts_with(BEGIN)
            || line.starts_with(TABLE)
            || figures && ![END, TABLE_END].contains(&line);
        let is_fence = line.starts_with("```");
        fenced ^= is_fence;
        if !(fenced || is_fence || figures || line.starts_with("    ")) {
            lines.push((number, line));
        }
    }
    lines
}

/// A line without the words in backquotes.
fn said(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("``")
}

/// What stands by hand on a page and should not, and allowances that nothing needs.
fn mistakes(page: &str) -> Vec<(usize, &str)> {
    let measured = measured();
    let mut lines = prose(page);
    lines.retain(|(_, line)| measured.is_match(&said(line)) != line.contains(ALLOWED));
    lines
}

#[test]
fn a_measured_number_stands_only_where_the_report_writes_it() {
    let mut wrong = Vec::new();
    for (path, page) in pages() {
        let found = mistakes(&page);
        wrong.extend(found.iter().map(|(number, line)| format!("{}:{number}: {line}", path.display())));
    }
    assert!(
        wrong.is_empty(),
        "take the number out of the sentence or put it into a section of tests/bench/report; where it is a constant of \
         the code, say so on its line by {ALLOWED} (and nowhere else):\n{}",
        wrong.join("\n")
    );
}

#[test]
fn what_the_rule_finds_and_what_it_passes_over() {
    let found = "about 42 % less\n12.5 ms each\n40 MB/s\n3.2x faster\n5 of 10\nit costs 0.927 of that\n95% <!-- other -->";
    assert_eq!(mistakes(found).len(), found.lines().count());
    let passed = "64 MiB at most\nversion 0.169.0\n`--limit 5 %`\n```\n12 ms\n```\n    12 ms\nthree of ten\n\
                  waits 40 ms <!-- constant -->\n<!-- figures: x -->\n12 ms\n<!-- end -->";
    assert!(mistakes(passed).is_empty(), "{:?}", mistakes(passed));
    assert_eq!(mistakes("a stale allowance <!-- constant -->").len(), 1);
}

#[test]
fn every_block_of_figures_is_closed_and_known_to_the_report() {
    let sections = sections();
    let mut blocks = 0;
    for (path, page) in pages() {
        let mut open = None;
        for (number, line) in (1..).zip(page.lines()) {
            let place = format!("{}:{number}: {line}", path.display());
            if let Some(name) = named(line) {
                assert!(sections.contains_key(name), "no section of the report: {place}");
                assert!(open.replace(number).is_none(), "the block before is not closed: {place}");
            } else if line == END {
                let begin = open.take().unwrap_or_else(|| panic!("nothing is open: {place}"));
                assert!(number > begin + 2, "an empty block: {place}");
                blocks += 1;
            } else {
                let said = said(line);
                assert!(!said.contains(BEGIN) && !said.contains(END), "not on a line of its own: {place}");
            }
        }
        assert_eq!(open, None, "{}: a block that is not closed", path.display());
    }
    assert!(blocks > 10, "{blocks}");
}

#[test]
fn a_part_of_the_page_of_benchmarks_is_a_section_of_the_report() {
    let page = fs::read_to_string(root().join("docs/benchmarks.md")).unwrap();
    let sections = sections();
    let mut parts = 0;
    for part in page.split("\n## ").skip(1) {
        let title = part.lines().next().unwrap();
        let blocks: Vec<_> = part.lines().filter_map(named).collect();
        let [name] = blocks[..] else { panic!("not one block of figures: {title}: {blocks:?}") };
        assert_eq!(sections[name].title, title);
        parts += 1;
    }
    assert_eq!(parts, page.lines().filter_map(named).count(), "figures above all headings");
}

#[test]
fn the_figures_of_each_section_stand_on_one_page() {
    let readme = Path::new("README.md");
    let mut places = places();
    for name in sections().keys() {
        let mut found = places.remove(name).unwrap_or_default();
        // The README may show figures of another page.
        if let (true, Some(at)) = (found.len() > 1, found.iter().position(|place| place == readme)) {
            found.remove(at);
        }
        assert_eq!(found.len(), 1, "figures of {name}: {found:?}");
    }
    assert!(places.is_empty(), "of no section: {places:?}");
}

#[test]
fn the_table_of_runs_tells_once_of_each_section_that_the_report_measures() {
    let page = fs::read_to_string(root().join("docs/benchmarks/runs.md")).unwrap();
    let (_, table) = page.split_once(&format!("{TABLE}runs -->\n")).expect("a table of runs");
    let (table, _) = table.split_once(TABLE_END).expect("its end");
    let mut told: Vec<_> = table
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(" | ").next())
        .flat_map(|names| names.split('`').skip(1).step_by(2))
        .collect();
    told.sort_unstable();
    let sections = sections();
    let measured: Vec<_> =
        sections.iter().filter(|(_, section)| !section.is_kept).map(|(name, _)| name).collect();
    assert_eq!(told, measured);
}
