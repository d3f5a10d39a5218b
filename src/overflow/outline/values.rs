//! The scalars at one path: how many there are, how many different ones, how often each occurs, and their range.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::hash::BuildHasher;

use foldhash::fast::RandomState;

use crate::document::{Document, Id, Kind, is_number, write_json_string};
use crate::hidden;

/// Most different values that are counted at one path, and in the whole document.
const MOST_AT_A_PATH: usize = 100_000;
const MOST: usize = 1_000_000;
/// Up to this many different values are all given, each with its count.
const FEW: usize = 8;
/// Number of examples if there are more values.
const EXAMPLES: usize = 3;
/// Longest value, longest sentence, in characters, and longest list of values, in bytes, that is shown.
const LONGEST: usize = 60;
const LONGEST_SENTENCE: usize = 200;
const LONGEST_LIST: usize = 160;
/// Most characters of a key.
const LONGEST_KEY: usize = 40;
/// Stands for a value that an item does not have.
pub const ABSENT: &str = "-";
/// Longest list of examples, in bytes.
const LONGEST_EXAMPLES: usize = 70;

/// The scalars at one path.
#[derive(Debug, Default)]
pub struct Values {
    pub count: u64,
    /// By a value's hash: how often the value occurs, and its first node.
    different: HashMap<u64, (u64, Id), RandomState>,
    /// Whether there are more different values than were counted.
    more: bool,
    numbers: u64,
    times: u64,
    /// The least and the greatest of the numbers or times.
    bounds: Option<(Id, Id)>,
}

impl Values {
    /// Takes in one more scalar; `counted` is the number of different values counted in the whole document.
    pub fn add(&mut self, document: &Document<'_>, id: Id, counted: &mut usize) {
        self.count += 1;
        let text = document.text(id);
        let hash = self.different.hasher().hash_one((document.is_string(id), &*text));
        let room = self.different.len() < MOST_AT_A_PATH && *counted < MOST;
        match self.different.get_mut(&hash) {
            Some((count, _)) => *count += 1,
            None if room => {
                *counted += 1;
                self.different.insert(hash, (1, id));
            }
            None => self.more = true,
        }
        if document.kind(id) == Kind::Number {
            self.numbers += 1;
            let number = |id: Id| document.span(id).parse::<f64>().unwrap_or(0.0);
            self.widen(id, |one, other| number(one) < number(other));
        } else if document.is_string(id) && is_time(&text) {
            self.times += 1;
            self.widen(id, |one, other| document.span(one) < document.span(other));
        }
    }

    fn widen(&mut self, id: Id, is_less: impl Fn(Id, Id) -> bool) {
        let (least, greatest) = self.bounds.unwrap_or((id, id));
        let least = if is_less(id, least) { id } else { least };
        let greatest = if is_less(greatest, id) { id } else { greatest };
        self.bounds = Some((least, greatest));
    }

    /// The value, if all are the same.
    pub fn only(&self) -> Option<Id> {
        let first = self.different.values().next().filter(|_| self.different.len() == 1 && !self.more);
        first.map(|&(_, id)| id)
    }

    /// Whether a few values occur again and again.
    pub fn are_few(&self) -> bool {
        let different = self.different.len();
        !self.more && (2..=FEW).contains(&different) && different as u64 * 2 <= self.count
    }

    /// Whether no value occurs twice.
    pub fn are_unlike(&self) -> bool {
        self.count > 1 && (self.more || self.different.len() as u64 == self.count)
    }

    /// Whether most values occur once, as names do.
    pub fn are_names(&self) -> bool {
        self.count > 1 && (self.more || self.different.len() as u64 * 2 > self.count)
    }

    /// How many different texts there are, or were counted; `None` if they are few, or if some are numbers or times.
    pub fn texts(&self) -> Option<usize> {
        let are_texts = self.different.len() > FEW && self.numbers + self.times == 0;
        are_texts.then_some(self.different.len())
    }

