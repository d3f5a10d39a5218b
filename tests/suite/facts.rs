//! No fact of a text that fits a page is dropped or changed: each number, path and word of the input is in the output,
//! or stands in a line that `tests/fixtures/facts.toml` lists as an exception, file by file and reason by reason.
//!
//! The oracle has its own idea of lines, facts and marks, and reads the library's filters as plain TOML: a fault of the
//! engine is not repeated here.

mod written_over;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use llm_toto::custom::Call;
use llm_toto::filter::FilterName;
use llm_toto::pipeline::{Options, Shape, compress};
use llm_toto::render::expand::expand;
use regex::Regex;
use serde_json::Value;
use tempfile::TempDir;

use crate::harness::corpus;
use crate::parsers::properties::whole_words::missing;

/// Characters that a host shows of one call.
const PAGE: usize = 24_000;
/// Reason why a text may go: nobody reads it (docs/ARCHITECTURE.md, "Levels").
const BASE64: &str = "opaque base64";
/// Reason why a text may go: the tool wrote over it on the same line.
const PROGRESS: &str = "states of progress";

/// An output, its command and its exit code.
struct Sample {
    name: String,
    text: String,
    words: Vec<OsString>,
    exit: i32,
}

/// Lines that lost a fact, by the reason why they may; `None` where there is no reason.
type Lost = BTreeMap<Option<String>, Vec<String>>;

struct Oracle {
    moved: Regex,
    date: Regex,
    control: Regex,
    link: Regex,
    struck: Regex,
    fact: Regex,
    opaque: Regex,
}

impl Oracle {
    fn new() -> Self {
        let regex = |pattern: &str| Regex::new(pattern).unwrap();
        Self {
            moved: regex(r"\r+|\x1b\[[0-9]*[GK]"),
            date: regex("^(Author|Commit)?Date: "),
            // ECMA-48: strings, control sequences, other escapes; the cursor's own are line ends.
            control: regex(
                r"\x1b[P\]X^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]|\x07",
            ),
            link: regex(r"\x1b\]8;[^;\x07\x1b]*;([^\x07\x1b]*)(?:\x07|\x1b\\)"),
            struck: regex(r".\x08"),
            fact: regex(
                r#"(?x) [^\s'"`()\[\]{}<>,;:=|“”]* / [^\s'"`()\[\]{}<>,;:=|“”]+   # a path
                | [-+]? \d+ (?: [.,:] \d+ )* (?: % | [\p{L}µ]+ )?               # a number, its sign and unit
                | \p{L}{4,}"#,
            ),
            opaque: regex("[A-Za-z0-9+/_-]{200,}"),
        }
    }

    /// The texts of an output, between line ends and movements of the cursor, each with whether another text was
    /// written over it.
    fn texts(&self, input: &str) -> Vec<(String, bool)> {
        let input = input.replace("\r\n", "\n");
        let mut texts = Vec::new();
        for line in input.split('\n') {
            let line = self.struck.replace_all(line, "");
            let parts: Vec<&str> = self.moved.split(&line).filter(|part| !part.trim().is_empty()).collect();
            for (at, part) in parts.iter().enumerate() {
                let linked = self.link.replace_all(part, " $1 ");
                let text = self.control.replace_all(&linked, "").into_owned();
                texts.push((text, at + 1 < parts.len()));
            }
        }
        texts
    }

    fn facts<'t>(&self, text: &'t str) -> HashSet<&'t str> {
        let trim = |fact: &'t str| fact.trim_end_matches(['.', '!', '?', '…']);
        self.fact.find_iter(text).map(|found| trim(found.as_str())).collect()
    }

    /// Lines of `sample` of which `output` lacks a fact, by the reason: a harmless pattern of `filter`, or another.
    fn lost(&self, sample: &Sample, output: &str, filter: Option<&str>) -> Lost {
        if output == sample.text {
            return Lost::new();
        }
        let given = Given::new(self, output, filter == Some("git-log"));
        let harmless = filter.map(|filter| harmless_patterns(filter, sample.exit)).unwrap_or_default();
        let mut lost = Lost::new();
        for (text, is_over) in self.texts(&sample.text) {
            if given.has(self, &text) {
                continue;
            }
            let named =
                harmless.iter().find(|(pattern, _)| pattern.is_match(&text)).map(|(_, what)| what.clone());
            let reason = named
                .or_else(|| self.opaque.is_match(&text).then(|| BASE64.to_owned()))
                .or_else(|| is_over.then(|| PROGRESS.to_owned()));
            lost.entry(reason).or_default().push(text);
        }
        lost
    }
}

