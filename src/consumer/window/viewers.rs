//! Viewers: programs that hand on lines of their input, and do nothing else. One table gives, by name, the options
//! that take a value, those with which the program does something else, and what it shows.

use once_cell::sync::Lazy;
use regex::Regex;

use super::super::processes::base;
use crate::words::Call;

/// What a viewer shows of the lines of its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    All,
    First(u64),
    /// All lines but this many last ones.
    AllBut(u64),
    Last(u64),
    /// All from this line on, counted from 1.
    From(u64),
    /// Some lines, or parts of them; which ones cannot be told without doing the same work.
    Some,
}

/// The operands that a viewer may have and still read its standard input.
#[derive(Clone, Copy)]
enum Operands {
    None,
    Any,
    /// A pattern, unless an option has given it.
    Pattern,
    /// A script, unless an option has given it.
    Script,
    /// Commands to the viewer itself: `+G`.
    Commands,
}

impl Operands {
    fn allow(self, call: &Call<'_>) -> bool {
        let most = match self {
            Self::Any => usize::MAX,
            Self::Pattern if call.last_of(&["e", "f", "regexp", "file"]).is_none() => 1,
            Self::Script if call.last_of(&["e", "expression"]).is_none() => 1,
            Self::Commands => {
                return call.operands.iter().all(|operand| *operand == "-" || operand.starts_with('+'));
            }
            _ => 0,
        };
        call.operands.iter().skip(most).all(|operand| *operand == "-")
    }
}

