//! Chooses the lines that become sections: the ways in which lines are alike are weighed against each other.
//!
//! A text is read in parts. In a large text all ways are tried on the first part and on one of several that follow; on
//! the others only the ways that saved most. So the cost stays linear, and small.

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};

use super::choice::best_form;
use super::cost::about;
use super::form::Form;
use super::forms;
use super::grid::Cut;
use super::keys::{FAMILIES, HEADS, Keys};
use super::read::read;
use super::section::{self, LEAST_SAVED, Part};
use super::unit::{Unit, write_units};
use super::value;
use super::ways::{Way, Ways};

/// Cost of another template to a reader, in tokens.
const A_LOOK: usize = 10;
/// Fewest rows of a section: instead of two lines a reader would have to look at three.
const FEWEST_ROWS: usize = 3;
/// Most values of a record.
const WIDEST_RECORD: usize = 12;
/// Most lines of a record.
const TALLEST: usize = 24;
/// Tallest record of which each line is tried as the first, in lines.
const MOST_PHASES: usize = 4;
/// Most lines between two that are alike. Where it is not 0, only lines that need a mark among rows count.
const GAPS: [usize; 2] = [0, 3];
/// Most lines of a part of the text.
const PART_LINES: usize = 4096;
/// Most bytes of a part: of a part of a large text on which all ways are tried, and of any other.
const PART_BYTES: [usize; 2] = [16 * 1024, 192 * 1024];

/// A section that may be written.
struct Candidate<'a> {
    start: usize,
    end: usize,
    saved: usize,
    way: Way,
    /// The cuts that take its rows apart.
    cuts: Vec<Cut>,
    parts: Vec<Part<'a>>,
    forms: Vec<Form<'a>>,
    /// Lines of each part: more than one in a record.
    height: usize,
}

/// The text, and how it is to be written.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub(super) text: &'a str,
    /// Whether a line says why a command failed.
    pub(super) why: fn(&[u8]) -> bool,
    /// Whether each section is read back at once.
    pub(super) checked: bool,
}

/// The lines of a part of the text, with their keys and costs.
struct Lines<'a, 'b> {
    units: &'b [Unit<'a>],
    keys: Vec<Keys>,
    /// Estimated tokens of all lines before each line.
    sums: Vec<usize>,
    has_references: bool,
    job: Job<'a>,
}

/// Writes lines, in sections where that saves tokens; returns the number of sections.
pub(super) fn write<'a>(out: &mut String, units: &[Unit<'a>], job: Job<'a>, ways: &mut Ways) -> usize {
    let mut sections = 0;
    let mut at = 0;
    while at < units.len() {
        let most = PART_BYTES[usize::from(!ways.tries_all() || ways.is_small)];
        let mut bytes = 0;
        let fits = |unit: &&Unit<'_>| {
            bytes += unit.text.len() + 1;
            bytes <= most
        };
        let end = at + units[at..].iter().take(PART_LINES).take_while(fits).count().max(1);
        sections += write_part(out, &units[at..end], job, ways);
        at = end;
    }
    sections
}

fn write_part<'a>(out: &mut String, units: &[Unit<'a>], job: Job<'a>, ways: &mut Ways) -> usize {
    if units.len() < 2 {
        write_units(out, units);
        return 0;
    }
    let mut sums = Vec::with_capacity(units.len() + 1);
    let mut sum = 0;
    sums.push(0);
    for unit in units {
        sum += about(unit.text) + 1;
        sums.push(sum);
    }
    let keys =
        if ways.want_keys() { units.iter().map(|unit| Keys::of(unit.text)).collect() } else { Vec::new() };
    let has_references = units.iter().any(|unit| unit.is_reference);
    let lines = Lines { units, keys, sums, has_references, job };
    let mut candidates = Vec::new();
    lines.alike(ways, &mut candidates);
    lines.records(ways, &mut candidates);
    lines.forms(ways, &mut candidates);
    lines.choose(out, candidates, ways)
}

