//! The findings of a report, read from its raw text by one regular expression per form, and the findings of a digest,
//! read back from its lines. Shares no code with the recognisers and the renderer.

#[path = "findings_forms.rs"]
mod forms;

use std::sync::LazyLock;

use forms::{FORMS, STATED};
use regex::{Captures, Regex};

/// A group: so many findings of these words.
static MANY: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^(\d+)× (.+)$").unwrap());
/// A finding alone, behind its place.
static ALONE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^(\S.*?):(\d+)(?::(\d+))? (.+)$").unwrap());
/// A finding below its file's name.
static ROW: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^  (\d+)(?::(\d+))? (.+)$").unwrap());
/// A finding alone, behind its file.
static BARE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^([^\s:]*[./][^\s:]*) (.+)$").unwrap());
/// The lines of a file in a group.
static ROWS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^(.+?):(\d+(?:$|[-:,; ×].*))$").unwrap());
/// A file without lines in a group.
static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^([\w@./\\-]*\w)(?:×(\d+))?$").unwrap());

/// A finding as the tool wrote it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fact {
    pub file: String,
    pub line: u32,
    pub column: Option<u32>,
    pub word: String,
    pub code: String,
    pub message: String,
}

/// Reports that list their findings twice.
const TWICE: &[&str] = &["dotnet-build", "maven-compile"];

/// The findings and lines that the oracle reads of a text.
pub struct Read {
    pub facts: Vec<Fact>,
    pub lines: Vec<String>,
}

/// Reads a text by the form of its name; `None` where the table has no form for it.
pub fn read(name: &str, text: &str) -> Option<Read> {
    let form = FORMS.iter().find(|form| form.names.contains(&name))?;
    let expression = Regex::new(form.finding).unwrap();
    let mut head = String::new();
    let mut facts = Vec::new();
    for found in expression.captures_iter(text) {
        if let Some(name) = found.name("head") {
            name.as_str().clone_into(&mut head);
            continue;
        }
        let fact = fact(&found, &head);
        if !(TWICE.contains(&name) && facts.contains(&fact)) {
            facts.push(fact);
        }
    }
    let lines = if form.lines.is_empty() {
        Vec::new()
    } else {
        let expression = Regex::new(form.lines).unwrap();
        expression.find_iter(text).map(|found| squeeze(found.as_str())).collect()
    };
    Some(Read { facts, lines })
}

fn fact(found: &Captures<'_>, head: &str) -> Fact {
    let of = |name: &str| found.name(name).map_or("", |found| found.as_str());
    // shellcheck heads a line, the others a file.
    let (file, line) = head.rsplit_once(" line ").unwrap_or((head, ""));
    Fact {
        file: if of("file").is_empty() { file } else { of("file") }.trim_start_matches("./").to_owned(),
        line: if of("line").is_empty() { line } else { of("line") }.parse().unwrap_or(0),
        column: of("column").parse().ok(),
        word: of("word").to_owned(),
        code: of("code").to_owned(),
        message: squeeze(of("message")),
    }
}

/// The text with one blank in place of several, or of an end of line.
pub fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A finding as a digest tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    pub file: String,
    pub line: u32,
    pub column: Option<u32>,
    /// Severity, code and message, with the place's own words in the place of a template's stars.
    pub words: String,
}

/// A digest with the texts that have names in the names' places.
fn spelt(digest: &str) -> String {
    let definition = Regex::new(r"(‘[^\n’]*’|'[^\n']*'|`[^\n`]*`)=(T\d+)\b").unwrap();
    let texts: std::collections::HashMap<_, _> =
        definition.captures_iter(digest).map(|found| (found[2].to_owned(), found[1].to_owned())).collect();
    let digest = Regex::new(r"=T\d+\b").unwrap().replace_all(digest, "");
    let called = |found: &Captures<'_>| texts.get(&found[0]).map_or(found[0].to_owned(), String::clone);
    Regex::new(r"\bT\d+\b").unwrap().replace_all(&digest, called).into_owned()
}

