//! Tests that failed: id, place, reason.

use super::super::maps::{HashSet, by};
use super::super::record::{Part, PartKind, Place, Said, Test, Verdict};
use super::draft::{self, Detail, Draft, INDENT, Omission, address, same_lines};
use super::ids::{self, Listed, with_place};
use super::{groups, reason};

/// Most characters of a statement, or of a reason, beside a name.
const BESIDE: usize = 200;
/// The same of a reason in each of more rows than these.
const SHORT: usize = 60;
const FEW: usize = 5;

/// Writes a group of tests: those of the first one's reason, then those that failed for another on the same line.
pub fn group(draft: &mut Draft<'_>, tests: &[&Test<'_>]) {
    let Some(first) = tests.first() else { return };
    let (same, others) =
        tests.split_at(tests.iter().take_while(|test| groups::has_same_reason(first, test)).count());
    if draft.detail.is_lean() && same.len() == 1 {
        line(draft, &format!("{} {}", word(first.outcome), with_place(first)), first);
    } else if same.len() == 1 || is_told_twice(same) {
        for test in same {
            draft.line(0, &format!("{} {}", word(test.outcome), with_place(test)), draft.detail.width * 4);
            parts(draft, test, |_| true);
        }
    } else {
        several(draft, same);
    }
    match (first.place, others) {
        (Some(_), [test])
            if !draft.detail.is_lean() && reason::beside(test, first).join(" ").len() > BESIDE =>
        {
            let name = with_place(test) + &own_way(test, first);
            draft.line(0, &format!("{} {name}", word(test.outcome)), usize::MAX);
            parts(draft, test, |kind| kind != PartKind::Frames);
        }
        (Some(place), [_, ..]) => more(draft, place, same, others),
        _ => {}
    }
}

/// Writes groups of tests of one file or class, each reason in a line behind the tests that failed for it.
pub fn listed(draft: &mut Draft<'_>, listed: &[&[&Test<'_>]]) {
    let Some(first) = listed.iter().find_map(|group| group.first()) else { return };
    draft.line(0, &format!("{} {}:", word(first.outcome), ids::split(&first.id).0), usize::MAX);
    for same in listed.iter().flat_map(|group| group.chunk_by(|one, next| groups::has_same_reason(one, next)))
    {
        line(draft, &format!("  {}", ids::enumerated(same)), same[0]);
    }
}

/// Writes a test's reason behind its name, or behind a list of tests.
fn line(draft: &mut Draft<'_>, name: &str, test: &Test<'_>) {
    let mut why = reason::line(test, BESIDE);
    let values = test.why.iter().find(|part| part.kind == PartKind::Values);
    if let Some((both, values)) = reason::shortened(test).zip(values) {
        let sides =
            reason::sides(&values.said).into_iter().map(|side| format!("; {side}")).collect::<String>();
        why = why.replacen(&format!(" == {both}"), " == (same when shortened)", 1) + &sides;
    }
    draft.words(name, usize::MAX);
    draft.words(if why.is_empty() { "" } else { ": " }, usize::MAX);
    draft.line(0, &why, draft.detail.width);
    draft.left_out.add(Omission::Detail, said(test).count().saturating_sub(1));
    let code = test.why.iter().filter(|part| is_code(part)).map(|part| code_of(test, part)).sum();
    draft.left_out.add(Omission::Source, code);
}

/// Whether a part is code: of the test, or around a frame.
const fn is_code(part: &Part<'_>) -> bool {
    matches!(part.kind, PartKind::Body | PartKind::Excerpt)
}

/// What is said of a test, its code aside.
fn said<'r, 't>(test: &'r Test<'t>) -> impl Iterator<Item = &'r Said<'t>> {
    test.why.iter().filter(|part| !is_code(part)).flat_map(|part| &part.said)
}

