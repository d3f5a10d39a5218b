//! The facts of a report, read by regular expressions that share nothing with `src/report`: for each failure its id and
//! its place, which belong on one line of the digest, and the first words that say why.

#[path = "facts_forms.rs"]
mod forms;

use regex::Regex;

pub use forms::SPECS;

/// How the failures of a runner are found in its raw text. The patterns of a block are looked for from its head on to
/// the next head or to `end`.
pub struct Spec {
    /// The directory of the fixtures.
    pub family: &'static str,
    /// The line that begins a failure; its group is its id.
    pub head: &'static str,
    /// A line that ends a block.
    pub end: &'static str,
    /// Groups 1 and 2: file and line.
    pub place: &'static str,
    /// Whether the block stands above its head; then the last place in it is its first.
    pub above: bool,
    /// Whether the last place of a block is the nearest frame.
    pub last: bool,
    /// Group 1: words that say why.
    pub why: &'static str,
    /// The runner's totals: group 1 verbatim.
    pub total: &'static str,
    /// A block counts only where the text has these words, `{}` being the id: for runners that name a test before its
    /// output.
    pub only: &'static str,
    /// Group 1: how many failed; the sum over the text is the number of failed tests. Empty: not to be compared.
    pub failed: &'static str,
}

/// Words that belong on one line of a digest.
pub type Fact = Vec<String>;

/// Whether a frame's file is not the project's, as far as the fixtures have such frames.
fn is_foreign(file: &str) -> bool {
    ["site-packages", "/usr/lib/", "node_modules", "node:", "/gems/", "babel", ".cargo/registry", "junit"]
        .iter()
        .any(|part| file.contains(part))
}

/// The facts of a text, by one row of the table.
pub fn read(spec: &Spec, text: &str) -> Vec<Fact> {
    let [head, end, place, why, total] =
        [spec.head, spec.end, spec.place, spec.why, spec.total].map(|pattern| Regex::new(pattern).unwrap());
    let lines: Vec<_> = text.lines().map(str::trim_end).collect();
    let mut facts: Vec<Fact> =
        lines.iter().filter_map(|line| Some(vec![total.captures(line)?[1].trim().to_owned()])).collect();
    for (at, line) in lines.iter().enumerate() {
        let Some(found) = head.captures(line) else { continue };
        let id = found.iter().skip(1).flatten().next().map_or("", |id| id.as_str());
        if !spec.only.is_empty() && !text.contains(&spec.only.replace("{}", id)) {
            continue;
        }
        let above = lines[..at].iter().rev();
        let rest: Vec<&str> = if spec.above { above.copied().collect() } else { lines[at + 1..].to_vec() };
        let length =
            rest.iter().position(|line| head.is_match(line) || end.is_match(line)).unwrap_or(rest.len());
        let block: Vec<&str> = std::iter::once(*line).chain(rest[..length].iter().copied()).collect();
        let mut places = block.iter().filter_map(|line| {
            let groups = place.captures(line)?;
            let of = |first, second| Some((groups.get(first)?.as_str(), groups.get(second)?.as_str()));
            of(1, 2).or_else(|| of(3, 4)).filter(|(file, _)| !is_foreign(file))
        });
        let place = if spec.last { places.next_back() } else { places.next() };
        let mut fact: Fact = vec![id.to_owned()];
        fact.extend(place.map(|(file, line)| format!("{file}:{line}")));
        facts.push(fact);
        let why = block.iter().skip(1).find_map(|line| why.captures(line));
        facts.extend(why.map(|why| vec![why[1].trim().chars().take(90).collect()]));
    }
    facts
}

/// The number of failures by the runner's own totals; `None` where these do not state it.
pub fn failed(spec: &Spec, text: &str) -> Option<u64> {
    if spec.failed.is_empty() {
        return None;
    }
    let pattern = Regex::new(spec.failed).unwrap();
    let counts = text
        .lines()
        .flat_map(|line| pattern.captures_iter(line).map(|found| found[1].parse::<u64>().unwrap()));
    Some(counts.sum())
}

