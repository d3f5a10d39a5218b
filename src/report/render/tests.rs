//! Tests that failed: id, place, reason.

use std::collections::HashSet;

use super::super::record::{Kind, Outcome, Part, Place, Said, Test};
use super::ids::{self, Listed, with_place};
use super::page::{self, INDENT, Omission, Page, address, same_lines};
use super::{code, groups, reason};

/// Most characters of a statement, or of a reason, beside a name.
const BESIDE: usize = 200;
/// The same of a reason in each of more rows than these.
const SHORT: usize = 60;
const FEW: usize = 5;

/// Writes a group of tests: those of the first one's reason, then those that failed for another on the same line.
pub fn group(page: &mut Page<'_>, tests: &[&Test<'_>]) {
    let Some(first) = tests.first() else { return };
    let (same, others) =
        tests.split_at(tests.iter().take_while(|test| groups::has_same_reason(first, test)).count());
    if let [test] = same {
        page.line(0, &format!("{} {}", word(test.outcome), with_place(test)), page.detail.width * 4);
        parts(page, test, |_| true);
    } else {
        several(page, same);
    }
    if let Some(place) = first.place.filter(|_| !others.is_empty()) {
        more(page, place, same, others);
    }
}

/// Writes tests that failed on the line of some that were told, each with its reason; names and values are whole.
fn more(page: &mut Page<'_>, place: Place<'_>, told: &[&Test<'_>], tests: &[&Test<'_>]) {
    let first = told[0];
    let (shown, rest) = tests.split_at(page.detail.places.min(tests.len()));
    let parts = || tests.iter().flat_map(|test| &test.why);
    page.left_out.add(Omission::Repeat, parts().map(|part| part.said.len()).sum());
    let (first_why, most) = (reason::beside(first, first), if shown.len() > FEW { SHORT } else { BESIDE });
    let why = |test| match reason::beside(test, first) {
        why if why.len() > most.min(page.detail.width) => reason::differing(&why, &first_why),
        why => why,
    };
    let head = word(first.outcome);
    if let [test] = shown {
        let name = with_place(test) + &own_way(test, first);
        page.line(0, &format!("{head} {name}: {}", why(test)), usize::MAX);
        return page.mark_more(INDENT, rest.len(), "");
    }
    let own_file = first.id.split_once("::").map(|(file, _)| file).filter(|_| ids::is_own(first, place.file));
    let at = page::place(Place { file: own_file.unwrap_or(place.file), ..place });
    page.line(0, &format!("{head} {} more at {at}:", tests.len()), usize::MAX);
    let of_first = ids::split(&first.id).0;
    let is_named = own_file.is_some() && told.iter().all(|test| ids::split(&test.id).0 == of_first);
    let mut path = is_named.then_some(of_first);
    for tests in groups::by(shown.iter().map(|test| (ids::split(&test.id).0, *test))) {
        let own = ids::split(&tests[0].id).0;
        if path.replace(own) != Some(own) && !own.is_empty() {
            page.line(INDENT, &format!("{own}:"), usize::MAX);
        }
        let mut names = ids::names(tests.iter().map(|test| ids::split(&test.id).1)).into_iter().zip(&tests);
        for same in tests.chunk_by(|one, next| groups::has_same_reason(one, next)) {
            let named = names.by_ref().take(same.len());
            let named: Vec<_> = named.map(|(name, test)| name.to_owned() + &own_way(test, first)).collect();
            let line = format!("{}: {}", named.join(", "), why(same[0]));
            page.line(INDENT, &line, usize::MAX);
        }
    }
    page.mark_more(INDENT, rest.len(), "");
}

fn several(page: &mut Page<'_>, tests: &[&Test<'_>]) {
    let first = tests[0];
    let is_one = |kind| tests.iter().all(|test| same_lines(said_of(test, kind), said_of(first, kind)));
    let (is_one_source, is_one_way) = (is_one(Kind::Source), is_one(Kind::Frames));
    let shared = first.place.filter(|place| {
        tests.iter().all(|test| test.place == first.place && !(is_one_way && ids::is_own(test, place.file)))
    });
    let shown = page.detail.places.min(tests.len());
    let listed = tests[..shown].iter().enumerate().map(|(at, test)| {
        let mut listed = Listed::new(test, test.place.filter(|_| shared.is_none()));
        // The place is in a helper that all of them call, so each test's own frame is told.
        if !is_one_way {
            listed.behind += &own_way(test, tests[usize::from(at == 0)]);
        }
        let source = said_of(test, Kind::Source);
        if !is_one_source && !source.is_empty() {
            let mut statement = Page::new(page.detail, 0);
            let said: Vec<_> = source.iter().map(|said| said.text.trim()).collect();
            statement.words(&said.join(" "), BESIDE.min(page.detail.width));
            listed.behind += &format!(": {}", statement.text);
        }
        listed
    });
    let lines = ids::list(&listed.collect::<Vec<_>>(), !is_one_source);
    let at = shared.map_or(String::new(), |place| format!(" at {}", page::place(place)));
    let same = if first.why.is_empty() { "" } else { ", same message" };
    let head = format!("{} {}{at}{same}:", word(first.outcome), tests.len());
    if let [line] = &lines[..] {
        page.line(0, &format!("{head} {line}"), usize::MAX);
    } else {
        page.line(0, &head, usize::MAX);
        for line in &lines {
            page.line(INDENT, line, usize::MAX);
        }
    }
    page.mark_more(INDENT, tests.len() - shown, "");
    parts(page, first, |kind| match kind {
        Kind::Source => is_one_source,
        Kind::Frames => is_one_way,
        _ => true,
    });
    if !is_one_way {
        page.left_out.add(Omission::Frame, tests.iter().map(|test| said_of(test, Kind::Frames).len()).sum());
    }
}

