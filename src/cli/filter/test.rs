//! `toto filter test`, `toto filter verify`: filters' own tests and the honesty checks.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use clap::Args;
use similar::{DiffOp, TextDiff};

use super::check::{load, read};
use crate::cli::out::{self, Refusal, refuse_unless};
use crate::custom::checks::{self, Author};
use crate::custom::schema::{FilterFile, Test, parse};
use crate::custom::testing::{self, Outcome};
use crate::filter::library;
use crate::mistake;
use crate::sys::directory;

/// Run a filter file's own tests and the honesty checks, or show what it makes of one output
#[derive(Debug, Args)]
pub struct TestArgs {
    /// The filter file
    file: PathBuf,
    /// A file that holds a tool's output: what the filter makes of it is printed
    fixture: Option<PathBuf>,
    /// The exit status of the tool that printed the fixture
    #[arg(long, value_name = "STATUS", default_value_t = 0, requires = "fixture")]
    exit_code: i32,
    /// Say on stderr how long it took
    #[arg(long)]
    timing: bool,
}

/// Run the tests of the whole library
#[derive(Args)]
pub(super) struct VerifyArgs {}

/// Runs a filter file's tests, or prints what the filter makes of one output.
pub fn run(args: &TestArgs) -> anyhow::Result<i32> {
    let start = Instant::now();
    let (file, source) = load(&args.file)?;
    let read = start.elapsed();
    let status = match &args.fixture {
        Some(fixture) => try_on(args, fixture, &file, &source)?,
        None => test(&args.file, file, &source)?,
    };
    if args.timing {
        let [read, run] = [read, start.elapsed().saturating_sub(read)].map(|took| took.as_secs_f64() * 1e3);
        out::complain(&format!("read {read:.2} ms | run {run:.2} ms"));
    }
    Ok(status)
}

fn test(path: &Path, mut file: FilterFile, source: &str) -> anyhow::Result<i32> {
    let directory = path.parent().unwrap_or(Path::new("."));
    file.test.extend(tests_beside(path)?);
    let name = path.display();
    refuse_unless!(!file.test.is_empty(), "{name}: no [[test]]: give an output and what must hold of it");
    let outcomes = testing::run(&file, source, directory).with_context(|| name.to_string())?;
    report(&name.to_string(), &outcomes, Author::User)
}

/// The tests of `NAME_test/*.toml` beside `NAME.toml`, one per file.
fn tests_beside(path: &Path) -> anyhow::Result<Vec<Test>> {
    let name = format!("{}_test", path.file_stem().unwrap_or_default().to_string_lossy());
    let Ok(mut files) = directory::entries(&path.with_file_name(&name)) else { return Ok(Vec::new()) };
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort_unstable();
    let load = |file: PathBuf| {
        let source = read(&file)?;
        let mut test: Test = mistake::parse(&source, false)
            .map_err(|mistake| Refusal::bad(format!("{}:{mistake}", file.display())))?;
        // A fixture's path begins in the test's directory if the file is there, else in the filter's.
        let beside = test.fixture.as_ref().map(|fixture| Path::new(&name).join(fixture));
        if let Some(beside) = beside.filter(|beside| path.with_file_name("").join(beside).exists()) {
            test.fixture = Some(beside.display().to_string());
        }
        Ok(test)
    };
    files.into_iter().map(load).collect()
}

fn try_on(args: &TestArgs, fixture: &Path, file: &FilterFile, source: &str) -> anyhow::Result<i32> {
    let directory = args.file.parent().unwrap_or(Path::new("."));
    let exit_code = args.exit_code;
    let test = Test { name: fixture.display().to_string(), exit_code, ..Test::default() };
    let outcome = testing::run_one(file, source, directory, &test, fs_err::read(fixture)?)?;
    out::bytes(&outcome.output)?;
    let dishonest = checks::violations(&outcome.input, &outcome.output, exit_code, Author::User);
    for mistake in outcome.failures.iter().chain(&dishonest) {
        out::complain(mistake);
    }
    Ok(i32::from(!dishonest.is_empty()))
}

pub(super) fn verify(_: &VerifyArgs) -> anyhow::Result<i32> {
    let mut status = 0;
    for filter in library::FILTERS {
        let source = filter.text();
        let file = parse(&source).with_context(|| filter.name)?;
        let outcomes = testing::run(&file, &source, Path::new("")).with_context(|| filter.name)?;
        status |= report(filter.name, &outcomes, Author::Library)?;
    }
    Ok(status)
}

/// Prints one line per test, and for a failed test what does not hold and what differs. Returns the exit status.
fn report(filter: &str, outcomes: &[Outcome], author: Author) -> anyhow::Result<i32> {
    let (mut text, mut status) = (String::new(), 0);
    for Outcome { name, failures, input, output, exit_code, wanted } in outcomes {
        let dishonest = checks::violations(input, output, *exit_code, author);
        if failures.is_empty() && dishonest.is_empty() {
            text += &format!("ok   {filter}: {name}\n");
            continue;
        }
        status = 1;
        text += &format!("FAIL {filter}: {name}\n");
        text.extend(failures.iter().chain(&dishonest).map(|failure| format!("     the output {failure}\n")));
        let output = String::from_utf8_lossy(output);
        text += &match wanted {
            Some(wanted) if output.trim_end() != wanted.trim_end() => {
                format!("     - what is expected, + what there is\n{}", difference(wanted, &output))
            }
            _ => format!("     the output is\n{output}\n"),
        };
    }
    out::bytes(text)?;
    Ok(status)
}

pub fn difference(wanted: &str, given: &str) -> String {
    let (wanted, given): (Vec<&str>, Vec<&str>) = (wanted.lines().collect(), given.lines().collect());
    let diff = TextDiff::from_slices(&wanted, &given);
    let shown = |group: &Vec<DiffOp>| {
        let changes = group.iter().flat_map(|op| diff.iter_changes(op));
        changes.map(|change| format!("     {} {}\n", change.tag(), change.value())).collect()
    };
    diff.grouped_ops(2).iter().map(shown).collect::<Vec<String>>().join("     …\n")
}
