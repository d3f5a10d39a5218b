//! Properties that every reader of somebody else's text must hold, whatever the bytes: shared by the suite, which plays
//! with seeds, and by the fuzz targets (tests/fuzz/README.md).

use std::borrow::Cow;
use std::path::{Component, Path};

use llm_toto::agents;
use llm_toto::config::{self, Level};
use llm_toto::custom::{schema, testing};
use llm_toto::edits::{self, Change, Format, Record};
use llm_toto::hook::rules::{self, Rules};
use llm_toto::hook::{self, lexer, protocol};
use llm_toto::ledger::record::{self, Line};
use llm_toto::pipeline::{Options, compress, visible};
use llm_toto::render::expand::expand;
use llm_toto::report;
use llm_toto::report::record::What;
use llm_toto::{hidden, marks, packs, tokens, words};
use serde_json::{Value, json};

pub mod printed_tables;
pub mod round_trip;
pub mod whole_words;

/// A property of any bytes; returns what is wrong, if anything.
pub type Property = fn(&[u8]) -> Option<String>;

/// The properties, by the names of the fuzz targets.
pub const PROPERTIES: [(&str, Property); 16] = [
    ("round_trip", documents),
    ("expand", notation),
    ("outputs", outputs),
    ("filters", filters),
    ("settings", settings),
    ("shell", shell),
    ("rules", rewrite_rules),
    ("hook", questions),
    ("agents", agents_of_the_user),
    ("foreign", foreign_files),
    ("packs", tarballs),
    ("forms", texts),
    ("tables", tables),
    ("ledger", records),
    ("report", reports),
    ("scrub", scrubbed),
];

/// Panics where the property of this name does not hold.
pub fn hold(name: &str, data: &[u8]) {
    let (_, property) = PROPERTIES.iter().find(|(known, _)| *known == name).expect("a property's name");
    if let Some(wrong) = property(data) {
        panic!("{name}: {wrong}");
    }
}

/// Length to which one input in so many is repeated for the next property, in bytes.
const REPEATED: usize = 4 << 10;
const ONE_IN: usize = 64;

/// A way to make a text fit for its reader.
type Way = fn(&[u8]) -> Cow<'_, [u8]>;

/// Whatever is repeated, a reader gets nothing that a terminal obeys, no line that could be toto's, and not much more
/// than there was; what a reader was given is given again as it is.
fn scrubbed(data: &[u8]) -> Option<String> {
    let is_repeated = data.len().is_multiple_of(ONE_IN);
    let text = data.repeat(if is_repeated { REPEATED.div_ceil(data.len().max(1)) } else { 1 });
    let ways: [Way; 4] =
        [visible::output, visible::lines, visible::file, |text| visible::readable(text).into_bytes().into()];
    ways.into_iter().find_map(|way| {
        let given = way(&text);
        let is_wrong = given.len() > 3 * text.len() + (80 << 10)
            || hidden::is_in_text(&given)
            || given.split(|byte| *byte == b'\n').any(marks::is_ours)
            || *given != text && !text.contains(&b'\r') && way(&given) != given;
        is_wrong.then(|| {
            format!("{} bytes: {:?}", given.len(), String::from_utf8_lossy(&given[..given.len().min(400)]))
        })
    })
}

/// A document found in any text (JSON, NDJSON, YAML, text around JSON) comes back from either notation, at the levels
/// `lossless` and `standard`.
fn documents(data: &[u8]) -> Option<String> {
    round_trip::violation(std::str::from_utf8(data).ok()?)
}

/// Every word of any text stands in its known forms, and at `lossless` every byte comes back.
fn texts(data: &[u8]) -> Option<String> {
    whole_words::violation(std::str::from_utf8(data).ok()?)
}

/// No cell of a printed table stands in another's column, and at `lossless` every byte comes back.
fn tables(data: &[u8]) -> Option<String> {
    printed_tables::told(std::str::from_utf8(data).ok()?)?.violation()
}

/// The reader of the notation answers any text with UTF-8, or with one error that names a line of the text.
fn notation(data: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(data).ok()?;
    match expand(text) {
        Ok(json) => std::str::from_utf8(&json).err().map(|error| error.to_string()),
        Err(error) => {
            let is_placed = (1..=text.lines().count().max(1) + 1).contains(&error.line);
            let said = error.to_string();
            (!is_placed || said.lines().count() != 1).then_some(said)
        }
    }
}

