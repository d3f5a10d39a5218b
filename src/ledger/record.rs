//! What is written down of a run: one line of JSON in the spool.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// Version of the line's form. Readers pass over lines of a later one.
pub const VERSION: u32 = 1;
/// Notation of a run that was told of behind a viewer.
pub const WINDOW: &str = "Window";
/// Notation of what a command of ours handed to an agent of a saved output: no run, but a call that the output's run has
/// cost.
pub const AGAIN: &str = "Again";
/// What a call of an agent's costs beside what it prints, in tokens that are read for the first time: all that was said
/// before is read again (15,000 at a tenth of the price), and the call is written (150 at five times the price).
/// docs/work.md has the measurements.
pub const COST_OF_A_CALL: u64 = 2_000;
/// How every line begins. Within a line a quotation mark is escaped, so that this stands nowhere else.
pub const START: &str = "{\"v\":";

/// One run. Times are in microseconds, tokens exact unless `estimated`. `at` and `nonce` together name it: a run that
/// is read twice counts once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record<'a> {
    /// Version of the form.
    pub v: u32,
    /// When it ended, since 1970.
    pub at: i64,
    /// Tells runs of the same microsecond apart.
    pub nonce: u32,
    /// The tool's name.
    #[serde(borrow)]
    pub tool: Cow<'a, str>,
    /// The tool and its subcommand, without arguments.
    pub call: Cow<'a, str>,
    /// The notation of what was given, as the receipt names it.
    pub shape: Cow<'a, str>,
    /// The text filter that was used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<Cow<'a, str>>,
    /// The agent's short name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<Cow<'a, str>>,
    /// A hash of the session's name.
    pub session: Cow<'a, str>,
    /// `lossless`, `standard` or `max`.
    pub level: Cow<'a, str>,
    /// Bytes that the tool printed.
    pub bytes: u64,
    /// Bytes that were given.
    pub given_bytes: u64,
    /// Tokens of what the tool printed.
    pub tokens: u64,
    /// Tokens that would have been given without us: the agent cuts what is long by itself.
    pub without: u64,
    /// Tokens that were given, without the receipt.
    pub given: u64,
    /// Tokens of the receipt.
    pub receipt: u64,
    /// How long the tool ran.
    pub tool_us: u64,
    /// Processor time of our own.
    pub own_us: u64,
    /// Exit status, 128 and the signal's number for a death by signal; none if it still ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<i32>,
    /// The saved original's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved: Option<Cow<'a, str>>,
    /// Were only parts of the original counted?
    #[serde(default, skip_serializing_if = "is_false")]
    pub estimated: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

/// What a line of the spool holds.
#[derive(Debug)]
pub enum Line<'a> {
    /// A run, whole.
    Run(Box<Record<'a>>),
    /// Of a later toto: to be read by that.
    Later,
    /// Part of a record: a disk that was full, a machine that lost power.
    Damaged,
}

impl<'a> Record<'a> {
    /// The line, with its newline.
    pub fn line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(self).unwrap_or_default();
        line.push(b'\n');
        line
    }

    /// Reads a line of the spool. What a torn record left in front of a whole one is passed over.
    pub fn read(line: &'a [u8]) -> Line<'a> {
        let start = memchr::memmem::rfind(line, START.as_bytes());
        let Some(text) = start.and_then(|at| std::str::from_utf8(&line[at..]).ok()) else {
            return Line::Damaged;
        };
        match serde_json::from_str::<Self>(text) {
            Ok(record) if record.v == VERSION && record.is_sane() => Line::Run(Box::new(record)),
            Ok(record) if record.v > VERSION => Line::Later,
            _ if version_of(text) > VERSION => Line::Later,
            _ => Line::Damaged,
        }
    }

    /// Is it what a run can have? What was torn and put together again by chance, or made up elsewhere, is not.
    fn is_sane(&self) -> bool {
        // Bytes, tokens or microseconds: sums of them shall have room.
        const MOST: u64 = 1 << 42;
        let optional = [&self.filter, &self.agent, &self.saved];
        let names = [&self.tool, &self.call, &self.shape, &self.session, &self.level];
        let is_name = |name: &&Cow<'_, str>| name.len() <= 256 && !name.contains(char::is_control);
        if !names.iter().all(is_name)
            || !optional.iter().filter_map(|name| name.as_ref()).all(|name| is_name(&name))
        {
            return false;
        }
        let figures = [self.bytes, self.given_bytes, self.tokens, self.without, self.given, self.receipt];
        figures.iter().chain([&self.tool_us, &self.own_us]).all(|figure| *figure < MOST)
            && (0..1 << 53).contains(&self.at)
    }
}

fn version_of(text: &str) -> u32 {
    let digits = text[START.len()..].split(|c: char| !c.is_ascii_digit()).next();
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record<'static> {
        Record {
            v: VERSION,
            at: 1_763_742_000_000_000,
            nonce: 7,
            tool: "aws".into(),
            call: "aws \"{\\\"v\\\":1".into(),
            shape: "PVFN".into(),
            tokens: 100,
            without: 90,
            given: 20,
            receipt: 12,
            ..Record::default()
        }
    }

    #[test]
    fn a_line_is_read_back() {
        let line = record().line();
        assert!(line.starts_with(START.as_bytes()) && line.ends_with(b"\n"));
        let Line::Run(read) = Record::read(&line) else { panic!("{}", String::from_utf8_lossy(&line)) };
        assert_eq!((*read).clone(), record());
    }

    #[test]
    fn what_a_torn_record_left_in_front_does_not_harm_the_next() {
        let line = record().line();
        let torn = [&line[..line.len() / 2], &line].concat();
        assert!(matches!(Record::read(&torn), Line::Run(read) if *read == record()));
        assert!(matches!(Record::read(&[&[0; 30], &line[..]].concat()), Line::Run(_)));
        assert!(matches!(Record::read(&line[..line.len() / 2]), Line::Damaged));
        assert!(matches!(Record::read(b"\xff{\"v\":1,\xff}\n"), Line::Damaged));
        assert!(matches!(Record::read(b"{\"v\":2,\"new\":[]}\n"), Line::Later));
    }
}
