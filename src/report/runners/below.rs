//! Readers of the text below a heading, for runners that write it in a form of their own.

use std::ops::Range;

use super::super::record::{PartKind, Place, Said, Test};
use super::super::section::{HIGHEST_TITLE, Section, dedent, indent, is_long_rule, parts};
use super::traces::{frame, is_panic, own_place};
use super::{body, tap};

/// Rust: what the test printed, then `thread 'x' panicked at src/lib.rs:12:5:` and the message.
pub fn panic<'t>(section: &Section<'t>, lines: Range<usize>, test: &mut Test<'t>) {
    let at = section.find(lines.start, lines.end, is_panic);
    let rest = if at < lines.end { at + 1 } else { lines.start };
    let line = section.text(at).trim().trim_end_matches(':');
    let panicked = line.split_once(" panicked at ").map(|(_, behind)| behind);
    // A test of documentation is named by its place; the lines of its panic are counted within the test.
    let named = test.place.filter(|place| test.id.starts_with(place.file));
    if let Some(behind) = panicked.filter(|_| at < lines.end) {
        match behind.strip_prefix('\'').and_then(|behind| behind.rsplit_once("', ")) {
            Some((message, place)) => {
                test.place = own_place(place).or(test.place);
                test.add(PartKind::Reason, "", vec![section.quote(at, message)]);
            }
            None => test.place = own_place(behind).or(test.place),
        }
    }
    let place = test.place;
    body::read(section, rest..lines.end, test);
    // A panic in a library has no place other than the library's.
    let foreign = panicked.and_then(Place::parse);
    test.place = place.or(test.place).or(foreign.map(|(place, _)| place));
    // Frames of a backtrace are `at ./src/lib.rs:12:5`.
    test.place = test.place.map(|place| Place { file: place.file.trim_start_matches("./"), ..place });
    if let Some((named, within)) = named.zip(panicked) {
        test.place = Some(named);
        test.add(PartKind::Captured, "panicked, in lines of the example", vec![section.quote(at, within)]);
    }
    let mut printed = section.block(lines.start..at);
    // rustdoc's heading of what an example wrote, which is the panic.
    if named.is_some() && printed.pop_if(|last| last.text.trim() == "stderr:").is_some() {
        printed.pop_if(|last| last.text.trim().is_empty());
    }
    if at < lines.end {
        add_printed(test, printed);
    }
}

/// Adds what a Rust test printed. Of insta that is how its snapshot differs, between rules: the reason names only the line.
fn add_printed<'t>(test: &mut Test<'t>, mut printed: Vec<Said<'t>>) {
    dedent(&mut printed);
    if let Some(start) = printed.iter().position(|said| said.text.contains("━ Snapshot Summary ━")) {
        let mut snapshot = printed.split_off(start);
        snapshot
            .retain(|said| said.text.contains(|c: char| !"─━┬┴ ".contains(c)) && !said.text.starts_with('━'));
        let advice = snapshot.iter().position(|said| said.text.starts_with("Stopped on the first failure."));
        let source = snapshot.iter().find_map(|said| own_place(said.text.strip_prefix("Source: ")?));
        test.place = test.place.filter(|place| !place.is_foreign()).or(source).or(test.place);
        printed.extend(advice.map(|at| snapshot.split_off(at)).into_iter().flatten());
        test.add(PartKind::Values, "", snapshot);
    }
    test.add(PartKind::Captured, "printed", printed);
}

/// nextest: the output of each test's own libtest, whose lines about the one test that it ran say nothing.
pub fn nextest<'t>(section: &Section<'t>, lines: Range<usize>, test: &mut Test<'t>) {
    let at = section.find(lines.start, lines.end, is_panic);
    let silent = ["--- STD", "stdout ─", "stderr ─", "running ", "test ", "failures:"];
    let is_silent = |line: &str| silent.iter().any(|silent| line.trim().starts_with(silent));
    let is_name = |line: &str| !line.is_empty() && test.id.ends_with(line.trim());
    let printed: Vec<Said<'t>> = (lines.start..at)
        .map(|at| section.said(at))
        .filter(|said| !said.text.trim().is_empty() && !is_silent(said.text) && !is_name(said.text))
        .collect();
    if at < lines.end {
        panic(section, at..lines.end, test);
        add_printed(test, printed);
    } else {
        test.add(PartKind::Reason, "", printed);
    }
}

