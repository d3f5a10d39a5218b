//! Sums over runs: in all, and by day, week, tool, call, notation, filter or agent.

use jiff::ToSpan as _;
use jiff::civil::{Date, date};
use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::database::{Error, json_of};
use super::record::{AGAIN, COST_OF_A_CALL, WINDOW};

/// Sums over some runs. Times are in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Sums {
    pub runs: u64,
    /// Runs with an exit status other than 0.
    pub failed: u64,
    /// Bytes and tokens that tools printed, bytes that agents were given.
    pub bytes: u64,
    pub given_bytes: u64,
    pub tokens: u64,
    /// Tokens that agents would have been given without toto.
    pub without: u64,
    /// Tokens that agents were given, without receipts.
    pub given: u64,
    /// Tokens of receipts.
    pub receipt: u64,
    /// The tools' time on the clock and toto's on the processor.
    pub tool_us: u64,
    pub own_us: u64,
    /// Calls that asked again for a saved output. They are no runs; the tokens that they gave are in `given`, too.
    pub again: u64,
}

impl Sums {
    /// Tokens saved, net of receipts and of the calls that asked again.
    pub fn saved(&self) -> i64 {
        self.without as i64 - (self.given + self.receipt + self.again * COST_OF_A_CALL) as i64
    }

    /// Tokens saved, in percent of those that would have been given without toto.
    pub fn percent(&self) -> f64 {
        if self.without == 0 { 0.0 } else { self.saved() as f64 * 100.0 / self.without as f64 }
    }

    /// Dollars saved, at `price` dollars for a million tokens.
    pub fn money(&self, price: f64) -> f64 {
        self.saved() as f64 * price / 1e6
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    Day,
    /// Named by its Monday.
    Week,
    Tool,
    Call,
    Shape,
    /// The text filter; the notation where there was none.
    Filter,
    Agent,
}

impl By {
    /// The SQL of what runs are grouped by, and of a group's name.
    fn columns(self) -> (&'static str, String) {
        let column = match self {
            Self::Day => "day",
            // 1970-01-01 was a Thursday.
            Self::Week => "(day + 3) / 7 * 7 - 3",
            Self::Tool => "tool",
            Self::Call => "call",
            Self::Shape => "shape",
            Self::Filter => "iif(filter = 0, shape, filter)",
            Self::Agent => "agent",
        };
        match self {
            Self::Day | Self::Week => (column, format!("date(({column}) * 86400, 'unixepoch')")),
            _ => (column, name_of(column)),
        }
    }
}

/// The SQL of the name with this number; `-` where there is none.
fn name_of(number: &str) -> String {
    format!("ifnull((SELECT name FROM names WHERE id = {number}), '-')")
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// From this day on, counted from 1970-01-01.
    pub from_day: Option<i64>,
    /// From this moment on, in microseconds since 1970.
    pub from: Option<i64>,
    pub session: Option<String>,
}

impl Scope {
    /// The SQL condition on the rows, and the values of its parameters.
    fn conditions(&self) -> (String, Vec<Value>) {
        let asked: [(&str, Option<Value>); 3] = [
            ("day >= ?", self.from_day.map(Value::from)),
            ("at >= ?", self.from.map(Value::from)),
            ("session = (SELECT id FROM names WHERE name = ?)", self.session.clone().map(Value::from)),
        ];
        let asked = asked.into_iter().filter_map(|(condition, value)| Some((condition, value?)));
        let (conditions, values): (Vec<_>, Vec<_>) = asked.unzip();
        ([&["1"], &conditions[..]].concat().join(" AND "), values)
    }

