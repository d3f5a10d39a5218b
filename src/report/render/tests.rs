//! Tests that failed: id, place, reason.

use std::collections::HashSet;

use super::super::record::{Kind, Outcome, Part, Place, Said, Test};
use super::groups;
use super::page::{self, INDENT, Omission, Page, address, say_same};

/// Most characters of a statement beside a name.
const BESIDE: usize = 200;

/// Writes a group of tests: those of the first one's reason, then those that failed for another on the same line.
pub fn group(page: &mut Page<'_>, tests: &[&Test<'_>]) {
    let Some(first) = tests.first() else { return };
    let (same, others) =
        tests.split_at(tests.iter().take_while(|test| groups::say_same(first, test)).count());
    if let [test] = same {
        page.line(0, &format!("{} {}", word(test.outcome), name(test)), page.detail.width * 4);
        parts(page, &test.why, |_| true);
    } else {
        several(page, same);
    }
    if let Some(place) = first.place.filter(|_| !others.is_empty()) {
        more(page, place, others);
    }
}

/// Writes tests that failed on a line that was told, each with its reason.
fn more(page: &mut Page<'_>, place: Place<'_>, tests: &[&Test<'_>]) {
    let (shown, rest) = tests.split_at(page.detail.places.min(tests.len()));
    let why = |test| groups::brief(test).unwrap_or_default();
    if let [test] = shown {
        with_reason(page, 0, &format!("{} {}", word(test.outcome), name(test)), &why(test));
    } else {
        let head = format!("{} {} more at {}:", word(tests[0].outcome), tests.len(), page::place(place));
        page.line(0, &head, usize::MAX);
        for same in shown.chunk_by(|one, next| groups::say_same(one, next)) {
            let names: Vec<_> = same.iter().map(|test| own_name(test)).collect();
            with_reason(page, INDENT, &names.join(", "), &why(same[0]));
        }
    }
    page.mark_more(INDENT, rest.len(), "");
    let lines = tests.iter().flat_map(|test| &test.why).map(|part| part.said.len());
    page.left_out.add(Omission::Repeat, lines.sum());
}

/// Writes names, which are whole, and a reason, which may be cut.
fn with_reason(page: &mut Page<'_>, indent: usize, names: &str, why: &str) {
    page.text.extend(std::iter::repeat_n(' ', indent));
    page.words(&format!("{names}: "), usize::MAX);
    page.line(0, why, page.detail.width);
}

fn several(page: &mut Page<'_>, tests: &[&Test<'_>]) {
    let first = tests[0];
    let same = if first.why.is_empty() { "" } else { ", same message" };
    page.line(0, &format!("{} {}{same}:", word(first.outcome), tests.len()), usize::MAX);
    let is_one = |kind| tests.iter().all(|test| say_same(said_of(test, kind), said_of(first, kind)));
    let (is_one_source, is_one_way) = (is_one(Kind::Source), is_one(Kind::Frames));
    let shown = page.detail.places.min(tests.len());
    let mut previous: Option<Place<'_>> = None;
    let mut line = String::new();
    for (at, test) in tests[..shown].iter().enumerate() {
        // A full page is thrown away, or cut at its end.
        if page.is_full() {
            break;
        }
        // Tests at one line of the source (parameters) share a line.
        let is_beside =
            is_one_source && is_one_way && test.place.is_some() && test.place == previous && line.len() < 400;
        previous = test.place;
        if is_beside {
            line += ", ";
            line += own_name(test);
            continue;
        }
        flush(page, &mut line);
        line = name(test);
        let source = said_of(test, Kind::Source);
        if !is_one_source && !source.is_empty() {
            let mut statement = Page::new(page.detail, 0);
            let said: Vec<_> = source.iter().map(|said| said.text.trim()).collect();
            statement.words(&said.join(" "), BESIDE.min(page.detail.width));
            line += ": ";
            line += &statement.text;
        }
        // The place is in a helper that all of them call, so each test's own frame is told.
        let other = said_of(tests[usize::from(at == 0)], Kind::Frames);
        let is_own = |said: &&Said<'_>| !other.iter().any(|other| other.text.trim() == said.text.trim());
        if let Some(own) = said_of(test, Kind::Frames).iter().find(is_own).filter(|_| !is_one_way) {
            line += " ";
            line += &frame(own.text);
        }
    }
    flush(page, &mut line);
    page.mark_more(INDENT, tests.len() - shown, "");
    parts(page, &first.why, |kind| match kind {
        Kind::Source => is_one_source,
        Kind::Frames => is_one_way,
        _ => true,
    });
    if !is_one_way {
        page.left_out.add(Omission::Frame, tests.iter().map(|test| said_of(test, Kind::Frames).len()).sum());
    }
}

