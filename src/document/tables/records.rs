//! Rows that psql writes one below the other (`\x`).

use super::Line;
use super::rows::Rows;

/// How the rule above a row begins.
pub const RULE: &str = "-[ RECORD ";

fn number(line: &str) -> Option<usize> {
    let (number, rest) = line.strip_prefix(RULE)?.split_once(" ]")?;
    rest.bytes().all(|byte| matches!(byte, b'-' | b'+')).then(|| number.parse().ok())?
}

/// Reads rows from the first one on, which has all columns.
pub fn read<'a>(text: &'a str, rule: Line<'a>, rows: &mut Rows<'a>) -> Option<usize> {
    let mut count = number(rule.text).filter(|number| *number == 1)?;
    let (bar, names) = first(text, rule.next)?;
    if !rows.columns(names.iter().copied()) {
        return None;
    }
    let (mut end, mut column) = (rule.next, 0);
    rows.row();
    while let Some(line) = Line::at(text, end).filter(|line| goes_on(*line)) {
        if line.text.starts_with(RULE) {
            count = number(line.text).filter(|next| *next == count + 1)?;
            rows.row();
            column = 0;
        } else {
            let key = line.text.get(..bar)?.trim_end_matches(' ');
            if !is_bar(line.text, bar) {
                return None;
            }
            column += names[column..].iter().position(|name| *name == key)?;
            let start = line.start + (bar + 2).min(line.text.len());
            rows.cell(column, start..line.start + line.text.len());
            column += 1;
        }
        end = line.next;
    }
    Some(end)
}

/// Whether a line is still one of the table.
fn goes_on(line: Line<'_>) -> bool {
    !(line.text.is_empty() || line.text.starts_with('(') && line.text.ends_with(')'))
}

fn is_bar(line: &str, at: usize) -> bool {
    let bytes = line.as_bytes();
    bytes.get(at) == Some(&b'|')
        && bytes[at - 1] == b' '
        && bytes.get(at + 1).is_none_or(|next| *next == b' ')
}

/// Where the bars stand, and the keys before them: at the one place where all lines of the first row have one.
fn first(text: &str, start: usize) -> Option<(usize, Vec<&str>)> {
    let is_pair = |line: &Line<'_>| goes_on(*line) && !line.text.starts_with(RULE);
    let lines = || Line::all(text, start).take_while(is_pair).map(|line| line.text);
    let line = lines().next()?;
    let mut bars: Vec<_> =
        memchr::memchr_iter(b'|', line.as_bytes()).filter(|at| *at > 0 && is_bar(line, *at)).collect();
    lines().for_each(|line| bars.retain(|at| is_bar(line, *at)));
    let [bar] = bars[..] else { return None };
    let keys = lines().map(|line| line.get(..bar).map(|key| key.trim_end_matches(' ')));
    let keys: Vec<_> = keys.collect::<Option<_>>()?;
    keys.iter().all(|key| key.is_ascii()).then_some((bar, keys))
}
