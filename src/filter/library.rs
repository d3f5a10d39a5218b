//! Which filter is for a command: the project's, the user's own, then the library, whose index is made at build time.

use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use flate2::read::DeflateDecoder;
use once_cell::sync::Lazy;

pub use super::command::{base_name, matches};
use super::command::{positional, unwrap};
use super::notice::Notices;
use super::schema::{FilterFile, Mistake, parse};
use super::{Call, pattern};
use crate::env;
use crate::sys::directory;
use crate::sys::files::read_small;
use crate::trust::{self, LONGEST_FILE, Pins, Standing};

/// Variants of variants: no more.
const MOST_VARIANTS: usize = 4;

/// A filter of the library: its rules and, apart, its tests (both TOML).
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The file's name without its ending.
    pub name: &'static str,
    /// What is parsed when a tool is run.
    pub rules: &'static str,
    tests: &'static [u8],
}

impl Source {
    /// The file's `[[test]]` tables.
    ///
    /// # Panics
    /// Never: the build packed them.
    pub fn tests(&self) -> String {
        let mut text = String::new();
        DeflateDecoder::new(self.tests).read_to_string(&mut text).expect("packed by the build");
        text
    }

    /// The whole file.
    pub fn text(&self) -> String {
        format!("{}{}", self.rules, self.tests())
    }
}

/// The words of a command behind the tool's name, and the number of its filter.
type Entry = (&'static [&'static str], usize);

include!(concat!(env!("OUT_DIR"), "/filters.rs"));

/// A filter that was found.
#[derive(Debug)]
pub struct Found {
    /// Its name, or its path.
    pub name: String,
    /// Its text, which places in it are told of.
    pub source: String,
    /// What it says.
    pub file: FilterFile,
}

/// Every filter of the library, by name.
pub fn filters() -> &'static [Source] {
    FILTERS
}

/// The commands of each filter of the library, sorted: `("git status", "git-status")`.
pub fn commands() -> Vec<(String, &'static str)> {
    let mut commands: Vec<_> = INDEX
        .iter()
        .flat_map(|(tool, entries)| {
            entries.iter().map(move |(words, number)| {
                let command: Vec<&str> = std::iter::once(*tool).chain(words.iter().copied()).collect();
                (command.join(" "), FILTERS[*number].name)
            })
        })
        .collect();
    commands.sort();
    commands
}

/// Is a filter of the library for this tool?
pub fn is_known(tool: &str) -> bool {
    INDEX.binary_search_by_key(&tool, |(name, _)| name).is_ok()
}

/// How many of the words that are no options the library's filter for a command names.
pub fn known_words(words: &[String]) -> usize {
    let Ok(at) = INDEX.binary_search_by_key(&base_name(&words[0]), |(name, _)| name) else { return 0 };
    let found = INDEX[at].1.iter().find(|(pattern, _)| matches(pattern, words));
    found.map_or(0, |(pattern, _)| {
        pattern.iter().filter(|word| !word.starts_with('-')).take_while(|word| **word != "*").count()
    })
}

/// Where the user's own filters lie: `~/.config/toto/filters`, then each installed pack.
pub fn user_directories() -> &'static [PathBuf] {
    static DIRECTORIES: Lazy<Vec<PathBuf>> = Lazy::new(|| {
        let own = env::xdg_dir(env::XDG_CONFIG_HOME, ".config", "toto/filters");
        own.into_iter().chain(pack_directories()).collect()
    });
    &DIRECTORIES
}

/// Where the filters of installed packs lie, sorted by the packs' names.
fn pack_directories() -> Vec<PathBuf> {
    let packs = packs_directory().and_then(|packs| directory::entries(&packs).ok());
    let mut found: Vec<PathBuf> = packs.into_iter().flatten().map(|pack| pack.join("filters")).collect();
    found.sort();
    found
}

/// Where packs are installed.
pub fn packs_directory() -> Option<PathBuf> {
    env::xdg_dir(env::XDG_DATA_HOME, ".local/share", "toto/packs")
}

/// Where the filters of the project lie that the working directory belongs to.
pub fn project_directory() -> Option<&'static Path> {
    static DIRECTORY: Lazy<Option<PathBuf>> =
        Lazy::new(|| trust::project_directory(&std::env::current_dir().ok()?)?.canonicalize().ok());
    DIRECTORY.as_deref()
}