/// Input: a filter, and behind the first NUL an output. The reader names a mistake with its place in the filter, or the
/// filter runs to its end, and its output at exit code 0 is limited by the input's size.
fn filters(data: &[u8]) -> Option<String> {
    let at = data.iter().position(|byte| *byte == 0).unwrap_or(data.len());
    let text = std::str::from_utf8(&data[..at]).ok()?;
    let output = data.get(at + 1..).unwrap_or_default();
    let file = match schema::parse(text) {
        Ok(file) => file,
        Err(mistake) => {
            let is_placed =
                mistake.line >= 1 && mistake.line <= text.split('\n').count() && mistake.column >= 1;
            let is_line = !mistake.message.contains('\n');
            return (!is_placed || !is_line)
                .then(|| format!("{}:{}: {}", mistake.line, mistake.column, mistake.message));
        }
    };
    for exit_code in [0, 1] {
        let test = schema::Test { exit_code, ..schema::Test::default() };
        if let Ok(outcome) = testing::run_one(&file, text, Path::new(""), &test, output.to_vec())
            && exit_code == 0
            && outcome.output.len() > 64 * (output.len() + text.len() + 64)
        {
            return Some(format!("{} bytes of {}", outcome.output.len(), output.len()));
        }
    }
    None
}

/// For any text, the records have no more lines than the text. The digest tells each of the tool's totals word by word.
/// In little room it tells of as many failures and keeps within its room. The report can be written as JSON.
fn reports(data: &[u8]) -> Option<String> {
    const ROOM: usize = 1000;
    let text = String::from_utf8_lossy(data);
    let text = report::plain(&text);
    let report = report::read(&text, &[])?;
    let whole = report.digest(&report::Options::default());
    for record in report.records() {
        if let What::Total(total) = &record.what
            && let Some(said) = total.said.iter().find(|said| !whole.text.contains(said.text.trim_end()))
        {
            return Some(format!("no total {said:?} in\n{}", whole.text));
        }
    }
    let lines: usize = report.records().map(|record| record.lines.len()).sum();
    if lines > text.lines().count() {
        return Some(format!("{lines} lines of records in {} lines", text.lines().count()));
    }
    let room = report::Options { most: ROOM, ..report::Options::default() };
    let small = report.digest(&room);
    if small.text.len() > ROOM || small.failures != whole.failures {
        return Some(format!(
            "{} bytes, {} of {} failures",
            small.text.len(),
            small.failures,
            whole.failures
        ));
    }
    serde_json::to_string(&report.to_json()).err().map(|error| error.to_string())
}

/// Settings that are written out and read again are the same; a mistake is one line that names the file.
fn settings(data: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(data).ok()?;
    match config::parse(text, "c.toml") {
        Ok(settings) => {
            let written = settings.to_toml();
            match config::parse(&written, "c.toml") {
                Ok(again) if again.to_toml() == written => None,
                Ok(again) => Some(format!("{written}\nbecame\n{}", again.to_toml())),
                Err(error) => Some(format!("{error}\n{written}")),
            }
        }
        Err(error) => {
            let line = error.to_string();
            (!line.starts_with("c.toml:") || line.contains('\n')).then_some(line)
        }
    }
}

/// The tokens of a command line cover it without gaps; a rewritten line is not rewritten again; the words of a line,
/// quoted, are read as the same words.
fn shell(data: &[u8]) -> Option<String> {
    let line = std::str::from_utf8(data).ok()?;
    for tokens in [lexer::tokens(line), lexer::likely_tokens(line)] {
        let mut end = 0;
        for token in &tokens {
            if token.at.start != end || token.at.end <= end || !line.is_char_boundary(token.at.end) {
                return Some(format!("{token:?} after {end}"));
            }
            end = token.at.end;
        }
        if end != line.len() {
            return Some(format!("{end} of {} bytes", line.len()));
        }
    }
    let rules = Rules::default();
    if let Ok((once, _)) = hook::rewrite(line, &rules, "toto shim --")
        && let Ok((twice, _)) = hook::rewrite(&once, &rules, "toto shim --")
    {
        return Some(format!("{once}\nand again\n{twice}"));
    }
    let split = words::split(data).ok()?;
    let quoted: Vec<_> = split.iter().map(|word| std::str::from_utf8(word).map(words::quote)).collect();
    let Ok(quoted) = quoted.into_iter().collect::<Result<Vec<_>, _>>() else {
        return Some(format!("{split:?} is no text"));
    };
    let again = words::split(quoted.join(" ").as_bytes());
    (again.as_ref() != Ok(&split)).then(|| format!("{split:?} became {again:?}"))
}

/// Input: a user's rules, and behind the first NUL a command line. The reader names a mistake with its line, or the
/// line is rewritten or not.
fn rewrite_rules(data: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(data).ok()?;
    let (text, line) = text.split_once('\0').unwrap_or((text, "aws s3 ls"));
    match rules::parse(text, Path::new("r.toml")) {
        Ok(rules) => {
            let _ = hook::rewrite(line, &rules, "toto shim --");
            None
        }
        Err(error) => misplaced(&error.to_string(), "r.toml:", text),
    }
}

/// The error, unless it is one line that begins with the file and a line number of the text.
fn misplaced(error: &str, file: &str, text: &str) -> Option<String> {
    let number = error.strip_prefix(file).and_then(|rest| rest.split(':').next()?.parse().ok());
    let is_placed = number.is_some_and(|line| (1..=text.split('\n').count()).contains(&line));
    (!is_placed || error.contains('\n')).then(|| error.to_owned())
}

