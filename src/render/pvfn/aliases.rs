//! Aliases: a text that many strings begin with, or a long one that comes again, gets a name:
//! `$ROLE=arn:aws:iam::123456789012:role` at the top, then `$ROLE/admin`.

use std::collections::HashSet;

use super::hash::Map;
use super::marks::{STRING, string_at};
use super::scalar::{estimate, is_bare};
use crate::document::{Document, Id};
use crate::fnv;

/// Shortest text that becomes an alias, in bytes: longer than any name.
const SHORTEST: usize = 16;
/// Longest prefix that is considered, in bytes, and the most cuts that are tried in a string.
const LONGEST: usize = 100_000;
const MOST_CUTS: usize = 10;
/// Most strings that are looked at for candidates; of more, a sample is taken.
const SAMPLE: usize = 20_000;
/// Candidates compared with each other, and the most aliases of a document.
const FINALISTS: usize = 250;
const MOST_ALIASES: usize = 60;
/// Tokens of a definition beside its text (`$ROLE=…` and a newline), and of a use (`$ROLE`).
const DEFINITION: i64 = 5;
const USE: i64 = 2;
/// Fewest tokens of a text that is worth looking back for.
const FEWEST_TOKENS: i64 = 5;
/// Fewest tokens of a whole string that may become an alias, without blanks and with them: readers do not look for such
/// a string, as they do for an id or a name.
const LONG_TEXT: u32 = 60;
const LONG_SENTENCE: u32 = 12;
/// Longest name, in bytes.
const LONGEST_NAME: usize = 12;

/// Fewest tokens that an alias must save.
const WORTH: i64 = 8;

/// Tokens that all aliases, or all anchors, of a text of this size must save together, or there are none: about a tenth
/// of its tokens (three bytes a token), at most 200.
pub fn worth_together(bytes: usize) -> i64 {
    (bytes as i64 / 30).clamp(WORTH, 200)
}

/// Places where a string may be cut: before the separators of paths and URLs, and, if it is long, at its end. Each
/// comes with a hash of the text before it. Names and ids stay whole, and so does what holds a `$`, which means something
/// to others. A backslash is an escape in quotes and itself without: only a whole quoted string may hold one. Nothing is
/// cut behind `reach` bytes.
fn cuts(content: &str, quoted: bool, reach: usize) -> impl Iterator<Item = (usize, u64)> + '_ {
    let bytes = content.as_bytes();
    let mut hash = fnv::START;
    let mut found = 0;
    let mut plain = true;
    let reach = if content.contains('$') { 0 } else { bytes.len().min(reach) };
    (0..reach).filter_map(move |at| {
        let byte = bytes[at];
        hash = fnv::step(hash, byte);
        plain &= !matches!(byte, b'[' | b']' | b'{' | b'}' | b'(' | b')' | b'\\');
        if at + 1 < SHORTEST {
            return None;
        }
        let cut = match bytes.get(at + 1) {
            Some(next) => plain && found < MOST_CUTS && matches!(next, b'/' | b':' | b'?' | b'#' | b'@'),
            None => (quoted || !content.contains('\\')) && is_long(content),
        };
        found += usize::from(cut);
        cut.then_some((at + 1, hash))
    })
}

struct Candidate<'t> {
    text: &'t str,
    uses: i64,
}

impl Candidate<'_> {
    fn tokens(&self) -> i64 {
        i64::from(estimate(self.text))
    }

    fn is_worthy(&self) -> bool {
        let has_name = is_long(self.text) || last_word(self.text).is_some();
        has_name && self.tokens() >= FEWEST_TOKENS && self.gain() >= WORTH
    }

    fn gain(&self) -> i64 {
        let quotes = i64::from(!is_bare(self.text));
        self.uses * (self.tokens() - USE) - self.tokens() - DEFINITION - quotes
    }
}

/// A name for what many strings begin with: its last word.
fn last_word(text: &str) -> Option<&str> {
    text.rsplit(|c: char| !c.is_ascii_alphanumeric()).find(|word| {
        let is_name = (2..=LONGEST_NAME).contains(&word.len()) && word.as_bytes()[0].is_ascii_alphabetic();
        is_name && !matches!(*word, "com" | "org" | "net" | "io")
    })
}

/// A name for a text below a key: the key's last word.
fn word_of_key(key: &str) -> Option<&str> {
    let word = key.rsplit(|c: char| !c.is_ascii_alphanumeric()).find(|word| !word.is_empty())?;
    let from = if word.len() > LONGEST_NAME { word.rfind(|c: char| c.is_ascii_uppercase())? } else { 0 };
    Some(&word[from..]).filter(|word| (2..=LONGEST_NAME).contains(&word.len()))
}

/// Whether a whole string may become an alias.
fn is_long(text: &str) -> bool {
    estimate(text) >= if text.contains(' ') { LONG_SENTENCE } else { LONG_TEXT }
}

#[derive(Default)]
pub struct Aliases {
    all: Vec<(String, Box<str>)>,
    by_hash: Map<u64, usize>,
    /// Length of the longest text, in bytes.
    longest: usize,
    /// Tokens that all aliases save.
    saved: i64,
}

impl Aliases {
    /// Chooses the aliases by the tokens that they save over all marked strings of `text`, which is `document` written.
    pub fn of(document: &Document<'_>, text: &[u8]) -> Self {
        let mut aliases = Self::default();
        for prefix in choose(text) {
            aliases.add(prefix);
        }
        if aliases.is_empty() {
            return aliases;
        }
        let mut aliases = aliases.only_worthy(text);
        if aliases.saved < worth_together(text.len()) {
            return Self::default();
        }
        aliases.give_names(document);
        aliases
    }