/// Whether two tests failed at places of their own with a message of one line: readers doubt that two tests say the same,
/// and ask for the whole.
fn is_told_twice(tests: &[&Test<'_>]) -> bool {
    let [first, second] = tests else { return false };
    first.place != second.place
        && matches!(said(first).collect::<Vec<_>>()[..], [said] if said.text.len() <= BESIDE)
}

/// Writes tests that failed on the line of some that were told, each with its reason; names and values are whole.
fn more(draft: &mut Draft<'_>, place: Place<'_>, told: &[&Test<'_>], tests: &[&Test<'_>]) {
    let first = told[0];
    let (shown, rest) = tests.split_at(draft.detail.places.min(tests.len()));
    let parts = || tests.iter().flat_map(|test| &test.why);
    draft.left_out.add(Omission::Repeat, parts().map(|part| part.said.len()).sum());
    let first_why = reason::beside(first, first);
    let most = draft.detail.width.min(if shown.len() > FEW { SHORT } else { BESIDE });
    let detail = draft.detail;
    let why = |test| {
        if detail.is_lean() {
            return cut(&reason::line(test, BESIDE), detail);
        }
        let why = reason::beside(test, first);
        let line = why.join(" ");
        if line.len() > most { cut(&reason::differing(&why, &first_why, most), detail) } else { line }
    };
    let head = word(first.outcome);
    if let [test] = shown {
        let name = with_place(test) + &own_way(test, first);
        draft.line(0, &format!("{head} {name}: {}", why(test)), usize::MAX);
        return draft.mark_more(INDENT, rest.len(), "");
    }
    let own_file = first.id.split_once("::").map(|(file, _)| file).filter(|_| ids::is_own(first, place.file));
    let at = draft::place(Place { file: own_file.unwrap_or(place.file), ..place });
    draft.line(0, &format!("{head} {} more at {at}:", tests.len()), usize::MAX);
    let of_first = ids::split(&first.id).0;
    let is_named = own_file.is_some() && told.iter().all(|test| ids::split(&test.id).0 == of_first);
    let mut path = is_named.then_some(of_first);
    for tests in by(shown.iter().map(|test| (ids::split(&test.id).0, *test))) {
        let own = ids::split(&tests[0].id).0;
        if path.replace(own) != Some(own) && !own.is_empty() {
            draft.line(INDENT, &format!("{own}:"), usize::MAX);
        }
        let mut names = ids::names(tests.iter().map(|test| ids::split(&test.id).1)).into_iter().zip(&tests);
        for same in tests.chunk_by(|one, next| groups::has_same_reason(one, next)) {
            let named = names.by_ref().take(same.len());
            let named: Vec<_> = named.map(|(name, test)| name.to_owned() + &own_way(test, first)).collect();
            let line = format!("{}: {}", named.join(", "), why(same[0]));
            draft.line(INDENT, &line, usize::MAX);
        }
    }
    draft.mark_more(INDENT, rest.len(), "");
}

/// A statement or a reason as it stands beside a name.
fn cut(text: &str, detail: Detail) -> String {
    let mut beside = Draft { detail, ..Draft::default() };
    beside.words(text, BESIDE.min(detail.width));
    beside.text
}

fn several(draft: &mut Draft<'_>, tests: &[&Test<'_>]) {
    let first = tests[0];
    let is_one = |kind| tests.iter().all(|test| same_lines(said_of(test, kind), said_of(first, kind)));
    let is_one_source = draft.detail.is_lean() || is_one(PartKind::Source);
    let is_one_way = is_one(PartKind::Frames);
    let shared = first.place.filter(|place| {
        tests.iter().all(|test| test.place == first.place && !(is_one_way && ids::is_own(test, place.file)))
    });
    let shown = draft.detail.places.min(tests.len());
    let listed = tests[..shown].iter().enumerate().map(|(at, test)| {
        let mut listed = Listed::new(test, test.place.filter(|_| shared.is_none()));
        // The place is in a helper that all of them call, so each test's own frame is told.
        if !is_one_way {
            listed.behind += &own_way(test, tests[usize::from(at == 0)]);
        }
        let source = said_of(test, PartKind::Source);
        if !is_one_source && !source.is_empty() {
            let said: Vec<_> = source.iter().map(|said| said.text.trim()).collect();
            listed.behind += &format!(": {}", cut(&said.join(" "), draft.detail));
        }
        listed
    });
    let lines = ids::list(&listed.collect::<Vec<_>>(), !is_one_source);
    let at = shared.map_or(String::new(), |place| format!(" at {}", draft::place(place)));
    let same = if first.why.is_empty() { "" } else { ", same message" };
    let head = format!("{} {}{at}{same}:", word(first.outcome), tests.len());
    if let [line] = &lines[..] {
        draft.line(0, &format!("{head} {line}"), usize::MAX);
    } else {
        draft.line(0, &head, usize::MAX);
        for line in &lines {
            draft.line(INDENT, line, usize::MAX);
        }
    }
    draft.mark_more(INDENT, tests.len() - shown, "");
    if draft.detail.is_lean() {
        return line(draft, "  each", first);
    }
    parts(draft, first, |kind| match kind {
        PartKind::Source => is_one_source,
        PartKind::Frames => is_one_way,
        _ => true,
    });
    if !is_one_way {
        draft
            .left_out
            .add(Omission::Frame, tests.iter().map(|test| said_of(test, PartKind::Frames).len()).sum());
    }
}

