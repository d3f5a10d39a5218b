//! Which lines become sections: runs of lines that are alike in one way or another, weighed against each other.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, Hash as _, Hasher as _};

use super::cost::cost;
use super::grid::Split;
use super::section::{self, Form, Part};
use super::{Unit, value, write_units};

/// Lines that are alike.
struct Run {
    family: usize,
    first: usize,
    last: usize,
    lines: usize,
}

/// A section that may be written.
struct Candidate {
    start: usize,
    end: usize,
    saved: usize,
    text: String,
}

/// Least that a section saves, in tokens.
const LEAST_SAVED: usize = 8;
/// Least that a section of two rows saves: a reader has to look at three lines instead of two.
const LEAST_OF_TWO: usize = 24;
/// Most values of a record.
const WIDEST_RECORD: usize = 12;

/// Writes lines, in sections where that saves; answers how many sections.
pub(super) fn write(out: &mut String, units: &[Unit<'_>], why: fn(&[u8]) -> bool) -> usize {
    if units.len() < 2 {
        write_units(out, units);
        return 0;
    }
    let costs: Vec<usize> = units.iter().map(|unit| cost(unit.text) + 1).collect();
    let mut sums = vec![0];
    for cost in &costs {
        sums.push(sums[sums.len() - 1] + cost);
    }
    let keys: Vec<[u64; FAMILIES]> = units.iter().map(|unit| keys(unit.text)).collect();
    let mut candidates = Vec::new();
    for gap in [0, 3] {
        for run in runs(units, &keys, gap) {
            let members = |index: usize| keys[index][run.family] == keys[run.first][run.family];
            let parts: Vec<Part<'_>> =
                (run.first..=run.last).map(|index| units[index].part(members(index).then_some(0))).collect();
            consider(&mut candidates, &parts, run.first, 1, sums[run.last + 1] - sums[run.first], why);
        }
    }
    records(units, &keys, &sums, &mut candidates, why);
    forms(units, &sums, &mut candidates, why);
    choose(out, units, candidates)
}

/// Adds the cheapest way to write these parts, which are all of one form or whole.
fn consider(
    candidates: &mut Vec<Candidate>,
    parts: &[Part<'_>],
    start: usize,
    height: usize,
    plain: usize,
    why: fn(&[u8]) -> bool,
) {
    let rows: Vec<&str> = parts.iter().filter(|part| part.form.is_some()).map(|part| part.text).collect();
    if rows.len() < 2 {
        return;
    }
    let mut best: Option<(usize, String)> = None;
    for split in splits(&rows) {
        let Some(form) = Form::of(&rows, split, "") else { continue };
        if form.spreads_reason(why) || height > 1 && form.width() > WIDEST_RECORD {
            continue;
        }
        let Some(text) = section::write(parts, &[form], height) else { continue };
        let tokens = cost(&text);
        let least = if rows.len() < 3 { LEAST_OF_TWO } else { LEAST_SAVED };
        if tokens + least <= plain && best.as_ref().is_none_or(|(fewest, _)| tokens < *fewest) && is_right(&text, parts) {
            best = Some((tokens, text));
        }
    }
    if let Some((tokens, text)) = best {
        candidates.push(Candidate { start, end: start + parts.len() * height, saved: plain - tokens, text });
    }
}

/// The ways to take rows apart that may suit them.
fn splits(rows: &[&str]) -> Vec<Split> {
    let words = |row: &&str| row.split([' ', '\n']).filter(|word| !word.is_empty()).count();
    let shortest = rows.iter().map(words).min().unwrap_or(0);
    let mut splits = vec![Split::Words, Split::Cells, Split::Head(0)];
    if shortest > 1 {
        splits.push(Split::Head(1));
        if shortest > 3 {
            splits.push(Split::Head(2));
        }
        if shortest > 2 {
            splits.push(Split::Head((shortest - 1).min(12)));
        }
    }
    splits
}

/// Whether a section is read back as what it was made of.
fn is_right(text: &str, parts: &[Part<'_>]) -> bool {
    let mut want = String::new();
    for part in parts {
        for _ in 0..part.times {
            want.push_str(part.text);
            want.push('\n');
        }
    }
    super::read(text, want.len() + 1).is_ok_and(|got| got == want)
}

/// Takes the sections that save most together and writes all.
fn choose(out: &mut String, units: &[Unit<'_>], mut candidates: Vec<Candidate>) -> usize {
    candidates.sort_by_key(|candidate| candidate.end);
    let mut best: Vec<(usize, Option<usize>)> = vec![(0, None); units.len() + 1];
    let mut next = 0;
    for end in 1..=units.len() {
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
    let mut end = units.len();
    while end > 0 {
        match best[end].1 {
            Some(index) => {
                chosen.push(index);
                end = candidates[index].start;
            }
            None => end -= 1,
        }
    }
    let mut at = 0;
    for &index in chosen.iter().rev() {
        let candidate = &candidates[index];
        write_units(out, &units[at..candidate.start]);
        out.push_str(&candidate.text);
        at = candidate.end;
    }
    write_units(out, &units[at..]);
    chosen.len()
}

/// Ways in which lines are alike.
const FAMILIES: usize = 6;

/// What a line is like, in each way.
fn keys(line: &str) -> [u64; FAMILIES] {
    static STATE: std::sync::LazyLock<foldhash::fast::RandomState> =
        std::sync::LazyLock::new(foldhash::fast::RandomState::default);
    let hash = |what: &dyn Fn(&mut dyn FnMut(u32))| {
        let mut hasher = STATE.build_hasher();
        what(&mut |part| part.hash(&mut hasher));
        hasher.finish()
    };
    let indented = u32::from(line.starts_with([' ', '\t']));
    let words = line.split([' ', '\t']).filter(|word| !word.is_empty());
    let count = words.clone().count() as u32;
    let skeleton = |text: &str, add: &mut dyn FnMut(u32)| {
        let mut last = 0;
        for char in text.chars() {
            let class = if char.is_ascii_digit() {
                1
            } else if char.is_alphabetic() {
                2
            } else {
                char as u32
            };
            if class != last || class > 2 {
                add(class);
            }
            last = class;
        }
    };
    let first = words.clone().next().unwrap_or_default();
    [
        // As many words.
        hash(&|add| {
            add(indented);
            add(count.min(65));
        }),
        // A first word of the same form.
        hash(&|add| {
            add(indented);
            skeleton(first, add);
        }),
        // The same form.
        hash(&|add| {
            add(count);
            for word in words.clone().take(12) {
                skeleton(word, add);
                add(0);
            }
        }),
        // The same first word.
        hash(&|add| {
            add(indented);
            first.chars().for_each(|char| add(char as u32));
        }),
        // As many cells.
        hash(&|add| {
            add(indented);
            add(line.split("  ").filter(|cell| !cell.trim().is_empty()).count() as u32);
        }),
        // Any line that is not empty.
        u64::from(line.is_empty()),
    ]
}

/// Runs of lines that are alike, with no more than `gap` others between them.
fn runs(units: &[Unit<'_>], keys: &[[u64; FAMILIES]], gap: usize) -> Vec<Run> {
    // What is indented needs no mark among rows.
    let mut marked = vec![0];
    for unit in units {
        marked.push(marked[marked.len() - 1] + usize::from(gap == 0 || !value::is_indented(unit.text)));
    }
    let mut runs = Vec::new();
    for family in 0..FAMILIES {
        let mut open: HashMap<u64, Run> = HashMap::new();
        for (index, keys) in keys.iter().enumerate() {
            match open.get_mut(&keys[family]) {
                Some(run) if marked[index] - marked[run.last + 1] <= gap => {
                    run.last = index;
                    run.lines += 1;
                }
                _ => {
                    let run = Run { family, first: index, last: index, lines: 1 };
                    runs.extend(open.insert(keys[family], run));
                }
            }
        }
        runs.extend(open.into_values());
    }
    runs.retain(|run| run.lines > 1 && (gap == 0 || run.lines <= run.last - run.first));
    runs
}

/// Most lines of a record.
const TALLEST: usize = 24;

/// Adds records: several lines that come again and again, each time with other values.
fn records(
    units: &[Unit<'_>],
    keys: &[[u64; FAMILIES]],
    sums: &[usize],
    candidates: &mut Vec<Candidate>,
    why: fn(&[u8]) -> bool,
) {
    let forms: Vec<u64> = units
        .iter()
        .zip(keys)
        .map(|(unit, keys)| if unit.times > 1 { u64::MAX - unit.first as u64 } else { keys[3] })
        .collect();
    for height in 2..=TALLEST.min(units.len() / 2) {
        let mut start = 0;
        for index in 0..=units.len() - height {
            let same = index + height < units.len() && forms[index] == forms[index + height];
            if same {
                continue;
            }
            let times = (index + height - start) / height;
            let repeats = |period: usize| (start..start + height * times - period).all(|at| forms[at] == forms[at + period]);
            let is_alike = (1..height).any(|period| height % period == 0 && repeats(period));
            if times > 1 && !is_alike {
                record(units, start, times, height, sums, candidates, why);
            }
            start = index + 1;
        }
    }
}

fn record(
    units: &[Unit<'_>],
    start: usize,
    times: usize,
    height: usize,
    sums: &[usize],
    candidates: &mut Vec<Candidate>,
    why: fn(&[u8]) -> bool,
) {
    let blocks: Vec<String> = (0..times)
        .map(|time| {
            units[start + time * height..][..height]
                .iter()
                .map(|unit| unit.text)
                .collect::<Vec<_>>()
                .join("\n")
        })
        .collect();
    let parts: Vec<Part<'_>> = blocks.iter().map(|text| Part { text, times: 1, form: Some(0) }).collect();
    consider(candidates, &parts, start, height, sums[start + times * height] - sums[start], why);
}

/// Most forms of a section.
const MOST_FORMS: usize = 12;
/// Words of a line by which forms are told apart.
const TELLING_WORDS: usize = 10;

/// Adds all lines as one section of several forms, told apart by the name that stands in one of their places.
fn forms(units: &[Unit<'_>], sums: &[usize], candidates: &mut Vec<Candidate>, why: fn(&[u8]) -> bool) {
    for place in 0..TELLING_WORDS {
        let mut groups: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, unit) in units.iter().enumerate() {
            if let Some(name) = unit.text.split_ascii_whitespace().nth(place).and_then(name) {
                groups.entry(name).or_default().push(index);
            }
        }
        let mut found: Vec<(usize, Vec<usize>, Form<'_>)> = Vec::new();
        for (name, members) in groups {
            let rows: Vec<&str> = members.iter().map(|&index| units[index].text).collect();
            if rows.len() < 3 {
                continue;
            }
            let plain: usize = members.iter().map(|&index| sums[index + 1] - sums[index]).sum();
            let forms = splits(&rows).into_iter().filter_map(|split| Form::of(&rows, split, name));
            let forms = forms.filter(|form| !form.hides_reason(why)).map(|form| (form.cost(rows.len()), form));
            if let Some((tokens, form)) = forms.min_by_key(|(tokens, _)| *tokens)
                && tokens + LEAST_SAVED <= plain
            {
                found.push((plain - tokens, members, form));
            }
        }
        found.sort_by_key(|(saved, members, _)| (usize::MAX - saved, members[0]));
        found.truncate(MOST_FORMS);
        found.sort_by_key(|(_, members, _)| members[0]);
        if found.len() < 2 {
            continue;
        }
        let start = found[0].1[0];
        let end = found.iter().filter_map(|(_, members, _)| members.last()).max().map_or(0, |last| last + 1);
        let mut parts: Vec<Part<'_>> = units[start..end].iter().map(|unit| unit.part(None)).collect();
        for (form, (_, members, _)) in found.iter().enumerate() {
            for &index in members {
                parts[index - start].form = Some(form);
            }
        }
        let forms: Vec<Form<'_>> = found.into_iter().map(|(_, _, form)| form).collect();
        let Some(text) = section::write(&parts, &forms, 1) else { continue };
        let (plain, tokens) = (sums[end] - sums[start], cost(&text));
        if tokens + LEAST_SAVED <= plain && is_right(&text, &parts) {
            candidates.push(Candidate { start, end, saved: plain - tokens, text });
        }
    }
}

/// The name that a word begins with.
fn name(word: &str) -> Option<&str> {
    let word = word.trim_start_matches(['[', '(', '"', '-', '*', '#']);
    let end = word.bytes().position(|byte| !byte.is_ascii_alphanumeric() && byte != b'_').unwrap_or(word.len());
    let name = &word[..end];
    let is_name = name.len() > 1 && name.len() <= 40 && name.starts_with(|char: char| char.is_ascii_alphabetic());
    is_name.then_some(name)
}
