//! Lines of several forms, told apart by a name that each has in the same place: `INFO`, `Retrieving`, `mmap`.

use foldhash::fast::FixedState;
use indexmap::IndexMap;

use super::Unit;
use super::choice::best_form;
use super::fields::{self, Field};
use super::form::Form;
use super::grid::{Cut, Grid};
use super::headings;
use super::runs::LEAST_SAVED;
use super::section::{self, Part};
use super::value;

/// Places of a line in which a name may stand.
pub(super) const PLACES: usize = 6;
/// Most forms of a section.
const MOST_FORMS: usize = 12;
/// Most names that are looked at: of more, none is a form.
const MOST_NAMES: usize = 256;

/// A section of several forms.
pub(super) struct Several<'a> {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) parts: Vec<Part<'a>>,
    pub(super) forms: Vec<Form<'a>>,
    /// How their rows are taken apart.
    pub(super) cuts: Vec<Cut>,
    /// About the tokens of all.
    pub(super) tokens: usize,
}

impl<'a> Several<'a> {
    /// Lines by the names that stand in one place; nothing where fewer than two forms save.
    pub(super) fn of(
        units: &[Unit<'a>],
        place: usize,
        sums: &[usize],
        known: &[Cut],
        why: fn(&[u8]) -> bool,
    ) -> Option<Self> {
        let mut groups: IndexMap<&str, Vec<usize>, FixedState> = IndexMap::default();
        let mut left_out = 0;
        for (index, unit) in units.iter().enumerate().filter(|(_, unit)| !unit.is_reference) {
            let Some(name) = word(unit.text, place).and_then(name) else { continue };
            if groups.len() < MOST_NAMES || groups.contains_key(name) {
                groups.entry(name).or_default().push(index);
            } else {
                left_out += 1;
            }
        }
        if left_out * 2 > units.len() {
            return None;
        }
        let mut found: Vec<(usize, Vec<usize>, Cut, Form<'a>)> = Vec::new();
        let mut cuts: Vec<Cut> = Vec::new();
        for (name, members) in groups {
            if members.len() < 3 {
                continue;
            }
            let rows: Vec<&str> = members.iter().map(|&index| units[index].text).collect();
            let plain: usize = members.iter().map(|&index| sums[index + 1] - sums[index]).sum();
            let best = best_form(&rows, name, known, |form| !form.hides_reason(why));
            let Some((cut, form)) = best else { continue };
            let tokens = form.about_tokens(rows.len()) + 2 * rows.len();
            if tokens + LEAST_SAVED <= plain {
                found.push((plain - tokens, members, cut, form));
                cuts.extend((!cuts.contains(&cut)).then_some(cut));
            }
        }
        found.sort_by_key(|(saved, members, ..)| (usize::MAX - saved, members[0]));
        found.truncate(MOST_FORMS);
        found.sort_by_key(|(_, members, ..)| members[0]);
        if found.len() < 2 {
            return None;
        }
        let start = found[0].1[0];
        let end = found.iter().filter_map(|(_, members, ..)| members.last()).max()? + 1;
        let mut parts: Vec<Part<'a>> = units[start..end].iter().map(|unit| unit.part(None)).collect();
        for (form, (_, members, ..)) in found.iter().enumerate() {
            for &index in members {
                parts[index - start].form = Some(form);
            }
        }
        let odd = parts
            .iter()
            .filter(|part| part.form.is_none() && !part.is_reference && !value::is_indented(part.text))
            .count();
        if odd * 2 > parts.len() {
            return None;
        }
        let cut: Vec<Cut> = found.iter().map(|(_, _, cut, _)| *cut).collect();
        let forms: Vec<Form<'a>> = found.into_iter().map(|(.., form)| form).collect();
        let tokens = section::about_tokens(&parts, &forms);
        let headed = headed(&parts, &forms, &cut)
            .filter(|forms| forms.iter().all(|form| !form.hides_reason(why)))
            .map(|forms| (section::about_tokens(&parts, &forms), forms))
            .filter(|(less, _)| *less < tokens);
        let (tokens, forms) = headed.unwrap_or((tokens, forms));
        Some(Self { start, end, parts, forms, cuts, tokens })
    }
}

/// Rows by which is judged whether there are headings.
const JUDGED: usize = 256;

/// The same forms with headings, where some may save.
fn headed<'a>(parts: &[Part<'a>], forms: &[Form<'a>], cuts: &[Cut]) -> Option<Vec<Form<'a>>> {
    let mut rows: Vec<Vec<&'a str>> = vec![Vec::new(); forms.len()];
    let mut order = Vec::with_capacity(parts.len());
    let mut of_all = |parts: &[Part<'a>]| {
        for part in parts {
            if let Some(form) = part.form {
                rows[form].push(part.text);
                order.push(form);
            }
        }
        let mut fields: Vec<Vec<Field<'a>>> = Vec::new();
        for (rows, cut) in rows.iter().zip(cuts) {
            let grid = Grid::of(rows, cut.split);
            fields.push(grid.map(|grid| fields::of(&grid, cut.keeps_end)).unwrap_or_default());
        }
        headings::choose_together(&mut fields, &order).then_some(fields)
    };
    let (first, rest) = parts.split_at(parts.len().min(JUDGED));
    let mut fields = of_all(first)?;
    if !rest.is_empty() {
        fields = of_all(rest)?;
    }
    let named = |(fields, (rows, form)): (Vec<Field<'a>>, (&Vec<&'a str>, &Form<'a>))| {
        Form::best(fields, rows, form.name)
    };
    Some(fields.into_iter().zip(rows.iter().zip(forms)).map(named).collect())
}

/// Bytes of a line in which words are counted.
const READ: usize = 512;

fn word(line: &str, place: usize) -> Option<&str> {
    let mut end = line.len().min(READ);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    line[..end].split_ascii_whitespace().nth(place)
}

/// The name that a word begins with.
fn name(word: &str) -> Option<&str> {
    // A bar or a bullet.
    let sign = word.chars().next().filter(|char| !char.is_ascii() && !char.is_alphanumeric() && *char != '…');
    if let Some(sign) = sign.filter(|&sign| word.chars().all(|char| char == sign)) {
        return word.get(..sign.len_utf8());
    }
    let word = word.trim_start_matches(['[', '(', '"', '-', '*', '#']);
    // A module: its last part tells most.
    let is_module =
        word.split('.').all(|part| part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'));
    let word = word.rsplit_once('.').filter(|_| is_module).map_or(word, |(_, last)| last);
    let end =
        word.bytes().position(|byte| !byte.is_ascii_alphanumeric() && byte != b'_').unwrap_or(word.len());
    let name = &word[..end];
    let is_name =
        name.len() > 1 && name.len() <= 40 && name.starts_with(|char: char| char.is_ascii_alphabetic());
    is_name.then_some(name)
}
