//! `toto filter …`: text filters, for who writes or looks for one.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};

use super::out;
use crate::filter::honesty::Author;
use crate::filter::schema::{FilterFile, parse};
use crate::filter::testing::{self, Outcome};
use crate::filter::{honesty, library, schema};

/// Write, test and look for text filters (docs/filters.md)
#[derive(Debug, Args)]
pub struct FilterArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Say what is wrong with filter files, with line and column
    Check {
        /// Filter files
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Run a filter file's own tests and the honesty checks, or show what it makes of one output
    Test {
        /// The filter file
        file: PathBuf,
        /// A file that holds a tool's output: what the filter makes of it is printed
        fixture: Option<PathBuf>,
        /// The exit status of the tool that printed the fixture
        #[arg(long, value_name = "STATUS", default_value_t = 0, requires = "fixture")]
        exit_code: i32,
    },
    /// List every filter and the commands that it is for
    Ls,
    /// Print a filter of the library, or the one that a command has
    Show {
        /// A filter's name, or a command: `toto filter show git status`
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "NAME")]
        words: Vec<String>,
    },
    /// Run the tests of the whole library
    Verify,
}

/// Runs the subcommand; exit status 1 where a test fails.
///
/// # Errors
/// When a file cannot be read or holds a mistake, or there is no such filter.
pub fn run(args: &FilterArgs) -> anyhow::Result<i32> {
    match &args.command {
        Command::Check { files } => check(files),
        Command::Test { file, fixture: None, .. } => test(file),
        Command::Test { file, fixture: Some(fixture), exit_code } => try_on(file, fixture, *exit_code),
        Command::Ls => ls(),
        Command::Show { words } => show(words),
        Command::Verify => verify(),
    }
}

fn check(files: &[PathBuf]) -> anyhow::Result<i32> {
    let mut status = 0;
    for file in files {
        match load(file) {
            Ok(_) => out::bytes(format!("{}: ok\n", file.display()).as_bytes())?,
            Err(error) => {
                out::complain(&error.to_string());
                status = 1;
            }
        }
    }
    Ok(status)
}

fn test(path: &Path) -> anyhow::Result<i32> {
    let (file, source) = load(path)?;
    if file.test.is_empty() {
        bail!("{}: no [[test]]: give an output and what must hold of it (docs/filters.md)", path.display());
    }
    let outcomes = run_tests(&file, &source, path)?;
    report(&path.display().to_string(), &outcomes, Author::User)
}

fn try_on(path: &Path, fixture: &Path, exit_code: i32) -> anyhow::Result<i32> {
    let (file, source) = load(path)?;
    let test = schema::Test { name: fixture.display().to_string(), exit_code, ..schema::Test::default() };
    let input = fs_err::read(fixture)?;
    let outcome = testing::run_one(&file, &source, &test, input).map_err(|mistake| at(path, &mistake))?;
    out::bytes(&outcome.output)?;
    let dishonest = honesty::violations(&outcome.input, &outcome.output, exit_code, Author::User);
    for violation in &dishonest {
        out::complain(violation);
    }
    Ok(i32::from(!dishonest.is_empty()))
}

fn ls() -> anyhow::Result<i32> {
    let mut rows: Vec<[String; 2]> =
        library::commands().into_iter().map(|(command, filter)| [command, filter.to_owned()]).collect();
    for directory in library::user_directories() {
        let Ok(entries) = fs_err::read_dir(directory) else { continue };
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            if path.extension().is_some_and(|extension| extension == "toml") {
                let commands = match load(&path) {
                    Ok((file, _)) => file.command.0.join(", "),
                    Err(error) => format!("({error})"),
                };
                rows.push([commands, path.display().to_string()]);
            }
        }
    }
    out::bytes(out::columns(&rows).as_bytes())?;
    Ok(0)
}

fn show(words: &[String]) -> anyhow::Result<i32> {
    let name = words.join(" ");
    let source = library::filters().iter().find(|filter| filter.name == name);
    let Some(source) = source.or_else(|| library::find_source(words)) else {
        bail!("no filter of the library for {name:?}; what holds for any text is done (toto filter ls)");
    };
    out::bytes(format!("# {}\n{}{}", source.name, source.rules, source.tests).as_bytes())?;
    Ok(0)
}

fn verify() -> anyhow::Result<i32> {
    let mut status = 0;
    for filter in library::filters() {
        let source = format!("{}{}", filter.rules, filter.tests);
        let path = PathBuf::from(format!("{}.toml", filter.name));
        let file = parse(&source).map_err(|mistake| at(&path, &mistake))?;
        testing::check(&file, &source).map_err(|mistake| at(&path, &mistake))?;
        status |= report(filter.name, &run_tests(&file, &source, &path)?, Author::Library)?;
    }
    Ok(status)
}

/// The file and its text, if there is no mistake in it.
fn load(path: &Path) -> anyhow::Result<(FilterFile, String)> {
    let source = fs_err::read_to_string(path)?;
    let file = parse(&source).map_err(|mistake| at(path, &mistake))?;
    testing::check(&file, &source).map_err(|mistake| at(path, &mistake))?;
    Ok((file, source))
}

fn at(path: &Path, mistake: &schema::Mistake) -> anyhow::Error {
    anyhow::anyhow!("{}:{mistake}", path.display())
}

fn run_tests(file: &FilterFile, source: &str, path: &Path) -> anyhow::Result<Vec<Outcome>> {
    let directory = path.parent().unwrap_or(Path::new("."));
    testing::run(file, source, directory).with_context(|| path.display().to_string())
}

/// One line a test; of a failed one what does not hold and the whole output.
fn report(filter: &str, outcomes: &[Outcome], author: Author) -> anyhow::Result<i32> {
    let mut text = String::new();
    let mut failed = false;
    for outcome in outcomes {
        let mut failures = outcome.failures.clone();
        failures.extend(honesty::violations(&outcome.input, &outcome.output, outcome.exit_code, author));
        let word = if failures.is_empty() { "ok  " } else { "FAIL" };
        let _ = writeln!(text, "{word} {filter}: {}", outcome.name);
        if !failures.is_empty() {
            failed = true;
            for failure in failures {
                let _ = writeln!(text, "     the output {failure}");
            }
            text += "     the output is\n";
            text += &String::from_utf8_lossy(&outcome.output);
            text += "\n";
        }
    }
    out::bytes(text.as_bytes())?;
    Ok(i32::from(failed))
}