    /// The values in words, a `note` behind each of a few by its first node: `running ×37, stopped ×9 (items 4, 7, …)`.
    pub fn describe(&self, document: &Document<'_>, note: impl Fn(Id) -> String) -> String {
        let by_count = |&(count, first): &(u64, Id)| (std::cmp::Reverse(count), first);
        let mut all: Vec<(u64, Id)> = self.different.values().copied().collect();
        if all.len() <= FEW && !self.more {
            all.sort_unstable_by_key(by_count);
            let once = self.count > 1 && all.len() as u64 == self.count;
            return list(document, &all, !once, LONGEST_LIST, note) + if once { " (each once)" } else { "" };
        }
        let none = |_| String::new();
        let different = format!("{}{} different", if self.more { "more than " } else { "" }, all.len());
        if let Some((least, greatest)) = self.bounds
            && (self.numbers == self.count || self.times == self.count)
        {
            return format!("{} to {}, {different}", shown(document, least), shown(document, greatest));
        }
        let often = all.iter().map(|&(count, _)| count).max().unwrap_or_default();
        if often > 1 && often * 20 >= self.count {
            all.sort_unstable_by_key(by_count);
            all.truncate(EXAMPLES);
            return format!("{different}, most often {}", list(document, &all, true, LONGEST_EXAMPLES, none));
        }
        all.sort_unstable_by_key(|&(_, first)| first);
        let each = if all.len() as u64 == self.count { "all " } else { "" };
        all.truncate(EXAMPLES);
        format!("{each}{different}: {}, …", list(document, &all, false, LONGEST_EXAMPLES, none))
    }
}

/// Values one after another, in about `most` bytes, with their counts if `counts`.
fn list(
    document: &Document<'_>,
    values: &[(u64, Id)],
    counts: bool,
    most: usize,
    note: impl Fn(Id) -> String,
) -> String {
    let mut out = String::new();
    for (at, &(count, id)) in values.iter().enumerate() {
        let value = shown(document, id);
        if at > 0 && out.len() + value.len() > most {
            if most == LONGEST_LIST {
                let _ = write!(out, ", … {} more", values.len() - at);
            }
            break;
        }
        out.push_str(if at > 0 { ", " } else { "" });
        out.push_str(&value);
        if counts {
            let _ = write!(out, " ×{count}{}", note(id));
        }
    }
    out
}

/// A scalar, cut if it is long, in quotes if it could be taken for something else.
pub fn shown(document: &Document<'_>, id: Id) -> String {
    let text = document.text(id);
    let is_sentence = text.split(' ').nth(2).is_some();
    let most = if is_sentence { LONGEST_SENTENCE } else { LONGEST };
    let cut = text.char_indices().nth(most).map(|(end, _)| &text[..end]);
    let start = cut.unwrap_or(&text);
    let typed = is_number(start) || matches!(start, "null" | "true" | "false" | ABSENT);
    let odd = start.trim().len() != start.len()
        || start.is_empty()
        || start.chars().any(|c| c.is_control() || matches!(c, ',' | '"' | '×'))
        || hidden::is_in(start.as_bytes());
    let text = if document.is_string(id) && (typed || odd) { quoted(start) } else { start.to_owned() };
    text + if cut.is_some() { "…" } else { "" }
}

pub fn quoted(text: &str) -> String {
    let mut out = Vec::new();
    write_json_string(&mut out, text);
    String::from_utf8_lossy(&out).into_owned()
}

/// Whether a text is a date, or begins like `2026-11-21T10:`.
fn is_time(text: &str) -> bool {
    let shape = b"0000-00-00";
    let bytes = text.as_bytes();
    (bytes.len() == shape.len() || matches!(bytes.get(shape.len()), Some(b'T' | b' ')))
        && shape.iter().zip(bytes).all(|(want, byte)| match want {
            b'0' => byte.is_ascii_digit(),
            _ => byte == want,
        })
}

/// Whether a key names what others refer to: `InstanceId`, `name`.
pub fn is_id(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with("id") || name.ends_with("name")
}

/// Whether a key names the id of another thing, if it is not the item's own: `SubnetId`, `owner_id`.
pub fn is_reference(name: &str) -> bool {
    ["Id", "ID", "_id"].iter().any(|end| name.ends_with(end))
}

/// A key, cut if it is long, in quotes if it is empty or holds white space or what nobody would see.
pub fn written(key: &str) -> String {
    let short: String = key.chars().take(LONGEST_KEY).collect();
    let cut = if short.len() < key.len() { "…" } else { "" };
    let is_odd = short.contains(|c: char| c.is_control() || c.is_whitespace());
    if !short.is_empty() && !is_odd && !hidden::is_in(short.as_bytes()) {
        return short + cut;
    }
    quoted(&short) + cut
}
