//! Messages: what a program logs is another text in each item, and yet a few kinds of sentences, each told by one whole
//! message.

use std::cmp::Reverse;

use indexmap::IndexMap;

use crate::document::{Document, Id};

/// Fewest different texts of a kind, on average.
const TEXTS_A_KIND: usize = 4;
/// Most kinds that are told apart.
const MOST_KINDS: usize = 24;
/// Fewest words of a sentence, and most words of a message that are looked at.
const FEWEST_WORDS: usize = 3;
const MOST_WORDS: usize = 40;
/// How many words without a digit, of a message's first line, make its kind: the first number that makes few enough
/// kinds.
const WORDS_OF_A_KIND: [usize; 3] = [MOST_WORDS, 4, 2];

/// The first letters of months and days of the week.
const OF_DATES: [&str; 19] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mon", "tue", "wed",
    "thu", "fri", "sat", "sun",
];

/// Messages that differ in values alone.
pub struct Kind {
    /// The node of the first one.
    pub first: Id,
    /// The number of each message's item.
    pub items: Vec<u32>,
}

/// The kinds of messages, each given with its item's number, `different` texts in all: the most frequent kind first;
/// `None` if they are no sentences that occur again and again.
pub fn kinds(document: &Document<'_>, messages: &[(u32, Id)], different: usize) -> Option<Vec<Kind>> {
    let texts: Vec<_> = messages.iter().map(|&(_, node)| document.text(node)).collect();
    let lines: Vec<_> =
        texts.iter().map(|text| text.trim_start().lines().next().unwrap_or_default()).collect();
    let sentences = lines.iter().filter(|line| is_sentence(line)).count();
    if sentences * 5 < lines.len() * 4 {
        return None;
    }
    WORDS_OF_A_KIND.iter().find_map(|&most| {
        let mut kinds = IndexMap::new();
        for (line, &(item, first)) in lines.iter().zip(messages) {
            let words = line.split_whitespace().take(MOST_WORDS);
            let words = words.filter(|word| !word.contains(|c: char| c.is_ascii_digit()));
            let words: Vec<_> = words.take(most).collect();
            kinds.entry(words).or_insert_with(|| Kind { first, items: Vec::new() }).items.push(item);
            if kinds.len() > MOST_KINDS {
                return None;
            }
        }
        let mut kinds: Vec<_> = kinds.into_values().collect();
        kinds.sort_by_key(|kind| Reverse(kind.items.len()));
        (kinds.len() * TEXTS_A_KIND <= different).then_some(kinds)
    })
}

/// Whether a text is of several words and says more than a date: `Apr 18 2025` would stand for all days of all Aprils.
fn is_sentence(text: &str) -> bool {
    let is_of_date = |word: &str| {
        word.len() <= OF_DATES[0].len()
            || OF_DATES
                .iter()
                .any(|start| word.get(..start.len()).is_some_and(|own| own.eq_ignore_ascii_case(start)))
    };
    let says = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        !word.contains(|c: char| c.is_ascii_digit()) && !is_of_date(word)
    };
    text.split_whitespace().nth(FEWEST_WORDS - 1).is_some() && text.split_whitespace().any(says)
}
