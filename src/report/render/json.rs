//! The records as JSON, for CI and editors: nothing is cut.

use serde_json::{Map, Value, json};

use super::super::reader::Report;
use super::super::record::{Dropped, Said, What};

impl Report<'_> {
    /// `{"totals": [...], "tests": [...], "findings": [...], "passing": 12}`; line numbers are those of the text.
    pub fn to_json(&self) -> Value {
        let text = |said: &[Said<'_>]| said.iter().map(|said| said.text.to_owned()).collect::<Vec<_>>();
        let (mut totals, mut tests, mut findings, mut passing) = (Vec::new(), Vec::new(), Vec::new(), 0);
        for section in &self.sections {
            for record in &section.records {
                let number = |at: usize| section.lines.get(at).map_or(0, |line| line.number);
                let lines = [number(record.lines.start), number(record.lines.end.saturating_sub(1))];
                match &record.what {
                    What::Total(total) => {
                        let counts =
                            total.counts.iter().map(|(word, count)| ((*word).to_owned(), json!(count)));
                        let counts: Map<String, Value> = counts.collect();
                        totals.push(json!({
                            "suite": total.suite, "text": text(&total.said).join("\n"),
                            "counts": counts, "lines": lines,
                        }));
                    }
                    What::Test(test) => {
                        let why = test.why.iter().map(|part| {
                            json!({"kind": part.kind, "title": part.title, "text": text(&part.said).join("\n")})
                        });
                        let why: Vec<_> = why.collect();
                        tests.push(json!({
                            "id": test.id, "outcome": test.outcome, "place": test.place,
                            "why": why, "lines": lines,
                        }));
                    }
                    What::Finding(finding) => {
                        findings.push(json!({
                            "place": finding.place, "severity": finding.severity,
                            "code": finding.code, "message": finding.message.join("\n"), "notes": text(&finding.notes), "lines": lines,
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
