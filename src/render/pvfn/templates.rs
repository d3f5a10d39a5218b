//! Columns that follow from others: `url="https://api.example.com/users/{login}"` is said once for all rows.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Deref;

use memchr::{memchr2, memmem};
use once_cell::unsync::Lazy;

use super::cells::Column;
use super::paths::{Paths, Step};
use super::scalar::{estimate, is_bare_key};
use super::table::{Mode, Part, Table, fits};
use crate::document::Document;

/// Most paths that are compared with each other, and most for each row: the cost grows with their square, and
/// must not grow faster than the cells.
const MOST_PATHS: usize = 300;
const PATHS_A_ROW: usize = 16;
/// Shortest value that is looked for inside others, and longest text that is searched.
const SHORTEST: usize = 3;
/// Shortest value of a column elsewhere in the row that may be said to come again.
const SHORTEST_FAR: usize = 6;
const LONGEST: usize = 400;
/// Shortest number that may be said to equal another: `ToPort="{FromPort}"` takes longer to read than two columns.
const SHORTEST_NUMBER: usize = 6;
const MOST_PARTS: usize = 3;
/// Tokens a template must save.
const WORTH: u32 = 6;

/// Finds templates for the paths of a table, given what each costs otherwise.
pub fn find(document: &Document<'_>, table: &mut Table, costs: &[u32]) {
    let rows = table.rows.len() as u32;
    let mut targets: Vec<u32> = (table.cells.iter())
        .filter(|(path, Column { cells, .. })| {
            table.modes[*path as usize] != Mode::Sparse
                && cells.iter().all(|cell| document.is_scalar(cell.id))
        })
        .take(MOST_PATHS.min(PATHS_A_ROW * (rows as usize + 1)))
        .filter(|(path, column)| {
            let is_half = column.cells.len() as u32 * 2 == rows;
            column.cells.len() as u32 * 2 > rows || is_half && is_alone(table, *path)
        })
        .map(|(path, _)| path)
        .collect();
    // A template is made of columns, not of other templates: short texts are parts of long ones.
    targets.sort_by_key(|path| table.cells.columns[*path as usize].tokens);
    let is_source = |path: &u32| {
        table.modes[*path as usize] == Mode::Column && name(document, &table.paths, *path).is_some()
    };
    let mut sources: Vec<u32> = targets.iter().copied().filter(is_source).collect();
    let names = Lazy::new(|| names(document, &table.paths));
    let is_clear = |part: &Part| !matches!(part, Part::Text(text) if has_hole(text, &names));
    let mut used = HashSet::new();
    for &target in &targets {
        if used.contains(&target) {
            continue;
        }
        let (paths, cells) = (&table.paths, table.cells.of_path(target));
        let parts = guess(document, table, &sources, target);
        let Some(parts) = parts.filter(|parts| parts.iter().all(is_clear)) else { continue };
        let tokens = |part: &Part| match part {
            Part::Text(text) => estimate(text),
            Part::Path(path) => paths.get(*path).tokens + 1,
        };
        let text: u32 = parts.iter().map(tokens).sum();
        let dotted = paths.get(target).tokens + 1;
        let mut cost = paths.get(target).step_tokens + 1 + text + (rows - cells.len() as u32) * (dotted + 1);
        let limit = costs[target as usize].saturating_sub(WORTH);
        for cell in cells {
            if cost >= limit {
                break;
            }
            if !fits(document, |path| table.cells.at(path, cell.row), &parts, cell) {
                cost += dotted + cell.tokens;
            }
        }
        if cost < limit {
            table.gain += i64::from(costs[target as usize] - cost);
            sources.retain(|&source| source != target);
            table.modes[target as usize] = Mode::Template(parts);
            used.extend(self::sources(&table.modes[target as usize..=target as usize]));
        }
    }
}

/// Whether no row has a value above or below the path: one line says nothing of both.
fn is_alone(table: &Table, path: u32) -> bool {
    let mut above = table.paths.above(path);
    !table.paths.get(path).open && above.all(|path| table.cells.of_path(path).is_empty())
}

/// The template of `target` that the middle row suggests.
fn guess(document: &Document<'_>, table: &Table, sources: &[u32], target: u32) -> Option<Vec<Part>> {
    let cells = table.cells.of_path(target);
    let sample = cells[cells.len() / 2];
    let text = document.text(sample.id);
    let shortest = if document.is_string(sample.id) { SHORTEST } else { SHORTEST_NUMBER };
    if text.len() < shortest || text.len() > LONGEST {
        return None;
    }
    let mut found: Vec<(usize, u32, String)> = Vec::new();
    for source in sources.iter().copied().filter(|source| *source != target) {
        let is_near = is_near(&table.paths, source, target);
        if !is_near && text.len() < SHORTEST_FAR {
            continue;
        }
        let Some(cell) = table.cells.at(source, sample.row) else { continue };
        let span = document.span(cell.id);
        // Of two equal columns the one higher up is shown.
        let [place, own] = [source, target].map(|path| (table.paths.get(path).depth, path));
        let whole = cell.hash == sample.hash && place < own;
        let inside =
            is_near && document.is_string(sample.id) && span.len() >= SHORTEST && span.len() < text.len();
        if !is_near && (!whole || far_name(document, &table.paths, source).is_none()) {
            continue;
        }
        if whole || inside && memmem::find(text.as_bytes(), document.text(cell.id).as_bytes()).is_some() {
            found.push((span.len(), source, document.text(cell.id).into_owned()));
        }
    }
    found.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    found.truncate(8);
    if let Some((_, source, _)) = found.first().filter(|(_, _, value)| *value == text) {
        return Some(vec![Part::Path(*source)]);
    }
    if !document.is_string(sample.id) {
        return None;
    }
    let mut parts = vec![Part::Text(text.into_owned())];
    for (_, source, value) in &found {
        if parts.iter().filter(|part| matches!(part, Part::Path(_))).count() < MOST_PARTS {
            parts = parts.into_iter().flat_map(|part| split(part, value, *source)).collect();
        }
    }
    (parts.len() > 1).then_some(parts)
}

