//! Patterns of lines that are no findings: totals, headings. `#` stands for a number, `*` for anything; `\\` makes the
//! sign behind it a literal one.

use super::super::record::{Dropped, Said, Total, counts};
use super::super::section::{Records, Section};

/// Whether a line matches a pattern from its start to its end.
pub fn is_like(line: &str, pattern: &str) -> bool {
    if let Some(literal) = pattern.strip_prefix('\\') {
        let sign = literal.chars().next().map_or(0, char::len_utf8);
        return line.strip_prefix(&literal[..sign]).is_some_and(|rest| is_like(rest, &literal[sign..]));
    }
    let Some(at) = pattern.find(['#', '*']) else { return line == pattern };
    let Some(rest) = line.strip_prefix(&pattern[..at]) else { return false };
    let (sign, behind) = (pattern.as_bytes()[at], &pattern[at + 1..]);
    if sign == b'#' {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != ',').unwrap_or(rest.len());
        return end > 0 && is_like(&rest[end..], behind);
    }
    let next = behind.find(['#', '*']).unwrap_or(behind.len());
    if next == 0 {
        return behind.is_empty()
            || rest.match_indices(|c: char| c.is_ascii_digit()).any(|(at, _)| is_like(&rest[at..], behind));
    }
    if next == behind.len() {
        return rest.ends_with(behind);
    }
    // The first match is enough for the patterns here, whose literals are words of the tool's.
    rest.find(&behind[..next]).is_some_and(|at| is_like(&rest[at..], behind))
}

/// Whether a line matches one of the patterns.
pub fn is_like_any(line: &str, patterns: &[&str]) -> bool {
    line.bytes().next().is_some_and(|first| {
        patterns.iter().any(|pattern| may_begin(pattern, first) && is_like(line, pattern))
    })
}

/// Whether a line that begins with this byte may match the pattern.
fn may_begin(pattern: &str, first: u8) -> bool {
    match pattern.as_bytes() {
        [b'#', ..] => first.is_ascii_digit() || first == b',',
        [b'*', ..] | [] => true,
        [b'\\', sign, ..] | [sign, ..] => *sign == first,
    }
}

/// The lines that match one of the patterns and belong to no record yet. Most lines match none, and their first byte
/// says so.
fn like<'s>(
    section: &'s Section<'_>,
    records: &'s Records<'_>,
    patterns: &'s [&str],
) -> impl Iterator<Item = usize> + 's {
    let mut begins = [false; 256];
    for (first, begins) in (0..=u8::MAX).zip(&mut begins) {
        *begins = patterns.iter().any(|pattern| may_begin(pattern, first));
    }
    (0..section.lines.len()).filter(move |at| {
        let line = section.text(*at).trim_start();
        line.bytes().next().is_some_and(|first| begins[usize::from(first)])
            && records.is_free(*at)
            && is_like_any(line.trim_end(), patterns)
    })
}

/// Adds lines that match the patterns as totals; lines that follow one another become one total.
pub fn totals<'t>(section: &Section<'t>, records: &mut Records<'t>, patterns: &[&str]) {
    add_totals(section, records, patterns, false);
}

/// Does the same for totals that are told behind what they sum up.
pub fn closing<'t>(section: &Section<'t>, records: &mut Records<'t>, patterns: &[&str]) {
    add_totals(section, records, patterns, true);
}

fn add_totals<'t>(section: &Section<'t>, records: &mut Records<'t>, patterns: &[&str], is_closing: bool) {
    let found: Vec<usize> = like(section, records, patterns).collect();
    for run in found.chunk_by(|at, next| at + 1 == *next) {
        let said: Vec<Said<'t>> = run.iter().map(|at| section.quote(*at, section.text(*at).trim())).collect();
        let counts = said.iter().flat_map(|said| counts(said.text)).collect();
        records.add(run[0]..run[0] + run.len(), Total { is_closing, said, counts, ..Total::default() });
    }
}

/// Drops lines that match the patterns as headings.
pub fn headings(section: &Section<'_>, records: &mut Records<'_>, patterns: &[&str]) {
    let found: Vec<usize> = like(section, records, patterns).collect();
    for at in found {
        records.drop_lines(at..at + 1, Dropped::Heading);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_whole_lines() {
        assert!(is_like(
            "Found 12 errors in 3 files (checked 4 source files)",
            "Found # error* in # file* (checked # source file*)"
        ));
        assert!(is_like(
            "Found 1 error in 1 file (checked 1 source file)",
            "Found # error* in # file* (checked # source file*)"
        ));
        assert!(is_like("✖ 18 problems (14 errors, 4 warnings)", "✖ # problem* (# error*, # warning*)"));
        assert!(!is_like("Found errors in 3 files", "Found # error* in # file*"));
        assert!(!is_like("I Found 3 errors.", "Found # error*"));
        assert!(is_like_any("a", &["b", "*"]) && !is_like_any("a", &["b*", "\\*a"]));
        assert!(is_like("a", "*") && is_like("", "*") && is_like("ab", "a*") && !is_like("b", "a*"));
    }
}