/// The nearest frame that another test has not, behind the id of its test: ` line 12`, if it is of the test's own
/// function.
fn own_way(test: &Test<'_>, other: &Test<'_>) -> String {
    let other = said_of(other, Kind::Frames);
    let is_own = |said: &&Said<'_>| !other.iter().any(|other| other.text.trim() == said.text.trim());
    let Some(said) = said_of(test, Kind::Frames).iter().find(is_own) else { return String::new() };
    let (_, name) = ids::split(&test.id);
    let is_of_test = |rest: &str| {
        let function = rest.trim_start_matches([':', ' ']).trim_start_matches("in ");
        function.is_empty()
            || name.strip_prefix(function).is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
    };
    match Place::parse(said.text.trim()) {
        Some((place, rest)) if ids::is_own(test, place.file) && is_of_test(rest) => {
            format!(" line {}", place.line)
        }
        _ => format!(" {}", frame(said.text)),
    }
}

/// The lines of the first part of a kind: the statement at fault, the frames of the project that lead to the place.
fn said_of<'r, 't>(test: &'r Test<'t>, kind: Kind) -> &'r [Said<'t>] {
    test.why.iter().find(|part| part.kind == kind).map_or(&[], |part| &part.said)
}

/// Writes the parts of a reason, each as far as its kind is told.
fn parts(page: &mut Page<'_>, test: &Test<'_>, holds: impl Fn(Kind) -> bool) {
    let is_whole = |page: &Page<'_>, part: &Part<'_>| page.whole.contains(&address(part));
    let code = test
        .why
        .iter()
        .filter(|part| matches!(part.kind, Kind::Body | Kind::Excerpt) && is_whole(page, part));
    let numbers: HashSet<_> = code.flat_map(|part| &part.said).map(|said| said.number).collect();
    for part in test.why.iter().filter(|part| holds(part.kind)) {
        if is_whole(page, part) {
            whole(page, test, part);
            continue;
        }
        // It stands in the code as the tool printed it.
        if part.said.iter().all(|said| numbers.contains(&said.number)) {
            continue;
        }
        match part.kind {
            Kind::Body | Kind::Excerpt => {}
            Kind::Source => page.lines(INDENT, &part.said, page.detail.source, page.detail.width),
            Kind::Reason | Kind::Values => {
                let told = reason::lines(test, part);
                untold(page, Omission::Repeat, &part.said, &told);
                if part.kind == Kind::Values {
                    values(page, &told);
                } else {
                    page.lines(INDENT, &told, page.detail.reason, page.detail.width);
                }
            }
            Kind::Frames => frames(page, part),
            Kind::Library => page.left_out.add(Omission::Frame, part.said.len()),
            Kind::Captured => captured(page, part),
        }
    }
}

/// Counts the lines, but blank ones, that are not told.
fn untold(page: &mut Page<'_>, why: Omission, all: &[Said<'_>], told: &[Said<'_>]) {
    let filled = |said: &[Said<'_>]| said.iter().filter(|said| !said.text.trim().is_empty()).count();
    page.left_out.add(why, filled(all) - filled(told));
}

/// Writes all lines of a part that say something.
fn whole(page: &mut Page<'_>, test: &Test<'_>, part: &Part<'_>) {
    let indent = if part.title.is_empty() { INDENT } else { INDENT * 2 };
    if !part.title.is_empty() {
        page.line(INDENT, &format!("{}:", part.title), usize::MAX);
    }
    let told = match part.kind {
        Kind::Body | Kind::Excerpt => code::lines(test, part),
        Kind::Values => reason::lines(test, part),
        _ => part.said.clone(),
    };
    let why = if part.kind == Kind::Values { Omission::Repeat } else { Omission::Source };
    untold(page, why, &part.said, &told);
    page.lines(indent, &told, usize::MAX, usize::MAX);
}

/// Writes a difference; of a long one, only lines that differ.
fn values(page: &mut Page<'_>, said: &[Said<'_>]) {
    if said.len() <= page.detail.values + 1 {
        return page.lines(INDENT, said, page.detail.values, page.detail.width);
    }
    let differs = |text: &str| text.trim_start().starts_with(['-', '+', '?', '<', '>']);
    let first = said.iter().take_while(|said| !differs(said.text)).count();
    let is_shown = |at: usize, text: &str| first == said.len() || at < first.min(2) || differs(text);
    let shown = said.iter().enumerate().filter(|(at, said)| is_shown(*at, said.text));
    let mut count = 0;
    for (_, said) in shown.take(page.detail.values) {
        page.own(INDENT, said.text, page.detail.width);
        count += 1;
    }
    page.left_out.add(Omission::Marked, said.len() - count);
    if let [first, .., last] = said
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
        page.line(INDENT, &format!("{}{why}", with_place(test)), page.detail.width);
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
