//! The passages of a text that say why something failed, found while it arrives.

use std::collections::HashMap;

use once_cell::sync::Lazy;
use regex::Regex;

use crate::failure::{Rank, ascii, rank};

/// Most different passages that are kept.
const MOST: usize = 96;
/// Most passages kept that say the same as another one: of each, and in all.
const KEPT_AGAIN: u64 = 8;
const MOST_AGAIN: usize = 96;
/// Most lines of one passage, the first included.
const LONGEST: usize = 14;
/// Most frames of a stack that are kept.
const FRAMES: usize = 3;

/// Frames of a stack: only a few of each stack are kept.
static FRAME: Lazy<Regex> = Lazy::new(|| {
    ascii(
        r#"^\s+at |^\s+File "|^\s+\d+: +0x|^\s+\d+: [\w<]|^\s+from .+:\d+:in|^\s+\.\.\. \d+ (?:more|common)|^\t\S+\.go:\d+"#,
    )
});
/// Lines that continue what the line above them says, however far they are indented.
static GOES_ON: Lazy<Regex> = Lazy::new(|| {
    ascii(
        r"^\s*\||^>|^E  |^\d+ +\||^(?:note|help|hint|reason|because|left|right|Expected|Received|assertion)\b|^[+-] |^\^",
    )
});
/// What differs between lines that say the same: places, numbers, names in quotes, hosts in brackets, versions of
/// packages (with a path).
static DETAIL: Lazy<Regex> = Lazy::new(|| {
    ascii(
        r#"^[^\s:]+:\d+(?::\d+)?:?|: @?[\w./-]+@\d[\w.+-]*(?: /\S+)?|"[^"]*"|'[^']*'|`[^`]*`|: \[[A-Za-z][\w.-]*\]|\b0x[0-9a-f]+|\b\d+\b"#,
    )
});

/// A line that states a failure, and the lines that continue it.
#[derive(Clone, Debug)]
pub struct Passage {
    /// How surely the first line states a failure.
    pub rank: Rank,
    /// Line numbers, from 1, and the lines without terminal control.
    pub lines: Vec<(u64, String)>,
    /// Number of further passages that say the same with other details.
    pub repeated: u64,
    /// The index of the first passage that says the same.
    pub same_as: Option<usize>,
    /// Indentation of the passage's first line, in bytes.
    indent: usize,
    frames: usize,
}

/// The passages found so far.
#[derive(Default)]
pub(super) struct Passages {
    pub(super) found: Vec<Passage>,
    by_gist: HashMap<String, usize>,
    /// Whether there was an empty line since, if a passage is still open: the next line may continue it.
    pub(super) open: Option<bool>,
    /// The indentation of the open passage, if that is counted only and not kept.
    only_counted: Option<usize>,
    /// Number of passages that are kept although they say the same as another.
    again: usize,
    pub(super) dropped: u64,
}

impl Passages {
    /// Takes a line, without terminal control; `before` is the line above it.
    pub(super) fn line(&mut self, number: u64, line: &str, before: Option<&str>) {
        if self.go_on(number, line) {
            return;
        }
        self.open = None;
        let Some(rank) = rank(line) else { return };
        let gist = gist(line);
        self.only_counted = None;
        let same = self.by_gist.get(&gist).copied();
        if let Some(first) = same {
            self.found[first].repeated += 1;
            if self.found[first].repeated > KEPT_AGAIN || self.again == MOST_AGAIN {
                self.only_counted = Some(indent(line));
                self.open = Some(false);
                return;
            }
            self.again += 1;
        } else if self.found.len() - self.again >= MOST && !self.make_room(rank) {
            self.dropped += 1;
            return;
        }
        let code =
            before.filter(|before| before.starts_with('>') || before.trim_end().ends_with("panicked at"));
        let mut lines: Vec<_> = code.map(|code| (number - 1, code.to_owned())).into_iter().collect();
        lines.push((number, line.to_owned()));
        if same.is_none() {
            self.by_gist.insert(gist, self.found.len());
        }
        self.found.push(Passage { rank, lines, repeated: 0, same_as: same, indent: indent(line), frames: 0 });
        self.open = Some(false);
    }

