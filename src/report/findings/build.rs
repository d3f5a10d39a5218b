//! Programs that run compilers and linkers (make, ninja), linkers (ld), and formatters that only name files.

use super::super::family::Family;
use super::super::record::{Dropped, Finding, Place, Severity, Total, What};
use super::super::section::{Records, Section};
use super::detail;
use super::form;
use super::{pattern, word};

/// make, cmake --build, ninja.
pub const MAKE: Family = Family {
    name: "make",
    signs: &["make: ", "make[", "ninja: ", "FAILED: ", "[100%] ", "%] Building "],
    read: make,
};
/// ld, gold, lld, called by a compiler.
pub const LINKER: Family = Family {
    name: "linker",
    signs: &[
        "undefined reference to ",
        "ld: ",
        "ld.lld: ",
        "ld.gold: ",
        "collect2: ",
        "linker command failed",
    ],
    read: linker,
};
/// black, prettier: names of files.
pub const UNFORMATTED: Family = Family {
    name: "unformatted",
    signs: &[
        "would reformat ",
        "[warn] ",
        "[error] ",
        "files would be ",
        "use Prettier code style",
        "would be left unchanged",
    ],
    read: unformatted,
};

const COMPILERS: &[&str] = &["gcc", "g++", "cc", "c++", "clang", "clang++", "ar", "ranlib"];

fn make<'t>(section: &Section<'t>, records: &mut Records<'t>) {
    let mut found = false;
    for at in 0..section.lines.len() {
        let line = section.text(at).trim_end();
        if !records.is_free(at) {
            continue;
        }
        // What failed under make says why. This line says that make gave up, so it is a total.
        let is_error = make_error(line);
        if is_error || line.starts_with("FAILED: ") {
            // Ninja shows the command that failed in the line below.
            let end = at
                + 1
                + usize::from(!is_error && records.is_free(at + 1) && is_command(section.text(at + 1)));
            let said = vec![section.quote(at, line)];
            found |= records.add(at..end, Total { said, ..Total::default() });
        }
    }
    let compiled = records.found.iter().any(|record| matches!(record.what, What::Finding(_)));
    pattern::totals(
        section,
        records,
        &[
            "ninja: build stopped: *",
            "ninja: no work to do.",
            "[100%] Built target *",
            "make: Nothing to be done *",
            "ninja: error: *",
        ],
    );
    if found || compiled {
        pattern::headings(
            section,
            records,
            &[
                "make*: Entering directory *",
                "make*: Leaving directory *",
                "[*%] Building *",
                "[*%] Linking *",
                "[*%] Built target *",
                "[*%] Generating *",
                "[#/#] Building *",
                "[#/#] Linking *",
                "gmake*: Entering directory *",
                "gmake*: Leaving directory *",
                "Scanning dependencies of target *",
                "Consolidate compiler generated dependencies of target *",
                "*make*: Target * not remade because of errors.",
                "ninja: Entering directory *",
            ],
        );
        records.drop_headings(section, is_command);
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

fn linker<'t>(section: &Section<'t>, records: &mut Records<'t>) {
    let mut function = None;
    for at in 0..section.lines.len() {
        let line = section.text(at).trim_end();
        if !records.is_free(at) {
            continue;
        }
        if let Some(mut finding) = link_error(line) {
            // The function that refers to the missing symbol.
            finding.notes.extend(function.filter(|_| finding.place.is_some()));
            records.add(at..at + 1, finding);
        } else if let Some((_, name)) =
            line.strip_suffix(':').and_then(|line| line.split_once(": in function `"))
        {
            function = Some(
                section.quote(at, &line[line.len() - name.len() - "in function `:".len()..line.len() - 1]),
            );
            records.drop_lines(at..at + 1, Dropped::Heading);
        }
    }
}

