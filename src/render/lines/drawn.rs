//! Trees drawn with strokes: one blank a level says the same.

use std::fmt::Write as _;
use std::ops::Range;

use super::cost::about;
use super::template::MARK;
use super::unit::{Unit, about_lines};
use super::value;

/// The strokes that a tree is drawn with: the bar in front of the entries below an entry that has later siblings, the
/// tee of an entry, the corner of the last one, and tee and corner of an entry with entries below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pen<'a>([&'a str; 5]);

/// Pens of npm, `tree`, cargo, systemctl, `tree --charset=ascii` and others. The first that fits is taken.
const PENS: &[Pen<'static>] = &[
    Pen(["│ ", "├── ", "└── ", "├─┬ ", "└─┬ "]),
    Pen(["│   ", "├── ", "└── ", "├── ", "└── "]),
    Pen(["│\u{a0}\u{a0} ", "├── ", "└── ", "├── ", "└── "]),
    Pen(["│ ", "├─", "└─", "├─", "└─"]),
    Pen(["|   ", "|-- ", "`-- ", "|-- ", "`-- "]),
    Pen(["|  ", "+- ", "\\- ", "+- ", "\\- "]),
    Pen(["| ", "+-- ", "`-- ", "+-- ", "`-- "]),
    Pen(["| ", "+-- ", "`-- ", "+-+ ", "`-+ "]),
];

/// Each line of a tree holds one of these.
const STROKES: [&str; 4] = ["─", "-- ", "+- ", "\\- "];
/// As many blanks as the longest stroke may have bytes.
const BLANKS: &str = "                ";
/// Tokens that a tree must save.
const LEAST_SAVED: usize = 12;

impl<'a> Pen<'a> {
    /// The blanks that stand in place of the bar where no sibling follows.
    fn blank(self) -> &'static str {
        &BLANKS[..self.0[0].chars().count()]
    }

    /// The depth of a line (1: directly below a root), and its text.
    fn place(self, line: &str) -> Option<(usize, &str)> {
        let Self([bar, tee, last, open_tee, open_last]) = self;
        let mut rest = line;
        let mut depth = 1;
        loop {
            let mut strokes = [open_tee, open_last, tee, last].into_iter();
            if let Some(text) = strokes.find_map(|stroke| rest.strip_prefix(stroke)) {
                return (!text.starts_with(' ')).then_some((depth, text));
            }
            rest = rest.strip_prefix(bar).or_else(|| rest.strip_prefix(self.blank()))?;
            depth += 1;
        }
    }

    /// Number of lines from the first on that this pen has drawn.
    fn reach(self, units: &[Unit<'_>]) -> usize {
        units.iter().take_while(|unit| unit.times == 1 && self.place(unit.text).is_some()).count()
    }

    /// The text between `lines, a tree drawn by ` and the colon.
    fn describe(self) -> String {
        let Self(strokes) = self;
        let count = if strokes[1] == strokes[3] { 3 } else { 5 };
        format!("\"{}\"", strokes[..count].join("\" \""))
    }

    /// Reads the text that [`Self::describe`] writes.
    pub(super) fn read(text: &'a str) -> Option<Self> {
        let inner = text.strip_prefix('"')?.strip_suffix('"')?;
        let mut strokes: Vec<&str> = inner.split("\" \"").collect();
        if let [_, tee, last] = strokes[..] {
            strokes.extend([tee, last]);
        }
        let fits = strokes.iter().all(|stroke| !stroke.is_empty() && stroke.len() <= BLANKS.len());
        strokes.try_into().ok().filter(|_| fits).map(Self)
    }

    /// Draws lines that are indented by a blank a level, each with its newline; `None` where the drawing has more than
    /// `most` bytes.
    pub(super) fn draw(self, lines: &[&str], most: usize) -> Option<String> {
        let Self([bar, tee, last, open_tee, open_last]) = self;
        let places = places(lines);
        let mut out = String::new();
        // For each level, whether a sibling follows.
        let mut follows: Vec<bool> = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            let (depth, is_followed) = places[index];
            if depth > 0 {
                if out.len() + depth * bar.len() > most {
                    return None;
                }
                // On a level that was left out no sibling follows.
                follows.resize(depth, false);
                out.extend(follows[1..].iter().map(|&follows| if follows { bar } else { self.blank() }));
                let is_open = places.get(index + 1).is_some_and(|(below, _)| *below > depth);
                out.push_str(match (is_followed, is_open) {
                    (true, false) => tee,
                    (true, true) => open_tee,
                    (false, false) => last,
                    (false, true) => open_last,
                });
            } else {
                follows.clear();
            }
            follows.push(is_followed);
            out.push_str(&line[depth..]);
            out.push('\n');
            if out.len() > most {
                return None;
            }
        }
        Some(out)
    }
}

