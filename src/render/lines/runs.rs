//! Chooses the lines that become sections: the ways in which lines are alike are weighed against each other.
//!
//! A text is read in parts. In a large text all ways are tried on the first part and on one of several that follow; on
//! the others only the ways that saved most. So the cost stays linear, and small.

use std::ops::Range;

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};

use super::choice::best_form;
use super::cost::about;
use super::form::Form;
use super::forms;
use super::grid::Cut;
use super::keys::{FAMILIES, HEADS, Keys};
use super::read::read;
use super::section::{self, LEAST_SAVED, Part, Section};
use super::unit::{Unit, write_units};
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
    job: Job<'a>,
    ways: &'b Ways,
    sections: Vec<Section<'a>>,
}

/// Runs of lines that were tried.
type Known = HashSet<(usize, usize, usize), FixedState>;

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
    let mut sums = vec![0];
    sums.extend(units.iter().scan(0, |sum, unit| {
        *sum += about(unit.text) + 1;
        Some(*sum)
    }));
    let keys =
        if ways.want_keys() { units.iter().map(|unit| Keys::of(unit.text)).collect() } else { Vec::new() };
    let mut lines = Lines { units, keys, sums, job, ways, sections: Vec::new() };
    lines.alike();
    lines.records();
    lines.forms();
    let mut sections = lines.sections;
    sections.sort_by_key(|section| section.range.end);
    let chosen = choose(&sections, units.len());
    ways.learn(chosen.iter().map(|section| (section.way, section.saved, section.cuts.as_slice())));
    let mut at = 0;
    let mut written = 0;
    for section in chosen.iter().rev() {
        write_units(out, &units[at..section.range.start]);
        at = section.range.start;
        let text = section.write();
        if let Some(text) = text.filter(|text| !job.checked || is_right(text, &units[section.range.clone()]))
        {
            out.push_str(&text);
            written += 1;
            at = section.range.end;
        }
    }
    write_units(out, &units[at..]);
    written
}

