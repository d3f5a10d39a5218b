//! Turns `go test -json`, an event a line, into the text that `go test -v` prints: line by line, so that line numbers
//! stay.

use std::borrow::Cow;

use serde_json::Value;

use crate::marks;

/// Number of lines that decide whether a text is events.
const SAMPLE: usize = 20;

/// Whether a text is the events of a test run, as `go test -json` prints them.
pub fn is_events(text: &str) -> bool {
    let is_event =
        |line: &&str| line.starts_with('{') && line.contains("\"Action\":") && line.contains("\"Package\":");
    let filled = || text.lines().filter(|line| !line.trim().is_empty()).take(SAMPLE);
    let events = filled().filter(is_event).count();
    events > 0 && events * 2 >= filled().count()
}

/// The text that the events hold, with its package in front of each line, fit for a reader: escapes of JSON hide what a
/// terminal would obey, and lines that could be toto's. Any other text as it is.
pub fn plain(text: &str) -> Cow<'_, str> {
    if !is_events(text) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len() / 2);
    for line in text.lines() {
        match serde_json::from_str::<Value>(line) {
            Ok(event) if event["Action"].is_string() => {
                let output = event["Output"].as_str().unwrap_or("");
                let package = event["Package"].as_str().or(event["ImportPath"].as_str()).unwrap_or("go");
                if !output.is_empty() {
                    plain.push_str(&fit(package));
                    plain.push_str(" | ");
                    plain.push_str(&fit(output.trim_end_matches('\n')));
                }
            }
            _ => plain.push_str(line),
        }
        plain.push('\n');
    }
    Cow::Owned(plain)
}

/// Words of an event. An event is one line of the result, whatever line breaks its words hold.
fn fit(words: &str) -> String {
    let words = words.replace('\n', "\u{2028}");
    String::from_utf8_lossy(&marks::fit(words.as_bytes())).into_owned()
}
