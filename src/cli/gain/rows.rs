//! Sums for programs: JSON, comma-separated values, and metrics in the form of `OpenMetrics` 1.0, which a Prometheus
//! textfile collector and a Pushgateway read as well.

use rusqlite::Connection;
use serde_json::{Map, Value, json};

use super::query::{Overview, Query};
use crate::ledger::Error;
use crate::ledger::record::COST_OF_A_CALL;
use crate::ledger::sums::{By, Scope, Sums, across};

pub fn overview_json(overview: &Overview, query: &Query) -> String {
    let Overview { total, today, tools, days, beside } = overview;
    let again = |(tool, calls, tokens): &(String, u64, u64)| json!({ "tool": tool, "calls": calls, "tokens": tokens });
    let document = json!({
        "price": query.price,
        "behind_viewers": { "told": beside.told, "tokens": beside.told_tokens },
        "asked_again": {
            "calls": beside.again.iter().map(|(_, calls, _)| calls).sum::<u64>(),
            "tokens": beside.again.iter().map(|(_, _, tokens)| tokens).sum::<u64>(),
            "tokens_a_call": COST_OF_A_CALL,
            "tools": beside.again.iter().map(again).collect::<Value>(),
        },
        "total": figures(total, query.price),
        "today": figures(today, query.price),
        "tools": objects("tool", &tools[..tools.len().min(query.most())], query.price),
        "days": objects("day", days, query.price),
    });
    format!("{document:#}\n")
}

pub fn grouped_json(key: &str, groups: &[(String, Sums)], total: &Sums, query: &Query) -> String {
    let (rows, total) = (objects(key, groups, query.price), figures(total, query.price));
    format!("{:#}\n", json!({ "price": query.price, "by": key, "groups": rows, "total": total }))
}

/// A header and one line per group (RFC 4180, except that lines end in a newline alone).
pub fn csv(key: &str, groups: &[(String, Sums)], query: &Query) -> String {
    let heads: Vec<String> = figures(&Sums::default(), query.price).keys().cloned().collect();
    let mut text = format!("{key},{}\n", heads.join(","));
    for (name, sums) in groups.iter().take(query.most()) {
        let cells: Vec<String> = figures(sums, query.price).values().map(Value::to_string).collect();
        let needs_quotes = name.contains(['"', ',', '\n', '\r']);
        let quoted = needs_quotes.then(|| format!("\"{}\"", name.replace('"', "\"\"")));
        text += &format!("{},{}\n", quoted.as_ref().unwrap_or(name), cells.join(","));
    }
    text
}

/// The sums and the figures computed from them, by their names.
fn figures(sums: &Sums, price: f64) -> Map<String, Value> {
    let mut object = match serde_json::to_value(sums) {
        Ok(Value::Object(object)) => object,
        _ => Map::new(),
    };
    let round = |figure: f64, to: f64| (figure * to).round() / to;
    object.insert("saved".into(), sums.saved().into());
    object.insert("percent".into(), round(sums.percent(), 100.0).into());
    object.insert("dollars".into(), round(sums.money(price), 1e6).into());
    object
}

fn objects(key: &str, groups: &[(String, Sums)], price: f64) -> Value {
    let object = |(name, sums): &(String, Sums)| {
        let mut object = Map::from_iter([(key.to_owned(), Value::from(name.as_str()))]);
        object.extend(figures(sums, price));
        object
    };
    groups.iter().map(object).collect()
}

/// A metric: its name, which ends in its unit if there is one; its help; its samples, each a kind and a figure.
type Metric = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const TOKENS: &[(&str, &str)] =
    &[("printed", "tokens"), ("without", "without"), ("given", "given"), ("receipt", "receipt")];
const METRICS: [Metric; 7] = [
    ("toto_runs", "Commands whose output an agent was given", &[("", "runs")]),
    ("toto_failed_runs", "Of these, commands that ended with another status than 0", &[("", "failed")]),
    (
        "toto_asked_again",
        "Calls by which an agent asked again for what was left out of an output",
        &[("", "again")],
    ),
    (
        "toto_tokens",
        "Tokens: printed by the tools, what agents would have been given without toto, given, of receipts",
        TOKENS,
    ),
    (
        "toto_output_bytes",
        "Bytes: printed by the tools, given",
        &[("printed", "bytes"), ("given", "given_bytes")],
    ),
    ("toto_tool_seconds", "How long the tools ran", &[("", "tool_us")]),
    ("toto_own_cpu_seconds", "Processor time of toto itself", &[("", "own_us")]),
];

pub fn metrics(connection: &Connection, scope: &Scope) -> Result<String, Error> {
    Ok(metrics_of(&across(connection, [By::Tool, By::Agent], scope)?))
}

pub fn metrics_of(groups: &[([String; 2], Sums)]) -> String {
    let mut text = String::new();
    for (name, help, samples) in METRICS {
        text += &format!("# TYPE {name} counter\n");
        if let Some(unit) = ["bytes", "seconds"].iter().find(|unit| name.ends_with(**unit)) {
            text += &format!("# UNIT {name} {unit}\n");
        }
        text += &format!("# HELP {name} {help}.\n");
        for ([tool, agent], sums) in groups {
            let (tool, agent, figures) = (escaped(tool), escaped(agent), figures(sums, 0.0));
            for (kind, figure) in samples {
                let kind = if kind.is_empty() { String::new() } else { format!(",kind=\"{kind}\"") };
                let value = figures[*figure].as_f64().unwrap_or(0.0);
                let value = if figure.ends_with("_us") { value / 1e6 } else { value };
                text += &format!("{name}_total{{tool=\"{tool}\",agent=\"{agent}\"{kind}}} {value}\n");
            }
        }
    }
    text + "# EOF\n"
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
