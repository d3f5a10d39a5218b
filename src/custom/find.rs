//! Finds the user's own filter for a command: first in the project, then in the user's directories; and what the filter
//! runs in the command's place.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use serde::Deserialize;

use super::commands::{self, ARGUMENTS, words_of};
use super::places::files_below;
use super::schema::{FilterFile, parse};
use super::{Call, Notices};
use crate::commands::{as_text, base_name, matches, positional, unwrap};
use crate::filter::library;
use crate::filter::pattern::Pattern;
use crate::filter::schema::OneOrMany;
use crate::mistake::{self, Mistake};
use crate::sys::files::{is_absent, read_small};
use crate::trust::{self, LONGEST_FILE, Pins, Standing};

/// Maximum depth of variants of variants.
const MOST_VARIANTS: usize = 4;
/// Maximum number of entries of a directory of filters, and of bytes of its files, in a search by command.
const MOST_ENTRIES: usize = 1000;
const MOST_BYTES: usize = 1 << 20;
pub struct Found {
    /// The filter's path, or its name if it is the library's.
    pub name: String,
    /// The filter's text, for the places of mistakes.
    pub source: String,
    pub file: FilterFile,
}

/// The user's own filter for a call: the project's, where it is trusted, else that of the first directory that has one.
/// A directory's files are looked up by their names; where none of these is for the call, by their commands. A file
/// that cannot be used is passed over, and a notice says so.
pub fn own(call: &Call<'_>) -> Option<Found> {
    if call.words.is_empty() || call.directories.is_empty() && call.project.is_none() {
        return None;
    }
    let words = as_text(call.words);
    let words = unwrap(&words);
    // The longest first: `git-remote-add.toml`, `git/remote/add.toml`, then `git-remote.toml` and so on.
    let both = |words: Vec<&str>| ["-", "/"].map(|between| words.join(between) + ".toml");
    let mut files: Vec<String> = beginnings(words).into_iter().flat_map(both).collect();
    files.dedup();
    let mut places = places(call);
    places.find_map(|(directory, of_project)| {
        let read = |path: PathBuf| {
            read_file(&path, of_project, call).filter(|found| fit(&found.file.command, words).is_some())
        };
        let by_name = files.iter().find_map(|file| read(directory.join(file)));
        by_name.or_else(|| files_by_command(directory, words).into_iter().find_map(read))
    })
}

/// The words of the command to run in place of a call; `None` where the call is run as it is.
///
/// Only a filter of the user's own can replace a call, and only where no part of the call gets lost. A call stays if it
/// has options in front of the subcommand, is behind a wrapper such as `sudo`, or has arguments that `run` has no place
/// for.
pub fn in_place(call: &Call<'_>) -> Option<Vec<OsString>> {
    let words = as_text(call.words);
    if words.is_empty() || unwrap(&words).len() < words.len() {
        return None;
    }
    let found = own(call)?;
    let run = words_of(found.file.run.as_ref()?.get_ref()).ok()?;
    let arguments = found.file.command.0.iter().find_map(|command| behind(command, &words, call.words))?;
    if !arguments.is_empty() && !run.iter().any(|word| word == ARGUMENTS) {
        return None;
    }
    let given = |word: OsString| if word == ARGUMENTS { arguments.to_vec() } else { vec![word] };
    Some(run.into_iter().flat_map(given).collect())
}

/// The arguments behind a filter's command, with which the call begins word by word; what `*` stands for is one.
fn behind<'w>(command: &str, words: &[String], given: &'w [OsString]) -> Option<&'w [OsString]> {
    let mut pattern = command.split_whitespace();
    let is_tool = pattern.next().is_some_and(|tool| base_name(tool) == base_name(&words[0]));
    let mut pattern = pattern.filter(|word| !word.starts_with('-'));
    let named: Vec<&str> = pattern.by_ref().take_while(|word| *word != "*").collect();
    let fits = words.len() > named.len() && words[1..].iter().zip(&named).all(|(word, named)| word == named);
    (is_tool && fits && pattern.all(|word| word == "*")).then(|| &given[named.len() + 1..])
}