impl<'a> Lines<'a, '_> {
    /// Adds runs of lines of one kind.
    fn alike(&mut self) {
        // Lines may be alike on both sides of a reference, or only between one reference and the next.
        let has_references = self.units.iter().any(|unit| unit.is_reference);
        let mut known = Known::default();
        for (family, gap) in (0..FAMILIES).flat_map(|family| GAPS.map(|gap| (family, gap))) {
            let way = Way::Alike { family, gap };
            if !self.ways.wants(way) {
                continue;
            }
            let across = [true, false].into_iter().take(1 + usize::from(has_references));
            let runs: Vec<_> = across.flat_map(|across| self.runs(family, gap, across)).collect();
            for (start, end, _) in runs.into_iter().filter(|run| known.insert(*run)) {
                let key = self.keys[start].families[family];
                let lines = self.units[start..end].iter().zip(&self.keys[start..end]);
                let part = |(&unit, keys): (&Unit<'a>, &Keys)| {
                    let is_row = !unit.is_reference && keys.families[family] == key;
                    Part { unit, form: is_row.then_some(0) }
                };
                self.consider(way, start..end, lines.map(part).collect());
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
            let cost = usize::from(gap == 0 || unit.needs_mark());
            if unit.is_reference {
                marked += if across { cost } else { gap + 1 };
                continue;
            }
            let key = keys.families[family];
            match open.get_mut(&key) {
                Some((_, end, count, before)) if marked - *before <= gap => {
                    (*end, *before) = (index + 1, marked + cost);
                    *count += 1;
                }
                _ => runs.extend(open.insert(key, (index, index + 1, 1, marked + cost))),
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

    /// Adds records: several lines that come again and again, each time with other values.
    fn records(&mut self) {
        if self.keys.is_empty() {
            return;
        }
        // Runs that fewer words find too are not tried again.
        let mut known = Known::default();
        for words in 1..=HEADS {
            let head = |(unit, keys): (&Unit<'_>, &Keys)| {
                if unit.times > 1 || unit.is_reference {
                    u64::MAX - unit.first as u64
                } else {
                    keys.heads[words - 1]
                }
            };
            let heads: Vec<u64> = self.units.iter().zip(&self.keys).map(head).collect();
            for height in 2..=TALLEST.min(self.units.len() / 2) {
                if self.ways.wants(Way::Records { words, height }) {
                    self.records_of(words, height, &heads, &mut known);
                }
            }
        }
    }

    /// Adds records of one height; `known` are the first and the last line and the height of all runs so far.
    fn records_of(&mut self, words: usize, height: usize, heads: &[u64], known: &mut Known) {
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
                || !known.insert((first, index, height))
            {
                continue;
            }
            // The first line that recurs need not be the first line of a record.
            for first in first..first + phases {
                let range = first..first + (index + height - first) / height * height;
                let parts = self.units[range.clone()].chunks(height).map(|units| self.block(units)).collect();
                self.consider(Way::Records { words, height }, range, parts);
            }
        }
    }

    /// The lines of a record as one. None of them stands for several equal lines.
    fn block(&self, units: &[Unit<'a>]) -> Part<'a> {
        let at = |text: &str| text.as_ptr() as usize - self.job.text.as_ptr() as usize;
        let last = units[units.len() - 1].text;
        let text = &self.job.text[at(units[0].text)..at(last) + last.len()];
        Part { unit: Unit { text, ..units[0] }, form: Some(0) }
    }

    /// Adds a section of these parts in their cheapest form, if it saves tokens. A part that is not of the form is
    /// written whole.
    fn consider(&mut self, way: Way, range: Range<usize>, parts: Vec<Part<'a>>) {
        let rows: Vec<&str> =
            parts.iter().filter(|part| part.form.is_some()).map(|part| part.unit.text).collect();
        // A section without rows has no place for other lines between them.
        let alone = rows.len() == parts.len();
        let why = self.job.why;
        let fits = |form: &Form<'_>| {
            (alone || !form.is_silent())
                && !form.spreads_reason(why)
                && (!matches!(way, Way::Records { .. }) || form.values.len() <= WIDEST_RECORD)
        };
        let Some((cut, form, _)) = best_form(&rows, "", self.ways.cuts(way), fits) else { return };
        let plain = self.sums[range.end] - self.sums[range.start];
        let tokens = section::about_tokens(&parts, std::slice::from_ref(&form)) + A_LOOK;
        if tokens + LEAST_SAVED <= plain {
            let (saved, cuts, forms) = (plain - tokens, vec![cut], vec![form]);
            self.sections.push(Section { range, saved, way, cuts, parts, forms });
        }
    }

    /// Adds all lines as one section of several forms, told apart by a name in the same place of each line.
    fn forms(&mut self) {
        for place in 0..forms::PLACES {
            let way = Way::Forms { place };
            if self.ways.wants(way) {
                let known: &[Cut] = self.ways.cuts(way);
                self.sections.extend(forms::find(self.units, place, &self.sums, known, self.job.why));
            }
        }
    }
}

/// The sections that together save most, the last first. `sections` are in the order of their ends; `count` is the
/// number of lines.
fn choose<'s, 'a>(sections: &'s [Section<'a>], count: usize) -> Vec<&'s Section<'a>> {
    let mut best: Vec<(usize, Option<&Section<'a>>)> = vec![(0, None); count + 1];
    let mut sections = sections.iter().peekable();
    for end in 1..=count {
        best[end] = (best[end - 1].0, None);
        while let Some(section) = sections.next_if(|section| section.range.end == end) {
            let saved = best[section.range.start].0 + section.saved;
            if saved > best[end].0 {
                best[end] = (saved, Some(section));
            }
        }
    }
    let mut chosen = Vec::new();
    let mut end = count;
    while end > 0 {
        chosen.extend(best[end].1);
        end = best[end].1.map_or(end - 1, |section| section.range.start);
    }
    chosen
}

/// Whether the heads repeat with a part of this period.
fn has_shorter_period(heads: &[u64], period: usize) -> bool {
    (1..period)
        .any(|part| period.is_multiple_of(part) && heads[part..].iter().eq(&heads[..heads.len() - part]))
}

/// Whether a section is read back as the lines it was made of.
fn is_right(text: &str, units: &[Unit<'_>]) -> bool {
    let line = |unit: &Unit<'_>| format!("{}\n", unit.text).repeat(unit.times);
    let want: String = units.iter().map(line).collect();
    // Each line is read with its place.
    let most = (want.len() + 1).saturating_mul(1 + size_of::<usize>());
    read(text, most).is_ok_and(|got| got == want)
}
