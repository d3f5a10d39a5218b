//! `toto filter new`: runs a command once, keeps its output as a fixture, writes a first filter that passes its test.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context as _;
use clap::Args;

use crate::cli::out::{self, refuse, refuse_unless};
use crate::commands::{as_text, unwrap};
use crate::custom::{find, places};
use crate::env;
use crate::failure::says_why;
use crate::filter::library;
use crate::pipeline::scrub::scrub;
use crate::sys::files::at_most;

/// Fewest lines with the same first word that are worth a rule.
const FEWEST: usize = 4;
/// Most bytes of an output that are kept as a fixture.
const LONGEST: u64 = 4 << 20;

/// Write a first filter for a command, from what it prints
///
/// The command is run once, as it is; its output is kept beside the filter.
#[derive(Debug, Args)]
pub(super) struct NewArgs {
    /// The filter's name: the command's words, joined by dashes
    name: String,
    /// Where the filter is written; by default to the user's own
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Take the output of a command that fails
    #[arg(long)]
    failing: bool,
    /// The command and its arguments
    #[arg(required = true, last = true, value_name = "CMD")]
    command: Vec<OsString>,
}

pub(super) fn run(args: &NewArgs) -> anyhow::Result<i32> {
    let words = as_text(&args.command);
    let Some(command) = find::command_named(&words, &args.name) else {
        let names = find::names_for(&words).join(" or ");
        refuse!("a filter is found by its command's words: call it {names}, not {:?}", args.name);
    };
    let own = places::user_directories().first().cloned();
    let directory = args.dir.clone().or(own).context("no home directory: give --dir")?;
    let path = directory.join(format!("{}.toml", args.name));
    refuse_unless!(!path.exists(), "{} is there already", path.display());
    let (output, exit) = run_once(&args.command)?;
    let output = scrub(&output).into_owned();
    if exit != 0 && !args.failing {
        let said = String::from_utf8_lossy(&output);
        let said = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("it printed nothing");
        refuse!("the command failed with status {exit} ({said}); if that is what you mean: --failing");
    }
    let fixture = format!("{}_test/first.txt", args.name);
    fs_err::create_dir_all(directory.join(&fixture).parent().unwrap_or(Path::new("/")))?;
    fs_err::write(directory.join(&fixture), &output)?;
    fs_err::write(&path, first_filter(&command, &fixture, &output, exit))?;
    let (path, fixture) = (path.display(), directory.join(&fixture));
    if let Some(replaced) = library::find_source(unwrap(&words)) {
        let name = replaced.name;
        out::complain(&format!(
            "from now on it takes the place of the library's filter {name} (toto filter show {name}); without the \
             file, that is back"
        ));
    }
    out::bytes(format!("{path}\n{}\n\ntoto filter test {path}\n", fixture.display()))
}

/// Runs the command. Returns what it prints, both streams in their order, and its exit status.
fn run_once(command: &[OsString]) -> anyhow::Result<(Vec<u8>, i32)> {
    let (reader, writer) = std::io::pipe()?;
    #[expect(clippy::disallowed_methods, reason = "the user asks for this command to be run")]
    let mut child = {
        let mut process = Command::new(&command[0]);
        process.args(&command[1..]).env(env::TOTO, "off");
        process.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
        process.spawn().with_context(|| format!("cannot run {}", Path::new(&command[0]).display()))?
    };
    let output = at_most(reader, LONGEST)?;
    Ok((output, child.wait()?.code().unwrap_or(1)))
}

/// A filter that counts the lines with the most frequent first word, and a test that expects the output's last line.
pub fn first_filter(command: &str, fixture: &str, output: &[u8], exit: i32) -> String {
    let text = String::from_utf8_lossy(output);
    let word = most_frequent(&text);
    let rule = match word {
        Some(word) => format!(
            "[[fold]]\nmatch = '^\\s*{}(\\s|$)'\nas = {}\n",
            regex::escape(word),
            quoted(&format!("lines of {}", word.trim_end_matches(':')))
        ),
        None => {
            "# Lines that become a count:\n# [[fold]]\n# match = '^Compiled '\n# as = \"compiled files\"\n"
                .into()
        }
    };
    let last = text.lines().rev().find(|line| !line.trim().is_empty() && line.len() < 200);
    let expect = match last {
        Some(line) if line.split_whitespace().next() != word => {
            format!("contains = {}\n", quoted(line.trim()))
        }
        _ => "not_contains = \"a word that must not be there\"\n".into(),
    };
    format!(
        "command = {}\ndescription = {}\n\n# Lines that go, as expressions:\n# skip = ['^Loading ']\n\n{rule}\n[[test]]\n\
         name = \"what it printed once\"\nfixture = {}\nexit_code = {exit}\n[[test.expect]]\n{expect}",
        quoted(command),
        quoted(&format!("{command}: what goes, and what stays")),
        quoted(fixture),
    )
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// The most frequent first word of a line, in at least [`FEWEST`] lines of which none may say why something failed.
fn most_frequent(text: &str) -> Option<&str> {
    let mut words: BTreeMap<&str, (usize, bool)> = BTreeMap::new();
    for line in text.lines() {
        let Some(word) = line.split_whitespace().next() else { continue };
        let name = word.strip_suffix(':').unwrap_or(word);
        if name.len() > 2 && name.chars().all(char::is_alphabetic) {
            let (count, harmless) = words.entry(word).or_insert((0, true));
            *count += 1;
            *harmless &= !says_why(line.as_bytes());
        }
    }
    let worth = words.into_iter().filter(|(_, (count, harmless))| *count >= FEWEST && *harmless);
    worth.max_by_key(|(_, (count, _))| *count).map(|(word, _)| word)
}
