//! The records as JSON, for CI and editors: nothing is cut.

use serde_json::{Map, Value, json};

use super::super::reader::Report;
use super::super::record::{Dropped, What};

impl Report<'_> {
    /// `{"totals": [...], "tests": [...], "findings": [...], "passing": 12}`; line numbers are those of the text.
    pub fn to_json(&self) -> Value {
        let (mut totals, mut tests, mut findings, mut passing) = (Vec::new(), Vec::new(), Vec::new(), 0);
        for part in &self.parts {
            for record in &part.records {
                let number = |at: usize| part.section.lines.get(at).map_or(0, |line| line.number);
                let lines = [number(record.lines.start), number(record.lines.end.saturating_sub(1))];
                match &record.what {
                    What::Total(total) => {
                        let said: Vec<_> = total.said.iter().map(|said| said.text).collect();
                        let counts: Map<String, Value> = total
                            .counts
                            .iter()
                            .map(|(word, count)| ((*word).to_owned(), json!(count)))
                            .collect();
                        totals.push(json!({"suite": total.suite, "text": said.join("\n"), "counts": counts, "lines": lines}));
                    }
                    What::Test(test) => {
                        let why: Vec<_> = test
                            .why
                            .iter()
                            .map(|part| {
                                let text: Vec<_> = part.said.iter().map(|said| said.text).collect();
                                json!({"kind": part.kind, "title": part.title, "text": text.join("\n")})
                            })
                            .collect();
                        tests.push(json!({
                            "id": test.id, "outcome": test.outcome, "place": test.place,
                            "why": why, "lines": lines,
                        }));
                    }
                    What::Finding(finding) => {
                        let notes: Vec<_> = finding.notes.iter().map(|note| note.text).collect();
                        findings.push(json!({
                            "place": finding.place, "severity": finding.severity,
                            "code": finding.code, "message": finding.message.join("\n"), "notes": notes, "lines": lines,
                        }));
                    }
                    What::Dropped(Dropped::Passing(count)) => passing += count,
                    What::Log(_) | What::Dropped(_) => {}
                }
            }
        }
        json!({"totals": totals, "tests": tests, "findings": findings, "passing": passing})
    }
}