    /// Drops aliases that are used too little, because a longer one took their place.
    fn only_worthy(self, text: &[u8]) -> Self {
        let mut uses = vec![0; self.all.len()];
        for (content, quoted, _) in strings(text, 1) {
            if let Some((_, alias)) = self.prefix(content, quoted) {
                uses[alias] += 1;
            }
        }
        let mut worthy = Self::default();
        for ((_, text), uses) in self.all.iter().zip(uses) {
            let candidate = Candidate { text, uses };
            if candidate.is_worthy() {
                worthy.saved += candidate.gain();
                worthy.add(text);
            }
        }
        worthy
    }

    /// Names each alias, in capitals: a whole text by the key below which it comes first, the beginning of paths and URLs
    /// by its last word.
    fn give_names(&mut self, document: &Document<'_>) {
        let keys = self.first_keys(document);
        let mut taken = HashSet::new();
        for ((name, text), key) in self.all.iter_mut().zip(keys) {
            let wanted =
                if is_long(text) { key.and_then(word_of_key) } else { last_word(text) }.unwrap_or("text");
            let wanted = wanted.to_ascii_uppercase();
            let numbered = (2..).map(|number| format!("{wanted}{number}"));
            let free = std::iter::once(wanted.clone()).chain(numbered).find(|name| !taken.contains(name));
            *name = free.unwrap_or_default();
            taken.insert(name.clone());
        }
    }

    /// The key below which a string with each alias comes first.
    fn first_keys<'d>(&self, document: &'d Document<'_>) -> Vec<Option<&'d str>> {
        let mut keys = vec![None; self.all.len()];
        let (mut left, mut key) = (keys.len(), None);
        for id in document.root()..document.node_count() as Id {
            key = document.key_id(id).or(key);
            if left == 0 {
                break;
            }
            if document.is_string(id)
                && let Some((_, alias)) = self.prefix(document.span(id), true)
                && keys[alias].is_none()
            {
                keys[alias] = key.map(|key| document.key(key));
                left -= 1;
            }
        }
        keys
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    fn add(&mut self, text: &str) {
        self.by_hash.insert(fnv::hash(text.as_bytes()), self.all.len());
        self.longest = self.longest.max(text.len());
        self.all.push((String::new(), text.into()));
    }

    /// The lines that define the aliases: `$ROLE=text`.
    pub fn definitions(&self) -> String {
        let definition = |(name, alias): &(String, Box<str>)| {
            let quote = if !is_bare(alias) || alias.contains('\\') { "\"" } else { "" };
            format!("${name}={quote}{alias}{quote}\n")
        };
        self.all.iter().map(definition).collect()
    }

    /// The longest alias that a string begins with, and its length.
    fn prefix(&self, content: &str, quoted: bool) -> Option<(usize, usize)> {
        if self.all.is_empty() || !quoted && content.contains('"') {
            return None;
        }
        cuts(content, quoted, self.longest)
            .filter_map(|(end, hash)| Some((end, *self.by_hash.get(&hash)?)))
            .filter(|(end, alias)| *self.all[*alias].1 == content[..*end])
            .last()
    }

    /// Appends a string with its alias; if it has none, appends nothing and returns `false`.
    pub fn write(&self, content: &str, quoted: bool, out: &mut Vec<u8>) -> bool {
        let Some((end, alias)) = self.prefix(content, quoted) else { return false };
        let rest = &content[end..];
        out.push(b'$');
        out.extend_from_slice(self.all[alias].0.as_bytes());
        let quote: &[u8] = if quoted && !rest.is_empty() { b"\"" } else { b"" };
        out.extend_from_slice(quote);
        out.extend_from_slice(rest.as_bytes());
        out.extend_from_slice(quote);
        true
    }
}

/// Every `step`th marked string of a text, as [`string_at`] gives it.
fn strings(text: &[u8], step: usize) -> impl Iterator<Item = (&str, bool, usize)> {
    memchr::memchr_iter(STRING, text).step_by(step).map(|at| string_at(text, at + 1))
}

/// The texts worth an alias, the best first.
fn candidates(text: &[u8]) -> Vec<Candidate<'_>> {
    let step = memchr::memchr_iter(STRING, text).count() / SAMPLE + 1;
    let mut counts: Map<u64, Candidate<'_>> = Map::default();
    for (content, quoted, _) in strings(text, step) {
        for (end, hash) in cuts(content, quoted, LONGEST) {
            counts.entry(hash).or_insert(Candidate { text: &content[..end], uses: 0 }).uses += step as i64;
        }
    }
    let often = counts.into_values().filter(|candidate| candidate.uses > step as i64);
    let mut candidates: Vec<Candidate<'_>> = often.filter(Candidate::is_worthy).collect();
    candidates.sort_unstable_by_key(|candidate| (-candidate.gain(), candidate.text));
    candidates.truncate(FINALISTS);
    candidates
}

/// The texts that save most as aliases together.
fn choose(text: &[u8]) -> Vec<&str> {
    let mut candidates = candidates(text);
    let mut texts = Vec::new();
    while texts.len() < MOST_ALIASES {
        let best = candidates.iter().enumerate().max_by_key(|(at, one)| (one.gain(), std::cmp::Reverse(*at)));
        let Some((at, _)) = best.filter(|(_, one)| one.gain() >= WORTH) else { break };
        let chosen = candidates.swap_remove(at);
        for other in &mut candidates {
            if chosen.text.starts_with(other.text) {
                other.uses -= chosen.uses;
            } else if other.text.starts_with(chosen.text) {
                // Counts only as far as it saves more than the alias that already stands for its start.
                let (all, start) = (other.tokens(), chosen.tokens());
                other.uses = other.uses * (all - start).max(0) / (all - USE).max(1);
            }
        }
        texts.push(chosen.text);
    }
    texts
}
