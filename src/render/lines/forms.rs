//! Sections of several forms. Their lines are told apart by a name in the same place of each: `INFO`, `Retrieving`,
//! `mmap`.

use foldhash::fast::FixedState;
use indexmap::IndexMap;

use super::choice::{Choice, best_form};
use super::fields::Fields;
use super::form::Form;
use super::grid::Cut;
use super::headings;
use super::section::{self, LEAST_SAVED, Part, Section};
use super::unit::Unit;
use super::ways::Way;

/// Number of words at the beginning of a line that are tried as the place of the name.
pub(super) const PLACES: usize = 6;
/// Most forms of a section.
const MOST_FORMS: usize = 12;
/// Most names by which lines are grouped. Lines with any further name belong to no form.
const MOST_NAMES: usize = 256;

/// Groups lines by the name in one place; `None` where fewer than two forms save tokens. `sums` are the tokens of all
/// lines before each line.
pub(super) fn find<'a>(
    units: &[Unit<'a>],
    place: usize,
    sums: &[usize],
    known: &[Cut],
    why: fn(&[u8]) -> bool,
) -> Option<Section<'a>> {
    let mut found: Vec<(usize, Vec<usize>, Choice<'a>)> = Vec::new();
    let mut cuts: Vec<Cut> = Vec::new();
    for (name, members) in groups(units, place)?.into_iter().filter(|(_, members)| members.len() >= 3) {
        let rows: Vec<&str> = members.iter().map(|&index| units[index].text).collect();
        let plain: usize = members.iter().map(|&index| sums[index + 1] - sums[index]).sum();
        let best = best_form(&rows, name, known, |form| !form.hides_reason(why));
        let Some(choice) = best else { continue };
        let tokens = choice.1.about_tokens(rows.len()) + 2 * rows.len();
        if tokens + LEAST_SAVED <= plain {
            cuts.extend((!cuts.contains(&choice.0)).then_some(choice.0));
            found.push((plain - tokens, members, choice));
        }
    }
    found.sort_unstable_by_key(|(saved, members, ..)| (usize::MAX - saved, members[0]));
    found.truncate(MOST_FORMS);
    found.sort_unstable_by_key(|(_, members, ..)| members[0]);
    if found.len() < 2 {
        return None;
    }
    let start = found[0].1[0];
    let end = found.iter().filter_map(|(_, members, _)| members.last()).max()? + 1;
    let mut parts: Vec<Part<'a>> = units[start..end].iter().map(|&unit| Part { unit, form: None }).collect();
    for (form, (_, members, ..)) in found.iter().enumerate() {
        for &index in members {
            parts[index - start].form = Some(form);
        }
    }
    let odd = parts.iter().filter(|part| part.form.is_none() && part.unit.needs_mark()).count();
    if odd * 2 > parts.len() {
        return None;
    }
    let (forms, fields): (Vec<Form<'a>>, Vec<_>) =
        found.into_iter().map(|(_, _, (_, form, fields))| (form, fields)).unzip();
    let tokens = section::about_tokens(&parts, &forms);
    let headed = headed(&parts, &forms, fields)
        .filter(|forms| forms.iter().all(|form| !form.hides_reason(why)))
        .map(|forms| (section::about_tokens(&parts, &forms), forms))
        .filter(|(less, _)| *less < tokens);
    let (tokens, forms) = headed.unwrap_or((tokens, forms));
    // A reader has to keep several forms in mind.
    let tokens = tokens * 21 / 20 + 8 * forms.len();
    let saved = (sums[end] - sums[start]).checked_sub(tokens).filter(|&saved| saved >= LEAST_SAVED)?;
    Some(Section { range: start..end, saved, way: Way::Forms { place }, cuts, parts, forms })
}

/// The indices of the lines with each name; `None` where most lines have too many names.
fn groups<'a>(units: &[Unit<'a>], place: usize) -> Option<IndexMap<&'a str, Vec<usize>, FixedState>> {
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
    (left_out * 2 <= units.len()).then_some(groups)
}

/// The same forms with headings; `None` where headings save nothing.
fn headed<'a>(parts: &[Part<'a>], forms: &[Form<'a>], mut fields: Vec<Fields<'a>>) -> Option<Vec<Form<'a>>> {
    let order: Vec<usize> = parts.iter().filter_map(|part| part.form).collect();
    if !headings::choose_together(&mut fields, &order) {
        return None;
    }
    Some(fields.into_iter().zip(forms).map(|(fields, form)| Form::best(fields, form.name)).collect())
}

/// Bytes of a line in which the name is looked for.
const READ: usize = 512;

fn word(line: &str, place: usize) -> Option<&str> {
    let end = (0..=line.len().min(READ)).rfind(|&end| line.is_char_boundary(end))?;
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
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    // The last part of a module's name tells most.
    let is_module = word.bytes().all(|byte| is_part(byte) || byte == b'.');
    let word = word.rsplit_once('.').filter(|_| is_module).map_or(word, |(_, last)| last);
    let name = &word[..word.bytes().take_while(|&byte| is_part(byte)).count()];
    let is_name = (2..=40).contains(&name.len()) && name.as_bytes()[0].is_ascii_alphabetic();
    is_name.then_some(name)
}