/// The answer to a question to any agent's hook has the new command, alone or with the other arguments as they were.
fn questions(data: &[u8]) -> Option<String> {
    for hook in agents::AGENTS.iter().filter_map(|agent| agent.hook.as_ref()) {
        let Some(question) = protocol::question(hook, data) else { continue };
        let mut wanted = match &question.message[hook.arguments_key] {
            Value::String(text) => serde_json::from_str(text).unwrap_or_default(),
            value => value.clone(),
        };
        let command = format!("toto shim -- {}", question.command());
        wanted["command"] = command.as_str().into();
        let Some(answer) = protocol::answer(hook, &question, &command) else {
            return Some("no answer".into());
        };
        let answer: Value = match serde_json::from_str(&answer) {
            Ok(answer) => answer,
            Err(error) => return Some(format!("{error}: {answer}")),
        };
        let mut open = vec![&answer];
        let mut has_it = false;
        while let Some(value) = open.pop() {
            has_it |= *value == wanted || *value == json!({ "command": command });
            open.extend(value.as_object().into_iter().flat_map(|members| members.values()));
        }
        if !has_it {
            return Some(format!("{wanted} is not in {answer}"));
        }
    }
    None
}

/// A user's description of an agent gives an agent with the file's id, or one line that names the file.
fn agents_of_the_user(data: &[u8]) -> Option<String> {
    match agents::parse(std::str::from_utf8(data).ok()?, Path::new("a.toml")) {
        Ok(agent) => (agent.id != "a").then(|| agent.id.to_owned()),
        Err(line) => (!line.starts_with("a.toml:") || line.contains('\n')).then_some(line),
    }
}

/// A change that is put into another program's file comes out again, byte for byte; put in twice, it is there once.
fn foreign_files(data: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(data).ok()?;
    let at = |keys: &[&str]| keys.iter().map(ToString::to_string).collect::<Vec<_>>();
    let hook = json!({ "hooks": [{ "type": "command", "command": "~/.toto/hook path" }] });
    let changes = [
        Change::Append { at: at(&["hooks", "SessionStart"]), element: hook, mark: ".toto/hook".into() },
        Change::Set { at: at(&["shell", "set", "BASH_ENV"]), value: json!("/home/u/.toto/env") },
    ];
    for format in [Format::Json, Format::Toml] {
        let with = |text: &str, record: Option<&Record>, there: bool| {
            edits::with_changes(format, Some(text), record, "path", &changes, there)
        };
        let Ok((Some(new), Some(record))) = with(text, None, true) else { continue };
        match with(&new, Some(&record), true) {
            Ok((Some(again), _)) if again == new => {}
            other => return Some(format!("{format:?}: {new:?} again: {other:?}")),
        }
        match with(&new, Some(&record), false) {
            Ok((Some(back), None)) if back == text => {}
            other => return Some(format!("{format:?}: {text:?} became {new:?}, then {other:?}")),
        }
    }
    None
}

/// A tarball gives files with plain paths below its root, or a mistake.
fn tarballs(data: &[u8]) -> Option<String> {
    let files = packs::tarball("p.tar", data).ok()?;
    let plain = |path: &Path| path.components().all(|part| matches!(part, Component::Normal(_)));
    files.iter().find(|(path, _)| !plain(path)).map(|(path, _)| path.display().to_string())
}

/// A run in a line of a spool (perhaps of another machine) that is written down again is the same run.
fn records(data: &[u8]) -> Option<String> {
    data.split(|byte| *byte == b'\n').find_map(|line| {
        let Line::Run(run) = record::Record::read(line) else { return None };
        let written = run.line();
        let again = record::Record::read(written.strip_suffix(b"\n")?);
        let is_same = matches!(&again, Line::Run(again) if again == &run);
        (!is_same).then(|| format!("{run:?} became {again:?}"))
    })
}

/// Most tokens of the note on lines that look like toto's.
const NOTE: usize = 20;

/// Any output (JSON, YAML, text around documents, terminal control, no text at all) has no more tokens than the
/// original, at every level; one with what a reader must not get, no more than the original without that, which a
/// reader never gets.
fn outputs(data: &[u8]) -> Option<String> {
    let without = match visible::output(data) {
        Cow::Owned(text) => tokens::count(&text) + NOTE,
        Cow::Borrowed(_) => 0,
    };
    for level in [Level::Lossless, Level::Standard, Level::Max] {
        for parses_output in [false, true] {
            let options = Options { level, parses_output, recall: "toto show k7q2x", ..Options::default() };
            let report = compress(data, &options);
            if report.output_tokens > report.original_tokens.max(without) {
                return Some(format!(
                    "{level:?}: {} tokens of {}",
                    report.output_tokens, report.original_tokens
                ));
            }
            let is_text = data.utf8_chunks().all(|chunk| chunk.invalid().is_empty()) && !data.contains(&0);
            if is_text && !parses_output && hidden::is_in_text(&report.output) {
                return Some(format!("{level:?}: {:?}", String::from_utf8_lossy(&report.output)));
            }
        }
    }
    None
}
