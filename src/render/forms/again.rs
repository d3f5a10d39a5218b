//! What comes again: an equal line behind a line is a count (`line ×12`), lines that differ in a number that counts up by
//! one say from where to where (`attempt 1..12 ×12`), lines that stood above in the same order, where the first of them
//! stood last, are named by that line (`line (6 more lines, as above)`), as `cargo tree` does by `(*)`.

use std::borrow::Cow;
use std::collections::HashMap;

use foldhash::fast::RandomState;
use memchr::memmem;

use crate::failure;
use crate::render::pvfn::scalar::estimate;

/// Stands between a line and how many times it stands there.
const TIMES: &str = " ×";
/// The words around the number of lines that come again.
const MORE: (&str, &str) = (" (", " more lines, as above)");
/// Tokens that a count must save.
const LEAST_OF_TIMES: usize = 8;
/// Tokens that lines must have, to be named in place of being written again: a reader has to look above.
const LEAST_OF_LINES: u32 = 40;

/// Stands between the first number and the last.
const TO: &str = "..";

/// A line, and how many times it stands there in a row.
type Unit<'a> = (Cow<'a, str>, usize);

/// Where each line stood last, whatever its indentation: a reader who looks for it goes up.
type Seen<'a> = HashMap<&'a str, usize, RandomState>;

fn bare(line: &str) -> &str {
    line.trim_start_matches(' ')
}

fn indent(line: &str) -> usize {
    line.len() - bare(line).len()
}

/// Longest name of a setting, in bytes.
const LONGEST_NAME: usize = 40;

/// Whether most lines are settings (`kubectl describe`, YAML): a reader looks for each below its own heading, so only what
/// stands below a heading is named by it, and only as a whole.
fn is_settings(text: &str) -> bool {
    let is_name = |name: &str| {
        let is_part = |c: char| c.is_alphanumeric() || " -_./\"".contains(c);
        !name.is_empty() && name.len() <= LONGEST_NAME && name.chars().all(is_part)
    };
    let is_setting = |line: &str| {
        let line = line.trim_start_matches([' ', '-']);
        let of = |mark| line.split_once(mark).filter(|(name, _)| is_name(name));
        of(':').is_some_and(|(_, value)| value.is_empty() || value.starts_with(' ')) || of('=').is_some()
    };
    let filled = || text.lines().filter(|line| !line.trim().is_empty());
    filled().filter(|line| is_setting(line)).count() * 2 > filled().count()
}

/// The text with what comes again said in short.
pub(super) fn write(text: &str) -> String {
    let units = units(text);
    let is_settings = is_settings(text);
    let mut seen = Seen::default();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < units.len() {
        let (ref line, times) = units[at];
        out.push_str(line);
        let above = if line.is_empty() { None } else { seen.insert(bare(line), at) };
        let more = above.filter(|_| times == 1).map_or(0, |above| {
            let most = if is_settings { below(&units, at) } else { usize::MAX };
            let more = same(&units, above, at, most);
            if is_settings && more < most { 0 } else { more }
        });
        if more > 0 {
            out.push_str(&format!("{}{more}{}", MORE.0, MORE.1));
        } else if times > 1 {
            out.push_str(&format!("{TIMES}{times}"));
        }
        out.push('\n');
        at += 1 + more;
    }
    out.truncate(out.len() - usize::from(!text.ends_with('\n') && !out.is_empty()));
    out
}