/// The directories in which a call's filter is looked for, and whether each is the project's.
fn places<'a>(call: &Call<'a>) -> impl Iterator<Item = (&'a Path, bool)> {
    let in_project = call.project.into_iter().map(|project| (project, true));
    in_project.chain(call.directories.iter().map(|directory| (directory.as_path(), false)))
}

/// The tool's name and the positional words behind it.
fn named(words: &[String]) -> Vec<&str> {
    let Some(tool) = words.first() else { return Vec::new() };
    std::iter::once(base_name(tool)).chain(positional(words)).collect()
}

/// The words that a filter's file may be named by, the longest list first: of the first four what may be a file's name.
fn beginnings(words: &[String]) -> Vec<Vec<&str>> {
    let usable = |word: &&str| !word.contains('/') && !word.starts_with('.');
    let usable: Vec<&str> = named(words).into_iter().take(4).take_while(usable).collect();
    (1..=usable.len()).rev().map(|count| usable[..count].to_vec()).collect()
}

/// What a search by command reads of a filter file: a key above its first table.
#[derive(Deserialize)]
pub(super) struct Head {
    pub(super) command: OneOrMany,
}

type Commands = Rc<Vec<(PathBuf, OneOrMany)>>;

thread_local! {
    /// The commands below each directory that was searched: a run searches several times.
    static COMMANDS: RefCell<HashMap<PathBuf, Commands>> = RefCell::default();
}

/// The files below a directory whose `command` fits, whatever their names: the command with the most words first. A
/// project's files need not be trusted to be looked at.
fn files_by_command(directory: &Path, words: &[String]) -> Vec<PathBuf> {
    let read = || Rc::new(commands_below(directory));
    let commands =
        COMMANDS.with_borrow_mut(|known| known.entry(directory.to_owned()).or_insert_with(read).clone());
    let count = |(path, commands): &'_ (PathBuf, OneOrMany)| Some((fit(commands, words)?, path.clone()));
    let mut found: Vec<_> = commands.iter().filter_map(count).collect();
    found.sort_by_key(|(count, _)| Reverse(*count));
    found.into_iter().map(|(_, path)| path).collect()
}

/// The filter files below a directory with their commands. A mistake below the first table is left to who uses it.
fn commands_below(directory: &Path) -> Vec<(PathBuf, OneOrMany)> {
    let (mut found, mut bytes_left) = (Vec::new(), MOST_BYTES);
    for path in files_below(directory, MOST_ENTRIES, &["toml"]) {
        let Ok(bytes) = read_small(&path, LONGEST_FILE) else { continue };
        let Some(left) = bytes_left.checked_sub(bytes.len()) else { break };
        bytes_left = left;
        let end = memchr::memmem::find(&bytes, b"\n[").map_or(bytes.len(), |at| at + 1);
        let Ok(text) = str::from_utf8(&bytes[..end]) else { continue };
        if let Ok(Head { command }) = mistake::parse(text, false) {
            found.push((path, command));
        }
    }
    found
}

/// The names that a filter for these words may have, the longest first.
pub fn names_for(words: &[String]) -> Vec<String> {
    beginnings(unwrap(words)).into_iter().map(|words| words.join("-")).collect()
}

/// The command that a filter of this name is for, if these words begin with it: `git remote` for `git-remote`.
pub fn command_named(words: &[String], name: &str) -> Option<String> {
    let named = named(unwrap(words));
    (1..=named.len()).find(|count| named[..*count].join("-") == name).map(|count| named[..count].join(" "))
}

/// Reads a filter file, if there is one. A project's file must be trusted with these bytes at this path.
fn read_file(path: &Path, of_project: bool, call: &Call<'_>) -> Option<Found> {
    let bytes = match read_small(path, LONGEST_FILE) {
        Ok(bytes) => bytes,
        Err(error) => {
            if !is_absent(&error) {
                Notices::add(call.notices, &format!("{}: {error}; the filter is not used", path.display()));
            }
            return None;
        }
    };
    let name = path.display().to_string();
    if of_project && let Some(why) = distrust(path, &bytes) {
        let line = format!("the project's filter {name} {why} and was passed over (toto trust shows it)");
        let about = format!("{line} {}", trust::hash(&bytes));
        Notices::add_about(call.notices, line, Some(about));
        return None;
    }
    let source = String::from_utf8_lossy(&bytes).into_owned();
    let usable =
        parse(&source).and_then(|file| match commands::mistakes(&file, &source).into_iter().next() {
            Some(mistake) => Err(mistake),
            None => Ok(file),
        });
    match usable {
        Ok(file) => Some(Found { name, source, file }),
        Err(mistake) => {
            Notices::add(call.notices, &unusable(&name, &mistake));
            None
        }
    }
}

