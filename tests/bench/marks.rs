//! Marks of reasons.toml: is what they mark in what an agent reads?

use std::collections::BTreeMap;

use llm_toto::pipeline::scrub::scrub;
use llm_toto::render::expand::expand;

/// The marks by the file of the corpus that they are of.
pub fn all() -> BTreeMap<String, Vec<String>> {
    toml::from_str(include_str!("reasons.toml")).expect("a table of our own")
}

/// The marks that this text lacks.
pub fn lost<'m>(marks: &'m [String], text: &[u8]) -> Vec<&'m String> {
    let text = String::from_utf8_lossy(&scrub(text)).into_owned();
    // What is written in the notation of text is read as its grammar says.
    let read = expand(&text).ok().and_then(|text| String::from_utf8(text).ok()).unwrap_or(text);
    let records = records(&read);
    marks.iter().filter(|mark| !records.iter().any(|record| says(record, mark))).collect()
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