/// A viewer, and how it is told by its arguments.
struct Known {
    name: &'static str,
    /// Options of one letter that take a value.
    values: &'static str,
    /// Long options that take a value as an argument of its own, as words.
    long_values: &'static str,
    /// Options with which it is no viewer: letters, then long ones as words.
    not: (&'static str, &'static str),
    operands: Operands,
    shows: fn(&Call<'_>) -> Option<Shows>,
}

const ALL: fn(&Call<'_>) -> Option<Shows> = |_| Some(Shows::All);
const SOME: fn(&Call<'_>) -> Option<Shows> = |_| Some(Shows::Some);

const GREP_VALUES: &str = "regexp file after-context before-context context max-count label binary-files directories devices include exclude exclude-from exclude-dir";
/// Options with which grep prints a count, names of files or a verdict in place of lines, or searches the files
/// below a directory.
const GREP_NOT: (&str, &str) =
    ("qclLrR", "quiet silent count files-with-matches files-without-match recursive dereference-recursive");

#[rustfmt::skip]
static VIEWERS: &[Known] = &[
    Known { name: "cat", values: "", long_values: "", not: ("", ""), operands: Operands::None, shows: ALL },
    Known { name: "cut", values: "bcdf", long_values: "bytes characters delimiter fields output-delimiter", not: ("", ""), operands: Operands::None, shows: SOME },
    Known { name: "egrep", values: "eABCfmdD", long_values: GREP_VALUES, not: GREP_NOT, operands: Operands::Pattern, shows: SOME },
    Known { name: "fgrep", values: "eABCfmdD", long_values: GREP_VALUES, not: GREP_NOT, operands: Operands::Pattern, shows: SOME },
    Known { name: "fold", values: "w", long_values: "width", not: ("", ""), operands: Operands::None, shows: ALL },
    Known { name: "grep", values: "eABCfmdD", long_values: GREP_VALUES, not: GREP_NOT, operands: Operands::Pattern, shows: SOME },
    Known { name: "head", values: "nc", long_values: "lines bytes", not: ("", ""), operands: Operands::None, shows: |call| ends(call, Shows::First, '-', Shows::AllBut) },
    Known { name: "less", values: "bhjkoOpPtTxyz", long_values: "", not: ("", ""), operands: Operands::Commands, shows: ALL },
    Known { name: "more", values: "n", long_values: "lines", not: ("", ""), operands: Operands::Commands, shows: ALL },
    Known { name: "nl", values: "bdfhilnsvw", long_values: "body-numbering section-delimiter footer-numbering header-numbering line-increment join-blank-lines number-format number-separator starting-line-number number-width", not: ("", ""), operands: Operands::None, shows: ALL },
    Known { name: "rg", values: "eABCfmgtTjEMr", long_values: "regexp file after-context before-context context max-count glob iglob type type-not threads encoding max-columns replace color colors engine sort", not: ("qcl", "quiet count count-matches files files-with-matches files-without-match json type-list stats"), operands: Operands::Pattern, shows: SOME },
    Known { name: "sed", values: "efl", long_values: "expression file line-length", not: ("fi", "file in-place"), operands: Operands::Script, shows: sed },
    Known { name: "tail", values: "ncs", long_values: "lines bytes sleep-interval pid max-unchanged-stats", not: ("", ""), operands: Operands::None, shows: |call| ends(call, Shows::Last, '+', Shows::From) },
    Known { name: "tr", values: "", long_values: "", not: ("", ""), operands: Operands::Any, shows: SOME },
];

/// Executables that are many programs in one, told apart by `argv[0]`.
const MANY_IN_ONE: &[&str] = &["busybox", "coreutils", "toybox"];

/// The name of a viewer and what it shows of its standard input, for a process with these arguments that runs the
/// file `executable`; `None` where that is no viewer. `more_names` are the user's own.
pub fn recognise(executable: &[u8], arguments: &[&[u8]], more_names: &[String]) -> Option<(String, Shows)> {
    let base = |path| std::str::from_utf8(base(path)).ok();
    let (first, mut rest) = arguments.split_first()?;
    let (mut name, file) = (base(first)?, base(executable)?);
    if MANY_IN_ONE.contains(&name) && name == file {
        let (applet, behind) = rest.split_first()?;
        (name, rest) = (base(applet)?, behind);
    }
    if name != file && !MANY_IN_ONE.contains(&file) {
        return None;
    }
    if more_names.iter().any(|known| known == name) {
        return Some((name.into(), Shows::Some));
    }
    let known = VIEWERS.iter().find(|known| known.name == name)?;
    let rest =
        rest.iter().map(|argument| std::str::from_utf8(argument)).collect::<Result<Vec<_>, _>>().ok()?;
    let call = Call::read(known.values, known.long_values, rest)?;
    let (letters, words) = known.not;
    let is_refused = |(option, _): &(&str, &str)| match option.len() {
        1 => letters.contains(option),
        _ => words.split_whitespace().any(|word| word == *option),
    };
    if call.options.iter().any(is_refused) || !known.operands.allow(&call) {
        return None;
    }
    Some((name.into(), (known.shows)(&call)?))
}

/// Lines that `head` and `tail` show where no option says how many (POSIX, head and tail).
const TEN: u64 = 10;

/// What a number of lines means to `head` and `tail`: `plain`, or with this `sign` before it `signed`.
#[expect(clippy::unnecessary_wraps, reason = "for entries of the table")]
fn ends(call: &Call<'_>, plain: fn(u64) -> Shows, sign: char, signed: fn(u64) -> Shows) -> Option<Shows> {
    Some(match call.last_of(&["n", "lines", "c", "bytes"]) {
        None => plain(TEN),
        Some(("n" | "lines", value)) => match value.strip_prefix(sign) {
            Some(count) => count.parse().map_or(Shows::Some, signed),
            None => value.strip_prefix('-').unwrap_or(value).parse().map_or(Shows::Some, plain),
        },
        Some(_) => Shows::Some,
    })
}

/// sed is a viewer only with `-n`, and with scripts that only print.
fn sed(call: &Call<'_>) -> Option<Shows> {
    let quiet = call.last_of(&["n", "quiet", "silent"]).is_some();
    let mut expressions =
        call.options.iter().filter(|(option, _)| matches!(*option, "e" | "expression")).peekable();
    let only_prints = match expressions.peek() {
        Some(_) => expressions.all(|(_, script)| prints(script)),
        None => prints(call.operands.first()?),
    };
    (quiet && only_prints).then_some(Shows::Some)
}

/// Whether every command of a sed script is a `p`, or a `q` that ends it: `1,5p`, `/a/,/b/p;$p`, `2p;3q`.
fn prints(script: &str) -> bool {
    static PRINTS: Lazy<Option<Regex>> = Lazy::new(|| {
        let addresses = r"(?:[0-9$,!~+ I]|/(?:[^/\\]|\\.)*/)*";
        let between = format!(r"(?:[\s;{{}}]|{addresses}\{{)*");
        let command = format!(r"{addresses}[pq](?: *[pq])* *(?:[;\n}}]|$)");
        Regex::new(&format!("(?s)^{between}(?:{command}{between})+$")).ok()
    });
    PRINTS.as_ref().is_some_and(|prints| prints.is_match(script))
}
