//! Trees drawn with strokes: one blank a level says the same.

use std::fmt::Write as _;
use std::ops::Range;

use super::cost::about;
use super::template::MARK;
use super::unit::{Unit, about_lines};
use super::value;

/// The strokes that a tree is drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pen<'a> {
    /// Stands in front of the entries below an entry that has later siblings.
    bar: &'a str,
    tee: &'a str,
    last: &'a str,
    /// `tee` and `last` of an entry with entries below it.
    open_tee: &'a str,
    open_last: &'a str,
}

/// Strokes of npm, `tree`, cargo, systemctl, `tree --charset=ascii` and others, as `bar`, `tee`, `last`, `open_tee` and
/// `open_last`. The first pen that fits is taken.
const PENS: &[[&str; 5]] = &[
    ["│ ", "├── ", "└── ", "├─┬ ", "└─┬ "],
    ["│   ", "├── ", "└── ", "├── ", "└── "],
    ["│\u{a0}\u{a0} ", "├── ", "└── ", "├── ", "└── "],
    ["│ ", "├─", "└─", "├─", "└─"],
    ["|   ", "|-- ", "`-- ", "|-- ", "`-- "],
    ["|  ", "+- ", "\\- ", "+- ", "\\- "],
    ["| ", "+-- ", "`-- ", "+-- ", "`-- "],
    ["| ", "+-- ", "`-- ", "+-+ ", "`-+ "],
];

/// Each line of a tree holds one of these.
const STROKES: [&str; 4] = ["─", "-- ", "+- ", "\\- "];
/// As many blanks as the longest stroke may have bytes.
const BLANKS: &str = "                ";
/// Tokens that a tree must save.
const LEAST_SAVED: usize = 12;

impl<'a> Pen<'a> {
    fn new([bar, tee, last, open_tee, open_last]: [&'a str; 5]) -> Self {
        Self { bar, tee, last, open_tee, open_last }
    }

    /// The blanks that stand in place of the bar where no sibling follows.
    fn blank(self) -> &'static str {
        &BLANKS[..self.bar.chars().count()]
    }

    /// The depth of a line (1: directly below a root), and its text.
    fn place(self, line: &str) -> Option<(usize, &str)> {
        let mut rest = line;
        let mut depth = 1;
        loop {
            let strokes = [self.open_tee, self.open_last, self.tee, self.last];
            if let Some(text) = strokes.iter().find_map(|stroke| rest.strip_prefix(stroke)) {
                return (!text.starts_with(' ')).then_some((depth, text));
            }
            rest = rest.strip_prefix(self.bar).or_else(|| rest.strip_prefix(self.blank()))?;
            depth += 1;
        }
    }

