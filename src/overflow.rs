//! What an agent gets in place of an output that is still large once it is compressed. Pure: facts in, text out.
//!
//! docs/large-output.md describes the modes and what a preview shows.

mod finder;
mod outline;
pub mod pages;
mod passages;
mod preview;
mod summary;

use std::fmt::Write as _;
use std::path::Path;

pub use outline::{Outline, largest_document, outline, outline_of_table};
pub use passages::Passage;
pub use summary::{Summariser, Summary, characters};

use crate::config::{Mode, Threshold};
use crate::marks::{BUFFERED, FAILED, FOR_PROGRAMS, MARK, MAY_TELL, MENTIONS, MORE, TRUNCATED};
pub use crate::pipeline::{Page, visible::readable};
use crate::plural::counted;
use crate::sys::process::Status;
use preview::Preview;

/// Most characters of the first, and of the last, part of a truncated output.
const PART: usize = 10_000;
/// Bytes kept for the notes around the parts of a truncated output.
const NOTES: usize = 1_500;

/// Where the whole output is.
#[derive(Clone, Copy, Debug)]
pub enum Original<'a> {
    /// In this file, which `toto show ID` shows.
    Saved {
        /// The file's path.
        path: &'a Path,
        /// The file's id.
        id: &'a str,
    },
    /// Not saved, for this reason.
    Lost(&'a str),
}

/// Whether a command still runs, and how it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With exit status 0.
    Succeeded,
    /// With this exit status.
    Failed(i32),
    /// It has ended, nobody knows how.
    Unknown,
    /// It has not ended.
    Running,
}

impl Outcome {
    /// The outcome of a tool with this status; without one the tool runs.
    pub fn of(status: Option<Status>) -> Self {
        match status.filter(|status| *status != Status::Stopped).map(Status::code) {
            None => Self::Running,
            Some(0) => Self::Succeeded,
            Some(code) => Self::Failed(code),
        }
    }

    /// The exit status, if that is known.
    pub fn status(self) -> Option<i32> {
        match self {
            Self::Succeeded => Some(0),
            Self::Failed(code) => Some(code),
            Self::Unknown | Self::Running => None,
        }
    }
}

/// A large output.
#[derive(Clone, Copy, Debug)]
pub struct Large<'a> {
    /// The output's facts.
    pub summary: &'a Summary,
    /// The outline of the document that it is.
    pub outline: Option<&'a Outline>,
    /// Where the whole output is.
    pub whole: Original<'a>,
    /// How the command ended. What may say why it failed is always shown, unless it succeeded.
    pub outcome: Outcome,
    /// Most bytes that the reader takes.
    pub most: usize,
    /// Up to this, an output of its kind goes out whole; `None` for as much as the reader takes.
    pub threshold: Option<Threshold>,
}

