//! Marks of reasons.toml: is what they mark in what an agent reads?

use std::collections::BTreeMap;

use llm_toto::pipeline::scrub::scrub;
use llm_toto::render::expand::expand;

/// A message that is broken takes no more lines.
const MOST_LINES: usize = 3;

/// The marks by the file of the corpus that they are of.
pub fn all() -> BTreeMap<String, Vec<String>> {
    toml::from_str(include_str!("reasons.toml")).expect("a table of our own")
}

/// The marks that what was given of `original` lacks. A mark is there where one record has all its parts, or where they
/// stand in no more lines on end than the tool itself takes for them (mypy breaks its messages).
pub fn lost<'m>(marks: &'m [String], given: &[u8], original: &[u8]) -> Vec<&'m String> {
    let [given, original] = [given, original].map(|text| String::from_utf8_lossy(&scrub(text)).into_owned());
    // What is written in the notation of text is read as its grammar says.
    let read = expand(&given).ok().and_then(|text| String::from_utf8(text).ok()).unwrap_or(given);
    let (records, lines): (_, Vec<&str>) = (records(&read), read.lines().collect());
    let own: Vec<&str> = original.lines().collect();
    let is_there = |mark: &&String| {
        let in_lines = |count: usize| lines.windows(count).any(|lines| says(&lines.join("\n"), mark));
        records.iter().any(|record| says(record, mark)) || lines_of(&own, mark).is_some_and(in_lines)
    };
    marks.iter().filter(|mark| !is_there(mark)).collect()
}

/// In how few lines on end a tool says what is marked; `None` where it takes more than [`MOST_LINES`].
fn lines_of(lines: &[&str], mark: &str) -> Option<usize> {
    (1..=MOST_LINES).find(|count| lines.windows(*count).any(|lines| says(&lines.join("\n"), mark)))
}

/// The lines of a text, each with those below it that are further in.
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