/// An output as an agent reads it, laid out to look up the facts of the input.
struct Given {
    /// Lines with one blank between words, as they stand and as the notation reads them.
    lines: HashSet<String>,
    /// The facts of each line.
    facts: Vec<HashSet<String>>,
    /// The lines that have a fact.
    places: HashMap<String, Vec<usize>>,
    /// The facts that marks say.
    said: HashSet<String>,
}

impl Given {
    /// `is_log`: a date in a commit's header leaves out the year and the zone if they are the same as above.
    fn new(oracle: &Oracle, output: &str, is_log: bool) -> Self {
        let mut given =
            Self { lines: HashSet::new(), facts: Vec::new(), places: HashMap::new(), said: HashSet::new() };
        let (mut head, mut year, mut zone) = ("", "", "");
        for line in output.lines() {
            if line.trim_start().starts_with("… ") || line.ends_with("left out)") {
                given.said.extend(oracle.facts(line).into_iter().map(str::to_owned));
            }
            given.add(oracle, line);
            match line.strip_prefix(' ') {
                // A beginning that lines share stands once above them.
                Some(rest) => given.add(oracle, &format!("{head}{rest}")),
                None => head = line,
            }
            if is_log && oracle.date.is_match(line) {
                for word in line.split_whitespace().skip(5) {
                    *(if word.starts_with(['+', '-']) { &mut zone } else { &mut year }) = word;
                }
                let stated: Vec<&str> = line.split_whitespace().take(5).chain([year, zone]).collect();
                given.add(oracle, &stated.join(" "));
            }
        }
        given
    }

    fn add(&mut self, oracle: &Oracle, line: &str) {
        if !self.lines.insert(apart_by_one_blank(line)) {
            return;
        }
        let facts: HashSet<String> = oracle.facts(line).into_iter().map(str::to_owned).collect();
        for fact in &facts {
            self.places.entry(fact.clone()).or_default().push(self.facts.len());
        }
        self.facts.push(facts);
    }

    /// Whether a line is there, or all its facts in one line and in marks.
    fn has(&self, oracle: &Oracle, line: &str) -> bool {
        if self.lines.contains(&apart_by_one_blank(line)) {
            return true;
        }
        let mut wanted = oracle.facts(line);
        wanted.retain(|fact| !self.said.contains(*fact));
        let Some(rarest) = wanted.iter().min_by_key(|fact| self.places.get(**fact).map_or(0, Vec::len))
        else {
            return true;
        };
        let in_line = |at: &usize| wanted.iter().all(|fact| self.facts[*at].contains(*fact));
        self.places.get(*rarest).is_some_and(|places| places.iter().any(in_line))
    }
}

fn apart_by_one_blank(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The patterns of a library filter that name lines without a fact, each with its name for them.
fn harmless_patterns(filter: &str, exit: i32) -> Vec<(Regex, String)> {
    let path = root().join("src/filters").join(filter).with_extension("toml");
    let Ok(text) = fs::read_to_string(path) else { return Vec::new() };
    let file: toml::Table = text.parse().unwrap();
    let branch = if exit == 0 { "on_success" } else { "on_failure" };
    folds([Some(&file), of(&file, branch)])
        .filter(|fold| fold["harmless"].as_bool() == Some(true))
        .map(|fold| {
            (Regex::new(fold["match"].as_str().unwrap()).unwrap(), fold["as"].as_str().unwrap().to_owned())
        })
        .collect()
}

fn folds<'t>(
    branches: impl IntoIterator<Item = Option<&'t toml::Table>>,
) -> impl Iterator<Item = &'t toml::Table> {
    let lists = branches
        .into_iter()
        .flatten()
        .filter_map(|branch| branch.get("fold").and_then(toml::Value::as_array));
    lists.flatten().filter_map(toml::Value::as_table)
}