/// Go: `    a_test.go:6: message`, further lines deeper in; or a panic with its stack.
pub fn go<'t>(section: &Section<'t>, lines: Range<usize>, test: &mut Test<'t>) {
    let mut said: Vec<Said<'t>> = Vec::new();
    let stack = section.find(lines.start, lines.end, |line| line.starts_with("goroutine "));
    for at in lines.start..stack {
        let text = section.text(at).trim_end();
        let place = Place::parse(text.trim_start()).map(|(place, _)| place);
        test.place = test.place.or(place.filter(|place| place.file.split('.').next_back() == Some("go")));
        // A panic that the runner caught is told twice: `panic: x [recovered]`, `panic: x`.
        let above = said.last().and_then(|last| last.text.trim_start().strip_suffix(" [recovered]"));
        if !text.is_empty() && above != Some(text.trim_start()) {
            said.push(section.quote(at, text));
        }
    }
    dedent(&mut said);
    // The place is told with the name, so a message need not repeat it.
    for said in &mut said {
        if let Some((place, rest)) = Place::parse(said.text.trim_start())
            && Some(place) == test.place
        {
            said.text = rest.trim_start_matches(':').trim_start();
        }
    }
    test.add(PartKind::Reason, "", said);
    if stack < lines.end {
        body::read(section, stack + 1..lines.end, test);
    }
    if test.id.contains(' ')
        && let Some(running) = (stack..lines.end).find_map(|at| running(section.text(at)))
    {
        test.id += " in ";
        test.id += running;
    }
}

/// The test whose function a line of a Go stack names: `example.com/g/b.TestHang.func1(0x0?)`.
fn running(line: &str) -> Option<&str> {
    let name = &line[line.find(".Test")? + 1..];
    Some(name.split(|c: char| c != '_' && !c.is_alphanumeric()).next().unwrap_or(name))
}

/// mocha: the name goes on below its heading, each part indented more, and ends with a colon. Of tap's `classic` form the
/// test's name stands above `not ok`, and that of the next one may end the block.
pub fn mocha<'t>(section: &Section<'t>, lines: Range<usize>, test: &mut Test<'t>) {
    let is_not_ok = |at| section.text(at).starts_with("  not ok ");
    let is_name = |at| indent(section.text(at)) == 2 && !is_not_ok(at);
    if lines.start > 0 && is_not_ok(lines.start - 1) {
        if lines.start > 1 && is_name(lines.start - 2) {
            test.id = format!("{} > {}", section.text(lines.start - 2).trim(), test.id);
        }
        let has_next = is_not_ok(lines.end) && is_name(lines.end - 1);
        return tap::read(section, lines.start..lines.end - usize::from(has_next), test);
    }
    let mut at = lines.start;
    while at < lines.end && !test.id.ends_with(':') && !section.text(at).trim().is_empty() {
        test.id += " › ";
        test.id += section.text(at).trim();
        at += 1;
    }
    if test.id.ends_with(':') {
        test.id.pop();
    }
    body::read(section, at..lines.end, test);
}

/// Bun: in front of the excerpt, or of the error, and behind the stack stands what the test printed.
pub fn bun<'t>(section: &Section<'t>, lines: Range<usize>, test: &mut Test<'t>) {
    let is_bar = |at: usize| section.text(at).starts_with("-----");
    // An error outside of a test stands between two.
    let lines = if is_bar(lines.start) { lines.start + 1..lines.end } else { lines };
    let lines = if !lines.is_empty() && is_bar(lines.end - 1) { lines.start..lines.end - 1 } else { lines };
    let is_code = |line: &str| {
        let code = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
        code.len() < line.trim_start().len() && code.starts_with(" | ")
    };
    let is_error = |line: &str| {
        line.split_once(": ").is_some_and(|(kind, _)| kind == "error" || kind.ends_with("Error"))
    };
    let is_text = |line: &str| is_code(line) || is_error(line);
    let first = section.find(lines.start, lines.end, is_text);
    let first = if first == lines.end { lines.start } else { first };
    let last = (first..lines.end).rev().find(|at| frame(section.text(*at)).is_some());
    let end = last.map_or(lines.end, |last| last + 1);
    body::read(section, first..end, test);
    test.add(PartKind::Captured, "printed", section.block(lines.start..first));
    test.add(PartKind::Captured, "printed", section.block(end..lines.end));
}

