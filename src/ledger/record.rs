//! The record of a run: one line of JSON in the spool.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};

use serde::{Deserialize, Serialize};

use super::{calls, spool};
use crate::agents::Agent;

/// Version of the line's format. Readers skip lines of a later version.
pub const VERSION: u32 = 1;
/// `shape` of a run that was told of behind a viewer.
pub const WINDOW: &str = "Window";
/// `shape` of a call that asked again: a command of toto gave an agent something of a saved output. It is no run, but a
/// cost of the run that printed the output.
pub const AGAIN: &str = "Again";
/// Cost of a call of an agent beside the call's output, in tokens at the price of new input: the context is read again
/// (15,000 tokens at a tenth of the price), and the call is written (150 tokens at five times the price). docs/work.md
/// has the measurements.
pub const COST_OF_A_CALL: u64 = 2_000;
/// Start of every line. It stands nowhere else in a line, because quotation marks within strings are escaped.
pub const START: &str = "{\"v\":";

/// One run. Times are in microseconds; token counts are exact unless `estimated`. `at` and `nonce` together identify
/// the run: a run that is read twice counts once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record<'a> {
    /// Version of the format.
    pub v: u32,
    /// End of the run, in microseconds since 1970.
    pub at: i64,
    /// Tells runs of the same microsecond apart.
    pub nonce: u32,
    #[serde(borrow)]
    pub tool: Cow<'a, str>,
    /// The tool and its subcommand, without arguments.
    pub call: Cow<'a, str>,
    /// The notation of the output that was given, as the receipt names it.
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
    /// Bytes and tokens that the tool printed, bytes that the agent was given.
    pub bytes: u64,
    pub given_bytes: u64,
    pub tokens: u64,
    /// Tokens that the agent would have been given without toto: an agent may cut long output itself.
    pub without: u64,
    /// Tokens that the agent was given, without the receipt.
    pub given: u64,
    /// Tokens of the receipt.
    pub receipt: u64,
    /// The tool's time on the clock and toto's on the processor, in microseconds.
    pub tool_us: u64,
    pub own_us: u64,
    /// Exit code, or 128 plus the signal's number for a death by signal; `None` if the tool still ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<i32>,
    /// The saved original's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved: Option<Cow<'a, str>>,
    /// Whether the tokens are estimated from parts of the original.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

/// What a line of the spool holds.
#[derive(Debug)]
pub enum Line<'a> {
    Run(Box<Record<'a>>),
    /// A record of a later toto, to be read by that version.
    Later,
    /// Part of a record, as a full disk or a loss of power leaves it.
    Damaged,
}

impl<'a> Record<'a> {
    /// The record of what an agent is given now, at level `standard`; the figures are still to be set.
    pub fn new(tool: &str, call: String, agent: Option<&'static Agent>, session: &OsStr) -> Self {
        Self {
            v: VERSION,
            at: spool::now(),
            nonce: RandomState::new().build_hasher().finish() as u32,
            tool: calls::plain_name(tool).into(),
            call: call.into(),
            agent: agent.map(|agent| agent.id.into()),
            session: spool::session_hash(session).into(),
            level: "standard".into(),
            ..Self::default()
        }
    }

    pub fn line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(self).unwrap_or_default();
        line.push(b'\n');
        line
    }

    /// Reads a line of the spool. The part of a torn record in front of a whole one is skipped.
    pub fn read(line: &'a [u8]) -> Line<'a> {
        let start = memchr::memmem::rfind(line, START.as_bytes());
        let Some(text) = start.and_then(|at| std::str::from_utf8(&line[at..]).ok()) else {
            return Line::Damaged;
        };
        match serde_json::from_str::<Self>(text) {
            Ok(record) if record.v == VERSION && record.is_sane() => Line::Run(Box::new(record)),
            Ok(record) if record.v > VERSION => Line::Later,
            _ => {
                let digits = text[START.len()..].split(|c: char| !c.is_ascii_digit()).next();
                let version = digits.and_then(|digits| digits.parse().ok()).unwrap_or(0);
                if version > VERSION { Line::Later } else { Line::Damaged }
            }
        }
    }

    /// Whether a run can have these values: a record that was torn and joined by chance, or made up, may have others.
    fn is_sane(&self) -> bool {
        // Limit for bytes, tokens and microseconds, so that their sums do not overflow.
        const MOST: u64 = 1 << 42;
        let optional = [&self.filter, &self.agent, &self.saved].into_iter().flatten();
        let mut names =
            [&self.tool, &self.call, &self.shape, &self.session, &self.level].into_iter().chain(optional);
        let figures = [self.bytes, self.given_bytes, self.tokens, self.without, self.given, self.receipt];
        names.all(|name| name.len() <= 256 && !name.contains(char::is_control))
            && figures.iter().chain([&self.tool_us, &self.own_us]).all(|figure| *figure < MOST)
            && (0..1 << 53).contains(&self.at)
    }
}