fn flush(page: &mut Page<'_>, line: &mut String) {
    if !line.is_empty() {
        page.line(INDENT, line, usize::MAX);
        line.clear();
    }
}

/// The lines of the first part of a kind: the statement at fault, the frames of the project that lead to the place.
fn said_of<'r, 't>(test: &'r Test<'t>, kind: Kind) -> &'r [Said<'t>] {
    test.why.iter().find(|part| part.kind == kind).map_or(&[], |part| &part.said)
}

/// Writes the parts of a reason, each as far as its kind is told.
fn parts(page: &mut Page<'_>, why: &[Part<'_>], holds: impl Fn(Kind) -> bool) {
    let is_whole = |page: &Page<'_>, part: &Part<'_>| page.whole.contains(&address(part));
    let code =
        why.iter().filter(|part| matches!(part.kind, Kind::Body | Kind::Excerpt) && is_whole(page, part));
    let numbers: HashSet<_> = code.flat_map(|part| &part.said).map(|said| said.number).collect();
    for part in why.iter().filter(|part| holds(part.kind)) {
        if is_whole(page, part) {
            whole(page, part);
            continue;
        }
        // It stands in the code as the tool printed it.
        if part.said.iter().all(|said| numbers.contains(&said.number)) {
            continue;
        }
        match part.kind {
            Kind::Body | Kind::Excerpt => {}
            Kind::Source => page.lines(INDENT, &part.said, page.detail.source, page.detail.width),
            Kind::Reason => page.lines(INDENT, &part.said, page.detail.reason, page.detail.width),
            Kind::Values => values(page, part),
            Kind::Frames => frames(page, part),
            Kind::Library => page.left_out.add(Omission::Frame, part.said.len()),
            Kind::Captured => captured(page, part),
        }
    }
}

/// Writes all lines of a part, but blank ones and a test's decorators, which may be a table of values for it.
fn whole(page: &mut Page<'_>, part: &Part<'_>) {
    let indent = if part.title.is_empty() { INDENT } else { INDENT * 2 };
    if !part.title.is_empty() {
        page.line(INDENT, &format!("{}:", part.title), usize::MAX);
    }
    let is_code = matches!(part.kind, Kind::Body | Kind::Excerpt);
    let begins = |words: &'static [&'static str]| {
        let begins = |said: &Said<'_>| words.iter().any(|word| said.text.trim_start().starts_with(word));
        part.said.iter().position(begins).unwrap_or(part.said.len())
    };
    let decorators =
        begins(&["@"])..if part.kind == Kind::Body { begins(&["def ", "async def "]) } else { 0 };
    page.left_out.add(Omission::Source, decorators.len());
    let is_told = |(at, said): &(usize, &Said<'_>)| {
        !decorators.contains(at) && (!is_code || !matches!(said.text.trim(), "" | "E"))
    };
    let told: Vec<_> = part.said.iter().enumerate().filter(is_told).map(|(_, said)| *said).collect();
    page.lines(indent, &told, usize::MAX, usize::MAX);
}