fn of<'t>(file: &'t toml::Table, key: &str) -> Option<&'t toml::Table> {
    file.get(key).and_then(toml::Value::as_table)
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The texts of a directory that fit a page; none where there is no such directory.
fn samples(oracle: &Oracle, directory: &Path) -> Vec<Sample> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let mut samples: Vec<Sample> =
        entries.filter_map(|entry| sample(oracle, &entry.unwrap().path())).collect();
    samples.sort_by(|a, b| a.name.cmp(&b.name));
    samples
}

fn sample(oracle: &Oracle, path: &Path) -> Option<Sample> {
    let stem = path.to_str()?.strip_suffix(".meta.json")?;
    let facts: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let text = String::from_utf8(fs::read(format!("{stem}.txt")).unwrap()).ok()?;
    let words = facts["argv"].as_array()?.iter().filter_map(Value::as_str);
    let sample = Sample {
        name: Path::new(stem).file_name()?.to_str()?.to_owned(),
        words: words.map(OsString::from).collect(),
        exit: facts["exit_code"].as_i64().unwrap_or(0) as i32,
        text,
    };
    let characters: usize = oracle.texts(&sample.text).iter().map(|(text, _)| text.chars().count() + 1).sum();
    (characters <= PAGE).then_some(sample)
}

/// What an agent gets of a sample, as `toto expand` reads it where it is in a notation; the filter that was used; and
/// the shape.
fn given(sample: &Sample, directories: &[PathBuf]) -> (String, Option<String>, Shape) {
    let call = Call { words: &sample.words, exit: Some(sample.exit), directories, ..Call::default() };
    let report =
        compress(sample.text.as_bytes(), &Options { recall: "toto show k7q2x", call, ..Options::default() });
    let output = String::from_utf8(report.output).unwrap();
    if output == sample.text {
        return (sample.text.clone(), None, Shape::Raw);
    }
    // A table does not say a line as it was printed, and nothing is lost of it where every word is there.
    let is_whole = report.shape == Shape::Forms && report.filter.is_none();
    if is_whole && missing(&sample.text, &output).is_none() {
        return (sample.text.clone(), None, Shape::Forms);
    }
    let read = expand(&output).ok().and_then(|json| String::from_utf8(json).ok());
    let filter = report.filter.map(|filter| match filter {
        FilterName::Library(name) => name.to_owned(),
        FilterName::Own(path) => path,
    });
    (read.unwrap_or(output), filter, report.shape)
}