/// The filter for a call: the user's own, then the library's. A file that cannot be used is passed over, and somebody
/// is told. One that is for what another command prints is used only where that was run.
pub fn find(call: &Call<'_>) -> Option<Found> {
    let words = words_of(call);
    let words = unwrap(&words);
    let in_library = || from_library(find_source(words)?, call);
    let own = own(words, call).filter(|found| found.file.run.is_none() || call.in_place);
    let found = own.or_else(in_library);
    found.filter(|found| !found.file.passes_on(words.get(1..).unwrap_or_default()))
}

/// The user's own filter for a call: the project's, where it is trusted, or the first directory's that has one.
pub fn find_own(call: &Call<'_>) -> Option<Found> {
    let words = words_of(call);
    let words = unwrap(&words);
    own(words, call).filter(|found| !found.file.passes_on(words.get(1..).unwrap_or_default()))
}

fn words_of(call: &Call<'_>) -> Vec<String> {
    call.words.iter().map(|word| word.to_string_lossy().into_owned()).collect()
}

fn own(words: &[String], call: &Call<'_>) -> Option<Found> {
    if words.is_empty() || call.directories.is_empty() && call.project.is_none() {
        return None;
    }
    let files = files_for(words);
    let in_project = call.project.iter().map(|project| (*project, true));
    let mut places = in_project.chain(call.directories.iter().map(|directory| (directory.as_path(), false)));
    places.find_map(|(directory, of_project)| {
        let read = |file: &String| read_file(&directory.join(file), of_project, call);
        files.iter().filter_map(read).find(|found| found.is_for(words))
    })
}

/// The library's filter for a command.
pub fn find_source(words: &[String]) -> Option<&'static Source> {
    let tool = base_name(words.first()?);
    let at = INDEX.binary_search_by_key(&tool, |(name, _)| name).ok()?;
    let found = INDEX[at].1.iter().find(|(pattern, _)| matches(pattern, words))?;
    Some(&FILTERS[found.1])
}

fn from_library(source: &Source, call: &Call<'_>) -> Option<Found> {
    let file = parse(source.rules);
    let file = file.map_err(|mistake| Notices::add(call.notices, &unusable(source.name, &mistake))).ok()?;
    Some(Found { name: source.name.to_owned(), source: source.rules.to_owned(), file })
}

/// `git-remote-add.toml`, `git/remote/add.toml`, then `git-remote.toml` and so on: the longest first.
fn files_for(words: &[String]) -> Vec<String> {
    let mut named = positional(words);
    named.truncate(3);
    named.insert(0, base_name(&words[0]));
    let usable = named.iter().take_while(|word| !word.contains('/') && !word.starts_with('.')).count();
    let name = |count: usize, separator: &str| named[..count].join(separator) + ".toml";
    (1..=usable)
        .rev()
        .flat_map(|count| [Some(name(count, "-")), (count > 1).then(|| name(count, "/"))])
        .flatten()
        .collect()
}

/// The names that a filter for these words may have: the longest first.
pub fn names_for(words: &[String]) -> Vec<String> {
    let files = if words.is_empty() { Vec::new() } else { files_for(unwrap(words)) };
    files
        .iter()
        .filter(|file| !file.contains('/'))
        .filter_map(|file| Some(file.strip_suffix(".toml")?.to_owned()))
        .collect()
}

/// The command that a filter of this name is for, where it is for these words: `git remote` for `git-remote`.
pub fn command_named(words: &[String], name: &str) -> Option<String> {
    let words = unwrap(words);
    let mut named = positional(words);
    named.insert(0, base_name(words.first()?));
    (1..=named.len()).find(|count| named[..*count].join("-") == name).map(|count| named[..count].join(" "))
}

/// Reads a filter file that may be there. One of a project must be trusted: these bytes, in this place.
fn read_file(path: &Path, of_project: bool, call: &Call<'_>) -> Option<Found> {
    let bytes = match read_small(path, LONGEST_FILE) {
        Ok(bytes) => bytes,
        Err(error) => {
            let is_absent =
                matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory);
            if !is_absent {
                Notices::add(call.notices, &format!("{}: {error}; the filter is not used", path.display()));
            }
            return None;
        }
    };
    if of_project && !is_trusted(path, &bytes, call) {
        return None;
    }
    let name = path.display().to_string();
    let source = String::from_utf8_lossy(&bytes).into_owned();
    match parse(&source) {
        Ok(file) => Some(Found { name, source, file }),
        Err(mistake) => {
            Notices::add(call.notices, &unusable(&name, &mistake));
            None
        }
    }
}