    /// Takes the line into the open passage if it belongs there; returns whether it does.
    fn go_on(&mut self, number: u64, line: &str) -> bool {
        let (Some(blank), Some(last)) = (self.open, self.found.last_mut()) else { return false };
        if let Some(indent) = self.only_counted {
            let is_blank = line.trim().is_empty();
            let goes_on = !blank && (is_blank || continues(line, blank, indent));
            self.open = goes_on.then_some(is_blank);
            return goes_on;
        }
        if line.trim().is_empty() {
            self.open = (!blank).then_some(true);
            return !blank;
        }
        // A passage that only names a failure does not swallow a line that states one.
        if last.rank == Rank::Weak && rank(line) == Some(Rank::Strong) {
            return false;
        }
        let led_to = last.lines.last().is_some_and(|(at, text)| *at + 1 == number && text.ends_with(':'));
        let is_traceback = last.lines.iter().any(|(_, line)| line.trim_start().starts_with("Traceback"));
        if !led_to && !continues(line, blank, last.indent) {
            // The line that a traceback leads to.
            if is_traceback && !blank && last.lines.len() < LONGEST {
                last.lines.push((number, line.to_owned()));
                self.open = None;
                return true;
            }
            return false;
        }
        // The line is a statement of its own, such as a second failing test below the name of their file.
        if (blank || last.frames > FRAMES) && !is_traceback && rank(line) == Some(Rank::Strong) {
            return false;
        }
        self.open = Some(false);
        if FRAME.is_match(line) {
            last.frames += 1;
            if last.frames > FRAMES {
                if is_traceback && last.lines.len() > 2 * FRAMES {
                    // The last frames of a traceback are the nearest to the failure.
                    last.lines.drain(1..3);
                } else {
                    return true;
                }
            }
        } else if last.frames > FRAMES && !is_traceback && rank(line).is_none() {
            return true;
        }
        if last.lines.len() < LONGEST {
            last.lines.push((number, line.to_owned()));
        } else if rank(line) == Some(Rank::Strong) {
            return false;
        }
        true
    }

    /// Drops all weak passages for the first strong one that finds no room. Returns whether there is room now.
    fn make_room(&mut self, rank: Rank) -> bool {
        if rank != Rank::Strong || self.found.iter().all(|passage| passage.rank == Rank::Strong) {
            return false;
        }
        let mut moved = vec![None; self.found.len()];
        let mut kept = Vec::new();
        for (index, mut passage) in std::mem::take(&mut self.found).into_iter().enumerate() {
            if passage.rank == Rank::Strong {
                // Of passages that say the same, the first comes before the others and is no weaker than they are.
                passage.same_as = passage.same_as.and_then(|first| moved[first]);
                moved[index] = Some(kept.len());
                kept.push(passage);
            } else {
                self.dropped += u64::from(passage.same_as.is_none());
                self.again -= usize::from(passage.same_as.is_some());
            }
        }
        self.found = kept;
        self.by_gist.retain(|_, index| moved[*index].inspect(|to| *index = *to).is_some());
        true
    }
}

/// Whether a line continues a statement with the indentation `statement`; `blank` says whether an empty line came
/// since.
fn continues(line: &str, blank: bool, statement: usize) -> bool {
    let deeper = indent(line) > statement;
    if blank {
        return deeper && line.starts_with("  ");
    }
    let is_statement = !deeper && !line.starts_with("E  ") && rank(line) == Some(Rank::Strong);
    !is_statement && (deeper || GOES_ON.is_match(line))
}

/// A line without its details; an assertion's values are no details.
fn gist(line: &str) -> String {
    if line.starts_with("E  ") {
        return line.to_owned();
    }
    DETAIL.replace_all(line.trim(), "#").into_owned()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}
