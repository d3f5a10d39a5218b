//! Inserts runs into the database, each once: a run that is there already changes neither its row nor the sums.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rusqlite::types::Value;
use rusqlite::{Statement, Transaction, params_from_iter};

use super::Error;
use super::record::Record;

/// Key of the sums that a run belongs to: day, then the names' numbers of tool, call, shape, filter, agent, level.
type Key = [i64; 7];
/// The sums: runs, failed, bytes, `given_bytes`, tokens, alone, given, receipt, `tool_us`, `own_us`.
type Sums = [i64; 10];

/// Inserts runs, within one transaction; [`Inserter::finish`] writes the sums.
pub struct Inserter<'t> {
    transaction: &'t Transaction<'t>,
    insert: Statement<'t>,
    names: HashMap<String, i64>,
    sums: HashMap<Key, Sums>,
    zone: TimeZone,
    new: u64,
}

impl<'t> Inserter<'t> {
    pub fn new(transaction: &'t Transaction<'t>) -> Result<Self, Error> {
        let mut read = transaction.prepare("SELECT name, id FROM names")?;
        let names = read.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
        let insert = transaction.prepare(
            "INSERT OR IGNORE INTO runs VALUES
             (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)",
        )?;
        Ok(Self { transaction, insert, names, sums: HashMap::new(), zone: TimeZone::system(), new: 0 })
    }

    pub fn add(&mut self, run: &Record<'_>) -> Result<(), Error> {
        let time = Timestamp::from_microsecond(run.at).unwrap_or_default();
        let offset = i64::from(self.zone.to_offset(time).seconds());
        // In the local time zone, counted from 1970-01-01.
        let day = (time.as_second() + offset).div_euclid(86_400);
        let required = [&run.tool, &run.call, &run.shape].map(Some);
        let names = [run.filter.as_ref(), run.agent.as_ref(), Some(&run.session), Some(&run.level)];
        let mut numbers = [None; 7];
        for (number, name) in numbers.iter_mut().zip(required.into_iter().chain(names)) {
            *number = name.map(|name| self.number_of(name)).transpose()?;
        }
        let tokens = [run.tokens, run.without, run.given, run.receipt];
        let figures = [run.bytes, run.given_bytes].into_iter().chain(tokens).chain([run.tool_us, run.own_us]);
        let figures = figures.map(|figure| figure as i64);
        let saved = run.saved.as_deref().map(str::to_owned);
        let key = [run.at, run.nonce.into(), day].map(Value::from).into_iter();
        let row = key.chain(numbers.map(Value::from)).chain(figures.clone().map(Value::from)).chain([
            run.status.into(),
            saved.into(),
            run.estimated.into(),
        ]);
        if self.insert.execute(params_from_iter(row))? == 1 {
            self.new += 1;
            let [tool, call, shape, filter, agent, _, level] = numbers.map(Option::unwrap_or_default);
            let sums = self.sums.entry([day, tool, call, shape, filter, agent, level]).or_default();
            let failed = i64::from(run.status.unwrap_or(0) != 0);
            for (sum, figure) in sums.iter_mut().zip([1, failed].into_iter().chain(figures)) {
                *sum += figure;
            }
        }
        Ok(())
    }

    /// Writes the sums; returns the number of new runs.
    pub fn finish(self) -> Result<u64, Error> {
        let mut add = self.transaction.prepare(
            "INSERT INTO days VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
             ON CONFLICT DO UPDATE SET runs = runs + ?8, failed = failed + ?9, bytes = bytes + ?10,
                 given_bytes = given_bytes + ?11, tokens = tokens + ?12, alone = alone + ?13, given = given + ?14,
                 receipt = receipt + ?15, tool_us = tool_us + ?16, own_us = own_us + ?17",
        )?;
        for (key, sums) in &self.sums {
            add.execute(params_from_iter(key.iter().chain(sums)))?;
        }
        Ok(self.new)
    }

    fn number_of(&mut self, name: &str) -> Result<i64, Error> {
        if let Some(number) = self.names.get(name) {
            return Ok(*number);
        }
        let insert = "INSERT INTO names (name) VALUES (?1) RETURNING id";
        let number = self.transaction.query_row(insert, [name], |row| row.get(0))?;
        self.names.insert(name.to_owned(), number);
        Ok(number)
    }
}