/// Reads the findings of a digest back.
pub fn told(digest: &str) -> Vec<Told> {
    let digest = &spelt(digest);
    let mut told: Vec<Told> = Vec::new();
    let mut group: Option<(usize, String)> = None;
    let mut file: Option<String> = None;
    let mut head: Option<&str> = None;
    for line in digest.lines() {
        if let Some(found) = MANY.captures(line) {
            (group, head) = (Some((found[1].parse().unwrap(), found[2].to_owned())), None);
        } else if let Some(indented) = line.strip_prefix("  ").filter(|_| group.is_some()) {
            if let Some((left, words)) = &mut group {
                let places = match (indented.strip_prefix("  "), head) {
                    _ if *left == 0 => Vec::new(),
                    (Some(below), Some(file)) if below.starts_with(char::is_numeric) => {
                        row(file, below, words)
                    }
                    (Some(below), Some(value)) => places(below, &filled(words, value)),
                    (Some(_), None) => Vec::new(),
                    (None, _) => {
                        head = indented.strip_suffix(':').filter(|_| words.contains('*'));
                        if head.is_some() { Vec::new() } else { places_of_value(indented.trim(), words) }
                    }
                };
                *left = left.saturating_sub(places.len());
                told.extend(places);
            }
        } else if let Some((head, found)) = file.as_ref().zip(ROW.captures(line)) {
            let column = found.get(2).and_then(|column| column.as_str().parse().ok());
            let (line, words) = (found[1].parse().unwrap_or(0), squeeze(&found[3]));
            told.push(Told { file: head.clone(), line, column, words });
        } else if line.starts_with("  ") && group.is_none() {
            // More of the message.
            told.last_mut().into_iter().for_each(|told| told.words += &format!(" {}", squeeze(line)));
        } else if !line.starts_with(' ') {
            group = None;
            file = line.strip_suffix(':').map(str::to_owned);
            if let Some(found) = ALONE.captures(line) {
                let column = found.get(3).and_then(|column| column.as_str().parse().ok());
                told.push(Told {
                    file: found[1].to_owned(),
                    line: found[2].parse().unwrap_or(0),
                    column,
                    words: squeeze(&found[4]),
                });
            } else if let Some(found) = BARE.captures(line) {
                told.push(Told {
                    file: found[1].to_owned(),
                    line: 0,
                    column: None,
                    words: squeeze(&found[2]),
                });
            }
        }
    }
    told
}

/// The places of an indented line; none where it is no list of places.
fn places(line: &str, words: &str) -> Vec<Told> {
    let of_names = |directory: &str, names: &str| {
        let told: Vec<_> = names.split(' ').map(|name| of_file(directory, name, words)).collect();
        if told.iter().any(Vec::is_empty) { Vec::new() } else { told.concat() }
    };
    if let Some((directory, names)) = line.split_once("/: ") {
        return of_names(&format!("{directory}/"), names);
    }
    let told = if words.contains('*') { Vec::new() } else { of_names("", line) };
    if told.is_empty() { of_file("", line, words) } else { told }
}

/// The places of a line that begins with what stands in the place of the stars, or with a place.
fn places_of_value(line: &str, words: &str) -> Vec<Told> {
    let values =
        line.match_indices(": ").filter(|(at, _)| words.contains('*') && !line[..*at].ends_with('/'));
    let told = values.map(|(at, _)| places(&line[at + 2..], &filled(words, &line[..at])));
    told.into_iter().find(|told| !told.is_empty()).unwrap_or_else(|| places(line, words))
}

/// A template with the words in the places of its stars.
fn filled(words: &str, values: &str) -> String {
    // With one hole the value may have commas of its own.
    let values: Vec<&str> =
        if words.matches('*').count() > 1 { values.split(", ").collect() } else { vec![values] };
    let mut values = values.into_iter();
    let mut told = String::new();
    for (at, piece) in words.split('*').enumerate() {
        if at > 0 {
            told.push_str(values.next().filter(|value| !value.is_empty()).unwrap_or("*"));
        }
        told.push_str(piece);
    }
    told
}