/// Why these bytes of a project's file may not be used; `None` where they may.
pub fn distrust(path: &Path, bytes: &[u8]) -> Option<String> {
    match Pins::load().map(|pins| pins.standing(path, bytes)) {
        Ok(Standing::Trusted) => None,
        Ok(Standing::Changed) => Some("has changed since it was trusted".to_owned()),
        Ok(Standing::Unknown) => Some("is not trusted".to_owned()),
        Err(error) => Some(format!("may not be trusted ({error})")),
    }
}

/// The notice about a filter that has a mistake.
pub fn unusable(name: &str, mistake: &Mistake) -> String {
    format!("{name}:{mistake}; the filter is not used (toto filter check)")
}

/// The filter that the variants of `found` choose in its place, else `found`. Variants that files in the working
/// directory or the arguments choose come first, then those that the output chooses.
pub fn variant_of(mut found: Found, text: &[u8], call: &Call<'_>) -> Found {
    for _ in 0..MOST_VARIANTS {
        let is_match = |pattern: &Option<Pattern>, text: &[u8]| {
            let regex = pattern.as_ref().and_then(|pattern| pattern.compile(&found.source).ok());
            regex.is_some_and(|regex| regex.is_match(text))
        };
        let arguments = as_text(call.words.get(1..).unwrap_or_default()).join(" ");
        let by_call = found.file.variant.iter().find(|variant| {
            variant.detect.files.iter().any(|file| Path::new(file).exists())
                || is_match(&variant.detect.args_pattern, arguments.as_bytes())
        });
        let by_output = || {
            let mut variants = found.file.variant.iter();
            variants.find(|variant| is_match(&variant.detect.output_pattern, text))
        };
        let Some(variant) = by_call.or_else(by_output) else { return found };
        let next = by_name(variant.filter.get_ref(), call).filter(|next| next.file.run.is_none());
        let Some(next) = next else {
            let line = format!("{}: there is no filter {:?}", found.name, variant.filter.get_ref());
            Notices::add(call.notices, &line);
            return found;
        };
        found = next;
    }
    found
}

/// A filter by its name: `npm/test-jest` is the file of that name or `npm-test-jest.toml`, or the library's.
fn by_name(name: &str, call: &Call<'_>) -> Option<Found> {
    let is_plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    let joined = name.replace('/', "-");
    let files = [format!("{name}.toml"), format!("{joined}.toml")];
    let in_file = places(call).filter(|_| is_plain).find_map(|(directory, of_project)| {
        files.iter().find_map(|file| read_file(&directory.join(file), of_project, call))
    });
    in_file.or_else(|| {
        let filter = library::FILTERS.iter().find(|filter| filter.name == joined)?;
        let file = parse(filter.rules).ok()?;
        Some(Found { name: joined, source: filter.rules.to_owned(), file })
    })
}

impl Found {
    /// Whether the filter is not for a call with these arguments (`passthrough_args`).
    pub fn passes_on(&self, call: &Call<'_>) -> bool {
        let begins = |argument: &String| {
            let mut prefixes = self.file.passthrough_args.iter();
            prefixes.any(|prefix| !prefix.is_empty() && argument.starts_with(prefix))
        };
        unwrap(&as_text(call.words)).iter().skip(1).any(begins)
    }
}

/// Number of words of the longest of a filter's commands that match; `None` where none does. Wrappers do not count.
fn fit(commands: &OneOrMany, words: &[String]) -> Option<usize> {
    let count = |command: &String| {
        let pattern: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        let (tool, rest) = unwrap(&pattern).split_first()?;
        let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
        (base_name(tool) == base_name(&words[0]) && matches(&rest, words)).then(|| 1 + rest.len())
    };
    commands.0.iter().filter_map(count).max()
}