/// ``/usr/bin/ld: a.c:(.text+0xa): undefined reference to `f'``, `/usr/bin/ld: cannot find -lfoo: …`,
/// `collect2: error: ld returned 1 exit status`.
fn link_error(line: &str) -> Option<Finding<'_>> {
    let (linker, rest) = match line.split_once(": ").filter(|(name, _)| is_linker(name)) {
        Some((linker, rest)) => (linker, rest),
        None => ("", line),
    };
    if let Some((file, rest)) =
        rest.split_once(":(.").and_then(|(file, rest)| Some((file, rest.split_once("): ")?.1)))
    {
        let place = form::is_path(file).then_some(Place::of_file(file))?;
        return Some(detail::finding(Some(place), "", Severity::Error, "", rest));
    }
    if let Some((place, message)) = form::colons(rest)
        .and_then(|(place, rest)| Some((place, rest.strip_prefix(": undefined reference to ")?)))
    {
        let message = &line[line.len() - message.len() - "undefined reference to ".len()..];
        return Some(detail::finding(Some(place), "", Severity::Error, "", message));
    }
    if linker.is_empty() || rest.contains(": in function `") {
        return None;
    }
    let word = rest.split(": ").next().unwrap_or("");
    Some(detail::finding(None, "", word::severity(word).unwrap_or(Severity::Error), "", line))
}

fn is_linker(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or("");
    matches!(name, "ld" | "ld.lld" | "ld.gold" | "ld.bfd" | "ld64.lld" | "lld" | "collect2" | "mold")
        || name.ends_with("-ld")
}

fn unformatted<'t>(section: &Section<'t>, records: &mut Records<'t>) {
    let is_prettier = section.lines.iter().any(|line| {
        line.text.starts_with("Checking formatting...") || line.text.starts_with("[warn] Code style issues")
    });
    let mut found = false;
    records.each_free(|records, at| {
        let by_black = black(section.text(at).trim_end()).map(|finding| (finding, at + 1));
        let by_prettier = || prettier(section, records, at).filter(|_| is_prettier);
        let (finding, end) = by_black.or_else(by_prettier)?;
        found |= records.add(at..end, finding);
        Some(end)
    });
    pattern::totals(
        section,
        records,
        &[
            "# file* would be reformatted*",
            "# file* would be left unchanged.",
            "# file* failed to reformat*",
            "[warn] Code style issues found *",
            "All matched files use Prettier code style!",
            "Error occurred when checking code style in *",
            "# file* already formatted",
        ],
    );
    if found || is_prettier {
        pattern::headings(section, records, &["Checking formatting...", "Oh no! *", "All done! *"]);
    }
}

/// `would reformat src/a.py`, `error: cannot format src/a.py: …`.
fn black(line: &str) -> Option<Finding<'_>> {
    if let Some(file) = line.strip_prefix("would reformat ") {
        let place = Some(Place::of_file(file));
        return Some(detail::finding(place, "", Severity::Warning, "", "would reformat"));
    }
    let (file, message) = line.strip_prefix("error: cannot format ")?.split_once(": ")?;
    Some(detail::finding(Some(Place::of_file(file)), "error", Severity::Error, "", message))
}

/// `[warn] src/a.ts`, or `[error] src/a.ts: …` with an excerpt below; and the line behind it.
fn prettier<'t>(section: &Section<'t>, records: &Records<'t>, at: usize) -> Option<(Finding<'t>, usize)> {
    let line = section.text(at).trim_end();
    if let Some(file) = line.strip_prefix("[warn] ") {
        let is_file = form::is_path(file) && !file.starts_with("Code style issues");
        let place = Some(Place::of_file(file));
        let finding = detail::finding(place, "warn", Severity::Warning, "", "not formatted");
        return is_file.then_some((finding, at + 1));
    }
    let mut finding = prettier_error(line.strip_prefix("[error] ")?)?;
    let mut end = at + 1;
    while records.is_free(end)
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
    Some(detail::finding(place, "error", Severity::Error, "", message))
}
