//! Texts that come again and again in strings: their starts, or whole words of them, become `$1`.

use super::hash::Map;
use super::scalar::{Place, estimate, is_bare};
use super::share::{STRING, string_at};

/// Shortest prefix that becomes an alias.
const SHORTEST: usize = 6;
/// Longest prefix considered, and the most cuts a string is tried at.
const LONGEST: usize = 2000;
const MOST_CUTS: usize = 10;
/// Most strings that are looked at for candidates; of more, a sample is taken.
const SAMPLE: usize = 60_000;
/// Candidates compared with each other, and the most aliases of a document.
const FINALISTS: usize = 250;
const MOST_ALIASES: usize = 60;
/// What a definition costs beside its text, and a use: `$1=…` and a newline; `$1`.
const DEFINITION: i64 = 4;
const USE: i64 = 2;
/// Fewest tokens an alias must save: it costs its reader a look back.
const WORTH: i64 = 8;
/// Fewest tokens of a text that is worth looking back for.
const FEWEST_TOKENS: i64 = 5;

/// Shortest word within a string that becomes an alias.
const SHORTEST_WORD: usize = 6;
const HASH_START: u64 = 0xcbf2_9ce4_8422_2325;

/// Where a string may be cut: behind separators, and at its end. With each, a hash of what stands before.
/// A backslash is an escape in quotes and itself without: only a whole quoted string may hold one.
/// Nothing is cut behind `reach` bytes.
fn cuts(content: &str, quoted: bool, reach: usize) -> impl Iterator<Item = (usize, u64)> + '_ {
    let bytes = content.as_bytes();
    let mut hash = HASH_START;
    let mut found = 0;
    let mut plain = true;
    let reach = bytes.len().min(reach);
    (0..reach).filter_map(move |at| {
        let byte = bytes[at];
        hash = hashed(hash, byte);
        plain &= !matches!(byte, b'[' | b']' | b'{' | b'}' | b'(' | b')' | b'\\' | b'$');
        let last = at + 1 == bytes.len();
        let separator = matches!(byte, b'/' | b':' | b'-' | b'.' | b'_' | b' ' | b'@' | b'=' | b'#' | b'T');
        let next_ok = last || !matches!(bytes[at + 1], b'"' | b'{' | b'[' | b'(');
        let whole = last && (quoted || !content.contains('\\'));
        let cut = at + 1 >= SHORTEST && next_ok && (whole || plain && separator && found < MOST_CUTS);
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
        self.tokens() >= FEWEST_TOKENS && self.gain() >= WORTH
    }

    fn gain(&self) -> i64 {
        let quotes = i64::from(!is_bare(self.text, Place::Token));
        self.uses * (self.tokens() - USE) - self.tokens() - DEFINITION - quotes
    }
}

/// One step of the FNV-1a hash.
fn hashed(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}

/// The aliases of a document.
#[derive(Default)]
pub struct Aliases {
    texts: Vec<Box<str>>,
    by_hash: Map<u64, usize>,
    /// Bytes of the longest one.
    longest: usize,
}

impl Aliases {
    /// Chooses them by what they save over all marked strings of `text`.
    pub fn of(text: &[u8]) -> Self {
        let mut aliases = Self::default();
        let strings = memchr::memchr_iter(STRING, text).count();
        let step = strings / SAMPLE + 1;
        let sample = || {
            memchr::memchr_iter(STRING, text).step_by(step).map(|at| {
                let (content, quoted, _) = string_at(text, at + 1);
                (content, quoted)
            })
        };
        for prefix in choose_prefixes(sample, strings / step, step as i64) {
            aliases.add(prefix);
        }
        let words = choose_words(sample, strings / step, step as i64, &aliases);
        for word in words {
            aliases.add(word);
        }
        if aliases.is_empty() { aliases } else { aliases.only_worthy(text) }
    }

