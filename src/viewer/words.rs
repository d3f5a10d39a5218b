//! The words behind a window: what is due, and no more than the command alone would have been given.

use std::path::PathBuf;

use once_cell::sync::Lazy;
use regex::Regex;

use super::lacked::{Lack, what_the_window_lacked};
use super::{Run, Viewing};
use crate::failure::ascii;
use crate::marks::OURS;
use crate::overflow::Outcome;
use crate::pipeline::visible;
use crate::run::Status;
use crate::store::{Held, Source, Store};
use crate::tokens;

const MOST_TOKENS: usize = 1_000;
/// Tokens that a reason gets, if it has so many.
const FEWEST_TOKENS: usize = 40;
/// In front of lines, so that they are not taken for all reasons: the window may show others, and parts of these.
const NOT_SHOWN: &str = "; not fully shown above:";
/// Tokens kept in reserve: our lines may count as fewer by themselves than beside others.
const MARGIN: usize = 4;

/// The words for a run that failed.
pub(super) struct Told {
    pub(super) words: String,
    /// The id of the whole output, if the words name it.
    pub(super) id: Option<String>,
    /// The file that has the whole output, if there is one.
    pub(super) path: Option<PathBuf>,
    /// Keeps the file from being cleaned away until the agent has been told of it.
    _held: Option<Held>,
}

impl Told {
    /// One line that names no saved output.
    fn line(line: String) -> Self {
        Self { words: line + "\n", id: None, path: None, _held: None }
    }
}

impl Viewing<'_> {
    /// Finds the words for a failed run, if any are due, and saves its output if they name it.
    pub(super) fn gather(&self, run: &Run<'_>, viewer: &str, store: &Store) -> Option<Told> {
        let id = run.copy.as_ref().map_or_else(|| store.new_id(), |(_, id)| id.clone());
        let part = if run.is_cut { "the beginning of the output" } else { "the whole output" };
        let way = format!("; {part}: toto show {id}");
        let end = match run.status {
            Status::Killed(signal) => format!("ended by signal {signal}"),
            Status::Exited(code) => format!("exit status {code}"),
            Status::Stopped => "stopped".into(),
        };
        let mut words = visible::line(&format!("{OURS}{}: {end}", self.delivery.name()));
        let why = format!(" (without pipefail the shell reports {viewer}'s)");
        // Of little room the reason gets the most.
        let heads = [
            format!("{words}{why}{way}{NOT_SHOWN}\n"),
            format!("{words}{way}{NOT_SHOWN}\n"),
            format!("{words}\n"),
        ];
        let (lack, head) = run.text.map_or((Lack::Unknown, 0), |text| self.lack(run, text, &heads));
        if lack == Lack::Nothing && (!run.is_chosen || run.is_said) {
            return None;
        }
        if head == 0 && store.is_news(format!("pipefail {}", self.window.name()).as_bytes()) {
            words += &why;
        }
        let lines = match lack {
            // The agent asked for these lines alone, or has the whole.
            _ if run.is_chosen || run.text == Some(run.shown) => return Some(Told::line(words)),
            Lack::Lines { told, .. } if !told.is_empty() && !store.is_news(&self.gist(&told)) => {
                return Some(Told::line(words + ", as before"));
            }
            Lack::Lines { told, .. } if head > 1 => {
                return Some(Told::line((words + "\n" + &told).trim_end().to_owned()));
            }
            Lack::Lines { told, .. } => told,
            Lack::Unknown | Lack::Nothing => String::new(),
        };
        let held = match (&run.copy, run.text) {
            (None, Some(text)) => store.save(&id, self.delivery.tool, Source::Out, text).ok(),
            _ => None,
        };
        let path = run.copy.as_ref().map(|(path, _)| path).or(held.as_ref().map(|held| &held.path)).cloned();
        words += path.as_ref().map_or("", |_| &way);
        words += if lines.is_empty() { "" } else { NOT_SHOWN };
        Some(Told { words: words + "\n" + &lines, id: Some(id), path, _held: held })
    }

    /// What the window lacks of the reasons, and the index of the first of `heads` that leaves room for it: with that
    /// in front, it has no more tokens than the command alone would have been given beyond the window.
    fn lack(&self, run: &Run<'_>, text: &[u8], heads: &[String]) -> (Lack, usize) {
        let words = |room| what_the_window_lacked(text, run.seen, self.delivery.command, room, run.is_said);
        let lack = words(MOST_TOKENS);
        let Lack::Lines { told, .. } = &lack else { return (lack, 0) };
        let most = tokens::count(told.as_bytes());
        let alone = self.delivery.tokens_of(text, Outcome::of(Some(run.status)));
        let beyond = alone.saturating_sub(tokens::count(run.shown)).min(MOST_TOKENS);
        let room = |head: &String| beyond.saturating_sub(tokens::count(head.as_bytes()) + MARGIN);
        let rooms: Vec<usize> = heads.iter().map(room).collect();
        if most <= rooms[0] {
            return (lack, 0);
        }
        // Rather the whole reason than more about where the rest is.
        let told = rooms.iter().map(|room| words(*room)).enumerate();
        let mut told: Vec<_> = told.map(|(at, lack)| (lack, at)).collect();
        let is_whole = |(lack, _): &(Lack, usize)| matches!(lack, Lack::Lines { is_whole: true, .. });
        let has_room = |(_, at): &(Lack, usize)| rooms[*at] >= FEWEST_TOKENS;
        match told.iter().position(is_whole).or_else(|| told.iter().position(has_room)) {
            Some(at) => told.swap_remove(at),
            None => (Lack::Lines { told: String::new(), is_whole: false }, 0),
        }
    }

    /// What makes these lines the same as others: the call and all but the times.
    fn gist(&self, lines: &str) -> Vec<u8> {
        static TIME: Lazy<Regex> = Lazy::new(|| ascii(r"\d+(\.\d+)? ?(ms|s|secs?|seconds?)\b"));
        format!("{} {}", self.delivery.name(), TIME.replace_all(lines, "")).into_bytes()
    }
}
