//! Messages: what a program logs is another text in each item, and yet a few kinds of sentences, each told by one whole
//! message.

use std::cmp::Reverse;

use indexmap::IndexMap;

use crate::document::{Document, Id};

/// Fewest different texts of a kind, on average.
const TEXTS_A_KIND: usize = 4;
/// Most kinds that are told apart.
const MOST_KINDS: usize = 24;
/// Fewest words of a sentence, and most words that are looked at.
const FEWEST_WORDS: usize = 3;
const MOST_WORDS: usize = 40;
/// How many of a sentence's words without a digit make its kind: the first number that makes few enough kinds.
const WORDS_OF_A_KIND: [usize; 3] = [MOST_WORDS, 4, 2];

/// Messages that differ in values alone.
pub struct Kind {
    /// The node of the first one.
    pub first: Id,
    /// The number of each message's item.
    pub items: Vec<u32>,
}

/// The kinds of messages, each given with its item's number, `different` texts in all: the most frequent kind first; `None`
/// if they are no sentences that occur again and again.
pub fn kinds(document: &Document<'_>, messages: &[(u32, Id)], different: usize) -> Option<Vec<Kind>> {
    let texts: Vec<_> = messages.iter().map(|&(_, node)| document.text(node)).collect();
    let is_sentence = |text: &str| text.split_whitespace().nth(FEWEST_WORDS - 1).is_some();
    let sentences = texts.iter().filter(|text| is_sentence(text)).count();
    if sentences * 5 < texts.len() * 4 {
        return None;
    }
    WORDS_OF_A_KIND.iter().find_map(|&most| {
        let mut kinds = IndexMap::new();
        for (text, &(item, first)) in texts.iter().zip(messages) {
            let words = text.split_whitespace().take(MOST_WORDS);
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
