//! Metrics in the form of `OpenMetrics` 1.0, which a Prometheus textfile collector and a Pushgateway read as well.

use rusqlite::Connection;

use crate::ledger::Error;
use crate::ledger::sums::{By, Scope, Sums, across};

/// A metric: its name, which ends in its unit if there is one; its help; its samples, each with further labels.
type Metric = (&'static str, &'static str, &'static [(&'static str, fn(&Sums) -> f64)]);

const METRICS: &[Metric] = &[
    ("toto_runs", "Commands whose output an agent was given", &[("", |sums| sums.runs as f64)]),
    (
        "toto_failed_runs",
        "Of these, commands that ended with another status than 0",
        &[("", |sums| sums.failed as f64)],
    ),
    (
        "toto_asked_again",
        "Calls by which an agent asked again for what was left out of an output",
        &[("", |sums| sums.again as f64)],
    ),
    (
        "toto_tokens",
        "Tokens: printed by the tools, what agents would have been given without toto, given, of receipts",
        &[
            (",kind=\"printed\"", |sums| sums.tokens as f64),
            (",kind=\"without\"", |sums| sums.without as f64),
            (",kind=\"given\"", |sums| sums.given as f64),
            (",kind=\"receipt\"", |sums| sums.receipt as f64),
        ],
    ),
    (
        "toto_output_bytes",
        "Bytes: printed by the tools, given",
        &[
            (",kind=\"printed\"", |sums| sums.bytes as f64),
            (",kind=\"given\"", |sums| sums.given_bytes as f64),
        ],
    ),
    ("toto_tool_seconds", "How long the tools ran", &[("", |sums| sums.tool_us as f64 / 1e6)]),
    ("toto_own_cpu_seconds", "Processor time of toto itself", &[("", |sums| sums.own_us as f64 / 1e6)]),
];

pub fn text(connection: &Connection, scope: &Scope) -> Result<String, Error> {
    Ok(text_of(&across(connection, [By::Tool, By::Agent], scope)?))
}

pub(super) fn text_of(groups: &[([String; 2], Sums)]) -> String {
    let mut text = String::new();
    for (name, help, samples) in METRICS {
        text += &format!("# TYPE {name} counter\n");
        if let Some(unit) = ["bytes", "seconds"].iter().find(|unit| name.ends_with(**unit)) {
            text += &format!("# UNIT {name} {unit}\n");
        }
        text += &format!("# HELP {name} {help}.\n");
        for ([tool, agent], sums) in groups {
            for (labels, value) in *samples {
                let (tool, agent, value) = (escaped(tool), escaped(agent), value(sums));
                text += &format!("{name}_total{{tool=\"{tool}\",agent=\"{agent}\"{labels}}} {value}\n");
            }
        }
    }
    text + "# EOF\n"
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
