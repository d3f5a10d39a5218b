//! `go test -json`, an event a line, as the text that `go test -v` prints: line by line, so that numbers stay.

use std::borrow::Cow;

use serde_json::Value;

/// Lines that are looked at before a text is believed to be events.
const SAMPLE: usize = 20;

/// Whether a text is the events of a test run, as `go test -json` prints them.
pub fn is_events(text: &str) -> bool {
    let is_event =
        |line: &&str| line.starts_with('{') && line.contains("\"Action\":") && line.contains("\"Package\":");
    let filled = || text.lines().filter(|line| !line.trim().is_empty()).take(SAMPLE);
    let events = filled().filter(is_event).count();
    events > 0 && events * 2 >= filled().count()
}

/// A text of events as the text they hold, each package in front of its lines; any other text as it is.
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
                    plain.push_str(package);
                    plain.push_str(" | ");
                    // A line of the tool's is an event: what stands within it stays on it.
                    plain.push_str(&output.trim_end_matches('\n').replace('\n', "\u{2028}"));
                }
            }
            _ => plain.push_str(line),
        }
        plain.push('\n');
    }
    Cow::Owned(plain)
}
