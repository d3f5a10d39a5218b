//! What is left of a report for a reader who has seen a part of its text.

use std::ops::Range;

use super::reader::Report;
use super::record::{Dropped, PartKind, Record, Test, What};
use super::section::Section;

impl Report<'_> {
    /// The report without the failures and findings that stand in `window`, a text of these lines (from 1) of the whole.
    #[must_use]
    pub fn unseen(mut self, window: &str, lines: &Range<usize>) -> Self {
        for section in &mut self.sections {
            let is_seen = |record: &Record<'_>| match &record.what {
                What::Finding(_) => is_within(section, record, lines),
                What::Test(test) => is_within(section, record, lines) || is_told(test, window, lines),
                _ => false,
            };
            let seen: Vec<bool> = section.records.iter().map(is_seen).collect();
            for (record, _) in section.records.iter_mut().zip(seen).filter(|(_, is_seen)| *is_seen) {
                record.what = What::Dropped(Dropped::Repeated);
            }
        }
        self
    }
}

fn is_within(section: &Section<'_>, record: &Record<'_>, lines: &Range<usize>) -> bool {
    let of_record = section.lines.get(record.lines.clone()).unwrap_or_default();
    !of_record.is_empty() && of_record.iter().all(|line| lines.contains(&line.number))
}

/// Whether the window tells of a test's failure although it does not show all that was said of it: the reason, the place
/// and the name.
fn is_told(test: &Test<'_>, window: &str, lines: &Range<usize>) -> bool {
    let reason = test.why.iter().filter(|part| part.kind == PartKind::Reason).flat_map(|part| &part.said);
    let mut reason = reason.peekable();
    reason.peek().is_some()
        && reason.all(|said| lines.contains(&said.number))
        && test.place.is_some_and(|place| window.contains(&format!("{}:{}", place.file, place.line)))
        && test.id.rsplit("::").next().is_some_and(|name| window.contains(name))
}
