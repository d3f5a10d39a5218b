//! Programs that run compilers and linkers: make, ninja.

use super::super::record::{Total, What};
use super::super::section::{Family, Section};
use super::super::words::COMPILERS;

pub fn read(section: &mut Section<'_>, family: &Family) {
    let found = section.each_free(|section, at| {
        let line = section.text(at).trim_end();
        // What failed under make says why. This line says that make gave up, so it is a total behind that.
        let is_error = make_error(line);
        if !is_error && !line.starts_with("FAILED: ") {
            return None;
        }
        // Ninja shows the command that failed in the line below.
        let has_command = !is_error && section.is_free(at + 1) && is_command(section.text(at + 1));
        let end = at + 1 + usize::from(has_command);
        let said = vec![section.quote(at, line)];
        section.add(at..end, Total { is_closing: is_error, said, ..Total::default() });
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
