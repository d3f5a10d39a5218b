//! The lines of a test's reason and of its own code that say something, as they stand, and on one line.

use std::collections::BTreeSet;

use super::super::record::{Part, PartKind, Place, Said, Test};
use super::ids;
use crate::failure;

/// Lines above and below one that states a failure, at most.
const AROUND: usize = 3;
/// Most bytes of a reason on one line.
const BRIEF: usize = 300;
/// The parts that are the reason.
pub const WHY: &[PartKind] = &[PartKind::Reason, PartKind::Values];

/// The lines of a part that say something.
pub fn lines<'t>(test: &Test<'t>, part: &Part<'t>) -> Vec<Said<'t>> {
    match part.kind {
        PartKind::Body | PartKind::Excerpt => code(test, part),
        PartKind::Reason | PartKind::Values => why(test, part),
        _ => part.said.clone(),
    }
}

/// The lines of a reason, less blank ones, what its tool would advise, `where 1 = 1`, and the difference of two values that the first
/// line of the reason has in quotes.
fn why<'t>(test: &Test<'t>, part: &Part<'t>) -> Vec<Said<'t>> {
    let first = test.said(WHY).next().unwrap_or("");
    let told = &part.said[..again(&part.said)];
    let is_new = |said: &&Said<'_>| is_difference(said.text) && !is_known(said.text, first);
    let has_new = told.iter().any(|said| is_new(&said));
    let is_said = |said: &&Said<'_>| {
        let text = said.text.trim();
        let is_empty = text.is_empty() || text.starts_with("Use -v") || says_nothing(text);
        !is_empty && (has_new || !is_difference(text))
    };
    told.iter().filter(is_said).copied().collect()
}

/// The line where mocha tells the difference of two values once more that node has told whole, or the end.
fn again(said: &[Said<'_>]) -> usize {
    let of = |words: &str| said.iter().position(|said| said.text.trim() == words);
    let (Some(nodes), Some(mochas)) = (of("+ actual - expected"), of("+ expected - actual")) else {
        return said.len();
    };
    let is_cut = said[nodes..mochas.max(nodes)].iter().any(|said| said.text.trim_end().ends_with("..."));
    if nodes < mochas && !is_cut { mochas } else { said.len() }
}

/// Of a long reason, which may be all that a program printed, up to `most` lines: its first and last ones, and between
/// these lines that state a failure, those with a place first, and lines around them. `None` where it is not long, or none
/// states a failure.
pub fn chosen(said: &[Said<'_>], most: usize) -> Option<BTreeSet<usize>> {
    // A mark costs as much as a line.
    if said.len() <= most.saturating_add(2) {
        return None;
    }
    let (first, last) = (most.div_ceil(8), most / 8);
    let end = said.len() - last;
    let is_stating = |at: &usize| failure::rank(said[*at].text).is_some();
    let mut stating: Vec<usize> = (first..end).filter(is_stating).collect();
    if stating.is_empty() {
        return None;
    }
    stating.sort_by_key(|at| Place::parse(said[*at].text.trim_start()).is_none());
    stating.truncate(most.div_ceil(4));
    let around =
        (0..=AROUND).flat_map(|far| stating.iter().flat_map(move |at| [at.saturating_sub(far), at + far]));
    let mut chosen = BTreeSet::new();
    for at in (0..first).chain(end..said.len()).chain(around) {
        if chosen.len() < most && at < said.len() {
            chosen.insert(at);
        }
    }
    Some(chosen)
}

fn is_difference(line: &str) -> bool {
    line.trim_start().starts_with(['-', '+', '?']) && equation(line).is_none()
}

/// Whether a line of a difference has no value that is not in quotes in the reason's first line. Of a line that differs in
/// blanks or marks alone nothing is known.
fn is_known(line: &str, first: &str) -> bool {
    let line = line.trim();
    let value = line.trim_start_matches(['-', '+', '?']).trim_matches([' ', '+', '-', '^']);
    value.is_empty() && line.starts_with('?')
        || first.split(['\'', '"']).any(|part| !part.is_empty() && part == value)
}

/// The equation in a line of pytest's: `+  where 3 = total()`.
fn equation(line: &str) -> Option<(&str, &str)> {
    let line = line.trim().strip_prefix('+')?.trim_start();
    line.strip_prefix("where ").or_else(|| line.strip_prefix("and "))?.split_once(" = ")
}

/// Whether a line says of a value that it is itself: `Decimal('90') = Decimal(90)`.
fn says_nothing(line: &str) -> bool {
    equation(line).is_some_and(|(one, other)| words(one).eq(words(other)))
}

/// What the first line of a reason has on both sides of `==`, as pytest shortens long values:
/// `assert 'select a,\n ...and 4' == 'select a,\n ...and 4'`.
pub fn shortened<'t>(test: &Test<'t>) -> Option<&'t str> {
    let (one, other) = test.said(WHY).next()?.split_once(" == ")?;
    Some(other.trim_end()).filter(|other| other.contains("...") && one.ends_with(other))
}