    /// Number of lines from the first on that this pen has drawn.
    fn reach(self, units: &[Unit<'_>]) -> usize {
        units.iter().take_while(|unit| unit.times == 1 && self.place(unit.text).is_some()).count()
    }

    /// The text between `lines, a tree drawn by ` and the colon.
    fn describe(self) -> String {
        let strokes = [self.bar, self.tee, self.last, self.open_tee, self.open_last];
        let count = if self.tee == self.open_tee { 3 } else { 5 };
        strokes[..count].iter().map(|stroke| format!("\"{stroke}\"")).collect::<Vec<_>>().join(" ")
    }

    /// Reads the text that [`Self::describe`] writes.
    pub(super) fn read(text: &'a str) -> Option<Self> {
        let inner = text.strip_prefix('"')?.strip_suffix('"')?;
        let strokes: Vec<&str> = inner.split("\" \"").collect();
        match strokes[..] {
            [bar, tee, last] => Some(Self::new([bar, tee, last, tee, last])),
            [bar, tee, last, open_tee, open_last] => Some(Self::new([bar, tee, last, open_tee, open_last])),
            _ => None,
        }
        .filter(|_| strokes.iter().all(|stroke| !stroke.is_empty() && stroke.len() <= BLANKS.len()))
    }

    /// Draws lines that are indented by a blank a level, each with its newline; `None` where the drawing has more than
    /// `most` bytes.
    pub(super) fn draw(self, lines: &[&str], most: usize) -> Option<String> {
        let places = places(lines);
        let mut out = String::new();
        // For each level, whether a sibling follows.
        let mut follows: Vec<bool> = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            let (depth, is_followed) = places[index];
            if depth > 0 {
                if out.len() + depth * self.bar.len() > most {
                    return None;
                }
                // On a level that was left out no sibling follows.
                follows.resize(depth, false);
                for &follows in &follows[1..] {
                    out.push_str(if follows { self.bar } else { self.blank() });
                }
                let is_open = places.get(index + 1).is_some_and(|(below, _)| *below > depth);
                out.push_str(match (is_followed, is_open) {
                    (true, false) => self.tee,
                    (true, true) => self.open_tee,
                    (false, false) => self.last,
                    (false, true) => self.open_last,
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

/// A pen that has drawn lines, and the estimated tokens of these as a tree.
struct Fit<'a> {
    pen: Pen<'a>,
    length: usize,
    tokens: usize,
}

/// The pens that have drawn most of the first lines, if a tree begins there.
fn fits<'a>(units: &[Unit<'_>]) -> Vec<Fit<'a>> {
    let line = units[0].text;
    let starts = !value::is_indented(line) || line.starts_with(' ');
    if !(starts && STROKES.iter().any(|stroke| line.contains(stroke))) {
        return Vec::new();
    }
    let judged = &units[..units.len().min(JUDGED)];
    let pens = PENS.iter().map(|&pen| Pen::new(pen));
    let mut drawn: Vec<_> = pens.map(|pen| (pen, pen.reach(judged))).collect();
    let length = drawn.iter().map(|(_, length)| *length).max().unwrap_or(0);
    drawn.retain(|(_, own)| *own == length && length > 0);
    let fit = |(pen, length)| {
        let text = write(&judged[..length], pen).unwrap_or_default();
        Fit { pen, length, tokens: text.lines().map(|line| about(line) + 1).sum() }
    };
    drawn.into_iter().map(fit).collect()
}

/// Finds the trees among lines, in order. `otherwise` estimates the tokens of lines that are not written as a tree.
pub(super) fn find<'a>(units: &[Unit<'a>], otherwise: impl Fn(&[Unit<'a>]) -> usize) -> Vec<Tree> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < units.len() {
        let rest = &units[at..];
        let fits = fits(rest);
        let Some(first) = fits.first() else {
            at += 1;
            continue;
        };
        let judged = &rest[..first.length];
        // A tree that saves nothing over its plain lines is not weighed against sections.
        let saves = fits.iter().any(|fit| fit.tokens + LEAST_SAVED <= about_lines(judged));
        let most = if saves { otherwise(judged) } else { 0 };
        let mut best = fits.iter().filter(|fit| fit.tokens <= most);
        let tree = best.find_map(|fit| tree(rest, at, fit.pen));
        // A tree that is better written otherwise is passed over, as far as it reaches.
        at = tree.as_ref().map_or_else(|| at + first.pen.reach(rest), |tree| tree.lines.end);
        found.extend(tree);
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

/// The tree that `pen` has drawn at the beginning of `units`, which are the lines from `at` on, if it saves tokens and
/// is drawn again as it was.
fn tree(units: &[Unit<'_>], at: usize, pen: Pen<'_>) -> Option<Tree> {
    let units = &units[..pen.reach(units)];
    let text = write(units, pen)?;
    if about(&text) + LEAST_SAVED > about_lines(units) {
        return None;
    }
    let indented: Vec<&str> = text.split_terminator('\n').skip(1).collect();
    let drawn = pen.draw(&indented, usize::MAX)?;
    let same = drawn.split_terminator('\n').eq(units.iter().map(|unit| unit.text));
    same.then_some(Tree { lines: at..at + units.len(), text })
}
