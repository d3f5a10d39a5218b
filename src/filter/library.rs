//! Which filter is for a command: files of the user's first, then the library, whose index is made at build time.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use once_cell::sync::Lazy;

use super::Call;
use super::schema::{FilterFile, Mistake, parse};
use crate::env;

/// A filter of the library: its rules and, apart, its tests (both TOML).
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The file's name without its ending.
    pub name: &'static str,
    /// What is parsed when a tool is run.
    pub rules: &'static str,
    /// The file's `[[test]]` tables.
    pub tests: &'static str,
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

/// Where the user's own filters lie: `~/.config/toto/filters`.
pub fn user_directories() -> &'static [PathBuf] {
    static DIRECTORIES: Lazy<Vec<PathBuf>> =
        Lazy::new(|| env::xdg_dir(env::XDG_CONFIG_HOME, ".config", "toto/filters").into_iter().collect());
    &DIRECTORIES
}

/// The filter for a call: the first directory that has one, then the library. A file with a mistake is passed over.
///
/// # Errors
/// The mistake in the library's filter; the suite holds that there is none.
pub fn find(call: &Call<'_>) -> Result<Option<Found>, Mistake> {
    let words: Vec<String> = call.words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let words = unwrap(&words);
    if words.is_empty() {
        return Ok(None);
    }
    if let Some(found) = find_file(words, call.directories) {
        return Ok(Some(found));
    }
    let Some(source) = find_source(words) else { return Ok(None) };
    let (name, source) = (source.name.to_owned(), source.rules.to_owned());
    Ok(Some(Found { name, file: parse(&source)?, source }))
}

/// The library's filter for a command.
pub fn find_source(words: &[String]) -> Option<&'static Source> {
    let tool = base_name(&words[0]);
    let at = INDEX.binary_search_by_key(&tool, |(name, _)| name).ok()?;
    let found = INDEX[at].1.iter().find(|(pattern, _)| matches(pattern, words))?;
    Some(&FILTERS[found.1])
}

/// `git-remote-add.toml`, then `git-remote.toml`, then `git.toml`, in each directory in turn.
fn find_file(words: &[String], directories: &[PathBuf]) -> Option<Found> {
    let mut named = positional(words);
    named.truncate(3);
    named.insert(0, base_name(&words[0]));
    directories.iter().find_map(|directory| {
        (1..=named.len()).rev().find_map(|count| {
            let name = named[..count].join("-");
            if name.contains('/') {
                return None;
            }
            read_file(&directory.join(format!("{name}.toml")), words)
        })
    })
}

fn read_file(path: &Path, words: &[String]) -> Option<Found> {
    let source = fs_err::read_to_string(path).ok()?;
    let file = parse(&source).ok()?;
    let is_for = |command: &String| {
        let pattern: Vec<&str> = command.split_whitespace().collect();
        pattern.first().is_some_and(|tool| *tool == base_name(&words[0])) && matches(&pattern[1..], words)
    };
    file.command.0.iter().any(is_for).then(|| Found { name: path.display().to_string(), source, file })
}

/// Whether a filter's command, without its tool, is for these words. Options of a pattern stand anywhere, its other
/// words are the first that are no options; `*` is any word.
pub fn matches(pattern: &[&str], words: &[String]) -> bool {
    let named = positional(words);
    let mut at = 0;
    pattern.iter().all(|word| {
        if word.starts_with('-') && word.len() > 1 {
            return words[1..].iter().any(|given| {
                given == word || given.strip_prefix(word).is_some_and(|value| value.starts_with('='))
            });
        }
        at += 1;
        named.get(at - 1).is_some_and(|given| *word == "*" || given == word)
    })
}

/// The words that are neither options nor their values, behind the tool's name.
fn positional(words: &[String]) -> Vec<&str> {
    let tool = base_name(&words[0]);
    let with_value =
        OPTIONS.binary_search_by_key(&tool, |(name, _)| name).map_or(&[][..], |found| OPTIONS[found].1);
    let mut named = Vec::new();
    let mut rest = words[1..].iter();
    while let Some(word) = rest.next() {
        if with_value.contains(&word.as_str()) {
            rest.next();
        } else if !(word.starts_with('-') && word.len() > 1 || word.starts_with('+')) {
            named.push(word.as_str());
        }
    }
    named
}

/// The words without commands that only run another one.
fn unwrap(words: &[String]) -> &[String] {
    let mut words = words;
    while let Some(wrapper) = WRAPPERS.iter().find(|wrapper| {
        words.len() > wrapper.len()
            && base_name(&words[0]) == wrapper[0]
            && words[1..].iter().zip(&wrapper[1..]).all(|(word, wanted)| word == wanted)
            && !words[wrapper.len()].starts_with('-')
    }) {
        words = &words[wrapper.len()..];
    }
    words
}

fn base_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

/// The words of a command line as a call has them: for tests and `toto filter`.
pub fn words(command: &str) -> Vec<OsString> {
    command.split_whitespace().map(OsString::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_for(pattern: &str, line: &str) -> bool {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        matches(&pattern.split_whitespace().collect::<Vec<_>>(), unwrap(&words))
    }

    #[test]
    fn options_do_not_hide_the_subcommand() {
        for (pattern, line) in [
            ("status", "git -C /dir --no-pager status -s"),
            ("get pods", "/usr/bin/kubectl -n x get pods -o wide"),
            ("test", "cargo +nightly --color never test --all"),
            ("-v", "pytest tests -v"),
            ("", "npx jest src"),
            ("", "sudo python3 -m pytest -q"),
            ("add", "git remote add"),
        ] {
            let expected = pattern != "add";
            assert_eq!(is_for(pattern, line), expected, "{pattern} / {line}");
        }
    }

    #[test]
    fn wrappers_are_taken_off() {
        let words: Vec<String> = "sudo python3 -m pytest -q".split(' ').map(str::to_owned).collect();
        assert_eq!(unwrap(&words), ["pytest", "-q"]);
        assert_eq!(unwrap(&words[..1]), ["sudo"]);
    }

    #[test]
    fn a_users_file_comes_first_and_must_be_for_the_command() {
        let dir = tempfile::tempdir().unwrap();
        fs_err::write(dir.path().join("git-status.toml"), "command = \"git status\"\nskip = ['x']\n")
            .unwrap();
        fs_err::write(dir.path().join("git.toml"), "command = \"hg\"\n").unwrap();
        let directories = [dir.path().to_path_buf()];
        let name_of = |line: &str| {
            let call = Call { words: &words(line), exit: Some(0), directories: &directories };
            find(&call).unwrap().map(|found| found.name)
        };
        assert!(name_of("git -C /x status -s").unwrap().ends_with("git-status.toml"));
        assert_eq!(name_of("git frobnicate"), None);
    }
}
