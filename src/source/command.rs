//! Commands that print files as they are, told by their arguments: which files, which lines, numbered or not.

use crate::commands::{base_name, positional};
use crate::hidden;
use crate::words::{Call, quote};

#[derive(Debug, PartialEq, Eq)]
pub struct Request<'a> {
    /// The files, in the order asked for.
    pub files: Vec<&'a str>,
    pub lines: Lines,
    /// What stands in front of each line.
    pub numbers: Numbers,
    /// The command without the files: it prints a whole file as this one does.
    pub command: String,
    /// Whether the files lie on a disk.
    pub on_disk: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// From the first to the last; `u64::MAX` is the end.
    Range(u64, u64),
    /// This many at the end.
    Last(u64),
}

impl Lines {
    pub const ALL: Self = Self::Range(1, u64::MAX);
}

/// What stands in front of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    None,
    /// The number of every line: `cat -n`.
    All,
    /// The number among the lines that are not empty: `nl`.
    Filled,
}

/// A tool that prints files, and how its arguments are read.
struct Tool {
    names: &'static str,
    /// Options of one letter that take a value, then long ones as words.
    values: (&'static str, &'static str),
    read: fn(&Call<'_>) -> Option<(Lines, Numbers)>,
}

#[rustfmt::skip]
static TOOLS: &[Tool] = &[
    Tool { names: "cat", values: ("", ""), read: cat },
    Tool { names: "bat batcat", values: ("r", "line-range style color paging"), read: bat },
    Tool { names: "nl", values: ("b", "body-numbering"), read: nl },
    Tool { names: "head", values: ("n", "lines"), read: head },
    Tool { names: "tail", values: ("n", "lines"), read: tail },
    Tool { names: "sed", values: ("e", "expression"), read: sed },
    Tool { names: "awk gawk mawk", values: ("", ""), read: awk },
];

pub fn is_reader(name: &str) -> bool {
    TOOLS.iter().any(|tool| tool.names.split(' ').any(|known| known == name))
}

impl<'a> Request<'a> {
    /// What `name` is asked to print by these arguments; `None` where that is not known for sure: by other options,
    /// from standard input, of names that cannot be named again.
    pub fn read(name: &str, arguments: &[&'a str]) -> Option<Self> {
        let tool = TOOLS.iter().find(|tool| tool.names.split(' ').any(|known| known == name))?;
        let (values, long_values) = tool.values;
        let call = Call::read(values, long_values, arguments.iter().copied())?;
        let (lines, numbers) = (tool.read)(&call)?;
        // The script of sed and awk, unless an option gave it.
        let script = matches!(name, "sed" | "awk" | "gawk" | "mawk") && call.value("e").is_none();
        let files = call.operands[usize::from(script)..].to_vec();
        let is_name = |name: &&str| *name != "-" && !name.is_empty() && !hidden::is_in_text(name.as_bytes());
        let is_one = lines == Lines::ALL && numbers == Numbers::None;
        let known = files.iter().all(is_name) && (files.len() == 1 || is_one && !script);
        let options = arguments.iter().filter(|word| word.starts_with('-') && **word != "--");
        let words = std::iter::once(name).chain(options.copied().filter(|_| lines == Lines::ALL));
        let command = words.map(quote).collect::<Vec<_>>().join(" ");
        (known && !files.is_empty()).then_some(Self { files, lines, numbers, command, on_disk: true })
    }

    /// The file of a revision that `git show REV:FILE` prints; `None` for any other command.
    pub fn of_revision(words: &'a [String]) -> Option<Self> {
        let (file, before) = words.split_last()?;
        let is_named =
            file.split_once(':').is_some_and(|(_, path)| !path.is_empty()) && !file.starts_with('-');
        let is_show = before.last()? == "show" && base_name(&words[0]) == "git";
        let is_only = positional(words) == ["show", file] && !hidden::is_in_text(file.as_bytes());
        let command = before.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ");
        let asked =
            Self { files: vec![file], lines: Lines::ALL, numbers: Numbers::None, command, on_disk: false };
        (is_named && is_show && is_only).then_some(asked)
    }
}

fn cat(call: &Call<'_>) -> Option<(Lines, Numbers)> {
    let numbers = if call.options.is_empty() { Numbers::None } else { Numbers::All };
    call.has_only(&["n", "number"]).then_some((Lines::ALL, numbers))
}

/// bat prints plainly where nobody's terminal is its output.
fn bat(call: &Call<'_>) -> Option<(Lines, Numbers)> {
    let is_plain = |(option, value): &(&str, &str)| match *option {
        "p" | "plain" | "P" | "r" | "line-range" => true,
        "style" => *value == "plain",
        "color" | "paging" => *value == "never",
        _ => false,
    };
    let lines = match call.value("r").or_else(|| call.value("line-range")) {
        None => Lines::ALL,
        Some(range) => {
            let (first, last) = range.split_once(':')?;
            let number = |text: &str, default| if text.is_empty() { Some(default) } else { number(text) };
            Lines::Range(number(first, 1)?, number(last, u64::MAX)?)
        }
    };
    call.options.iter().all(is_plain).then_some((lines, Numbers::None))
}

fn nl(call: &Call<'_>) -> Option<(Lines, Numbers)> {
    let numbers = match call.value("b").or_else(|| call.value("body-numbering")) {
        None | Some("t") => Numbers::Filled,
        Some("a") => Numbers::All,
        Some(_) => return None,
    };
    call.has_only(&["b", "body-numbering"]).then_some((Lines::ALL, numbers))
}

/// Lines that head and tail print where no option says how many (POSIX, head and tail).
const TEN: &str = "10";

fn head(call: &Call<'_>) -> Option<(Lines, Numbers)> {
    let count = call.last_of(&["n", "lines"]).map_or(TEN, |(_, count)| count);
    let lines = Lines::Range(1, number(count)?);
    call.has_only(&["n", "lines"]).then_some((lines, Numbers::None))
}

fn tail(call: &Call<'_>) -> Option<(Lines, Numbers)> {
    let count = call.last_of(&["n", "lines"]).map_or(TEN, |(_, count)| count);
    let lines = match count.strip_prefix('+') {
        Some(first) => Lines::Range(number(first)?, u64::MAX),
        None => Lines::Last(number(count)?),
    };
    call.has_only(&["n", "lines"]).then_some((lines, Numbers::None))
}

/// `sed -n 'A,Bp'`, with `B` a number, `$` or `+N`.
fn sed(call: &Call<'_>) -> Option<(Lines, Numbers)> {
    let script = match call.options.iter().filter(|(option, _)| matches!(*option, "e" | "expression")).count()
    {
        0 => call.operands.first()?,
        1 => call.value("e")?,
        _ => return None,
    };
    let range = script.trim().strip_suffix('p')?.trim_end();
    let (first, last) = range.split_once(',').unwrap_or((range, range));
    let first = number(first.trim_end())?;
    let last = match last.trim_start() {
        "$" => u64::MAX,
        last => match last.strip_prefix('+') {
            Some(more) => first.checked_add(number(more).or_else(|| (more == "0").then_some(0))?)?,
            // One line where the last comes before the first (POSIX, sed).
            None => number(last)?.max(first),
        },
    };
    let is_quiet = call.last_of(&["n", "quiet", "silent"]).is_some();
    let is_known = call.has_only(&["n", "quiet", "silent", "e"]);
    (is_quiet && is_known).then_some((Lines::Range(first, last), Numbers::None))
}

/// `awk 'NR>=A && NR<=B'`, one of the two, or `NR==A, NR==B`, with or without `{print}`.
fn awk(call: &Call<'_>) -> Option<(Lines, Numbers)> {
    let script: String = call.operands.first()?.split_whitespace().collect();
    let pattern = ["{print}", "{print$0}"].iter().find_map(|end| script.strip_suffix(end)).unwrap_or(&script);
    let (first, last) = match pattern.split_once("&&").or_else(|| pattern.split_once(',')) {
        Some((first, last)) => (first, Some(last)),
        None => (pattern, None),
    };
    let is_switch = pattern.contains(',');
    let (begins, ends) = if is_switch { ("NR==", "NR==") } else { ("NR>=", "NR<=") };
    let range = match (first.strip_prefix(begins), last) {
        (Some(first), Some(last)) => (number(first)?, number(last.strip_prefix(ends)?)?),
        (Some(first), None) if !is_switch => (number(first)?, u64::MAX),
        (None, None) => (1, number(first.strip_prefix(ends)?)?),
        _ => return None,
    };
    (call.options.is_empty() && range.0 <= range.1).then_some((Lines::Range(range.0, range.1), Numbers::None))
}

/// A number from 1 on, in digits alone.
fn number(text: &str) -> Option<u64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| is_plain && *number > 0)
}

/// The file as a word of a command; a name that begins with `-` is no option there.
pub fn word(file: &str) -> String {
    if file.starts_with('-') { quote(&format!("./{file}")) } else { quote(file) }
}