/// The lines of a text; a line that follows an equal one, or one that counts up to it, is counted, where that saves
/// enough.
fn units(text: &str) -> Vec<Unit<'_>> {
    let mut units: Vec<Unit<'_>> = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    let mut at = 0;
    while let Some(&line) = lines.get(at) {
        let rest = &lines[at + 1..];
        let pays = |times: usize| (times - 1) * (estimate(line) as usize + 1) >= LEAST_OF_TIMES;
        let times = 1 + rest.iter().take_while(|next| **next == line).count();
        if times > 1 {
            // A directory stands as it is above its names.
            let is_head =
                rest.get(times - 1).is_some_and(|next| indent(next) > indent(line) || next.starts_with('\t'));
            let counts = !line.is_empty() && pays(times) && !is_head;
            let (each, units_of_it) = if counts { (times, 1) } else { (1, times) };
            units.extend(std::iter::repeat_n((Cow::Borrowed(line), each), units_of_it));
            at += times;
        } else if let Some((before, first, behind)) = rest.first().and_then(|next| counter(line, next)) {
            let is_next = |(next, number)| is_counted(next, before, number, behind);
            let times = 1 + rest.iter().copied().zip(first + 1..).take_while(|next| is_next(*next)).count();
            let counts = times > 2 && pays(times);
            let last = first + times as u64 - 1;
            let range = || Cow::Owned(format!("{before}{first}{TO}{last}{behind}"));
            units.push(if counts { (range(), times) } else { (Cow::Borrowed(line), 1) });
            at += if counts { times } else { 1 };
        } else {
            units.push((Cow::Borrowed(line), 1));
            at += 1;
        }
    }
    units
}

/// What stands before the number by which two lines differ, the number, and what stands behind it. A number within a word
/// is none, for words stay whole, and none that begins a line, which may be a place.
fn counter<'a>(line: &'a str, next: &str) -> Option<(&'a str, u64, &'a str)> {
    let differs = line.bytes().zip(next.bytes()).position(|(one, other)| one != other)?;
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let bytes = line.as_bytes();
    let start = differs - bytes[..differs].iter().rev().take_while(|byte| is_digit(byte)).count();
    let end = differs + bytes[differs..].iter().take_while(|byte| is_digit(byte)).count();
    let (before, behind) = (line.get(..start)?, line.get(end..)?);
    let number = line[start..end].parse::<u64>().ok().filter(|number| *number > 0 && end - start < 19)?;
    let is_word = !bare(before).is_empty()
        && before.ends_with([' ', '(', '[', '<', '#'])
        && (behind.is_empty() || behind.starts_with([' ', ')', ']', '>', ',', ':', ';']));
    (is_word && is_counted(next, before, number + 1, behind)).then_some((before, number, behind))
}

fn is_counted(line: &str, before: &str, number: u64, behind: &str) -> bool {
    let rest = line.strip_prefix(before).filter(|rest| !rest.starts_with(['0', '+']));
    let digits = if behind.is_empty() { rest } else { rest.and_then(|rest| rest.strip_suffix(behind)) };
    digits.is_some_and(|digits| digits.parse() == Ok(number))
}

/// What stands before a range of so many numbers, the first of them, and what stands behind it.
fn range(line: &str, times: usize) -> Option<(&str, u64, &str)> {
    let is_digit = |byte: &&u8| byte.is_ascii_digit();
    memmem::find_iter(line.as_bytes(), TO).find_map(|at| {
        let (before, behind) = (&line[..at], &line[at + TO.len()..]);
        let start = at - before.bytes().rev().take_while(|byte| is_digit(&byte)).count();
        let end = behind.bytes().take_while(u8::is_ascii_digit).count();
        let (first, last) = (before[start..].parse::<u64>().ok()?, behind[..end].parse::<u64>().ok()?);
        let fits = last.checked_sub(first) == Some(times as u64 - 1) && first > 0;
        fits.then_some((&line[..start], first, &behind[end..]))
    })
}