/// Cuts the first `value` out of a text and puts the path in its place.
fn split(part: Part, value: &str, source: u32) -> Vec<Part> {
    let Part::Text(text) = &part else { return vec![part] };
    let Some(at) = text.find(value) else { return vec![part] };
    let (before, after) = (&text[..at], &text[at + value.len()..]);
    let texts = [Part::Text(before.into()), Part::Path(source), Part::Text(after.into())];
    texts.into_iter().filter(|part| *part != Part::Text(String::new())).collect()
}

/// The last step of a path as it stands in a template, if that needs no quotes.
fn name<'d>(document: &'d Document<'_>, paths: &Paths, path: u32) -> Option<&'d str> {
    match paths.get(path).step {
        Step::Key(key) => Some(document.key(key)).filter(|key| is_bare_key(key)),
        Step::Row | Step::Index(_) => None,
    }
}

/// A path of several steps as it stands in a template, if no step needs quotes.
fn far_name(document: &Document<'_>, paths: &Paths, path: u32) -> Option<String> {
    let mut steps: Vec<u32> = std::iter::once(path).chain(paths.above(path)).collect();
    steps.reverse();
    let step = |path: &u32| match paths.get(*path).step {
        Step::Index(index) => Some(index.to_string()),
        _ => name(document, paths, *path).map(str::to_owned),
    };
    let steps: Vec<String> = steps.iter().map(step).collect::<Option<_>>()?;
    (steps.len() > 1).then(|| steps.join("."))
}

/// Whether the name of `source` says it at `target`, which is no column then: a member of the same object, or else of
/// the row.
fn is_near(paths: &Paths, source: u32, target: u32) -> bool {
    let (at, beside) = (paths.get(source), paths.get(target).parent);
    at.parent == beside || at.parent == 0 && paths.find(beside, at.step).is_none_or(|same| same == target)
}

/// The names of all columns that the table might have.
fn names<'d>(document: &'d Document<'_>, paths: &Paths) -> HashSet<Cow<'d, str>> {
    let near = |path| name(document, paths, path).map(Cow::Borrowed);
    let far = |path| far_name(document, paths, path).map(Cow::Owned);
    (1..paths.len() as u32).flat_map(|path| [near(path), far(path)]).flatten().collect()
}

/// The columns that templates are made of: they stay columns.
pub fn sources(modes: &[Mode]) -> impl Iterator<Item = u32> {
    let parts = modes.iter().flat_map(|mode| if let Mode::Template(parts) = mode { &parts[..] } else { &[] });
    parts.filter_map(|part| if let Part::Path(path) = part { Some(*path) } else { None })
}

/// Takes back what would be said once and then be read as a template, because it holds a column's name in braces.
pub fn keep_apart(document: &Document<'_>, paths: &Paths, modes: &mut [Mode]) {
    let names = Lazy::new(|| names(document, paths));
    let is_hole = |id| document.is_string(id) && has_hole(&document.text(id), &names);
    for mode in modes {
        if let Mode::Default(cell) = mode
            && (cell.id..document.end(cell.id)).any(is_hole)
        {
            *mode = Mode::Sparse;
        }
    }
}

fn has_hole<'d>(text: &str, names: &impl Deref<Target = HashSet<Cow<'d, str>>>) -> bool {
    next_hole(text, |name| names.get(name)).is_some()
}

/// The text before the first `{name}` that stands for a `column`, the column, and the text behind. Braces around
/// anything else are text.
pub fn next_hole<T>(text: &str, column: impl Fn(&str) -> Option<T>) -> Option<(&str, T, &str)> {
    let mut open = None;
    let mut from = 0;
    while let Some(at) = memchr2(b'{', b'}', &text.as_bytes()[from..]) {
        let at = from + at;
        from = at + 1;
        let is_end = text.as_bytes()[at] == b'}';
        let name = open.take().filter(|_| is_end).map(|start| &text[start + 1..at]);
        if let Some((name, column)) = name.and_then(|name| Some((name, column(name)?))) {
            return Some((&text[..at - name.len() - 1], column, &text[from..]));
        }
        open = (!is_end).then_some(at);
    }
    None
}

/// The template of `target` as it is written between quotes.
pub fn text(document: &Document<'_>, paths: &Paths, target: u32, parts: &[Part]) -> String {
    let piece = |part: &Part| match part {
        Part::Text(text) => text.clone(),
        Part::Path(path) if is_near(paths, *path, target) => {
            format!("{{{}}}", name(document, paths, *path).unwrap_or_default())
        }
        Part::Path(path) => format!("{{{}}}", far_name(document, paths, *path).unwrap_or_default()),
    };
    parts.iter().map(piece).collect()
}
