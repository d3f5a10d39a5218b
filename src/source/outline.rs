//! What is further down: the definitions in the part of a file that is not shown, by a table of patterns a language.

use regex::bytes::{Captures, Regex, RegexBuilder};
use serde::Deserialize;

use crate::commands::base_name;
use crate::marks::FURTHER;
use crate::pipeline::visible;
use crate::{mistake, tokens};

pub(super) const TABLE: &str = include_str!("outline.toml");
/// What `@` stands for in a pattern.
const NAME: &str = r"[A-Za-z_$\x80-\xff][A-Za-z0-9_$\x80-\xff]*";
/// Most tokens of the definitions that are named.
pub(super) const MOST: usize = 200;
/// Most bytes of a file in which definitions are looked for.
const LOOKED_AT: usize = 4 << 20;
/// Most definitions that are looked at.
const MOST_FOUND: usize = 5_000;
/// Longest definition, in characters.
const LONGEST_ONE: usize = 60;
/// Most bytes of the line of definitions, nearly always: of words that are common a token is five.
pub const LONGEST: usize = 1_000;
/// Extension under which the table has headings of help and manual pages.
pub(super) const HELP: &str = "--help";

/// Words in front of a function's name, of which a file has most.
const FUNCTIONS: [&str; 8] = ["fn", "def", "defp", "func", "fun", "function", "sub", "const"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    pub(super) language: Vec<Language>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Language {
    pub(super) files: String,
    definitions: Vec<String>,
    #[serde(default)]
    not: String,
}

#[derive(Clone)]
struct Definition {
    file: usize,
    line: u64,
    indent: usize,
    /// As it is written: `613 impl Display for Version`.
    text: String,
    tokens: usize,
}

/// The line that names definitions in what is not shown of each file: its name, that text, the number of its first
/// line. `None` where there are none.
pub fn further_down<'a>(files: impl Iterator<Item = (&'a str, &'a [u8], u64)>) -> Option<String> {
    let table: Table = mistake::parse(TABLE, false).ok()?;
    let (mut names, mut found) = (Vec::new(), Vec::new());
    for (name, text, first) in files {
        if let Some(language) = table.of(name) {
            found.extend(language.definitions(text, first, names.len()));
        }
        names.push(name);
        if found.len() >= MOST_FOUND {
            break;
        }
    }
    let count = found.len();
    let chosen = chosen(found);
    let of_file = |definitions: &[Definition]| {
        let texts = definitions.iter().map(|one| one.text.as_str()).collect::<Vec<_>>().join(", ");
        match definitions[0].file {
            0 => texts,
            file => format!("{}: {texts}", visible::line(names[file])),
        }
    };
    let files: Vec<_> = chosen.chunk_by(|one, next| one.file == next.file).map(of_file).collect();
    let more = count - chosen.len();
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    (!files.is_empty()).then(|| format!("{FURTHER}{}{more})\n", files.join("; ")))
}

/// Whether a command prints a help or manual page.
pub fn is_help(words: &[String]) -> bool {
    words.iter().any(|word| word == HELP) || words.first().is_some_and(|word| base_name(word) == "man")
}

/// The same for the headings of a help or manual page of which this many bytes are shown.
pub fn further_down_in_help(page: &[u8], shown: usize) -> Option<String> {
    let next = memchr::memchr_iter(b'\n', &page[..shown]).count() as u64 + 1;
    further_down([(HELP, &page[shown..], next)].into_iter())
}

/// As many definitions as there is room for, in their order: those of least indentation before those within them, types
/// before functions. Of a kind that has not room enough, some from the beginning to the end.
fn chosen(mut found: Vec<Definition>) -> Vec<Definition> {
    found.sort_by_key(Definition::rank);
    let (mut room, mut chosen) = (MOST, Vec::new());
    for alike in found.chunk_by(|one, next| one.rank() == next.rank()) {
        let tokens: usize = alike.iter().map(|definition| definition.tokens).sum();
        let fitting = if tokens <= room { alike.len() } else { alike.len() * room / tokens };
        chosen.extend((0..fitting).map(|at| alike[at * alike.len() / fitting].clone()));
        room = room.saturating_sub(tokens);
        if room == 0 {
            break;
        }
    }
    chosen.sort_by_key(|definition| (definition.file, definition.line));
    chosen
}

impl Definition {
    fn rank(&self) -> (usize, bool) {
        let mut words = self.text.split(' ').skip(1);
        let kind = words.next().filter(|_| words.next().is_some());
        (self.indent, kind.is_none_or(|kind| FUNCTIONS.contains(&kind)))
    }
}

impl Table {
    fn of(&self, name: &str) -> Option<&Language> {
        let name = name.rsplit(['/', ':']).next().unwrap_or(name);
        let extension = name.rsplit_once('.').map_or(name, |(_, extension)| extension);
        let is_of =
            |language: &&Language| language.files.split(' ').any(|known| known == extension || known == name);
        self.language.iter().find(is_of)
    }
}

impl Language {
    pub(super) fn pattern(&self) -> Result<Regex, regex::Error> {
        let definitions = self.definitions.join("|").replace('@', NAME);
        RegexBuilder::new(&format!("^(?:{definitions})")).unicode(false).multi_line(true).build()
    }

    /// The definitions of a text whose first line has the number `line`.
    fn definitions(&self, text: &[u8], mut line: u64, file: usize) -> Vec<Definition> {
        let Ok(pattern) = self.pattern() else { return Vec::new() };
        let (text, mut at) = (&text[..text.len().min(LOOKED_AT)], 0);
        let mut found = Vec::new();
        for captures in pattern.captures_iter(text) {
            let Some(all) = captures.get(0) else { continue };
            line += memchr::memchr_iter(b'\n', &text[at..all.start()]).count() as u64;
            at = all.start();
            let what = shown(&captures);
            if self.not.split(' ').any(|not| not == what) {
                continue;
            }
            let text = format!("{line} {what}");
            let indent = all.as_bytes().iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let tokens = tokens::count(format!(", {text}").as_bytes());
            found.push(Definition { file, line, indent, text, tokens });
            if found.len() >= MOST_FOUND {
                break;
            }
        }
        found
    }
}

/// The groups of a match, in one line.
fn shown(captures: &Captures<'_>) -> String {
    let groups = captures.iter().skip(1).flatten().map(|group| String::from_utf8_lossy(group.as_bytes()));
    let text = groups.map(|group| group.trim().to_owned()).collect::<Vec<_>>().join(" ");
    visible::line(&text.chars().take(LONGEST_ONE).collect::<String>())
}