/// Jasmine, also in karma: the parts have titles, and its own frames no place.
pub fn jasmine<'t>(section: &Section<'t>, lines: Range<usize>, test: &mut Test<'t>) {
    let is_said = |at: &usize| !matches!(section.text(*at).trim(), "Message:" | "Stack:" | "at <Jasmine>");
    body::read(section, lines.filter(is_said), test);
}

/// Deno: what the test printed stands between two rules, where the test is named in front.
pub fn deno<'t>(section: &Section<'t>, lines: Range<usize>, test: &mut Test<'t>) {
    if section.text(lines.start).starts_with("------- ") {
        let end = section.find(lines.start + 1, lines.end, |line| line.starts_with("----- "));
        return test.add(PartKind::Captured, "printed", section.block(lines.start + 1..end));
    }
    body::read(section, lines, test);
}

/// Dart: above the heading stands what the test printed, or Flutter's exception between rules, to which the text below
/// refers.
pub fn dart<'t>(section: &Section<'t>, lines: Range<usize>, test: &mut Test<'t>) {
    let is_above = section.text(lines.end).ends_with(" [E]");
    if is_above && !section.text(lines.start).starts_with("══╡") {
        // A line that names the test stands in front of what that test prints.
        let named = (0..lines.start).rev().map(|at| section.text(at).trim()).find(|line| !line.is_empty());
        let is_own = named.is_some_and(|line| line.ends_with(&test.id));
        let title = if is_own { "printed" } else { "printed, perhaps by another test" };
        return test.add(PartKind::Captured, title, section.block(lines));
    }
    // The heading has the description, which may stand on the next line.
    let described = "The test description was:";
    let silent = [
        "══",
        "Test failed. See exception logs above.",
        described,
        "When the exception was thrown, this was the stack:",
        "This was caught by the test expectation on the following line:",
        "<asynchronous suspension>",
        "===== asynchronous gap",
        "(elided ",
    ];
    let is_silent = |at: usize| silent.iter().any(|words| section.text(at).trim().starts_with(words));
    let is_said = |at: &usize| !is_silent(*at) && section.text(at.wrapping_sub(1)).trim() != described;
    body::read(section, lines.filter(is_said), test);
}

/// Zig: below each frame its line and a caret. The reason may begin on the heading's line, and ends with the error's name.
pub fn zig<'t>(section: &Section<'t>, lines: Range<usize>, test: &mut Test<'t>) {
    let is_frame = |at: usize| frame(section.text(at)).is_some();
    let is_caret = |at: usize| section.text(at).trim() == "^";
    let is_code = |at: &usize| {
        *at > lines.start && is_frame(at - 1) && is_caret(at + 1)
            || *at > lines.start + 1 && is_frame(at - 2) && is_caret(*at)
    };
    let (code, said): (Vec<_>, Vec<_>) = lines.clone().partition(is_code);
    body::read(section, said.into_iter(), test);
    let is_own = |at: &usize| frame(section.text(at - 1)).is_some_and(|frame| frame.place == test.place);
    let own = code.iter().position(is_own);
    let mut library: Vec<_> = code.into_iter().map(|at| section.said(at)).collect();
    let source: Vec<_> = own.map(|at| library.remove(at)).into_iter().collect();
    test.why.extend(parts([(PartKind::Source, source), (PartKind::Library, library)]));
}

/// minitest: `ShopTest#test_ink [test/shop_test.rb:5]:`, then the message.
pub fn minitest<'t>(section: &Section<'t>, lines: Range<usize>, test: &mut Test<'t>) {
    let head = section.text(lines.start).trim().trim_end_matches(':');
    let (id, place) = head.split_once(" [").unwrap_or((head, ""));
    id.clone_into(&mut test.id);
    test.place = own_place(place.trim_end_matches(']')).or(test.place);
    body::read(section, lines.start + 1..lines.end, test);
}

