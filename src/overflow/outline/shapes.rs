//! Shapes of the messages at one path: `35 ERROR order=… status=503 took=…`. What a program logs is another text in
//! each item, and yet a few sentences with a few values in them.

use std::collections::HashMap;

use crate::pipeline::visible;

/// Fewest different texts that are told by shapes, and fewest texts a shape on average.
const FEWEST_TEXTS: usize = 9;
const TEXTS_A_SHAPE: usize = 4;
/// Most shapes that are told apart.
const MOST_SHAPES: usize = 12;
/// How many different words at one place of a sentence may be shown: the first number that makes few enough shapes.
const WORDS_AT_A_PLACE: [usize; 3] = [4, 2, 1];
/// Fewest words of a sentence, and most words that are looked at.
const FEWEST_WORDS: usize = 3;
const MOST_WORDS: usize = 40;
/// Number of words that the beginning of a sentence is told by, and most bytes of a shape.
const BEGINNING: usize = 3;
const LONGEST: usize = 160;
/// Stands for words that differ.
const ANY: &str = "…";

/// The words at one place of the sentences of a group.
#[derive(Default)]
struct Slot<'a> {
    /// The different words, at most one more than [`WORDS_AT_A_PLACE`] can ask for.
    words: Vec<&'a str>,
    /// The common beginning of all words, up to `=` or `:`.
    key: Option<&'a str>,
}

impl<'a> Slot<'a> {
    fn add(&mut self, word: &'a str) {
        let key = key_of(word);
        match self.key {
            None if self.words.is_empty() => self.key = Some(key),
            Some(known) if known != key => self.key = None,
            _ => {}
        }
        if self.words.len() <= WORDS_AT_A_PLACE[0] && !self.words.contains(&word) {
            self.words.push(word);
        }
    }
}

/// A sentence in which words that differ are replaced.
#[derive(Debug, PartialEq, Eq)]
pub struct Shape {
    /// A single line, whatever the texts hold.
    pub text: String,
    /// Number of items of this shape.
    pub count: u64,
    /// Index of the first text of this shape.
    pub first: usize,
}

/// The shapes of `texts`, the most frequent first; `None` if the texts are not sentences that occur again and again.
/// Each text stands with the number of its occurrences.
pub fn shapes(texts: &[(u64, &str)]) -> Option<Vec<Shape>> {
    let sentences = texts.iter().filter(|(_, text)| text.split(' ').nth(FEWEST_WORDS - 1).is_some()).count();
    if texts.len() < FEWEST_TEXTS || sentences * 5 < texts.len() * 4 {
        return None;
    }
    let mut groups: HashMap<(usize, [&str; 2]), Vec<Slot<'_>>> = HashMap::new();
    for (_, text) in texts {
        let slots = groups.entry(group_of(text)).or_default();
        slots.resize_with(text.split(' ').count().min(MOST_WORDS), Slot::default);
        slots.iter_mut().zip(text.split(' ')).for_each(|(slot, word)| slot.add(word));
    }
    WORDS_AT_A_PLACE.iter().find_map(|&most| {
        let mut counts: HashMap<String, (u64, usize)> = HashMap::new();
        for (at, (count, text)) in texts.iter().enumerate() {
            let shape = shape_of(text, &groups[&group_of(text)], most);
            counts.entry(shape).or_insert((0, at)).0 += count;
            if counts.len() > MOST_SHAPES {
                return None;
            }
        }
        let shape = |(text, (count, first)): (String, _)| Shape { text: visible::line(&text), count, first };
        let mut found: Vec<Shape> = counts.into_iter().map(shape).collect();
        found.sort_unstable_by_key(|shape| (std::cmp::Reverse(shape.count), shape.first));
        (found.len() * TEXTS_A_SHAPE <= texts.len()).then_some(found)
    })
}

/// The group of a sentence: its number of words, and words of its beginning that have no digit.
fn group_of(text: &str) -> (usize, [&str; 2]) {
    let mut words =
        text.split(' ').take(BEGINNING).filter(|word| !word.contains(|c: char| c.is_ascii_digit()));
    (text.split(' ').count(), [(); 2].map(|()| words.next().unwrap_or_default()))
}

fn key_of(word: &str) -> &str {
    word.find(['=', ':']).map_or("", |end| &word[..=end])
}

/// The sentence with its words at places of at most `most` different ones, and with the keys alone at other places.
fn shape_of(text: &str, slots: &[Slot<'_>], most: usize) -> String {
    let mut shape = String::new();
    for (slot, word) in slots.iter().zip(text.split(' ')) {
        let is_told = slot.words.len() <= most;
        let key = slot.key.filter(|key| !key.is_empty());
        if !is_told && key.is_none() && (shape == ANY || shape.ends_with(" …")) {
            continue;
        }
        if !shape.is_empty() {
            shape.push(' ');
        }
        if is_told {
            shape.push_str(word);
        } else {
            shape.extend(key.into_iter().chain([ANY]));
        }
        if shape.len() > LONGEST {
            let end = (0..=LONGEST).rev().find(|&end| shape.is_char_boundary(end));
            shape.truncate(end.unwrap_or_default());
            return shape + ANY;
        }
    }
    if text.split(' ').nth(slots.len()).is_some() {
        shape.push_str(" …");
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::shapes;

    #[test]
    fn names_and_texts_without_a_pattern_have_no_shapes() {
        let words = ["ash", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine", "yew"];
        let texts = (3..).zip(words).map(|(n, word)| format!("{word} {}", [word].repeat(n).join(" ")));
        for texts in [(0..30).map(|n| format!("name-{n}")).collect::<Vec<_>>(), texts.collect()] {
            assert_eq!(shapes(&texts.iter().map(|text| (1, text.as_str())).collect::<Vec<_>>()), None);
        }
    }
}