/// Writes a difference; of a long one, only lines that differ.
fn values(page: &mut Page<'_>, part: &Part<'_>) {
    if part.said.len() <= page.detail.values + 1 {
        return page.lines(INDENT, &part.said, page.detail.values, page.detail.width);
    }
    let differs = |text: &str| text.trim_start().starts_with(['-', '+', '?', '<', '>']);
    let first = part.said.iter().take_while(|said| !differs(said.text)).count();
    let is_shown = |at: usize, text: &str| first == part.said.len() || at < first.min(2) || differs(text);
    let shown = part.said.iter().enumerate().filter(|(at, said)| is_shown(*at, said.text));
    let mut count = 0;
    for (_, said) in shown.take(page.detail.values) {
        page.own(INDENT, said.text, page.detail.width);
        count += 1;
    }
    page.left_out.add(Omission::Marked, part.said.len() - count);
    if let [first, .., last] = part.said.as_slice()
        && count > 0
    {
        page.line(INDENT, &format!("… the values, lines {}-{}", first.number, last.number), usize::MAX);
    }
}

/// Writes the nearest frames of the project.
fn frames(page: &mut Page<'_>, part: &Part<'_>) {
    for said in part.said.iter().take(page.detail.frames) {
        page.line(INDENT, &frame(said.text), page.detail.width);
    }
    if let Some(rest) = part.said.get(page.detail.frames..).filter(|_| page.detail.frames > 0) {
        page.mark_left_out(INDENT, rest, "");
    }
}

/// A frame in the form `at src/a.py:12: in f`, without the tool's own mark.
fn frame(text: &str) -> String {
    let text = text.trim().trim_end_matches(':');
    let text = ["at ", "# ", "❯ ", "from "].iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text);
    format!("at {text}")
}

/// Writes what a test printed, or output that belongs to no failure.
pub fn captured(page: &mut Page<'_>, part: &Part<'_>) {
    if page.detail.captured == 0 && page.detail.values > 0 {
        page.mark_left_out(INDENT, &part.said, part.title);
    } else if page.detail.captured == 0 {
        page.left_out.add(Omission::Detail, part.said.len());
    } else if !part.said.is_empty() {
        page.line(INDENT, &format!("{}:", part.title), usize::MAX);
        page.lines(INDENT * 2, &part.said, page.detail.captured, page.detail.width.min(200));
    }
}

/// Writes tests of one outcome that are no failures, with their reasons: those that were not run, or failed as
/// expected.
pub fn others(page: &mut Page<'_>, tests: &[&Test<'_>]) {
    let Some(first) = tests.first() else { return };
    // Without a number: a line may stand for several tests (`SKIPPED [3] tests/a.py:12`), and the totals have the
    // number.
    page.line(0, &format!("{}:", word(first.outcome)), usize::MAX);
    for test in tests.iter().take(page.detail.places) {
        let why: Vec<_> = test
            .why
            .iter()
            .filter(|part| !matches!(part.kind, Kind::Body | Kind::Excerpt))
            .flat_map(|part| &part.said)
            .map(|said| said.text.trim())
            .collect();
        let why = if why.is_empty() { String::new() } else { format!(": {}", why.join(" ")) };
        page.line(INDENT, &format!("{}{why}", name(test)), page.detail.width);
    }
    page.mark_more(INDENT, tests.len().saturating_sub(page.detail.places), "");
}

const fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Failed => "FAILED",
        Outcome::Error => "ERROR",
        Outcome::Expected => "failed as expected",
        Outcome::Skipped => "skipped",
    }
}

/// `src/a.py:12 test_x`: the place in a form to be pasted, then the id. Where the id begins with the place's file, it
/// stands as one runs it again: `tests/a.py::test_x line 12`.
fn name(test: &Test<'_>) -> String {
    match test.place {
        Some(place) if test.id == place.file => page::place(place),
        Some(place) if place.line > 0 && own_name(test) != test.id => {
            format!("{} line {}", test.id, place.line)
        }
        Some(place) => format!("{} {}", page::place(place), test.id),
        None => test.id.clone(),
    }
}

/// The id without the file of the place.
fn own_name<'a>(test: &'a Test<'_>) -> &'a str {
    let own = test.id.split_once("::").zip(test.place);
    own.filter(|((file, _), place)| is_same(place.file, file)).map_or(&test.id, |((_, name), _)| name)
}

/// Whether a path ends in another: the place's path, which may be absolute, in the file of an id.
fn is_same(path: &str, file: &str) -> bool {
    path.strip_suffix(file).is_some_and(|root| root.is_empty() || root.ends_with('/'))
}