    /// Drops what turned out to be used too little, because a longer alias was taken in its place.
    fn only_worthy(self, text: &[u8]) -> Self {
        let mut uses = vec![0; self.texts.len()];
        for at in memchr::memchr_iter(STRING, text) {
            let (content, quoted, _) = string_at(text, at + 1);
            let prefix = self.prefix(content, quoted);
            if let Some((_, alias)) = prefix {
                uses[alias] += 1;
            }
            if takes_words(content, quoted) {
                let rest = &content[prefix.map_or(0, |(end, _)| end)..];
                for (start, end, hash) in words(rest) {
                    if let Some(alias) = self.word(&rest[start..end], hash) {
                        uses[alias] += 1;
                    }
                }
            }
        }
        let mut worthy = Self::default();
        for (text, uses) in self.texts.iter().zip(uses) {
            if (Candidate { text, uses }).is_worthy() {
                worthy.add(text);
            }
        }
        worthy
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    fn add(&mut self, text: &str) {
        self.by_hash.insert(text.bytes().fold(HASH_START, hashed), self.texts.len());
        self.longest = self.longest.max(text.len());
        self.texts.push(text.into());
    }

    /// The lines that define them: `$1=text`.
    pub fn definitions(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for (number, alias) in self.texts.iter().enumerate() {
            out.extend_from_slice(format!("${}=", number + 1).as_bytes());
            let quoted = !is_bare(alias, Place::Token) || alias.contains('\\');
            out.extend_from_slice(if quoted { b"\"" } else { b"" });
            out.extend_from_slice(alias.as_bytes());
            out.extend_from_slice(if quoted { b"\"\n" } else { b"\n" });
        }
        out
    }

    /// The longest alias that a string begins with, and its length.
    fn prefix(&self, content: &str, quoted: bool) -> Option<(usize, usize)> {
        if self.texts.is_empty() || !quoted && content.contains('"') {
            return None;
        }
        cuts(content, quoted, self.longest)
            .filter_map(|(end, hash)| Some((end, *self.by_hash.get(&hash)?)))
            .filter(|(end, alias)| *self.texts[*alias] == content[..*end])
            .last()
    }

    fn word(&self, word: &str, hash: u64) -> Option<usize> {
        self.by_hash.get(&hash).copied().filter(|&alias| *self.texts[alias] == *word)
    }

    /// Appends a string with its aliases; if it has none, nothing, and the answer is `false`.
    pub fn write(&self, content: &str, quoted: bool, out: &mut Vec<u8>) -> bool {
        let prefix = self.prefix(content, quoted);
        let rest = &content[prefix.map_or(0, |(end, _)| end)..];
        let Some((_, alias)) = prefix else {
            return takes_words(content, quoted) && self.write_words(rest, out);
        };
        let braces = rest.starts_with(|next: char| next.is_ascii_digit()) && !quoted;
        let name = if braces { format!("${{{}}}", alias + 1) } else { format!("${}", alias + 1) };
        out.extend_from_slice(name.as_bytes());
        if quoted && !rest.is_empty() {
            out.push(b'"');
            out.extend_from_slice(rest.as_bytes());
            out.push(b'"');
        } else if braces || !takes_words(content, quoted) || !self.write_words(rest, out) {
            out.extend_from_slice(rest.as_bytes());
        }
        true
    }

    /// Appends a text with the aliases of its words; if it has none, nothing.
    fn write_words(&self, text: &str, out: &mut Vec<u8>) -> bool {
        let mut from = 0;
        for (start, end, hash) in words(text) {
            if let Some(alias) = self.word(&text[start..end], hash) {
                out.extend_from_slice(&text.as_bytes()[from..start]);
                out.extend_from_slice(format!("${}", alias + 1).as_bytes());
                from = end;
            }
        }
        if from > 0 {
            out.extend_from_slice(&text.as_bytes()[from..]);
        }
        from > 0
    }
}

/// How often texts come, of those that come more than once.
///
/// Most come once. So a first pass counts in a table of bytes by hash, and only what may have come twice gets an
/// entry of its own in the second.
struct Counts<'t> {
    seen: Vec<u8>,
    counts: Map<u64, (i64, &'t str)>,
}

impl<'t> Counts<'t> {
    /// For about so many strings.
    fn new(strings: usize) -> Self {
        let size = (strings * 8).next_power_of_two().clamp(1 << 8, 1 << 20);
        Self { seen: vec![0; size], counts: Map::default() }
    }