/// The depth of each line, and whether a sibling follows.
fn places(lines: &[&str]) -> Vec<(usize, bool)> {
    let mut places = Vec::with_capacity(lines.len());
    let mut follows: Vec<bool> = Vec::new();
    for line in lines.iter().rev() {
        let depth = line.len() - line.trim_start_matches(' ').len();
        follows.resize(depth + 1, false);
        places.push((depth, follows[depth]));
        follows[depth] = true;
    }
    places.reverse();
    places
}

/// A tree: its lines, and the text that is written for them.
pub(super) struct Tree {
    pub(super) lines: Range<usize>,
    pub(super) text: String,
}

/// Lines by which a tree is compared with other ways to write them.
const JUDGED: usize = 256;

/// Finds the trees among lines, in order. `otherwise` estimates the tokens of lines that are not written as a tree.
pub(super) fn find<'a>(units: &[Unit<'a>], otherwise: impl Fn(&[Unit<'a>]) -> usize) -> Vec<Tree> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < units.len() {
        let (rest, line) = (&units[at..], units[at].text);
        let starts = !value::is_indented(line) || line.starts_with(' ');
        let is_drawn = starts && STROKES.iter().any(|stroke| line.contains(stroke));
        let reaches = PENS.iter().map(|&pen| (pen, if is_drawn { pen.reach(rest) } else { 0 }));
        let reaches: Vec<(Pen<'_>, usize)> = reaches.collect();
        let length = reaches.iter().map(|(_, reach)| *reach).max().unwrap_or(0);
        let pens = reaches.into_iter().filter(|(_, reach)| length > 0 && *reach == length);
        let (drawn, judged) = (&rest[..length], &rest[..length.min(JUDGED)]);
        let texts: Vec<_> = pens.filter_map(|(pen, _)| Some((pen, write(drawn, pen)?))).collect();
        let tokens =
            |text: &str| text.lines().take(judged.len() + 1).map(|line| about(line) + 1).sum::<usize>();
        // A tree that saves nothing over its plain lines is not weighed against sections.
        let saves = texts.iter().any(|(_, text)| tokens(text) + LEAST_SAVED <= about_lines(judged));
        let most = if saves { otherwise(judged) } else { 0 };
        let mut best = texts.into_iter().filter(|(_, text)| tokens(text) <= most);
        found.extend(best.find_map(|(pen, text)| tree(drawn, at, pen, text)));
        at += length.max(1);
    }
    found
}

/// The head of a tree and its lines, indented.
fn write(units: &[Unit<'_>], pen: Pen<'_>) -> Option<String> {
    let mut text = String::new();
    let _ = writeln!(text, "{MARK}{} lines, a tree drawn by {}:", units.len(), pen.describe());
    for unit in units {
        let (depth, rest) = pen.place(unit.text)?;
        text.extend(std::iter::repeat_n(' ', depth));
        text.push_str(rest);
        text.push('\n');
    }
    Some(text)
}

/// The tree of these lines, which are those from `at` on, if `text` saves tokens and is drawn again as it was.
fn tree(units: &[Unit<'_>], at: usize, pen: Pen<'_>, text: String) -> Option<Tree> {
    if about(&text) + LEAST_SAVED > about_lines(units) {
        return None;
    }
    let indented: Vec<&str> = text.split_terminator('\n').skip(1).collect();
    let drawn = pen.draw(&indented, usize::MAX)?;
    let same = drawn.split_terminator('\n').eq(units.iter().map(|unit| unit.text));
    same.then_some(Tree { lines: at..at + units.len(), text })
}