/// Most frames of a test's own behind its id, where a frame begins like a comment (rspec), as what a test prints may.
const OWN_FRAMES: usize = 3;

/// The nearest frames that another test has not, behind the id of its test: ` line 12`, if it is of the test's own
/// function.
fn own_way(test: &Test<'_>, other: &Test<'_>) -> String {
    let other = said_of(other, PartKind::Frames);
    let is_own = |said: &&Said<'_>| !other.iter().any(|other| other.text.trim() == said.text.trim());
    let (_, name) = ids::split(&test.id);
    let is_of_test = |rest: &str| {
        let function = rest.trim_start_matches([':', ' ']).trim_start_matches("in ");
        function.is_empty()
            || name.strip_prefix(function).is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
    };
    let told = |said: &Said<'_>| match Place::parse(said.text.trim()) {
        Some((place, rest)) if ids::is_own(test, place.file) && is_of_test(rest) => {
            format!(" line {}", place.line)
        }
        _ => format!(" {}", frame(said.text)),
    };
    let mut own = said_of(test, PartKind::Frames).iter().filter(is_own).peekable();
    let most = if own.peek().is_some_and(|said| said.text.trim().starts_with('#')) { OWN_FRAMES } else { 1 };
    own.take(most).map(told).collect()
}

/// The lines of the first part of a kind: the statement at fault, the frames of the project that lead to the place.
fn said_of<'r, 't>(test: &'r Test<'t>, kind: PartKind) -> &'r [Said<'t>] {
    test.why.iter().find(|part| part.kind == kind).map_or(&[], |part| &part.said)
}

/// Writes the parts of a reason, each as far as its kind is told.
fn parts(draft: &mut Draft<'_>, test: &Test<'_>, holds: impl Fn(PartKind) -> bool) {
    let is_whole = |draft: &Draft<'_>, part: &Part<'_>| draft.whole.contains(&address(part));
    let code =
        test.why.iter().filter(|part| is_code(part) && is_whole(draft, part)).flat_map(|part| &part.said);
    let numbers: HashSet<_> = code.map(|said| said.number).collect();
    for part in test.why.iter().filter(|part| holds(part.kind)) {
        if is_whole(draft, part) {
            whole(draft, test, part);
            continue;
        }
        // It stands in the code as the tool printed it.
        if part.said.iter().all(|said| numbers.contains(&said.number)) {
            continue;
        }
        match part.kind {
            PartKind::Body | PartKind::Excerpt => draft.left_out.add(Omission::Source, code_of(test, part)),
            PartKind::Source => draft.lines(INDENT, &part.said, draft.detail.source, draft.detail.width),
            PartKind::Reason | PartKind::Values => {
                let told = reason::lines(test, part);
                untold(draft, Omission::Repeat, &part.said, &told);
                if part.kind == PartKind::Values
                    && draft.detail.values == 0
                    && reason::shortened(test).is_some()
                {
                    first_values(draft, &told);
                } else if part.kind == PartKind::Values {
                    values(draft, &told);
                } else {
                    cut_reason(draft, &told);
                }
            }
            PartKind::Frames => frames(draft, part),
            PartKind::Library => draft.left_out.add(Omission::Frame, part.said.len()),
            PartKind::Captured => captured(draft, part),
        }
    }
}