/// The facts that no line of a digest has.
pub fn missing<'f>(facts: &'f [Fact], digest: &str) -> Vec<&'f Fact> {
    let lines = written_out(digest);
    facts
        .iter()
        .filter(|fact| !lines.iter().any(|line| fact.iter().all(|words| is_on(line, words))))
        .collect()
}

/// The lines of a digest as they stand, and one for each test of a list: `tests/a.py::T: test_x[1], [2] line 9` is
/// `tests/a.py::T::test_x[2] line 9`, too. Below `FAILED 3 more at src/a.js:7:` each line has that place, and below a line
/// that is a class (`tests/a.py::T:`) each name has that class.
fn written_out(digest: &str) -> Vec<String> {
    let head =
        Regex::new(r"^(?:FAILED|ERROR) \d+(?: more)?(?: at (.+?))?(?:, same message)?:(?: (.+))?$").unwrap();
    let first = Regex::new(r"^(?:FAILED|ERROR) (?:\d+.*?: )?(\S+?\.\w+)::").unwrap();
    let list = Regex::new(r"^((?:\S+:\d+(?::\d+)? )?)([^\s\[]+?)(?:::|: )([^\s:].*)$").unwrap();
    let (mut lines, mut place, mut file) = (Vec::new(), String::new(), String::new());
    let (mut function, mut class) = (String::new(), String::new());
    for line in digest.lines() {
        let mut told = line.trim_start();
        if let Some(found) = first.captures(line) {
            found[1].clone_into(&mut file);
        }
        if !line.starts_with("  ") {
            let found = head.captures(line);
            let of =
                |group| found.as_ref().and_then(|found| found.get(group)).map_or("", |found| found.as_str());
            of(1).clone_into(&mut place);
            told = of(2);
            class.clear();
        }
        let in_file = place.strip_prefix("line ").map(|number| format!(" line {number}"));
        let place_of = |line: &str| match &in_file {
            Some(number) => format!("{file}:: {line}{number}"),
            None => format!("{line} {place}"),
        };
        lines.push(place_of(line));
        // Below such a head a row begins with names, or with a list.
        if !place.is_empty() && line.starts_with("  ") {
            if let Some(named) = told.strip_suffix(':').filter(|named| !named.contains(' ')) {
                class = format!("{named}::");
            }
            let (names, why) = told.split_once(": ").unwrap_or((told, ""));
            lines.extend(
                names_in(names, &mut function).iter().map(|name| place_of(&format!("{class}{name}: {why}"))),
            );
        }
        if let Some(found) = list.captures(told) {
            for group in found[3].split("; ") {
                let (names, number) = group.rsplit_once(" line ").unwrap_or((group, "0"));
                let names = names_in(names, &mut function);
                let listed =
                    names.iter().map(|name| format!("{}{}::{name} line {number}", &found[1], &found[2]));
                lines.extend(
                    listed.map(|line| if in_file.is_some() { line } else { format!("{line} {place}") }),
                );
            }
        }
    }
    lines
}

/// The names in `test_x[1], [2]`.
fn names_in(list: &str, function: &mut String) -> Vec<String> {
    let mut names = Vec::new();
    for name in list.split(", ") {
        if !name.starts_with('[') {
            name.split('[').next().unwrap_or("").clone_into(function);
        }
        names.push(if name.starts_with('[') { format!("{function}{name}") } else { name.to_owned() });
    }
    names
}

/// Whether a line has these words; a place (`/w/tests/a.py:12`) may stand as an id and a line
/// (`tests/a.py::test_x line 12`).
fn is_on(line: &str, words: &str) -> bool {
    let has_place = |file: &str, number: &str| {
        let id = line.split("::").next().and_then(|before| before.rsplit(' ').next()).unwrap_or("");
        let at = format!(" line {number}");
        let is_whole = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_digit());
        !id.is_empty() && file.ends_with(id) && line.split(at.as_str()).skip(1).any(is_whole)
    };
    line.contains(words) || words.rsplit_once(':').is_some_and(|(file, number)| has_place(file, number))
}