/// The places of a file: `a.py:1:2,3`, `a.py:1 x; 2 y`, `a.py×2`.
fn of_file(directory: &str, text: &str, words: &str) -> Vec<Told> {
    if let Some(found) = ROWS.captures(text) {
        let has_values = words.contains('*') && found[2].contains(' ');
        let parts: Vec<&str> =
            if has_values { found[2].split("; ").collect() } else { found[2].split(',').collect() };
        let mut file = format!("{directory}{}", &found[1]);
        let mut told = Vec::new();
        for mut part in parts {
            // Values of another file go on in the line.
            if let Some(next) =
                ROWS.captures(part).filter(|_| has_values && !part.starts_with(char::is_numeric))
            {
                next[1].clone_into(&mut file);
                part = next.get(2).unwrap().as_str();
            }
            told.extend(row(&file, part, words));
        }
        return told;
    }
    let Some(found) = NAME.captures(text) else { return Vec::new() };
    if directory.is_empty() && !found[1].contains(['.', '/']) {
        return Vec::new();
    }
    let count = found.get(2).map_or(1, |count| count.as_str().parse().unwrap_or(0));
    let file = format!("{directory}{}", &found[1]);
    vec![Told { file, line: 0, column: None, words: squeeze(words) }; count]
}

fn row(file: &str, part: &str, words: &str) -> Vec<Told> {
    let (part, count) =
        part.split_once('×').map_or((part, 1), |(part, count)| (part, count.parse().unwrap_or(0)));
    let (position, values) = part.split_once(' ').unwrap_or((part, ""));
    let (line, column) =
        position.split_once(':').map_or((position, None), |(line, column)| (line, column.parse().ok()));
    let told = filled(words, values);
    let (first, last) = line.split_once('-').unwrap_or((line, line));
    let (first, last): (u32, u32) = (first.parse().unwrap_or(0), last.parse().unwrap_or(0));
    let told = |line| Told { file: file.to_owned(), line, column, words: squeeze(&told) };
    (first..=last).flat_map(|line| vec![told(line); count]).collect()
}

/// Facts without an entry of their own in a digest, and lines that the digest lacks.
pub fn missing(read: &Read, digest: &str) -> Vec<String> {
    let mut told = told(digest);
    let mut missing = Vec::new();
    for fact in &read.facts {
        let is_told = |told: &Told| {
            let has = |part: &str| part.is_empty() || told.words.contains(part);
            told.file == fact.file
                && told.line == fact.line
                && (told.column.is_none() || fact.column.is_none() || told.column == fact.column)
                && has(&fact.word)
                && has(&fact.code)
                && has(&fact.message)
        };
        match told.iter().position(is_told) {
            Some(at) => drop(told.swap_remove(at)),
            None => missing.push(format!("{fact:?}")),
        }
    }
    let digest = squeeze(&spelt(digest));
    missing.extend(read.lines.iter().filter(|line| !digest.contains(*line)).cloned());
    missing
}

/// Groups of a digest whose count is not the number of the places below it.
pub fn miscounted(digest: &str) -> Vec<String> {
    let lines: Vec<&str> = digest.lines().collect();
    let mut wrong = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(found) = MANY.captures(line) else { continue };
        let end = lines[at + 1..]
            .iter()
            .position(|line| !line.starts_with(' '))
            .map_or(lines.len(), |end| at + 1 + end);
        // Read with a count that is never reached, so that one place too many is seen.
        let open = line.replacen(&found[1], "1000000", 1);
        let count = told(&format!("{open}\n{}", lines[at + 1..end].join("\n"))).len();
        if count.to_string() != found[1] {
            wrong.push(format!("{line}: {count} places"));
        }
    }
    wrong
}

/// The number of findings that a tool states, where it does so in a form of the table.
pub fn stated(name: &str, text: &str) -> Option<usize> {
    let (_, expression) = STATED.iter().find(|(stated, _)| *stated == name)?;
    let found = Regex::new(expression).unwrap().captures(text)?;
    found.iter().skip(1).flatten().map(|number| number.as_str().parse::<usize>().ok()).sum()
}