fn is_trusted(path: &Path, bytes: &[u8], call: &Call<'_>) -> bool {
    let Some(why) = distrust(path, bytes) else { return true };
    let line =
        format!("the project's filter {} {why} and was passed over (toto trust shows it)", path.display());
    Notices::add_standing(call.notices, &line, format!("{line} {}", trust::hash(bytes)));
    false
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

/// The line that says that a filter has a mistake.
pub fn unusable(name: &str, mistake: &Mistake) -> String {
    format!("{name}:{mistake}; the filter is not used (toto filter check)")
}

/// The filter that is to be used in place of `found` by its variants: what the files in the working directory or the
/// arguments tell comes first, then what the output does.
pub fn variant_of(mut found: Found, text: &[u8], call: &Call<'_>) -> Found {
    for _ in 0..MOST_VARIANTS {
        let chosen = found.file.variant.iter().find(|variant| {
            variant.detect.files.iter().any(|file| Path::new(file).exists())
                || variant.detect.args_pattern.as_ref().is_some_and(|pattern| {
                    let words: Vec<_> =
                        call.words.iter().skip(1).map(|word| word.to_string_lossy()).collect();
                    is_match(pattern, words.join(" ").as_bytes())
                })
        });
        let by_output = || {
            found.file.variant.iter().find(|variant| {
                variant.detect.output_pattern.as_ref().is_some_and(|pattern| is_match(pattern, text))
            })
        };
        let Some(variant) = chosen.or_else(by_output) else { return found };
        let next = named(variant.filter.get_ref(), call).filter(|next| next.file.run.is_none());
        let Some(next) = next else {
            let line = format!("{}: there is no filter {:?}", found.name, variant.filter.get_ref());
            Notices::add(call.notices, &line);
            return found;
        };
        found = next;
    }
    found
}

fn is_match(expression: &super::schema::Pattern, text: &[u8]) -> bool {
    pattern::build(expression.get_ref()).is_ok_and(|regex| regex.is_match(text))
}

/// A filter by its name: `npm/test-jest` is a file of that path, or the library's `npm-test-jest`.
fn named(name: &str, call: &Call<'_>) -> Option<Found> {
    let is_plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    let joined = name.replace('/', "-");
    let files = [format!("{name}.toml"), format!("{joined}.toml")];
    let in_project = call.project.iter().map(|project| (*project, true));
    let directories = in_project.chain(call.directories.iter().map(|directory| (directory.as_path(), false)));
    let in_file = directories.filter(|_| is_plain).find_map(|(directory, of_project)| {
        files.iter().find_map(|file| read_file(&directory.join(file), of_project, call))
    });
    in_file.or_else(|| from_library(FILTERS.iter().find(|filter| filter.name == joined)?, call))
}

impl Found {
    fn is_for(&self, words: &[String]) -> bool {
        self.file.command.0.iter().any(|command| {
            let pattern: Vec<&str> = command.split_whitespace().collect();
            pattern.first().is_some_and(|tool| base_name(tool) == base_name(&words[0]))
                && matches(&pattern[1..], words)
        })
    }
}

impl FilterFile {
    /// Whether it wants nothing to do with a call that has these arguments.
    fn passes_on(&self, arguments: &[String]) -> bool {
        let begins = |argument: &String| {
            self.passthrough_args.iter().any(|prefix| !prefix.is_empty() && argument.starts_with(prefix))
        };
        arguments.iter().any(begins)
    }
}

/// The words of a command line as a call has them: for tests and `toto filter`.
pub fn words(command: &str) -> Vec<OsString> {
    command.split_whitespace().map(OsString::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_users_file_comes_first_and_must_be_for_the_command() {
        let dir = tempfile::tempdir().unwrap();
        fs_err::write(dir.path().join("git-status.toml"), "command = \"git status\"\nskip = ['x']\n")
            .unwrap();
        fs_err::write(dir.path().join("git.toml"), "command = \"hg\"\n").unwrap();
        let directories = [dir.path().to_path_buf()];
        let name_of = |line: &str| {
            let call = Call { words: &words(line), directories: &directories, ..Call::default() };
            find(&call).map(|found| found.name)
        };
        assert!(name_of("git -C /x status -s").unwrap().ends_with("git-status.toml"));
        assert_eq!(name_of("git frobnicate"), None);
    }
}