/// Number of lines that are indented more than the one above them.
fn below(units: &[Unit<'_>], at: usize) -> usize {
    let is_below = |(line, _): &&Unit<'_>| line.is_empty() || indent(line) > indent(&units[at].0);
    let all = units[at + 1..].iter().take_while(is_below).enumerate();
    all.filter(|(_, (line, _))| !line.is_empty()).last().map_or(0, |(last, _)| last + 1)
}

/// Whether a line opens a block, and whether it closes one: `output = {`, `} -> null`.
fn brackets(line: &str) -> (bool, bool) {
    (line.ends_with(['{', '[', '(']), bare(line).starts_with(['}', ']', ')']))
}

/// Number of lines behind `at`, `most` of them, that are those behind `first`, but for their indentation; 0 where they are
/// too few. A line that tells of a failure always stands there, and one that closes a block which is open at `at`.
fn same(units: &[Unit<'_>], first: usize, at: usize, most: usize) -> usize {
    let deeper = indent(&units[at].0) as isize - indent(&units[first].0) as isize;
    let (mut tokens, mut more) = (0, 0);
    let mut open = usize::from(brackets(&units[at].0).0);
    for (count, (above, below)) in
        units[first + 1..at.max(first + 1)].iter().zip(&units[at + 1..]).take(most).enumerate()
    {
        let moved = indent(&below.0) as isize - indent(&above.0) as isize;
        let is_moved = moved != deeper && !below.0.is_empty();
        let is_same = above.1 == below.1 && bare(&above.0) == bare(&below.0) && !is_moved;
        let (opens, closes) = brackets(&below.0);
        if !is_same || failure::tells(&below.0) || closes && open == 0 {
            break;
        }
        open = open + usize::from(opens) - usize::from(closes);
        if !below.0.is_empty() {
            tokens += estimate(&*below.0) + 1;
            more = count + 1;
        }
    }
    if tokens < LEAST_OF_LINES || more < 2 { 0 } else { more }
}

/// The text that [`write`] was given; `None` where it is longer than `most` bytes.
pub(super) fn read(text: &str, most: usize) -> Option<Cow<'_, str>> {
    if [TIMES, MORE.1].iter().all(|mark| memmem::find(text.as_bytes(), mark.as_bytes()).is_none()) {
        return Some(Cow::Borrowed(text));
    }
    let mut lines: Vec<(usize, &str)> = Vec::new();
    let mut seen = Seen::default();
    let mut left = most;
    for line in text.lines() {
        let again = number(line, MORE.0, MORE.1).and_then(|(line, more)| {
            let above = *seen.get(bare(line))?;
            (above + more < lines.len() && bare(line) == lines[above].1).then_some((line, above, more))
        });
        let (line, first, more) = again.unwrap_or((line, 0, 0));
        if !line.is_empty() {
            seen.insert(bare(number(line, TIMES, "").map_or(line, |(line, _)| line)), lines.len());
        }
        let from = lines.get(first).map_or(0, |line| line.0);
        lines.push((indent(line), bare(line)));
        for above in first + 1..=first + more {
            let (depth, text) = lines[above];
            let depth = if text.is_empty() { 0 } else { (depth + indent(line)).saturating_sub(from) };
            left = left.checked_sub(depth + text.len() + 1)?;
            lines.push((depth, text));
        }
    }
    let mut out = String::with_capacity(text.len());
    for (depth, line) in lines {
        let (line, times) = number(line, TIMES, "").unwrap_or((line, 1));
        let counted = if times > 2 { range(line, times) } else { None };
        for count in 0..times as u64 {
            out.extend(std::iter::repeat_n(' ', depth));
            match counted {
                Some((before, first, behind)) => out.push_str(&format!("{before}{}{behind}", first + count)),
                None => out.push_str(line),
            }
            out.push('\n');
            if out.len() > most.saturating_add(1) {
                return None;
            }
        }
    }
    out.truncate(out.len() - usize::from(!text.ends_with('\n') && !out.is_empty()));
    Some(Cow::Owned(out))
}

/// A line, and the number that stands behind it between two texts.
fn number<'a>(line: &'a str, before: &str, behind: &str) -> Option<(&'a str, usize)> {
    let line = if behind.is_empty() { line } else { line.strip_suffix(behind)? };
    let (line, number) = line.rsplit_once(before)?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0');
    number.parse().ok().filter(|_| is_number && !line.is_empty()).map(|number| (line, number))
}
