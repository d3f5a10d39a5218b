//! Filters behind a pipe that only show a part of a command's output: `| head -20`, `| grep -i error`.
//!
//! Where the user has switched `strip_filters` on, they are taken off, and the agent gets the whole output,
//! compressed. A filter that gives something other than lines of its input (a count, a numeric order, a rewritten
//! line) stays, and the whole command line stays as it is.

use once_cell::sync::Lazy;
use regex::Regex;

use super::line::{Simple, value};
use crate::words::Call;

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
        let Some(call) = Call::read(self.with_value, "", arguments.iter().map(String::as_str)) else {
            return false;
        };
        let is_allowed = |&(option, value): &(&str, &str)| match (option, self.name) {
            ("n", "sed") => SELECTION.is_match(value),
            ("n", "tail") => !value.is_empty() && !value.starts_with('+'),
            _ if option.len() != 1 => false,
            _ => self.flags.contains(option) || self.with_value.contains(option) && !value.is_empty(),
        };
        let operands = if call.last_of(&["e"]).is_some() { 0 } else { self.operands };
        call.options.iter().all(is_allowed)
            && call.operands.len() == operands
            && (self.name != "awk" || SELECTION.is_match(call.operands[0]))
    }
}

/// A program of awk or sed that only selects lines or columns: `/re/`, `/re/p`, `1,20p`, `{print $1, $3}`.
static SELECTION: Lazy<Regex> = Lazy::new(|| {
    let (address, column) = (r"(\$|[0-9]+)", r"\s*\$(\$|[0-9]+)\s*");
    let forms = format!(r"/[^/]+/p?|{address}(,{address})*p|\{{print {column}(,{column})*\}}");
    Regex::new(&format!(r"^\s*({forms})\s*$")).expect("a valid pattern")
});
