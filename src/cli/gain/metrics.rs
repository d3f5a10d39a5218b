//! Metrics in the form of `OpenMetrics` 1.0, which a Prometheus textfile collector and a Pushgateway read as well.

use rusqlite::Connection;

use crate::ledger::Error;
use crate::ledger::sums::{By, Scope, Sums, across};

/// A metric. `samples` gives its samples for one tool and agent: further labels, and the value.
struct Metric {
    name: &'static str,
    unit: &'static str,
    help: &'static str,
    samples: fn(&Sums) -> Vec<(&'static str, f64)>,
}

const MICROSECONDS: f64 = 1e6;

const METRICS: &[Metric] = &[
    Metric {
        name: "toto_runs",
        unit: "",
        help: "Commands whose output an agent was given",
        samples: |sums| vec![("", sums.runs as f64)],
    },
    Metric {
        name: "toto_failed_runs",
        unit: "",
        help: "Of these, commands that ended with another status than 0",
        samples: |sums| vec![("", sums.failed as f64)],
    },
    Metric {
        name: "toto_asked_again",
        unit: "",
        help: "Calls by which an agent asked again for what was left out of an output",
        samples: |sums| vec![("", sums.again as f64)],
    },
    Metric {
        name: "toto_tokens",
        unit: "",
        help: "Tokens: printed by the tools, what agents would have been given without toto, given, of receipts",
        samples: |sums| {
            vec![
                (",kind=\"printed\"", sums.tokens as f64),
                (",kind=\"without\"", sums.without as f64),
                (",kind=\"given\"", sums.given as f64),
                (",kind=\"receipt\"", sums.receipt as f64),
            ]
        },
    },
    Metric {
        name: "toto_output_bytes",
        unit: "bytes",
        help: "Bytes: printed by the tools, given",
        samples: |sums| {
            vec![(",kind=\"printed\"", sums.bytes as f64), (",kind=\"given\"", sums.given_bytes as f64)]
        },
    },
    Metric {
        name: "toto_tool_seconds",
        unit: "seconds",
        help: "How long the tools ran",
        samples: |sums| vec![("", sums.tool_us as f64 / MICROSECONDS)],
    },
    Metric {
        name: "toto_own_cpu_seconds",
        unit: "seconds",
        help: "Processor time of toto itself",
        samples: |sums| vec![("", sums.own_us as f64 / MICROSECONDS)],
    },
];

/// Counters by tool and agent.
///
/// # Errors
/// Errors of the database.
pub fn text(connection: &Connection, scope: &Scope) -> Result<String, Error> {
    Ok(text_of(&across(connection, [By::Tool, By::Agent], scope)?))
}

fn text_of(groups: &[([String; 2], Sums)]) -> String {
    let mut text = String::new();
    for Metric { name, unit, help, samples } in METRICS {
        text += &format!("# TYPE {name} counter\n");
        if !unit.is_empty() {
            text += &format!("# UNIT {name} {unit}\n");
        }
        text += &format!("# HELP {name} {help}.\n");
        for ([tool, agent], sums) in groups {
            for (labels, value) in samples(sums) {
                let (tool, agent) = (escaped(tool), escaped(agent));
                text += &format!("{name}_total{{tool=\"{tool}\",agent=\"{agent}\"{labels}}} {value}\n");
            }
        }
    }
    text + "# EOF\n"
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_written_as_the_format_asks() {
        let sums = Sums { runs: 3, without: 100, given: 20, tool_us: 1_500_000, ..Sums::default() };
        let text = text_of(&[(["a\"b".into(), "claude".into()], sums)]);
        assert!(text.starts_with("# TYPE toto_runs counter\n# HELP toto_runs Commands"), "{text}");
        assert!(text.contains("toto_runs_total{tool=\"a\\\"b\",agent=\"claude\"} 3\n"), "{text}");
        assert!(
            text.contains("toto_tokens_total{tool=\"a\\\"b\",agent=\"claude\",kind=\"without\"} 100\n"),
            "{text}"
        );
        assert!(text.contains("toto_tool_seconds_total{tool=\"a\\\"b\",agent=\"claude\"} 1.5\n"), "{text}");
        assert!(text.ends_with("# EOF\n"));
    }
}
