//! Faults of memory and of threads, each with the frames that led to it: valgrind's tools and the sanitizers.

use std::ops::Range;

use super::super::record::{Dropped, Finding, Place, Severity, Total, number};
use super::super::section::{Family, Section};
use super::super::words::OF_VALGRIND;

/// What stands behind the number of the process: `==4711== Invalid read of size 4`.
fn numbered(line: &str) -> Option<&str> {
    let (_, rest) = number(line.strip_prefix("==")?)?;
    Some(rest.strip_prefix("==")?.trim_end())
}

pub fn valgrind(section: &mut Section<'_>, _: &Family) {
    let is_own = |line: &str| numbered(line).is_some_and(|text| !text.is_empty());
    let found = section.each_finding(|section, at| {
        let end = section.while_free(at, |at| is_own(section.text(at)));
        Some((finding(section, at..end)?, end))
    });
    if !found {
        return;
    }
    for at in 0..section.lines.len() {
        let Some(text) = numbered(section.text(at)).filter(|_| section.is_free(at)) else { continue };
        let text = text.trim_start();
        if text.is_empty() || OF_VALGRIND.iter().any(|about| text.starts_with(about)) {
            section.drop_lines(at..at + 1, Dropped::Heading);
        } else {
            section.add(at..at + 1, Total::of(vec![section.quote(at, text)]));
        }
    }
}

pub fn sanitizer(section: &mut Section<'_>, family: &Family) {
    let is_head = |line: &str| {
        let text = numbered(line).unwrap_or(line);
        let rest = text.strip_prefix("ERROR: ").or_else(|| text.strip_prefix("WARNING: "));
        rest.and_then(|rest| rest.split_once(": ")).is_some_and(|(tool, _)| tool.ends_with("Sanitizer"))
    };
    let is_leak = |line: &str| line.starts_with("Direct leak of ") || line.starts_with("Indirect leak of ");
    let is_end = |line: &str| {
        is_head(line) || is_leak(line) || line.starts_with("SUMMARY: ") || line.starts_with("=====")
    };
    let found = section.each_finding(|section, at| {
        let line = section.text(at);
        let end = section.while_free(at + 1, |at| !is_end(section.text(at)));
        (is_head(line) || is_leak(line)).then(|| Some((finding(section, at..end)?, end)))?
    });
    if found {
        section.totals(family.totals);
        let is_shadow = |line: &str| {
            line.starts_with("Shadow byte") || line.starts_with("  ") || line.starts_with("=>0x")
        };
        let start = section.find(0, section.lines.len(), |line| line.starts_with("Shadow bytes "));
        let end = section.while_free(start, |at| is_shadow(section.text(at)));
        section.drop_lines(start..end, Dropped::Heading);
        section.drop_headings(|line| numbered(line) == Some("ABORTING") || line.starts_with("====="));
    }
}

/// A fault: what happened, and what is said of the memory, each with its frames on one line; none without frames, but
/// for a heading of leaks.
fn finding<'t>(section: &Section<'t>, lines: Range<usize>) -> Option<Finding<'t>> {
    let mut finding = Finding { severity: Severity::Error, ..Finding::default() };
    let (mut said, mut frames, mut has_frames): (Vec<String>, usize, bool) = (Vec::new(), 0, false);
    for at in lines {
        let line = section.text(at);
        let text = numbered(line).unwrap_or(line).trim();
        if let Some((name, place)) = frame(text).filter(|_| !said.is_empty()) {
            let last = said.last_mut()?;
            if frames == 0 {
                last.truncate(last.trim_end_matches(" at").trim_end_matches(':').len());
            }
            last.push_str(if frames == 0 { " at " } else { ", by " });
            last.push_str(name);
            finding.place = finding.place.or(place);
            frames += 1;
            has_frames = true;
        } else if !text.is_empty() {
            said.push(text.to_owned());
            frames = 0;
        }
    }
    let is_leaks = said.len() == 1 && said[0].ends_with("memory leaks");
    if said.first().is_some_and(|first| first.contains("still reachable")) {
        finding.severity = Severity::Note;
    }
    finding.message = said.into_iter().map(Into::into).collect();
    (has_frames || is_leaks).then_some(finding)
}

/// What a frame names, without its address and without a library's path, and its place in the project:
/// `at 0x1091EF: sum (vg.c:6)`, `#1 0x5638b35a32c8 in add /w/stock.c:10:5`, `#0 main race.c:9 (race+0x12)`.
fn frame(text: &str) -> Option<(&str, Option<Place<'_>>)> {
    if let Some(rest) = text.strip_prefix("at 0x").or_else(|| text.strip_prefix("by 0x")) {
        let (_, rest) = rest.split_once(": ")?;
        let (name, inner) = rest.rsplit_once(" (").unwrap_or((rest, ""));
        let place = inner.strip_suffix(')').and_then(Place::whole);
        return Some((if place.is_some() { rest } else { name }, place));
    }
    let (_, rest) = number(text.strip_prefix('#')?)?;
    let rest = rest.trim_start();
    let rest = rest
        .split_once(" in ")
        .filter(|(address, _)| address.starts_with("0x"))
        .map_or(rest, |(_, rest)| rest);
    let rest =
        rest.rsplit_once(" (").filter(|(_, inner)| inner.contains("+0x")).map_or(rest, |(rest, _)| rest);
    let (name, place) = rest.rsplit_once(' ').unwrap_or((rest, ""));
    let place = Place::whole(place).filter(|place| !place.is_foreign() && !place.file.starts_with("../"));
    Some((if place.is_some() { rest } else { name }, place))
}
