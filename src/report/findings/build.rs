//! Programs that run compilers and linkers (make, ninja), linkers (ld), and formatters that only name files.

use super::super::record::{Dropped, Finding, Place, Severity, Total, What};
use super::super::section::{Family, Section};
use super::{form, word};

const COMPILERS: &[&str] = &["gcc", "g++", "cc", "c++", "clang", "clang++", "ar", "ranlib"];

pub fn make(section: &mut Section<'_>, family: &Family) {
    let found = section.each_free(|section, at| {
        let line = section.text(at).trim_end();
        // What failed under make says why. This line says that make gave up, so it is a total.
        let is_error = make_error(line);
        if !is_error && !line.starts_with("FAILED: ") {
            return None;
        }
        // Ninja shows the command that failed in the line below.
        let has_command = !is_error && section.is_free(at + 1) && is_command(section.text(at + 1));
        let end = at + 1 + usize::from(has_command);
        section.add(at..end, Total { said: vec![section.quote(at, line)], ..Total::default() });
        Some(end)
    });
    let compiled = section.records.iter().any(|record| matches!(record.what, What::Finding(_)));
    section.totals(family.totals);
    if found || compiled {
        section.headings(family.headings);
        section.drop_headings(is_command);
    }
}

/// Whether a line is a compiler's command as make repeats it: `gcc -Wall -c a.c -o a.o`.
fn is_command(line: &str) -> bool {
    let program = line.split(' ').next().unwrap_or("");
    let name = program.rsplit('/').next().unwrap_or("");
    COMPILERS.contains(&name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-'))
        && (line.contains(" -c ") || line.contains(" -o ") || name == "ar" || name == "ranlib")
}

/// Whether a line says that make gave up: `make[1]: *** [Makefile:8: link] Error 1`.
fn make_error(line: &str) -> bool {
    line.split_once(": *** ").is_some_and(|(make, _)| {
        let name = make.split('[').next().unwrap_or("");
        name.ends_with("make") && !name.contains(' ')
    })
}

pub fn linker(section: &mut Section<'_>, _: &Family) {
    let mut function = None;
    section.each_free(|section, at| {
        let line = section.text(at).trim_end();
        if let Some(mut finding) = link_error(line) {
            // The function that refers to the missing symbol.
            finding.notes.extend(function.filter(|_| finding.place.is_some()));
            section.add(at..at + 1, finding);
        } else if let Some(line) = line.strip_suffix(':')
            && let Some(start) = line.find(": in function `")
        {
            function = Some(section.quote(at, &line[start + 2..]));
            section.drop_lines(at..at + 1, Dropped::Heading);
        }
        None
    });
}

/// ``/usr/bin/ld: a.c:(.text+0xa): undefined reference to `f'``, `/usr/bin/ld: cannot find -lfoo: …`,
/// `collect2: error: ld returned 1 exit status`.
fn link_error(line: &str) -> Option<Finding<'_>> {
    let (linker, rest) = line.split_once(": ").filter(|(name, _)| is_linker(name)).unwrap_or(("", line));
    if let Some((file, rest)) = rest.split_once(":(.")
        && let Some((_, message)) = rest.split_once("): ")
    {
        let place = Some(Place::of_file(file));
        return form::is_path(file).then(|| Finding::new(place, "", Severity::Error, "", message));
    }
    if let Some((place, rest)) = form::colons(rest)
        && rest.starts_with(": undefined reference to ")
    {
        return Some(Finding::new(Some(place), "", Severity::Error, "", &rest[2..]));
    }
    if linker.is_empty() || rest.contains(": in function `") {
        return None;
    }
    let word = rest.split(": ").next().unwrap_or("");
    Some(Finding::new(None, "", word::severity(word).unwrap_or(Severity::Error), "", line))
}

fn is_linker(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or("");
    matches!(name, "ld" | "ld.lld" | "ld.gold" | "ld.bfd" | "ld64.lld" | "lld" | "collect2" | "mold")
        || name.ends_with("-ld")
}

pub fn unformatted(section: &mut Section<'_>, family: &Family) {
    let is_prettier = section.lines.iter().any(|line| {
        line.text.starts_with("Checking formatting...") || line.text.starts_with("[warn] Code style issues")
    });
    let found = section.each_finding(|section, at| {
        let by_black = black(section.text(at).trim_end()).map(|finding| (finding, at + 1));
        by_black.or_else(|| prettier(section, at).filter(|_| is_prettier))
    });
    section.totals(family.totals);
    if found || is_prettier {
        section.headings(family.headings);
    }
}

/// `would reformat src/a.py`, `error: cannot format src/a.py: …`.
fn black(line: &str) -> Option<Finding<'_>> {
    if let Some(file) = line.strip_prefix("would reformat ") {
        let place = Some(Place::of_file(file));
        return Some(Finding::new(place, "", Severity::Warning, "", "would reformat"));
    }
    let (file, message) = line.strip_prefix("error: cannot format ")?.split_once(": ")?;
    Some(Finding::new(Some(Place::of_file(file)), "error", Severity::Error, "", message))
}

/// `[warn] src/a.ts`, or `[error] src/a.ts: …` with an excerpt below; and the line behind it.
fn prettier<'t>(section: &Section<'t>, at: usize) -> Option<(Finding<'t>, usize)> {
    let line = section.text(at).trim_end();
    if let Some(file) = line.strip_prefix("[warn] ") {
        let is_file = form::is_path(file) && !file.starts_with("Code style issues");
        let place = Some(Place::of_file(file));
        let finding = Finding::new(place, "warn", Severity::Warning, "", "not formatted");
        return is_file.then_some((finding, at + 1));
    }
    let mut finding = prettier_error(line.strip_prefix("[error] ")?)?;
    let mut end = at + 1;
    while section.is_free(end)
        && let Some(shown) = section.text(end).strip_prefix("[error]").filter(|rest| rest.contains('|'))
    {
        let source = shown.trim().strip_prefix('>').and_then(|rest| rest.split_once('|'));
        if let Some((_, source)) = source.filter(|_| finding.source.is_empty()) {
            finding.source.push(section.quote(end, source.trim()));
        }
        end += 1;
    }
    Some((finding, end))
}

/// `src/bad.ts: SyntaxError: '}' expected. (2:1)`.
fn prettier_error(rest: &str) -> Option<Finding<'_>> {
    let (file, message) = rest.split_once(": ")?;
    let position = message.strip_suffix(')').and_then(|message| message.rsplit_once(" ("));
    let place = position.and_then(|(_, position)| {
        let (line, column) = position.split_once(':')?;
        Some(Place { file, line: line.parse().ok()?, column: column.parse().ok() })
    });
    let message = position.filter(|_| place.is_some()).map_or(message, |(message, _)| message);
    let place = place.or(Some(Place::of_file(file)));
    Some(Finding::new(place, "error", Severity::Error, "", message))
}
