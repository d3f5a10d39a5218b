//! The passages of a text that say why something failed, found while it arrives.

use std::collections::HashMap;

use once_cell::sync::Lazy;
use regex::Regex;

use super::signs;

/// So many different passages are kept.
const MOST: usize = 96;
/// Of those that say the same as another, so many of each and so many in all.
const KEPT_AGAIN: u64 = 8;
const MOST_AGAIN: usize = 96;
/// Lines of one passage, the first included.
const LONGEST: usize = 14;
/// Frames of a stack that are kept.
const FRAMES: usize = 3;

static STRONG: Lazy<Regex> = Lazy::new(|| compile(signs::STRONG));
static WEAK: Lazy<Regex> = Lazy::new(|| compile(&format!("(?i){}", signs::WEAK)));
static HARMLESS: Lazy<Regex> = Lazy::new(|| compile(&format!("(?i){}", signs::HARMLESS)));
static FRAME: Lazy<Regex> = Lazy::new(|| compile(signs::FRAME));
static GOES_ON: Lazy<Regex> = Lazy::new(|| compile(signs::GOES_ON));
/// What differs between lines that say the same: places, numbers, names in quotes, hosts in brackets.
static DETAIL: Lazy<Regex> = Lazy::new(|| {
    compile(r#"^[^\s:]+:\d+(?::\d+)?:?|"[^"]*"|'[^']*'|`[^`]*`|: \[[A-Za-z][\w.-]*\]|\b0x[0-9a-f]+|\b\d+\b"#)
});

fn compile(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern of our own")
}

/// How surely a line states a failure; the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// It states one.
    Strong,
    /// It names one.
    Weak,
}

/// A line that states a failure, and those that go on with it.
#[derive(Clone, Debug)]
pub struct Passage {
    /// How surely.
    pub rank: Rank,
    /// Line numbers from 1, and lines without terminal control.
    pub lines: Vec<(u64, String)>,
    /// How many more say the same with other details.
    pub repeated: u64,
    /// The index of the first passage that says the same.
    pub same_as: Option<usize>,
    /// How far its statement is indented, in bytes.
    indent: usize,
    frames: usize,
}

/// The passages found so far.
#[derive(Default)]
pub(super) struct Passages {
    found: Vec<Passage>,
    by_gist: HashMap<String, usize>,
    /// Is a passage still going on, and was there an empty line since?
    open: Option<bool>,
    /// Is that passage one of those that are only counted? How far it is indented.
    only_counted: Option<usize>,
    /// Passages that are kept although they say what another says.
    again: usize,
    /// Different passages that were not kept.
    dropped: u64,
}

impl Passages {
    /// Is every line of interest now, one of the words in it or not?
    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

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

    /// Whether the line belongs to the passage before it.
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
        // What only names a failure does not swallow what states one.
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
        // A statement of its own, as a second failing test below the name of their file.
        if (blank || last.frames > FRAMES) && !is_traceback && rank(line) == Some(Rank::Strong) {
            return false;
        }
        self.open = Some(false);
        if FRAME.is_match(line) {
            last.frames += 1;
            if last.frames > FRAMES {
                if is_traceback && last.lines.len() > 2 * FRAMES {
                    // A traceback's last frames are the nearest.
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

    /// All others give way to the first strong one that finds no room.
    fn make_room(&mut self, rank: Rank) -> bool {
        if rank != Rank::Strong || self.found.iter().all(|passage| passage.rank == Rank::Strong) {
            return false;
        }
        let mut moved = vec![None; self.found.len()];
        let mut kept = Vec::new();
        for (index, mut passage) in std::mem::take(&mut self.found).into_iter().enumerate() {
            if passage.rank == Rank::Strong {
                // The first of those that say the same comes before the others, and has their rank or a surer one.
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

    /// The passages in order, and how many different ones were not kept.
    pub(super) fn finish(self) -> (Vec<Passage>, u64) {
        (self.found, self.dropped)
    }
}

/// Whether a line goes on with a statement that is indented so far; `blank`: there was an empty line since.
fn continues(line: &str, blank: bool, statement: usize) -> bool {
    let deeper = indent(line) > statement;
    if blank {
        return deeper && line.starts_with("  ");
    }
    let is_statement = !deeper && !line.starts_with("E  ") && rank(line) == Some(Rank::Strong);
    !is_statement && (deeper || GOES_ON.is_match(line))
}

/// What a line says without its details. An assertion's values are what it says.
fn gist(line: &str) -> String {
    if line.starts_with("E  ") {
        return line.to_owned();
    }
    DETAIL.replace_all(line.trim(), "#").into_owned()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn rank(line: &str) -> Option<Rank> {
    if HARMLESS.is_match(line) {
        None
    } else if STRONG.is_match(line) {
        Some(Rank::Strong)
    } else if WEAK.is_match(line) {
        Some(Rank::Weak)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<Vec<String>> {
        let mut passages = Passages::default();
        let mut before = None;
        for (index, line) in text.lines().enumerate() {
            passages.line(index as u64 + 1, line, before);
            before = Some(line);
        }
        let lines = |p: Passage| p.lines.into_iter().map(|(_, line)| line).collect();
        passages.finish().0.into_iter().map(lines).collect()
    }

    #[test]
    fn a_compilers_error_comes_with_its_code() {
        let text = "   Compiling x\nerror[E0308]: mismatched types\n --> src/a.rs:3:5\n  |\n3 |     1\n  |     ^ expected\n\nwarning: y\n";
        assert_eq!(found(text)[0].len(), 5);
        assert_eq!(found("a.c:1:2: error: no\n    1 | x\n      | ^\nmake: done\n")[0].len(), 3);
    }

    #[test]
    fn what_is_said_again_is_counted() {
        let mut passages = Passages::default();
        for n in 0..9 {
            passages.line(n + 1, &format!("src/f{n}.py:{n}: error: Missing type 'T{n}'"), None);
        }
        let (found, _) = passages.finish();
        assert_eq!(found[0].repeated, 8);
        assert!(found[1..].iter().all(|passage| passage.same_as == Some(0)));
    }

    #[test]
    fn a_panic_comes_with_its_message_and_a_traceback_with_its_end() {
        let panic = "thread 'main' panicked at src/a.rs:1:1:\nindex out of bounds\nnote: run with\n";
        assert_eq!(found(panic)[0][1], "index out of bounds");
        let traceback = "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    f()\nValueError: no\nnext\n";
        assert_eq!(found(traceback)[0].last().unwrap(), "ValueError: no");
    }

    #[test]
    fn frames_are_few_and_causes_all_there() {
        let frames = "\tat a.b.C.f(C.java:1)\n".repeat(40);
        let text = format!(
            "java.lang.IllegalStateException: x\n{frames}Caused by: java.io.IOException: y\n{frames}"
        );
        let found = found(&text);
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|lines| lines.len() == 4), "{found:?}");
    }

    #[test]
    fn what_did_not_fail_is_no_passage() {
        let text = "0 errors\ntest error_is_told ... ok\nfailed: 0\n   Compiling thiserror v2\n";
        assert_eq!(found(text), Vec::<Vec<String>>::new());
    }
}
