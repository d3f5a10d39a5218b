//! Findings of several lines, of tools without a family of their own: a message and its place on two lines, in either
//! order, mostly with an excerpt of the source (oxlint, esbuild, svelte-check, gfortran, ansible-lint).

use std::borrow::Cow;

use super::super::record::{Finding, Place, Severity, number};
use super::super::section::{Section, indent};
use super::learned::{code, is_number, place, severity};

/// Fewest blocks that are no accident.
const FEWEST: usize = 2;
/// Most lines between a place and its message.
const FAR: usize = 8;

/// Reads the blocks among the lines that belong to no record yet.
pub fn read(section: &mut Section<'_>) {
    let mut blocks = Vec::new();
    section.each_free(|section, at| {
        let line = section.text(at);
        if line.len() >= 1000 || line.trim().is_empty() {
            return None;
        }
        let readers = [place_first, message_first, named, led];
        let (mut finding, behind) = readers.iter().find_map(|read| read(section, at))?;
        let end = behind_place(section, behind, &mut finding);
        blocks.push((at..end, finding));
        Some(end)
    });
    if blocks.len() >= FEWEST {
        for (lines, finding) in blocks {
            section.add(lines, finding);
        }
    }
}

/// The place on a line that says nothing else: `src/a.js:2:7:`, `,-[src/a.js:2:7]`, `--> src/a.js:2:7`.
fn alone(line: &str) -> Option<Place<'_>> {
    let text = line.trim();
    let text = [",-[", "╭─[", "┌─ ", "--> "].iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text);
    place(text).filter(|(_, _, rest)| matches!(*rest, "" | ":" | "]")).map(|(place, ..)| place)
}

/// `src/a.svelte:7:1`, then `Warn: message`, perhaps behind an excerpt.
fn place_first<'t>(section: &Section<'t>, at: usize) -> Option<(Finding<'t>, usize)> {
    let line = section.text(at);
    let place = alone(line)?;
    let mut source = Vec::new();
    for below in at + 1..(at + FAR).min(section.lines.len()) {
        let line = section.text(below);
        // A sign in front begins the message of another finding.
        if let Some((word, severity, message)) =
            severity(line).filter(|(word, ..)| word.len() > 1 && word.is_ascii())
        {
            let finding = Finding::new(Some(place), word, severity, "", message.trim_end());
            return Some((Finding { source, ..finding }, below + 1));
        }
        if !section.is_free(below) || !line.trim().is_empty() && !is_excerpt(line) {
            return None;
        }
        source.extend(at_fault(line, place).map(|source| section.quote(below, source)));
    }
    None
}

/// `✘ [ERROR] message`, `! rule(name): message`, then the place on a line of its own.
fn message_first<'t>(section: &Section<'t>, at: usize) -> Option<(Finding<'t>, usize)> {
    let text = section.text(at).trim();
    let signs = [("x ", Severity::Error), ("! ", Severity::Warning)];
    let by_sign = || {
        let (sign, severity) = signs.iter().find(|(sign, _)| text.starts_with(sign))?;
        Some((sign.trim_end(), *severity, &text[sign.len()..]))
    };
    let (mut word, mut level, mut message) = severity(text).or_else(by_sign)?;
    if let Some((inner, severity, rest)) = severity(message) {
        (word, level, message) = (inner, severity, rest);
    }
    let below = at + 1 + usize::from(section.text(at + 1).trim().is_empty());
    let place = alone(section.text(below)).filter(|_| section.is_free(below))?;
    let is_rule = |code: &&str| !code.contains(' ') && code.ends_with(')') && code.contains('(');
    let (code, message) = message.split_once(": ").filter(|(code, _)| is_rule(code)).unwrap_or(("", message));
    Some((Finding::new(Some(place), word, level, code, message), below + 1))
}

/// `fqcn[action]: message` behind an empty line, then a line that begins with the place, then an empty line.
fn named<'t>(section: &Section<'t>, at: usize) -> Option<(Finding<'t>, usize)> {
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_[]".contains(&byte);
    let (code, message) = section.text(at).split_once(": ").filter(|(code, _)| code.bytes().all(is_part))?;
    let (place, _, rest) = place(section.text(at + 1))?;
    let is_block = (at == 0 || section.text(at - 1).trim().is_empty())
        && section.text(at + 2).trim().is_empty()
        && section.is_free(at + 1);
    let mut finding = Finding::new(Some(place), "", Severity::Note, code, message.trim_end());
    if !rest.trim().is_empty() {
        finding.message[0] = Cow::Owned(format!("{}: {}", message.trim_end(), rest.trim()));
    }
    is_block.then_some((finding, at + 2))
}

/// ``src/a.py:6 in class `Cart`:``, then `D101: message`, indented.
fn led<'t>(section: &Section<'t>, at: usize) -> Option<(Finding<'t>, usize)> {
    let (place, _, rest) = place(section.text(at))?;
    let within = rest.strip_prefix(' ')?.trim_end().strip_suffix(':')?;
    let below = section.text(at + 1);
    let (code, message) = code(below.trim(), false);
    let message = format!("{message} ({within})");
    let is_finding = indent(below) > 0 && is_number(code) && section.is_free(at + 1);
    is_finding.then(|| (Finding::new(Some(place), "", Severity::Note, code, message), at + 2))
}

/// Reads the excerpt and the notes behind a place and its message. Returns the line behind them.
fn behind_place<'t>(section: &Section<'t>, from: usize, finding: &mut Finding<'t>) -> usize {
    let mut at = from;
    let mut end = from;
    while section.is_free(at) {
        let line = section.text(at);
        let text = line.trim();
        if text.is_empty() {
            // Advice may stand behind an empty line, indented; what ends in a colon leads to another place.
            let next = section.text(at + 1);
            let is_advice = end == at
                && indent(next) >= 2
                && !next.trim_end().ends_with(':')
                && !is_head(section, at + 1);
            if !is_advice {
                break;
            }
        } else if is_head(section, at) {
            break;
        } else if is_excerpt(line) || alone(line).is_some() {
            if finding.source.is_empty() {
                let source = finding.place.and_then(|place| at_fault(line, place));
                finding.source.extend(source.map(|source| section.quote(at, source)));
            }
            let label = text.split_once("`-- ").or_else(|| text.split_once("╰── ")).map(|(_, label)| label);
            finding.notes.extend(label.map(|label| section.quote(at, label)));
            end = at + 1;
        } else {
            finding.notes.push(section.quote(at, text));
            end = at + 1;
        }
        at += 1;
    }
    end
}

/// Whether another block begins on a line.
fn is_head(section: &Section<'_>, at: usize) -> bool {
    place(section.text(at).trim_start()).is_some() || message_first(section, at).is_some()
}

/// The source on a line of an excerpt, if its number is the place's.
fn at_fault<'t>(line: &'t str, place: Place<'_>) -> Option<&'t str> {
    let (shown, rest) = number(line.trim_start().trim_start_matches(['>', ' ']))?;
    let rest = rest.trim_start();
    (shown == place.line).then(|| rest.trim_start_matches(['|', '│', ':', '·']).trim())
}

/// Whether a line is one of an excerpt: a number and a bar, a bar, marks.
fn is_excerpt(line: &str) -> bool {
    let text = line.trim_start();
    let behind = text.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    line.starts_with(' ') && behind.starts_with(['|', '│', ':', '·', '╵', '╰', '`'])
        || text.chars().all(|c| "^~-─0123456789 ".contains(c)) && line.starts_with(' ')
}
