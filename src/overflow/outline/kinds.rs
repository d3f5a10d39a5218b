//! Kinds of the messages at one path: what a program logs is another text in each item, and yet a few sentences with a
//! few values in them. Each kind is told by one whole message.

use std::collections::HashMap;

/// Fewest different texts that are told by kinds, and fewest texts a kind on average.
const FEWEST_TEXTS: usize = 9;
const TEXTS_A_KIND: usize = 4;
/// Most kinds that are told apart.
const MOST_KINDS: usize = 24;
/// Fewest words of a sentence, and most words that are looked at.
const FEWEST_WORDS: usize = 3;
const MOST_WORDS: usize = 40;
/// How many of a sentence's words without a digit make its kind: the first number that makes few enough kinds.
const WORDS_OF_A_KIND: [usize; 3] = [MOST_WORDS, 4, 2];

/// The kinds of `texts`, the most frequent first; `None` if the texts are not sentences that occur again and again.
/// Each text stands with the number of its occurrences, each kind, which differs in values alone, with the index of its
/// first text.
pub fn kinds(texts: &[(u64, &str)]) -> Option<Vec<(u64, usize)>> {
    let sentences =
        texts.iter().filter(|(_, text)| text.split_whitespace().nth(FEWEST_WORDS - 1).is_some()).count();
    if texts.len() < FEWEST_TEXTS || sentences * 5 < texts.len() * 4 {
        return None;
    }
    WORDS_OF_A_KIND.iter().find_map(|&most| {
        let mut kinds: HashMap<Vec<&str>, (u64, usize)> = HashMap::new();
        for (first, (count, text)) in texts.iter().enumerate() {
            let words = text
                .split_whitespace()
                .take(MOST_WORDS)
                .filter(|word| !word.contains(|c: char| c.is_ascii_digit()));
            kinds.entry(words.take(most).collect()).or_insert((0, first)).0 += count;
            if kinds.len() > MOST_KINDS {
                return None;
            }
        }
        let mut found: Vec<(u64, usize)> = kinds.into_values().collect();
        found.sort_unstable_by_key(|&(count, first)| (std::cmp::Reverse(count), first));
        (found.len() * TEXTS_A_KIND <= texts.len()).then_some(found)
    })
}

#[cfg(test)]
#[path = "../../../tests/unit/overflow/outline/kinds.rs"]
mod tests;