/// Writes a reason; of a long one, what says most of it.
fn cut_reason(draft: &mut Draft<'_>, said: &[Said<'_>]) {
    let Detail { reason: most, width, .. } = draft.detail;
    let Some(shown) = reason::chosen(said, most) else { return draft.lines(INDENT, said, most, width) };
    let mut next = 0;
    for at in shown {
        // A mark costs as much as a line.
        let gap = next..if at == next + 1 { next } else { at };
        draft.mark_left_out(INDENT, &said[gap.clone()], "");
        for said in &said[gap.end..=at] {
            draft.own(INDENT, said.text, width);
        }
        next = at + 1;
    }
    draft.mark_left_out(INDENT, &said[next..], "");
}

/// Number of a part's lines, but blank ones and the statement at fault, which is told by itself.
fn code_of(test: &Test<'_>, part: &Part<'_>) -> usize {
    let statement = said_of(test, PartKind::Source);
    let is_told = |said: &Said<'_>| statement.iter().any(|told| told.number == said.number);
    part.said.iter().filter(|said| !said.text.trim().is_empty() && !is_told(said)).count()
}

/// Counts the lines, but blank ones, that are not told.
fn untold(draft: &mut Draft<'_>, why: Omission, all: &[Said<'_>], told: &[Said<'_>]) {
    let filled = |said: &[Said<'_>]| said.iter().filter(|said| !said.text.trim().is_empty()).count();
    draft.left_out.add(why, filled(all) - filled(told));
}

/// Writes all lines of a part that say something.
fn whole(draft: &mut Draft<'_>, test: &Test<'_>, part: &Part<'_>) {
    let indent = if part.title.is_empty() { INDENT } else { INDENT * 2 };
    if !part.title.is_empty() {
        draft.line(INDENT, &format!("{}:", part.title), usize::MAX);
    }
    let told = reason::lines(test, part);
    let why = if part.kind == PartKind::Values { Omission::Repeat } else { Omission::Source };
    untold(draft, why, &part.said, &told);
    draft.lines(indent, &told, usize::MAX, usize::MAX);
}

/// Writes the first line of each side of a difference that is told nowhere else.
fn first_values(draft: &mut Draft<'_>, said: &[Said<'_>]) {
    let told = reason::sides(said);
    for side in &told {
        draft.own(INDENT, side, draft.detail.width);
    }
    draft.left_out.add(Omission::Detail, said.len() - told.len());
}