/// test-unit: below the place the lines around the one at fault, which `=>` marks; then the values.
pub fn test_unit<'t>(section: &Section<'t>, lines: Range<usize>, test: &mut Test<'t>) {
    let number = |at| {
        let text = section.text(at).trim_start();
        text.strip_prefix("=>").unwrap_or(text).trim_start().split_once(": ").map(|(number, _)| number)
    };
    let is_number = |number: &str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let (excerpt, rest): (Vec<_>, Vec<_>) = lines.partition(|at| number(*at).is_some_and(is_number));
    let fault = excerpt.iter().map(|at| section.said(*at)).find_map(|said| {
        let (_, code) = said.text.trim_start().strip_prefix("=>")?.split_once(':')?;
        Some(Said { text: code.trim(), ..said })
    });
    test.add(PartKind::Excerpt, "", excerpt.into_iter().map(|at| section.said(at)).collect());
    test.add(PartKind::Source, "", fault.into_iter().collect());
    body::read(section, rest.into_iter(), test);
}

/// phpunit: `--testdox` draws a bar in front of what is said of a test.
pub fn phpunit<'t>(section: &Section<'t>, lines: Range<usize>, test: &mut Test<'t>) {
    let mut own = Section::new("", section.lines[lines].to_vec());
    for line in &mut own.lines {
        line.text =
            line.text.strip_prefix("   │").map_or(line.text, |text| text.strip_prefix(' ').unwrap_or(text));
    }
    body::read(&own, 0..own.lines.len(), test);
}

/// behave: the steps, below the failing one its reason; then what the scenario printed.
pub fn behave<'t>(section: &Section<'t>, lines: Range<usize>, test: &mut Test<'t>) {
    test.id = test.id.replacen("  ", " ", 1);
    let end = section.find(lines.start, lines.end, |line| line == "----");
    let is_reason = |line: &str| indent(line) > 4 && !line.trim_start().starts_with(['|', '"']);
    let reason = section.find(lines.start, end, is_reason);
    // A step that nothing defines has no place, and no reason.
    let is_undefined = |line: &str| indent(line) == 4 && line.ends_with("# None");
    let undefined = section.find(lines.start, end, is_undefined);
    let step = (lines.start..reason).rev().find(|at| indent(section.text(*at)) == 4);
    let step = step.filter(|step| *step < undefined).unwrap_or(undefined);
    if step < end {
        test.add(PartKind::Reason, "", vec![section.quote(step, section.text(step).trim())]);
    }
    let behind = section.find(reason, end, str::is_empty);
    body::read(section, reason..behind, test);
    let close = section.find(end, lines.end, |line| line.starts_with("---- CAPTURED_"));
    if end + 1 < close {
        test.add(PartKind::Captured, section.text(end + 1).trim(), section.block(end + 2..close));
    }
}

/// Robot Framework: the name stands lines above where the test wrote to the console.
pub fn robot<'t>(section: &Section<'t>, lines: Range<usize>, test: &mut Test<'t>) {
    if test.id.is_empty() {
        let is_rule = |at: &usize| section.text(*at).starts_with(['-', '=']);
        let first = (0..lines.start).rev().find(is_rule).map_or(0, |rule| rule + 1);
        section.text(first).split("  ").next().unwrap_or("").clone_into(&mut test.id);
    }
    body::read(section, lines, test);
}

/// busted: the name on a line of its own, then the place and the message.
pub fn busted<'t>(section: &Section<'t>, lines: Range<usize>, test: &mut Test<'t>) {
    section.text(lines.start).trim().clone_into(&mut test.id);
    let message = section.text(lines.start + 1);
    if let Some((place, rest)) = Place::parse(message).filter(|(_, rest)| rest.starts_with(": ")) {
        test.place = Some(place);
        test.add(PartKind::Reason, "", vec![section.quote(lines.start + 1, rest[2..].trim_end())]);
    }
    let from = lines.start + 1 + test.why.len();
    body::read(section, from.min(lines.end)..lines.end, test);
}