impl<'a> Lines<'a, '_> {
    fn plain(&self, start: usize, end: usize) -> usize {
        self.sums[end] - self.sums[start]
    }

    /// Adds runs of lines of one kind.
    fn alike(&self, ways: &Ways, candidates: &mut Vec<Candidate<'a>>) {
        let mut known: HashSet<(usize, usize, usize), FixedState> = HashSet::default();
        for family in 0..FAMILIES {
            for gap in GAPS {
                let way = Way::Alike { family, gap };
                if !ways.wants(way) {
                    continue;
                }
                // Lines may be alike on both sides of a reference, or only between one reference and the next.
                let across = [true, false].into_iter().take(1 + usize::from(self.has_references));
                for (start, end, count) in across.flat_map(|across| self.runs(family, gap, across)) {
                    if known.insert((start, end, count)) {
                        let parts = self.parts(way, start, end);
                        if let Some((saved, cut, form)) =
                            self.consider(way, &parts, start, end, ways.cuts(way))
                        {
                            let (cuts, forms, height) = (vec![cut], vec![form], 1);
                            candidates.push(Candidate { start, end, saved, way, cuts, parts, forms, height });
                        }
                    }
                }
            }
        }
    }

    /// The start and the end of each run of lines of one kind, and the number of such lines.
    fn runs(&self, family: usize, gap: usize, across: bool) -> Vec<(usize, usize, usize)> {
        let mut runs = Vec::new();
        let mut open: HashMap<u64, (usize, usize, usize, usize), FixedState> = HashMap::default();
        // Lines so far that count as a gap. An indented line needs no mark among rows.
        let mut marked = 0;
        for (index, (unit, keys)) in self.units.iter().zip(&self.keys).enumerate() {
            let cost = usize::from(gap == 0 || !unit.is_reference && !value::is_indented(unit.text));
            if unit.is_reference {
                marked += if across { cost } else { gap + 1 };
                continue;
            }
            let key = keys.of_family(family);
            match open.get_mut(&key) {
                Some((_, end, count, before)) if marked - *before <= gap => {
                    (*end, *before) = (index + 1, marked + cost);
                    *count += 1;
                }
                _ => {
                    let run = (index, index + 1, 1, marked + cost);
                    runs.extend(open.insert(key, run));
                }
            }
            marked += cost;
        }
        runs.extend(open.into_values());
        let runs = runs.into_iter().map(|(start, end, count, _)| (start, end, count));
        let mut runs: Vec<_> = runs
            .filter(|&(start, end, count)| count >= FEWEST_ROWS && (gap == 0 || count < end - start))
            .collect();
        runs.sort_unstable();
        runs
    }

    /// The parts of a section of lines that are alike.
    fn parts(&self, way: Way, start: usize, end: usize) -> Vec<Part<'a>> {
        let Way::Alike { family, .. } = way else { return Vec::new() };
        let key = self.keys[start].of_family(family);
        let form = |index: usize| {
            (!self.units[index].is_reference && self.keys[index].of_family(family) == key).then_some(0)
        };
        (start..end).map(|index| self.units[index].part(form(index))).collect()
    }

    /// Adds records: several lines that come again and again, each time with other values.
    fn records(&self, ways: &Ways, candidates: &mut Vec<Candidate<'a>>) {
        let mut before: Vec<Vec<u64>> = Vec::new();
        for words in 1..=HEADS {
            if self.keys.is_empty() {
                return;
            }
            let head = |(unit, keys): (&Unit<'_>, &Keys)| {
                if unit.times > 1 || unit.is_reference {
                    u64::MAX - unit.first as u64
                } else {
                    keys.heads[words - 1]
                }
            };
            let heads: Vec<u64> = self.units.iter().zip(&self.keys).map(head).collect();
            for height in 2..=TALLEST.min(self.units.len() / 2) {
                let way = Way::Records { words, height };
                if ways.wants(way) {
                    self.records_of((words, height), ways.cuts(way), &heads, &before, candidates);
                }
            }
            before.push(heads);
        }
    }

    /// Adds records of one height, unless fewer words find them too.
    fn records_of(
        &self,
        (words, height): (usize, usize),
        cuts: &[Cut],
        heads: &[u64],
        before: &[Vec<u64>],
        candidates: &mut Vec<Candidate<'a>>,
    ) {
        let way = Way::Records { words, height };
        let phases = if height <= MOST_PHASES { height } else { 1 };
        let mut start = 0;
        for index in 0..=heads.len() - height {
            if index + height < heads.len() && heads[index] == heads[index + height] {
                continue;
            }
            let end = start + (index + height - start) / height * height;
            let first = std::mem::replace(&mut start, index + 1);
            if end - first < FEWEST_ROWS * height
                || has_shorter_period(&heads[first..end], height)
                || before.iter().any(|heads| is_found(heads, first, index, height))
            {
                continue;
            }
            // The first line that recurs need not be the first line of a record.
            for first in first..first + phases {
                let end = first + (index + height - first) / height * height;
                let parts = self.blocks(first, end, height);
                if let Some((saved, cut, form)) = self.consider(way, &parts, first, end, cuts) {
                    let (cuts, forms) = (vec![cut], vec![form]);
                    candidates.push(Candidate { start: first, end, saved, way, cuts, parts, forms, height });
                }
            }
        }
    }

    /// The lines in parts of `height` lines each. No unit among them stands for several equal lines.
    fn blocks(&self, start: usize, end: usize, height: usize) -> Vec<Part<'a>> {
        let at = |text: &str| text.as_ptr() as usize - self.job.text.as_ptr() as usize;
        let block = |units: &[Unit<'a>]| {
            let (first, last) = (units[0].text, units[units.len() - 1].text);
            Part {
                text: &self.job.text[at(first)..at(last) + last.len()],
                times: 1,
                form: Some(0),
                is_reference: false,
            }
        };
        self.units[start..end].chunks(height).map(block).collect()
    }

    /// The tokens saved by the cheapest form of these parts, its cut and the form. A part that is not of the form is
    /// written whole.
    fn consider(
        &self,
        way: Way,
        parts: &[Part<'a>],
        start: usize,
        end: usize,
        cuts: &[Cut],
    ) -> Option<(usize, Cut, Form<'a>)> {
        let rows: Vec<&str> = parts.iter().filter(|part| part.form.is_some()).map(|part| part.text).collect();
        // A section without rows has no place for other lines between them.
        let alone = rows.len() == parts.len();
        let fits = |form: &Form<'_>| {
            (alone || !form.is_silent())
                && !form.spreads_reason(self.job.why)
                && (!matches!(way, Way::Records { .. }) || form.width() <= WIDEST_RECORD)
        };
        let (cut, form, _) = best_form(&rows, "", cuts, fits)?;
        let plain = self.plain(start, end);
        let tokens = section::about_tokens(parts, std::slice::from_ref(&form)) + A_LOOK;
        (tokens + LEAST_SAVED <= plain).then_some((plain.saturating_sub(tokens), cut, form))
    }

    /// Adds all lines as one section of several forms, told apart by a name in the same place of each line.
    fn forms(&self, ways: &Ways, candidates: &mut Vec<Candidate<'a>>) {
        let wanted = |place: &usize| ways.wants(Way::Forms { place: *place });
        for place in (0..forms::PLACES).filter(wanted) {
            let known = ways.cuts(Way::Forms { place });
            let several = forms::Several::of(self.units, place, &self.sums, known, self.job.why);
            let Some(several) = several else { continue };
            let plain = self.plain(several.start, several.end);
            // A reader has to keep several forms in mind.
            let tokens = several.tokens * 21 / 20 + 8 * several.forms.len();
            if tokens + LEAST_SAVED <= plain {
                let way = Way::Forms { place };
                let (start, end) = (several.start, several.end);
                let (saved, cuts) = (plain - tokens, several.cuts);
                let (parts, forms, height) = (several.parts, several.forms, 1);
                candidates.push(Candidate { start, end, saved, way, cuts, parts, forms, height });
            }
        }
    }

    /// Chooses the sections that together save most and writes all lines; returns the number of sections.
    fn choose(&self, out: &mut String, mut candidates: Vec<Candidate<'a>>, ways: &mut Ways) -> usize {
        candidates.sort_by_key(|candidate| candidate.end);
        let mut best: Vec<(usize, Option<usize>)> = vec![(0, None); self.units.len() + 1];
        let mut next = 0;
        for end in 1..=self.units.len() {
            best[end] = (best[end - 1].0, None);
            while let Some(candidate) = candidates.get(next).filter(|candidate| candidate.end == end) {
                let saved = best[candidate.start].0 + candidate.saved;
                if saved > best[end].0 {
                    best[end] = (saved, Some(next));
                }
                next += 1;
            }
        }
        let mut chosen = Vec::new();
        let mut end = self.units.len();
        while end > 0 {
            match best[end].1 {
                Some(index) => {
                    chosen.push(index);
                    end = candidates[index].start;
                }
                None => end -= 1,
            }
        }
        let useful = |&index: &usize| {
            let Candidate { way, saved, cuts, .. } = &candidates[index];
            (*way, *saved, cuts.as_slice())
        };
        ways.learn(chosen.iter().map(useful));
        let mut at = 0;
        let mut sections = 0;
        for &index in chosen.iter().rev() {
            let candidate = &candidates[index];
            write_units(out, &self.units[at..candidate.start]);
            at = candidate.start;
            if let Some(text) = self.text(candidate) {
                out.push_str(&text);
                sections += 1;
                at = candidate.end;
            }
        }
        write_units(out, &self.units[at..]);
        sections
    }

    /// The text of a section; `None` if it is to be checked and is not read back as the lines it was made of.
    fn text(&self, candidate: &Candidate<'_>) -> Option<String> {
        let text = section::write(&candidate.parts, &candidate.forms, candidate.height)?;
        let units = &self.units[candidate.start..candidate.end];
        (!self.job.checked || is_right(&text, units)).then_some(text)
    }
}

/// Whether the heads repeat with this period.
fn has_period(heads: &[u64], period: usize) -> bool {
    heads[period..].iter().zip(heads).all(|(later, earlier)| later == earlier)
}

/// Whether the heads repeat with a part of this period.
fn has_shorter_period(heads: &[u64], period: usize) -> bool {
    (1..period).any(|part| period.is_multiple_of(part) && has_period(heads, part))
}

/// Whether these heads find the same records, of this height and from `start` to the line `index`.
fn is_found(heads: &[u64], start: usize, index: usize, height: usize) -> bool {
    let same = |at: usize| at + height < heads.len() && heads[at] == heads[at + height];
    let end = start + (index + height - start) / height * height;
    (start == 0 || !same(start - 1))
        && !same(index)
        && has_period(&heads[start..end], height)
        && !has_shorter_period(&heads[start..end], height)
}

/// Whether a section is read back as the lines it was made of.
fn is_right(text: &str, units: &[Unit<'_>]) -> bool {
    let mut want = String::new();
    for unit in units {
        for _ in 0..unit.times {
            want.push_str(unit.text);
            want.push('\n');
        }
    }
    read(text, want.len() + 1).is_ok_and(|got| got == want)
}