/// Writes a difference; of a long one, only lines that differ.
fn values(draft: &mut Draft<'_>, said: &[Said<'_>]) {
    if said.len() <= draft.detail.values + 1 {
        return draft.lines(INDENT, said, draft.detail.values, draft.detail.width);
    }
    // insta numbers the lines of both sides in front of a bar.
    let differs = |text: &str| {
        let own = text.split_once('│').map_or(text, |(_, behind)| behind);
        own.trim_start().starts_with(['-', '+', '?', '<', '>'])
    };
    let first = said.iter().take_while(|said| !differs(said.text)).count();
    let is_shown = |at: usize, text: &str| first == said.len() || at < first.min(2) || differs(text);
    let shown = said.iter().enumerate().filter(|(at, said)| is_shown(*at, said.text));
    // Where all of one side stands in front of the other, some of each.
    let (others, added): (Vec<_>, Vec<_>) =
        shown.partition(|(_, said)| !said.text.trim_start().starts_with(['+', '>']));
    let most = draft.detail.values;
    let of_others = others.len().min(most - added.len().min(most / 2));
    let mut shown = [&others[..of_others], &added[..added.len().min(most - of_others)]].concat();
    shown.sort_unstable_by_key(|(at, _)| *at);
    let count = shown.len();
    for (_, said) in shown {
        draft.own(INDENT, said.text, draft.detail.width);
    }
    draft.left_out.add(Omission::Marked, said.len() - count);
    if let [first, .., last] = said
        && count > 0
    {
        draft.line(INDENT, &format!("… the values, lines {}-{}", first.number, last.number), usize::MAX);
    }
}

/// Writes the nearest frames of the project.
fn frames(draft: &mut Draft<'_>, part: &Part<'_>) {
    for said in part.said.iter().take(draft.detail.frames) {
        draft.line(INDENT, &frame(said.text), draft.detail.width);
    }
    match part.said.get(draft.detail.frames..) {
        Some(rest) if draft.detail.frames > 0 => draft.mark_left_out(INDENT, rest, ""),
        rest => draft.left_out.add(Omission::Detail, rest.map_or(0, <[_]>::len)),
    }
}

/// A frame in the form `at src/a.py:12: in f`, without the tool's own mark.
fn frame(text: &str) -> String {
    let text = text.trim().trim_end_matches(':');
    let text = ["at ", "# ", "❯ ", "from "].iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text);
    format!("at {text}")
}

/// Writes what a test printed, or output that belongs to no failure.
pub fn captured(draft: &mut Draft<'_>, part: &Part<'_>) {
    if draft.detail.captured == 0 && draft.detail.values > 0 {
        draft.mark_left_out(INDENT, &part.said, part.title);
    } else if draft.detail.captured == 0 {
        draft.left_out.add(Omission::Detail, part.said.len());
    } else if !part.said.is_empty() {
        draft.line(INDENT, &format!("{}:", part.title), usize::MAX);
        draft.lines(INDENT * 2, &part.said, draft.detail.captured, draft.detail.width.min(200));
    }
}

/// Writes tests of one outcome that are no failures, with their reasons: those that were not run, or failed as
/// expected.
pub fn others(draft: &mut Draft<'_>, tests: &[&Test<'_>]) {
    let Some(first) = tests.first() else { return };
    // Without a number: a line may stand for several tests (`SKIPPED [3] tests/a.py:12`), and the totals have the
    // number.
    draft.line(0, &format!("{}:", word(first.outcome)), usize::MAX);
    for test in tests.iter().take(draft.detail.places) {
        let is_stack = |part: &&Part<'_>| matches!(part.kind, PartKind::Frames | PartKind::Library);
        let told = test.why.iter().filter(|part| !is_code(part) && !is_stack(part));
        let why: Vec<_> = told.flat_map(|part| &part.said).map(|said| said.text.trim()).collect();
        let stack = test.why.iter().filter(is_stack).map(|part| part.said.len()).sum();
        draft.left_out.add(Omission::Frame, stack);
        let why = if why.is_empty() { String::new() } else { format!(": {}", why.join(" ")) };
        draft.line(INDENT, &format!("{}{why}", with_place(test)), draft.detail.width);
    }
    draft.mark_more(INDENT, tests.len().saturating_sub(draft.detail.places), "");
}

const fn word(outcome: Verdict) -> &'static str {
    match outcome {
        Verdict::Failed => "FAILED",
        Verdict::Error => "ERROR",
        Verdict::Expected => "failed as expected",
        Verdict::Skipped => "skipped",
    }
}