impl Large<'_> {
    /// The replacement, after its name in the receipt.
    pub fn reduced(&self, mode: Mode) -> (&'static str, String) {
        match (mode, self.whole) {
            (Mode::Reject, _) => ("Rejected", self.rejected()),
            (Mode::Truncate | Mode::Buffer, Original::Saved { path, id }) if self.summary.is_binary() => {
                ("Buffered", self.binary(path, id))
            }
            (Mode::Buffer, Original::Saved { path, id }) => ("Buffered", self.buffered(path, id)),
            _ => ("Truncated", self.truncated()),
        }
    }

    fn buffered(&self, path: &Path, id: &str) -> String {
        let so_far = if self.outcome == Outcome::Running { " so far" } else { "" };
        let lines = counted(self.summary.lines, "line");
        let mut out = format!("{BUFFERED}{} ({lines}{so_far})\n", path.display());
        if let Some(outline) = self.outline {
            let jq = outline.jq.as_ref().map_or_else(String::new, |path| format!(" | jq '{path}'"));
            let part = if outline.is_table { "--lines A:B, --grep RE" } else { "--path a.b.0" };
            let way = format!("{FOR_PROGRAMS}toto show {id} --raw{jq}; a part: {part}\n");
            if matches!(self.outcome, Outcome::Failed(_)) {
                self.reasons(&mut out);
            }
            let fits = out.len() + outline.text.len() + way.len() <= self.most;
            return out + if fits { &outline.text } else { "" } + &way;
        }
        let name = |word| if word == "warn" { "warning" } else { word };
        let mentioned = self.summary.keywords.iter().filter(|(_, count)| *count > 0);
        let mentions: Vec<_> = mentioned.map(|(word, count)| format!("{} {count}", name(word))).collect();
        if !mentions.is_empty() {
            let _ = writeln!(out, "{MENTIONS}{}", mentions.join(", "));
        }
        let before = out.len();
        let has_preview = self.preview(&mut out);
        let _ = writeln!(out, "{MORE}{id} --lines A:B | --grep RE");
        if !has_preview || out.len() > self.most {
            out.truncate(before);
            let _ = writeln!(out, "toto show {id} [--lines A:B] [--grep RE]");
        }
        out
    }

    fn binary(&self, path: &Path, id: &str) -> String {
        let Summary { bytes, .. } = self.summary;
        let mut out = format!("{BUFFERED}{} ({bytes} bytes, binary)\n", path.display());
        self.reasons(&mut out);
        let _ = writeln!(out, "toto show {id} --grep RE");
        out
    }

    /// Writes a preview if it saves enough; returns whether it did. A failure always has one.
    fn preview(&self, out: &mut String) -> bool {
        let may_have_failed = self.outcome != Outcome::Succeeded;
        let preview = Preview::of(self.summary, may_have_failed);
        let saves_little = preview.characters() * 2 > self.summary.characters;
        if preview.is_empty() || !may_have_failed && (preview.has_long_line || saves_little) {
            return false;
        }
        preview.write(out, self.summary.lines);
        true
    }

    fn truncated(&self) -> String {
        let note = self.note();
        let most = PART.min(self.most.saturating_sub(NOTES) / 2);
        let head: String = readable(&self.summary.head).chars().take(most).collect();
        let tail = readable(&self.summary.tail);
        let tail: String = tail.chars().skip(tail.chars().count().saturating_sub(most)).collect();
        let shown = (head.chars().count() + tail.chars().count()) as u64;
        let hidden = self.summary.characters.saturating_sub(shown);
        let mut out = format!("{note}\n{head}\n… {hidden} characters hidden …\n");
        self.reasons(&mut out);
        let _ = write!(out, "{note}\n{tail}");
        if !out.ends_with('\n') {
            out.push('\n');
        }
        out
    }

    fn note(&self) -> String {
        let size =
            format!("{} characters in {}", self.summary.characters, counted(self.summary.lines, "line"));
        match self.whole {
            Original::Saved { path, id } => {
                format!("{TRUNCATED}{size}, all of them in {} (toto show {id})", path.display())
            }
            Original::Lost(reason) => {
                format!("{TRUNCATED}{size}, which could not be saved ({reason})")
            }
        }
    }

    fn rejected(&self) -> String {
        let tokens = self.summary.tokens;
        let limit = match self.threshold {
            Some(Threshold::Tokens(most)) if tokens > most as u64 => {
                format!("maximum allowed tokens ({most})")
            }
            _ => "what is shown of one call".to_owned(),
        };
        let mut out = format!("Error: Command output (~{tokens} tokens) exceeds {limit}. ");
        let _ = match self.whole {
            Original::Saved { id, .. } => writeln!(
                out,
                "Ask the command for less, or read a part: toto show {id} --lines A:B | --grep RE"
            ),
            Original::Lost(reason) => {
                writeln!(out, "Ask the command for less; the output could not be saved ({reason})")
            }
        };
        self.reasons(&mut out);
        out
    }

    /// Adds what a command said about its failure, or may have said. Noise says nothing, unless the command failed.
    fn reasons(&self, out: &mut String) {
        let reasons = Preview::reasons(self.summary, false);
        let heading = match self.outcome {
            Outcome::Failed(_) => FAILED,
            Outcome::Unknown | Outcome::Running if !self.summary.is_binary() => MAY_TELL,
            _ => return,
        };
        if !reasons.is_empty() {
            let _ = writeln!(out, "{heading}");
            reasons.write(out, 0);
        }
    }

    /// The text behind the first page of a failing command's output: its status, what it said about its failure, and
    /// its last lines.
    pub fn reasons_of(summary: &Summary, status: i32) -> String {
        let mut out = format!("{MARK}exit status {status}; what it said of that, and its last lines:\n");
        Preview::reasons(summary, true).write(&mut out, summary.lines);
        out
    }
}

#[cfg(test)]
#[path = "../tests/unit/overflow.rs"]
mod tests;