    fn place(&self, hash: u64) -> usize {
        (hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & (self.seen.len() - 1)
    }

    fn see(&mut self, hash: u64) {
        let place = self.place(hash);
        self.seen[place] = self.seen[place].saturating_add(1);
    }

    fn count(&mut self, hash: u64, text: &'t str) {
        if self.seen[self.place(hash)] > 1 {
            self.counts.entry(hash).or_insert((0, text)).0 += 1;
        }
    }

    /// Those worth an alias, the best first, where each was seen in one of `step` strings.
    fn candidates(self, step: i64, most: usize) -> Vec<Candidate<'t>> {
        let mut candidates: Vec<Candidate<'_>> = self
            .counts
            .into_values()
            .filter(|(uses, _)| *uses > 1)
            .map(|(uses, text)| Candidate { text, uses: uses * step })
            .filter(Candidate::is_worthy)
            .collect();
        candidates.sort_by_key(|candidate| (-candidate.gain(), candidate.text));
        candidates.truncate(most);
        candidates
    }
}

/// The prefixes worth an alias, among strings of which every `step`th is given.
fn choose_prefixes<'t, I>(sample: impl Fn() -> I, strings: usize, step: i64) -> Vec<&'t str>
where
    I: Iterator<Item = (&'t str, bool)>,
{
    let mut counts = Counts::new(strings);
    for (content, quoted) in sample() {
        cuts(content, quoted, LONGEST).for_each(|(_, hash)| counts.see(hash));
    }
    for (content, quoted) in sample() {
        cuts(content, quoted, LONGEST).for_each(|(end, hash)| counts.count(hash, &content[..end]));
    }
    let mut candidates = counts.candidates(step, FINALISTS);
    let mut texts = Vec::new();
    while texts.len() < MOST_ALIASES {
        let best = candidates.iter().enumerate().max_by_key(|(at, one)| (one.gain(), std::cmp::Reverse(*at)));
        let Some((at, _)) = best.filter(|(_, one)| one.gain() >= WORTH) else { break };
        let chosen = candidates.swap_remove(at);
        for other in &mut candidates {
            if chosen.text.starts_with(other.text) {
                other.uses -= chosen.uses;
            } else if other.text.starts_with(chosen.text) {
                // What it would add to the alias that already stands for its start.
                let (all, start) = (other.tokens(), chosen.tokens());
                other.uses = other.uses * (all - start).max(0) / (all - USE).max(1);
            }
        }
        texts.push(chosen.text);
    }
    texts
}

/// Whether words of a string may become aliases: not in quotes, which each would have to close and open again,
/// nor among brackets, which end a bare string where they are not in pairs.
fn takes_words(content: &str, quoted: bool) -> bool {
    !quoted
        && !content.bytes().any(|byte| matches!(byte, b'[' | b']' | b'{' | b'}' | b'(' | b')' | b'"' | b'$'))
}

/// The words of a text: runs of letters, digits and hyphens. With each, its hash.
fn words(text: &str) -> impl Iterator<Item = (usize, usize, u64)> + '_ {
    let bytes = text.as_bytes();
    let inside = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let start = at;
            let mut hash = HASH_START;
            while at < bytes.len() && inside(bytes[at]) {
                hash = hashed(hash, bytes[at]);
                at += 1;
            }
            let end = at;
            at += usize::from(end == start);
            if end - start >= SHORTEST_WORD {
                return Some((start, end, hash));
            }
        }
        None
    })
}

/// The words worth an alias in what the prefixes leave.
fn choose_words<'t, I>(sample: impl Fn() -> I, strings: usize, step: i64, prefixes: &Aliases) -> Vec<&'t str>
where
    I: Iterator<Item = (&'t str, bool)>,
{
    let rests = || {
        sample().filter(|(content, quoted)| takes_words(content, *quoted)).map(|(content, quoted)| {
            let from = prefixes.prefix(content, quoted).map_or(0, |(end, _)| end);
            &content[from..]
        })
    };
    let mut counts = Counts::new(strings);
    for rest in rests() {
        words(rest).for_each(|(_, _, hash)| counts.see(hash));
    }
    for rest in rests() {
        for (start, end, hash) in words(rest) {
            if prefixes.word(&rest[start..end], hash).is_none() {
                counts.count(hash, &rest[start..end]);
            }
        }
    }
    counts.candidates(step, MOST_ALIASES).into_iter().map(|candidate| candidate.text).collect()
}