/// Names and numbers.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && !"_.-".contains(c)).filter(|word| !word.is_empty())
}

/// The lines of code that are told: no blank ones, and of a test's body neither decorators, which may be a table of
/// values for it, nor the parameters above it if they are those of its id.
fn code<'t>(test: &Test<'t>, part: &Part<'t>) -> Vec<Said<'t>> {
    let begins = |words: &[&str]| {
        let begins = |said: &Said<'_>| words.iter().any(|word| said.text.trim_start().starts_with(word));
        part.said.iter().position(begins).unwrap_or(part.said.len())
    };
    let is_body = part.kind == PartKind::Body;
    let definition = if is_body { begins(DEFINITION) } else { 0 };
    let decorators = begins(&["@"]).min(definition);
    let (above, code) = (&part.said[..decorators], &part.said[definition..]);
    let above = if are_of_id(test, above) { &[] } else { above };
    above.iter().chain(code).filter(|said| !said.text.trim().is_empty()).copied().collect()
}

const DEFINITION: &[&str] = &["def ", "async def "];

/// Whether the values in lines of pytest's (`total = 100, expected = 90`) are the parameters in the test's id.
fn are_of_id(test: &Test<'_>, lines: &[Said<'_>]) -> bool {
    let values = lines.iter().flat_map(|said| said.text.split(", ")).filter(|value| !value.is_empty());
    let values: Vec<_> = values
        .map(|value| value.split_once(" = ").map_or("", |(_, value)| value.trim_matches('\'')))
        .collect();
    let parameters = ids::parameters(&test.id).map_or("", |(_, parameters)| parameters);
    parameters.strip_prefix('[').and_then(|own| own.strip_suffix(']')) == Some(&values.join("-"))
}

/// Whether a body has more than its statement at fault.
pub fn says_more(test: &Test<'_>, body: &Part<'_>) -> bool {
    let source =
        test.why.iter().find(|part| part.kind == PartKind::Source).map_or(&[][..], |part| &part.said);
    let span = source.first().zip(source.last()).map(|(first, last)| first.number..=last.number);
    code(test, body).iter().any(|line| {
        let is_definition = DEFINITION.iter().any(|word| line.text.trim_start().starts_with(word));
        !is_definition && !span.as_ref().is_some_and(|span| span.contains(&line.number))
    })
}

/// The reason on one line, without differences: its first line, what explains the values in it, and others until these
/// have `most` bytes.
/// `assert 2 == 1, where 2 = len([<Name 'a'>, <Name 'b'>])`.
pub fn line(test: &Test<'_>, most: usize) -> String {
    let why = test.why.iter().filter(|part| part.kind == PartKind::Reason);
    let said = why.flat_map(|part| lines(test, part)).map(|said| said.text.trim());
    // What explains an explanation stands further to the right.
    let told = said.filter(|line| equation(line).is_none() || !line.starts_with("+    "));
    let mut text = String::new();
    for (at, line) in told.enumerate() {
        if equation(line).is_some() {
            text += &format!(", {}", without_addresses(line.trim_start_matches(['+', ' '])));
        } else if at == 0 {
            let own = line.strip_prefix("AssertionError: ").filter(|rest| rest.starts_with("assert "));
            text += own.unwrap_or(line);
        } else if text.len() < most {
            text += &format!(" {line}");
        }
    }
    text
}

