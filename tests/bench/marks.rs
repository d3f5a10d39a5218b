//! Marks of reasons.toml: whether the text that they mark is in what an agent reads.

use std::collections::BTreeMap;

use llm_toto::pipeline::scrub::scrub;
use llm_toto::render::expand::expand;

/// Most lines that a broken message takes.
const MOST_LINES: usize = 3;

/// The marks, by the file of the corpus that they belong to.
pub fn all() -> BTreeMap<String, Vec<String>> {
    toml::from_str(include_str!("reasons.toml")).expect("a table of our own")
}

/// The marks that are missing in `given`, which an agent was given of `original`. A mark is there where one record has
/// all its parts, or where its parts stand in no more consecutive lines than in the tool's own output (mypy breaks its
/// messages).
pub fn lost<'m>(marks: &'m [String], given: &[u8], original: &[u8]) -> Vec<&'m String> {
    let [given, original] = [given, original].map(|text| String::from_utf8_lossy(&scrub(text)).into_owned());
    // A text in the notation of text is read as the grammar of the notation says.
    let read = expand(&given).ok().and_then(|text| String::from_utf8(text).ok()).unwrap_or(given);
    let (records, lines): (_, Vec<&str>) = (records(&read), read.lines().collect());
    let own: Vec<&str> = original.lines().collect();
    let is_there = |mark: &&String| {
        let in_lines = |count: usize| lines.windows(count).any(|lines| says(&lines.join("\n"), mark));
        records.iter().any(|record| says(record, mark)) || lines_of(&own, mark).is_some_and(in_lines)
    };
    marks.iter().filter(|mark| !is_there(mark)).collect()
}

/// The fewest consecutive lines in which a tool says what is marked; `None` for more than [`MOST_LINES`].
fn lines_of(lines: &[&str], mark: &str) -> Option<usize> {
    (1..=MOST_LINES).find(|count| lines.windows(*count).any(|lines| says(&lines.join("\n"), mark)))
}

/// The lines of a text, each with the indented lines below it.
fn records(text: &str) -> Vec<String> {
    let mut records: Vec<String> = Vec::new();
    for line in text.lines() {
        match records.last_mut().filter(|_| line.starts_with([' ', '\t'])) {
            Some(record) => *record += &format!("\n{line}"),
            None => records.push(line.to_owned()),
        }
    }
    records
}

/// Whether a record has all parts of a mark.
fn says(record: &str, mark: &str) -> bool {
    mark.split(" … ").all(|part| record.contains(part))
}
