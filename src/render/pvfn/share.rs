//! The last pass: string prefixes that occur often become `$1`, anchors that are referred to get their numbers.
//!
//! The writer marks strings and anchors with control bytes, which no bare or quoted text holds.

use std::collections::HashMap;

use super::scalar::{Place, bare_end, estimate, is_bare};

/// Stands before a string value.
pub const STRING: u8 = 0x01;
/// Around the number of an anchor that stands before its value.
pub const ANCHOR: u8 = 0x02;
/// Around the number of an anchor at the end of a line.
pub const LINE_ANCHOR: u8 = 0x03;
/// Around the number of an anchor that is referred to.
pub const REFERENCE: u8 = 0x04;

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
const DEFINITION: i64 = 5;
const USE: i64 = 2;

/// Resolves the marks in `text`.
pub fn share(text: &[u8]) -> Vec<u8> {
    let aliases = choose(text);
    let anchors = number_anchors(text);
    let mut out = Vec::with_capacity(text.len());
    for (number, alias) in aliases.texts.iter().enumerate() {
        out.extend_from_slice(format!("${}=", number + 1).as_bytes());
        let quoted = !is_bare(alias, Place::Token) || alias.contains('\\');
        out.extend_from_slice(if quoted { b"\"" } else { b"" });
        out.extend_from_slice(alias.as_bytes());
        out.extend_from_slice(if quoted { b"\"\n" } else { b"\n" });
    }
    let mut from = 0;
    while let Some(at) = mark(text, from) {
        out.extend_from_slice(&text[from..at]);
        from = match text[at] {
            STRING => {
                let (content, quoted, end) = string_at(text, at + 1);
                aliases.write(content, quoted, &text[at + 1..end], &mut out);
                end
            }
            kind => {
                let (id, end) = number_at(text, at + 1);
                let number = anchors.get(&id).copied();
                let label = match (kind, number) {
                    (ANCHOR, Some(number)) => format!("&{number} "),
                    (LINE_ANCHOR, Some(number)) => format!(" &{number}"),
                    (REFERENCE, Some(number)) => format!("*{number}"),
                    _ => String::new(),
                };
                out.extend_from_slice(label.as_bytes());
                end
            }
        };
    }
    out.extend_from_slice(&text[from..]);
    out
}

fn mark(text: &[u8], from: usize) -> Option<usize> {
    text[from..].iter().position(|byte| (STRING..=REFERENCE).contains(byte)).map(|at| from + at)
}

fn number_at(text: &[u8], from: usize) -> (u32, usize) {
    let mut id = 0;
    let mut at = from;
    while text[at].is_ascii_digit() {
        id = id * 10 + u32::from(text[at] - b'0');
        at += 1;
    }
    (id, at + 1)
}

/// The anchors that are referred to, numbered as they come.
fn number_anchors(text: &[u8]) -> HashMap<u32, u32> {
    let mut referred = HashMap::new();
    let mut next = 1;
    for pass in [true, false] {
        let mut from = 0;
        while let Some(at) = mark(text, from) {
            from = at + 1;
            if text[at] == STRING {
                continue;
            }
            let (id, end) = number_at(text, at + 1);
            from = end;
            match text[at] {
                REFERENCE if pass => {
                    referred.insert(id, 0);
                }
                ANCHOR | LINE_ANCHOR if !pass => {
                    if let Some(number) = referred.get_mut(&id).filter(|number| **number == 0) {
                        *number = next;
                        next += 1;
                    }
                }
                _ => {}
            }
        }
    }
    referred
}

/// The string that begins at `from`: what stands between its quotes, if it has any, and where it ends.
fn string_at(text: &[u8], from: usize) -> (&str, bool, usize) {
    let quoted = text[from] == b'"';
    let end = if quoted {
        let mut at = from + 1;
        while text[at] != b'"' {
            at += if text[at] == b'\\' { 2 } else { 1 };
        }
        at + 1
    } else {
        let length = bare_end(&text[from..]);
        from + length
    };
    let content = if quoted { &text[from + 1..end - 1] } else { &text[from..end] };
    (std::str::from_utf8(content).unwrap_or_default(), quoted, end)
}