/// The first line of each side of a difference, as far as there is one; an empty one alone in words.
pub fn sides(said: &[Said<'_>]) -> Vec<String> {
    let first = |side: &char| {
        let mut values =
            said.iter().map(|said| said.text.trim()).filter_map(|line| line.strip_prefix(*side)).peekable();
        let is_there = values.peek().is_some();
        let value = values.find(|value| !value.is_empty()).unwrap_or(" (an empty line)");
        is_there.then(|| format!("{side}{value}"))
    };
    ['-', '+'].iter().filter_map(first).collect()
}

/// `<Name 'a'>` for `<Name 'a' at 0x7F9C53AF77D0>`.
fn without_addresses(line: &str) -> String {
    let (first, rest) = line.split_once(" at 0x").unwrap_or((line, ""));
    rest.split(" at 0x").fold(first.to_owned(), |text, part| {
        let behind = part.trim_start_matches(|c: char| c.is_ascii_hexdigit());
        if behind.starts_with('>') || part.is_empty() { text + behind } else { text + " at 0x" + part }
    })
}

/// A test's reason on one line; none if there is much of it.
pub fn brief(test: &Test<'_>) -> Option<String> {
    let told: Vec<_> = said(test).collect();
    let length: usize = told.iter().map(|line| line.len() + 1).sum();
    let is_brief = !told.is_empty() && length <= BRIEF && test.said(&[PartKind::Captured]).next().is_none();
    is_brief.then(|| told.join(" "))
}

/// The lines that are told of why a test failed.
fn said<'r, 't>(test: &'r Test<'t>) -> impl Iterator<Item = &'t str> + use<'r, 't> {
    let why = test.why.iter().filter(|part| WHY.contains(&part.kind));
    why.flat_map(|part| lines(test, part)).map(|said| said.text.trim())
}

/// The lines of the reason of a test that failed where another did, without the equations of which all that differs from
/// the other test's stands in the first line or in the id.
pub fn beside<'t>(test: &Test<'t>, other: &Test<'_>) -> Vec<&'t str> {
    let first = said(test).next().unwrap_or("");
    let is_known = |word: &str| words(first).chain(test.id.split(['[', '-', ']'])).any(|known| known == word);
    let mut others = said(other);
    let is_new = |line: &&str| {
        let other = others.next().unwrap_or("");
        let mut pairs = words(line).zip(words(other));
        equation(line).is_none()
            || words(line).count() != words(other).count()
            || pairs.any(|(own, other)| own != other && !is_known(own))
    };
    said(test).filter(is_new).collect()
}

/// A reason on one line without what another one has, too: lines, and of lines of more than `most` bytes the words:
/// `… 'ink' … 3 …`. A short first line is told, or it would read as the one told last.
pub fn differing(why: &[&str], other: &[&str], most: usize) -> String {
    let mut told: Vec<String> = Vec::new();
    for (at, line) in why.iter().enumerate() {
        let beside = other.get(at).copied().unwrap_or_default();
        let part = match *line {
            line if line == beside && (at > 0 || line.len() > most) => "…".to_owned(),
            line if line.len() <= most => line.to_owned(),
            line => differing_words(line, beside),
        };
        if part != "…" || told.last().is_none_or(|last| !last.ends_with('…')) {
            told.push(part);
        }
    }
    if told == ["…"] { why.join(" ") } else { told.join(" ") }
}

fn differing_words(why: &str, other: &str) -> String {
    let [own, other] = [why, other].map(|line| line.split(' ').collect::<Vec<_>>());
    let is_same = |(own, other): &(&&str, &&str)| own == other;
    let head = own.iter().zip(&other).take_while(is_same).count();
    let tail = own[head..].iter().rev().zip(other[head..].iter().rev()).take_while(is_same).count();
    let mut told = Vec::new();
    for (at, word) in own.iter().enumerate() {
        let is_shared = own.len() == other.len() && *word == other[at];
        if !is_shared && (head..own.len() - tail).contains(&at) {
            told.push(*word);
        } else if told.last() != Some(&"…") {
            told.push("…");
        }
    }
    let is_torn = told.iter().any(|word| OPENING.iter().any(|marks| is_open(word, *marks)));
    if told == ["…"] || is_torn { why.to_owned() } else { told.join(" ") }
}

/// What opens a value, and what closes it.
const OPENING: [(char, char); 4] = [('"', '"'), ('{', '}'), ('[', ']'), ('(', ')')];

/// Whether a word is the beginning or the end of a value of several words: these are not told apart.
fn is_open(word: &str, (opens, closes): (char, char)) -> bool {
    let count = |mark| word.matches(mark).count();
    if opens == closes { count(opens) % 2 != 0 } else { count(opens) != count(closes) }
}
