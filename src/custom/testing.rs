//! A filter's own tests: an output, an exit status, and what must hold of the result.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use super::engine::{self, Rules};
use super::schema::{Expect, FilterFile, Test};
use super::{Call, Notices, Steps, commands};
use crate::mistake::{self, Mistake};

#[derive(Clone, Debug)]
pub struct Outcome {
    pub name: String,
    /// Expectations that do not hold, and notices; empty where the test passes.
    pub failures: Vec<String>,
    pub input: Vec<u8>,
    pub output: Vec<u8>,
    pub exit_code: i32,
    /// The expected output of the filter, where the test has one.
    pub wanted: Option<String>,
}

/// The filter file, as far as it can be read, and every mistake in it, in the order of its lines: in its syntax, its
/// expressions, templates, commands and script, which may lie beside it.
pub fn check_all(source: &str, beside: &Path) -> (Option<FilterFile>, Vec<Mistake>) {
    let (file, mut found) = mistake::parse_all::<FilterFile>(source, false);
    if let Some(file) = &file {
        found.extend(file.all_parts().iter().filter_map(|part| part.mistake(source, false)));
        found.extend(commands::mistakes(file, source));
        found.extend(file.pipeline.iter().filter_map(|script| script.uncompiled(source, beside)));
        // Too many rules, or expressions that are too large only together.
        found.extend([true, false].iter().filter_map(|succeeded| Rules::new(file, source, *succeeded).err()));
    }
    found.sort_unstable();
    found.dedup();
    (file, found)
}

/// Runs the tests of a filter; fixtures lie below `directory`. One that cannot be read is a mistake at the beginning.
pub fn run(file: &FilterFile, source: &str, directory: &Path) -> Result<Vec<Outcome>, Mistake> {
    file.test
        .iter()
        .map(|test| {
            let input = input(test, directory).map_err(|error| Mistake::at(source, 0, error))?;
            run_one(file, source, directory, test, input)
        })
        .collect()
}

fn input(test: &Test, directory: &Path) -> Result<Vec<u8>, String> {
    match (&test.inline, &test.fixture) {
        (Some(text), None) => Ok(text.as_bytes().to_vec()),
        (None, Some(path)) => fs_err::read(directory.join(path)).map_err(|error| error.to_string()),
        _ => Err(format!("test `{}`: give either `inline` or `fixture`", test.name)),
    }
}

/// Runs one test on an input; `directory` is that of the filter.
pub fn run_one(
    file: &FilterFile,
    source: &str,
    directory: &Path,
    test: &Test,
    input: Vec<u8>,
) -> Result<Outcome, Mistake> {
    let notices = Notices::default();
    let command = file.command.0.first().map_or("", String::as_str);
    let words = command.split_whitespace().chain(test.args.iter().map(String::as_str));
    let words: Vec<OsString> = words.map(OsString::from).collect();
    let call = Call {
        words: &words,
        exit: Some(test.exit_code),
        beside: Some(directory),
        notices: Some(&notices),
        steps: Some(&test.step),
        ..Call::default()
    };
    let rules = Rules::new(file, source, call.succeeded())?;
    let filtered = engine::run(&rules, &input, &call);
    let output = filtered.map_or_else(|| input.clone(), |filtered| filtered.text);
    let text = String::from_utf8_lossy(&output);
    let mut failures = notices.take();
    for expect in &test.expect {
        failures.extend(unmet(expect, &text, source)?);
    }
    let wanted = test.expect.iter().find_map(|expect| expect.equals.clone());
    Ok(Outcome { name: test.name.clone(), failures, input, output, exit_code: test.exit_code, wanted })
}

/// The outputs that a test gives for the commands beside the tool, by name.
impl Steps for BTreeMap<String, String> {
    fn output(&self, name: &str, _command: &str) -> Result<Vec<u8>, String> {
        let told = self.get(name).map(|text| text.as_bytes().to_vec());
        told.ok_or_else(|| format!("not run in a test, which says nothing of `step.{name}`"))
    }
}

/// The parts of an expectation that do not hold.
fn unmet(expect: &Expect, text: &str, source: &str) -> Result<Vec<String>, Mistake> {
    let mut failures = Vec::new();
    let mut hold = |wanted: &Option<String>, what: &str, holds: &dyn Fn(&str) -> bool| {
        if let Some(wanted) = wanted.as_ref().filter(|wanted| !holds(wanted)) {
            failures.push(format!("{what} {wanted:?}"));
        }
    };
    hold(&expect.equals, "is not", &|wanted| text == wanted || text.trim_end() == wanted);
    hold(&expect.contains, "lacks", &|wanted| text.contains(wanted));
    hold(&expect.not_contains, "has", &|wanted| !text.contains(wanted));
    hold(&expect.starts_with, "does not begin with", &|wanted| text.starts_with(wanted));
    hold(&expect.ends_with, "does not end with", &|wanted| text.trim_end().ends_with(wanted));
    let patterns = [(&expect.matches, "does not match", true), (&expect.not_matches, "matches", false)];
    for (pattern, what, wanted) in patterns {
        if let Some(pattern) = pattern
            && pattern.compile(source)?.is_match(text.as_bytes()) != wanted
        {
            failures.push(format!("{what} {:?}", pattern.text()));
        }
    }
    let count = text.lines().filter(|line| !line.trim().is_empty()).count();
    if let Some(wanted) = expect.line_count.filter(|wanted| *wanted != count) {
        failures.push(format!("has {count} lines, not {wanted}"));
    }
    Ok(failures)
}