/// Where a string may be cut: behind separators, and at its end. With each, a hash of what stands before.
/// A backslash is an escape in quotes and itself without: only a whole quoted string may hold one.
fn cuts(content: &str, quoted: bool) -> impl Iterator<Item = (usize, u64)> + '_ {
    let bytes = content.as_bytes();
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut found = 0;
    let mut plain = true;
    let reach = bytes.len().min(LONGEST);
    (0..reach).filter_map(move |at| {
        let byte = bytes[at];
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
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

    fn gain(&self) -> i64 {
        let quotes = if is_bare(self.text, Place::Token) { 0 } else { 1 };
        self.uses * (self.tokens() - USE) - self.tokens() - DEFINITION - quotes
    }
}

/// The prefixes worth an alias.
fn choose(text: &[u8]) -> Aliases<'_> {
    let strings = memchr::memchr_iter(STRING, text).count();
    let step = strings / SAMPLE + 1;
    let mut counts: HashMap<u64, (i64, &str)> = HashMap::new();
    for at in memchr::memchr_iter(STRING, text).step_by(step) {
        let (content, quoted, _) = string_at(text, at + 1);
        for (end, hash) in cuts(content, quoted) {
            counts.entry(hash).or_insert((0, &content[..end])).0 += 1;
        }
    }
    let mut candidates: Vec<Candidate<'_>> = counts
        .into_values()
        .filter(|(uses, _)| *uses > 1)
        .map(|(uses, text)| Candidate { text, uses: uses * step as i64 })
        .filter(|candidate| candidate.gain() > 0)
        .collect();
    candidates.sort_by_key(|candidate| (-candidate.gain(), candidate.text));
    candidates.truncate(FINALISTS);
    let mut texts = Vec::new();
    while texts.len() < MOST_ALIASES {
        let best = candidates.iter().enumerate().max_by_key(|(at, one)| (one.gain(), std::cmp::Reverse(*at)));
        let Some((at, _)) = best.filter(|(_, one)| one.gain() > 0) else { break };
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
    Aliases::new(texts)
}

struct Aliases<'t> {
    texts: Vec<&'t str>,
    by_hash: HashMap<u64, usize>,
}

impl<'t> Aliases<'t> {
    fn new(texts: Vec<&'t str>) -> Self {
        let hash = |text: &str| {
            text.bytes().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            })
        };
        let by_hash = texts.iter().enumerate().map(|(at, text)| (hash(text), at)).collect();
        Self { texts, by_hash }
    }

    /// Appends a string with the longest alias that it begins with.
    fn write(&self, content: &str, quoted: bool, written: &[u8], out: &mut Vec<u8>) {
        let longest = if self.texts.is_empty() {
            None
        } else {
            cuts(content, quoted)
                .filter_map(|(end, hash)| Some((end, *self.by_hash.get(&hash)?)))
                .filter(|(end, alias)| self.texts[*alias] == &content[..*end])
                .last()
        };
        let Some((end, alias)) = longest else { return out.extend_from_slice(written) };
        let rest = &content[end..];
        if !quoted && rest.contains('"') {
            return out.extend_from_slice(written);
        }
        let braces = rest.starts_with(|next: char| next.is_ascii_digit()) && !quoted;
        let name = if braces { format!("${{{}}}", alias + 1) } else { format!("${}", alias + 1) };
        out.extend_from_slice(name.as_bytes());
        if quoted && !rest.is_empty() {
            out.push(b'"');
            out.extend_from_slice(rest.as_bytes());
            out.push(b'"');
        } else {
            out.extend_from_slice(rest.as_bytes());
        }
    }
}
