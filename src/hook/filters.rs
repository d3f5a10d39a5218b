//! Filters behind a pipe that only show a part of a command's output: `| head -20`, `| grep -i error`.
//!
//! Where the user has switched `strip_filters` on, they are taken off, and the agent gets the whole output,
//! compressed. A filter that gives something other than lines of its input (a count, a numeric order, a rewritten
//! line) stays, and the whole command line stays as it is.

use std::sync::LazyLock;

use regex::Regex;

use super::line::Simple;
use super::word::value;

/// A filter by its name: options without a value, options with one, and the number of its operands when it reads
/// standard input. awk's is a program to be checked.
struct Filter {
    name: &'static str,
    flags: &'static str,
    with_value: &'static str,
    operands: usize,
}

const FILTERS: &[Filter] = &[
    Filter { name: "head", flags: "", with_value: "n", operands: 0 },
    Filter { name: "tail", flags: "", with_value: "n", operands: 0 },
    Filter { name: "grep", flags: "EFPGiwxnhav", with_value: "ABCe", operands: 1 },
    Filter { name: "sort", flags: "fbdi", with_value: "", operands: 0 },
    Filter { name: "uniq", flags: "", with_value: "", operands: 0 },
    Filter { name: "cut", flags: "s", with_value: "dfc", operands: 0 },
    Filter { name: "awk", flags: "", with_value: "F", operands: 1 },
    Filter { name: "sed", flags: "", with_value: "n", operands: 0 },
];

/// Whether the stage only shows a part of its input.
pub fn shows_a_part(stage: &Simple<'_>) -> bool {
    if !stage.assignments.is_empty() || stage.merge.is_some() {
        return false;
    }
    let words = (0..stage.words.len()).map(|index| value(stage.word(index))).collect::<Option<Vec<_>>>();
    let Some(words) = words else { return false };
    FILTERS.iter().any(|filter| filter.name == words[0] && filter.accepts(&words[1..]))
}

impl Filter {
    fn accepts(&self, arguments: &[String]) -> bool {
        let mut operands = self.operands;
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let Some(letters) = argument.strip_prefix('-').filter(|letters| !letters.is_empty()) else {
                let allowed = operands > 0 && (self.name != "awk" || SELECTION.is_match(argument));
                if !allowed {
                    return false;
                }
                operands -= 1;
                continue;
            };
            if letters.bytes().all(|b| b.is_ascii_digit()) && matches!(self.name, "head" | "tail" | "grep") {
                continue;
            }
            let plain = letters.trim_start_matches(|c| self.flags.contains(c));
            let Some(letter) = plain.chars().next() else { continue };
            if !self.with_value.contains(letter) {
                return false;
            }
            let inside = &plain[1..];
            let value = if inside.is_empty() { arguments.next().map_or("", String::as_str) } else { inside };
            match letter {
                _ if value.is_empty() => return false,
                'n' if self.name == "sed" && !SELECTION.is_match(value) => return false,
                'n' if self.name == "tail" && value.starts_with('+') => return false,
                'e' => operands = 0,
                _ => {}
            }
        }
        operands == 0
    }
}

/// A program of awk or sed that only selects lines or columns: `/re/`, `/re/p`, `1,20p`, `{print $1, $3}`.
static SELECTION: LazyLock<Regex> = LazyLock::new(|| {
    let (address, column) = (r"(\$|[0-9]+)", r"\s*\$(\$|[0-9]+)\s*");
    let forms = format!(r"/[^/]+/p?|{address}(,{address})*p|\{{print {column}(,{column})*\}}");
    Regex::new(&format!(r"^\s*({forms})\s*$")).expect("a valid pattern")
});