    /// The subquery of the rows to sum up, and the values of its parameters: the sums per day, or every run where the
    /// scope begins at a moment or is a session.
    fn source(&self) -> (String, Vec<Value>) {
        let (condition, values) = self.conditions();
        let (names, count, failed, table) = if self.from.is_some() || self.session.is_some() {
            let names = "ifnull(filter, 0) AS filter, ifnull(agent, 0) AS agent";
            (names, "1", "ifnull(status, 0) <> 0", "runs")
        } else {
            ("filter, agent", "runs", "failed", "days")
        };
        let again = is_again();
        let columns = format!(
            "day, tool, call, shape, {names}, iif({again}, 0, {count}) AS runs, {failed} AS failed, bytes, given_bytes,
             tokens, alone, given, receipt, tool_us, own_us, iif({again}, {count}, 0) AS again"
        );
        (format!("(SELECT {columns} FROM {table} WHERE {condition})"), values)
    }
}

/// The SQL condition for calls that asked again.
fn is_again() -> String {
    format!("shape IS (SELECT id FROM names WHERE name = '{AGAIN}')")
}

/// The SQL of the fields of [`Sums`].
const FIGURES: &str = "ifnull(sum(runs), 0) AS runs, ifnull(sum(failed), 0) AS failed, ifnull(sum(bytes), 0) AS bytes,
    ifnull(sum(given_bytes), 0) AS given_bytes, ifnull(sum(tokens), 0) AS tokens, ifnull(sum(alone), 0) AS without,
    ifnull(sum(given), 0) AS given, ifnull(sum(receipt), 0) AS receipt, ifnull(sum(tool_us), 0) AS tool_us,
    ifnull(sum(own_us), 0) AS own_us, ifnull(sum(again), 0) AS again";

/// A row as the type that has a field for each of its columns, but for columns that the type does not know.
fn read<T: DeserializeOwned>(row: &Row<'_>) -> rusqlite::Result<T> {
    json_of(row).and_then(|row| serde_json::from_value(row).ok()).ok_or(rusqlite::Error::InvalidQuery)
}

pub fn total(connection: &Connection, scope: &Scope) -> Result<Sums, Error> {
    let (source, values) = scope.source();
    let question = format!("SELECT {FIGURES} FROM {source}");
    Ok(connection.query_row(&question, params_from_iter(values), read)?)
}

/// The sums of each group: days and weeks in their order, other groups by the tokens saved, the most first.
pub fn by(connection: &Connection, by: By, scope: &Scope) -> Result<Vec<(String, Sums)>, Error> {
    let groups = across(connection, [by], scope)?;
    let mut groups: Vec<_> = groups.into_iter().map(|([name], sums)| (name, sums)).collect();
    if !matches!(by, By::Day | By::Week) {
        groups.sort_unstable_by(|a, b| b.1.saved().cmp(&a.1.saved()).then_with(|| a.0.cmp(&b.0)));
    }
    Ok(groups)
}

/// The sums of every combination of groups, in the order of their names.
pub fn across<const N: usize>(
    connection: &Connection,
    by: [By; N],
    scope: &Scope,
) -> Result<Vec<([String; N], Sums)>, Error> {
    let (source, values) = scope.source();
    let columns = by.map(By::columns);
    let (keys, names) =
        (columns.each_ref().map(|(key, _)| *key).join(", "), columns.map(|(_, name)| name).join(", "));
    let question = format!("SELECT {names}, {FIGURES} FROM {source} GROUP BY {keys}");
    let mut statement = connection.prepare(&question)?;
    let rows = statement.query_map(params_from_iter(values), |row| {
        let mut key = [const { String::new() }; N];
        for (place, name) in key.iter_mut().enumerate() {
            *name = row.get(place)?;
        }
        Ok((key, read(row)?))
    })?;
    let mut groups = rows.collect::<Result<Vec<_>, _>>()?;
    groups.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    Ok(groups)
}

/// Tokens and calls beside the outputs themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beside {
    /// Runs that were told of behind a viewer.
    pub told: u64,
    /// Tokens that were told behind viewers.
    pub told_tokens: u64,
    /// By tool: calls that asked again for a saved output, and the tokens that they gave, the most calls first.
    pub again: Vec<(String, u64, u64)>,
}

/// The runs told of behind viewers, and the calls that asked again.
pub fn beside(connection: &Connection, scope: &Scope) -> Result<Beside, Error> {
    let mut beside = Beside::default();
    for ([shape, tool], sums) in across(connection, [By::Shape, By::Tool], scope)? {
        match shape.as_str() {
            WINDOW => {
                beside.told += sums.runs;
                beside.told_tokens += sums.given.saturating_sub(sums.without);
            }
            AGAIN => beside.again.push((tool, sums.again, sums.given)),
            _ => {}
        }
    }
    beside.again.sort_by_key(|(_, calls, tokens)| std::cmp::Reverse((*calls, *tokens)));
    Ok(beside)
}

/// Outputs of one command of which hardly anything was saved.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Large {
    pub call: String,
    pub shape: String,
    pub runs: u64,
    /// Time of the last output, in microseconds since 1970.
    pub last: i64,
    pub largest: u64,
    pub given: u64,
}

/// The commands with the largest outputs of which less than a tenth was saved, the largest first.
pub fn largest(connection: &Connection, scope: &Scope, count: usize) -> Result<Vec<Large>, Error> {
    let (conditions, mut values) = scope.conditions();
    let question = format!(
        "SELECT {call} AS call, {shape} AS shape, count(*) AS runs, max(at) AS last, max(given) AS largest,
             sum(given) AS given FROM runs
         WHERE {conditions} AND NOT {again} AND runs.given > 0 AND runs.given * 10 > tokens * 9
         GROUP BY runs.call, runs.shape ORDER BY 5 DESC LIMIT ?",
        call = name_of("call"),
        shape = name_of("shape"),
        again = is_again()
    );
    values.push((count as i64).into());
    let mut statement = connection.prepare(&question)?;
    let rows = statement.query_map(params_from_iter(values), read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub fn date_of(day: i64) -> Date {
    date(1970, 1, 1).checked_add(day.clamp(-100_000, 2_000_000).days()).unwrap_or(Date::MAX)
}

pub fn day_of(day: Date) -> i64 {
    day.since(date(1970, 1, 1)).map_or(0, |span| i64::from(span.get_days()))
}