/// `ExUnit`: the place on a line of its own, then the message, then `stacktrace:`.
pub fn exunit<'t>(section: &Section<'t>, lines: Range<usize>, test: &mut Test<'t>) {
    test.place = own_place(section.text(lines.start).trim()).or(test.place);
    let stack = section.find(lines.start + 1, lines.end, |line| line.trim() == "stacktrace:");
    let place = |said: &Said<'t>| {
        let line = said.text.trim();
        let rest = line.split_once(") ").filter(|_| line.starts_with('('));
        let (place, rest) = Place::parse(rest.map_or(line, |(_, rest)| rest))?;
        (rest.starts_with(':') && !place.file.starts_with("lib/ex_unit")).then_some(place)
    };
    let logged = section.find(stack, lines.end, |line| line.trim() == "The following output was logged:");
    let frames = section.block(stack + 1..logged.max(stack + 1));
    test.place = frames.iter().find_map(place).or(test.place);
    body::read(section, lines.start + 1..stack, test);
    // Those of applications name theirs in front.
    let is_own = |said: &Said<'t>| {
        !said.text.starts_with('(') && place(said).is_some_and(|place| Some(place) != test.place)
    };
    let (own, library): (Vec<_>, Vec<_>) = frames.into_iter().partition(is_own);
    test.add(PartKind::Frames, "", own);
    test.add(PartKind::Library, "", library);
    if logged < lines.end {
        test.add(PartKind::Captured, "logged", section.block(logged + 1..lines.end));
    }
}

/// googletest: `a.cc:5: Failure`, then the message; several in one test.
pub fn gtest<'t>(section: &Section<'t>, lines: Range<usize>, test: &mut Test<'t>) {
    let failure = |at| own_place(section.text(at).strip_suffix(": Failure")?);
    test.place = test.place.or_else(|| lines.clone().find_map(failure));
    test.add(PartKind::Reason, "", section.block(lines));
}

/// Catch2: the names of the test case and its sections stand above the place, between rules.
pub fn catch2<'t>(section: &Section<'t>, lines: Range<usize>, test: &mut Test<'t>) {
    let heading = lines.start.saturating_sub(1);
    let rule_above =
        |line: usize| (line.saturating_sub(HIGHEST_TITLE)..line).rfind(|at| is_long_rule(section.text(*at)));
    let lower = rule_above(heading);
    let upper = lower.and_then(rule_above);
    if let (Some(upper), Some(lower)) = (upper, lower) {
        let names: Vec<_> =
            (upper + 1..lower).map(|at| section.text(at).trim()).filter(|name| !name.is_empty()).collect();
        test.id = names.join(" > ");
    }
    body::read(section, lines, test);
}

/// doctest (C++): the names of the suite, the test case and its parts stand above its failures, each behind a word.
pub fn doctest<'t>(section: &Section<'t>, lines: Range<usize>, test: &mut Test<'t>) {
    let heading = lines.start.saturating_sub(1);
    let is_title = |at: &usize| section.title_end(*at) > *at;
    if let Some(rule) = (heading.saturating_sub(tap::FAR)..heading).rfind(is_title) {
        let name = |at| {
            let line = section.text(at);
            let words = ["TEST SUITE:", "TEST CASE:", "  Scenario:"];
            words.iter().find_map(|word| line.strip_prefix(word)).unwrap_or(line).trim()
        };
        test.id = (rule + 2..section.title_end(rule)).map(name).collect::<Vec<_>>().join(" > ");
    }
    body::read(section, lines, test);
}

/// gradle: the exception with its place on one line (`java.lang.AssertionError at GreeterTest.java:9`), or with a
/// stack.
pub fn gradle<'t>(section: &Section<'t>, lines: Range<usize>, test: &mut Test<'t>) {
    let place = |at| Place::whole(section.text(at).trim_end().rsplit_once(" at ")?.1);
    test.place = test.place.or_else(|| lines.clone().find_map(place));
    body::read(section, lines, test);
}

/// meson: the command, then what the test printed, between rules.
pub fn meson<'t>(section: &Section<'t>, lines: Range<usize>, test: &mut Test<'t>) {
    let is_said = |line: &str| {
        let is_frame = line.chars().all(|c| matches!(c, '―' | '✀' | ' '));
        !is_frame && !line.starts_with(">>> ") && !matches!(line, "stdout:" | "stderr:")
    };
    let said: Vec<_> = lines.map(|at| section.said(at)).filter(|said| is_said(said.text)).collect();
    let place = |said: &Said<'t>| own_place(said.text).filter(|place| place.file.contains('.'));
    test.place = test.place.or_else(|| said.iter().find_map(place));
    test.why.extend(parts([(PartKind::Reason, said)]));
}