/// Texts that are told as reports. The tests of `report` check these: their oracle reads every failure, place, code and
/// message. They are listed by name, so that no other text slips in.
fn reports(listed: &toml::Table) -> BTreeSet<String> {
    listed["reports"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

/// The exceptions that a person has reviewed: the number of lines by file and reason.
fn reviewed(listed: &toml::Table) -> BTreeMap<(String, String), i64> {
    let text = |row: &toml::Value, key: &str| row[key].as_str().unwrap().to_owned();
    let rows = listed["exception"].as_array().unwrap().iter();
    rows.map(|row| ((text(row, "file"), text(row, "reason")), row["lines"].as_integer().unwrap())).collect()
}

#[test]
fn every_fact_of_a_text_that_fits_a_page_is_there() {
    let file: toml::Table = include_str!("../fixtures/facts.toml").parse().unwrap();
    let (oracle, mut reviewed) = (Oracle::new(), reviewed(&file));
    let mut samples_of = samples(&oracle, &root().join("tests/fixtures/facts"));
    assert!(samples_of.len() >= 8, "the fixtures are there");
    samples_of.extend(corpus("dev/text").iter().flat_map(|corpus| samples(&oracle, corpus)));
    let mut seen = HashSet::new();
    let mut told = BTreeSet::new();
    let mut wrong = String::new();
    for sample in &samples_of {
        let (output, filter, shape) = given(sample, &[]);
        if shape == Shape::Report {
            told.insert(sample.name.clone());
            continue;
        }
        for (reason, lines) in oracle.lost(sample, &output, filter.as_deref()) {
            let reason = reason.unwrap_or("NOTHING SAYS WHY".into());
            let row = (sample.name.clone(), reason);
            seen.insert(row.clone());
            if reviewed.get(&row).copied() != Some(lines.len() as i64) {
                let (count, first) = (lines.len(), &lines[..lines.len().min(3)]);
                let _ = writeln!(wrong, "{}: {}: {count} lines; {first:?}", row.0, row.1);
            }
        }
    }
    reviewed.retain(|row, _| !seen.contains(row) && samples_of.iter().any(|sample| sample.name == row.0));
    let listed: BTreeSet<String> = reports(&file)
        .into_iter()
        .filter(|name| samples_of.iter().any(|sample| sample.name == *name))
        .collect();
    assert_eq!(told, listed, "texts that are told as reports");
    assert!(wrong.is_empty() && reviewed.is_empty(), "{wrong}\nlisted, and nothing is lost: {reviewed:#?}");
}

/// The oracle can fail: a filter that drops lines is found by every text that had such lines.
#[test]
fn a_rule_that_drops_facts_is_found() {
    let (oracle, directory) = (Oracle::new(), TempDir::new().unwrap());
    let lossy =
        [("skip = ['.*3']", "a number"), ("head = 3", "lines"), ("truncate_lines_at = 20", "ends of lines")];
    for (rule, what) in lossy {
        let mut found = 0;
        for sample in samples(&oracle, &root().join("tests/fixtures/facts")) {
            let command = sample.words[0].to_str().unwrap();
            let source = format!("command = {command:?}\n{rule}\n");
            fs::write(directory.path().join(command).with_extension("toml"), source).unwrap();
            let (output, filter, _) = given(&sample, &[directory.path().to_owned()]);
            found += usize::from(oracle.lost(&sample, &output, filter.as_deref()).contains_key(&None));
        }
        assert!(found >= 4, "{what} of {found} texts were missed");
    }
}

/// A filter of the library drops only lines that a harmless pattern names.
#[test]
fn filters_of_the_library_drop_nothing_but_what_a_harmless_pattern_names() {
    const KEYS: [&str; 8] =
        ["description", "command", "verbatim", "reshape", "fold", "on_success", "on_failure", "test"];
    for entry in fs::read_dir(root().join("src/filters")).unwrap() {
        let path = entry.unwrap().path();
        let file: toml::Table = fs::read_to_string(&path).unwrap().parse().unwrap();
        let branches = ["on_success", "on_failure"].into_iter().filter_map(|branch| of(&file, branch));
        let strange = file.keys().find(|key| !KEYS.contains(&key.as_str()));
        let strange = strange.or(branches.flat_map(toml::Table::keys).find(|key| *key != "fold"));
        assert_eq!(strange, None, "{}", path.display());
        for fold in folds([Some(&file), of(&file, "on_success"), of(&file, "on_failure")]) {
            assert_eq!(fold.get("harmless"), Some(&toml::Value::Boolean(true)), "{}: {fold}", path.display());
        }
    }
}

/// The checks of users' filters use nothing of the engine, and the engine uses nothing of the checks.
#[test]
fn the_honesty_checks_share_no_code_with_the_engine() {
    let directory = root().join("src/custom");
    let checks = fs::read_to_string(directory.join("checks.rs")).unwrap();
    assert!(!checks.contains("super::") && !checks.contains("crate::"), "checks.rs uses the engine");
    for path in ["", "schema", "summary", "../filter"].map(|room| directory.join(room)) {
        for file in fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()) {
            let uses = file.is_file() && fs::read_to_string(&file).unwrap().contains("checks::");
            assert!(!uses, "{} uses the checks", file.display());
        }
    }
}
