//! Where in a text a line is worth a look: one of the words is there. Most lines of a large text have none, so this
//! is what a large text costs: a vector search for the words as they are commonly written, 7 GB/s where there is
//! none of them.

use aho_corasick::packed::{self, MatchKind};
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use memchr::memmem;

use super::signs;

/// More patterns than this in one search make it slower by half (Teddy's eight buckets of three).
const AT_ONCE: usize = 24;
/// So much is searched at once, in bytes: it stays in a core's first cache.
pub(super) const WINDOW: usize = 32 << 10;

/// The searches of one text.
pub(super) struct Finder {
    words: Vec<Search>,
    /// Words beyond ASCII, looked for only where there is such a byte.
    marks: Vec<memmem::Finder<'static>>,
    /// The user's own keywords, where none of the words is part of them.
    keywords: Option<AhoCorasick>,
    /// Places in the window at hand, in order, once [`Finder::look`] has found them.
    found: Vec<usize>,
}

enum Search {
    /// With the vector instructions of this processor.
    Packed(packed::Searcher),
    /// Without.
    Automaton(AhoCorasick),
}

impl Finder {
    /// Finds the words of [`signs::WORDS`] and these keywords.
    pub(super) fn new(keywords: &[String]) -> Self {
        let own: Vec<&String> = keywords.iter().filter(|keyword| !is_found_anyway(keyword)).collect();
        let keywords = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::DFA))
            .build(own.iter().map(|keyword| keyword.as_bytes()))
            .ok();
        Self {
            words: signs::WORDS.chunks(AT_ONCE).filter_map(Search::new).collect(),
            marks: signs::MARKS.iter().map(memmem::Finder::new).collect(),
            keywords: keywords.filter(|_| !own.is_empty()),
            found: Vec::new(),
        }
    }

    /// Looks for everything in `window`.
    pub(super) fn look(&mut self, window: &[u8]) {
        let found = &mut self.found;
        found.clear();
        for search in &self.words {
            search.find(window, found);
        }
        if !window.is_ascii() {
            found.extend(self.marks.iter().flat_map(|mark| mark.find_iter(window)));
        }
        if let Some(keywords) = &self.keywords {
            found.extend(keywords.find_iter(window).map(|found| found.start()));
        }
        // From the last to the first.
        found.sort_unstable_by(|a, b| b.cmp(a));
    }

    /// The next place in the window at or behind `at`.
    pub(super) fn next(&mut self, at: usize) -> Option<usize> {
        while self.found.last().is_some_and(|found| *found < at) {
            self.found.pop();
        }
        self.found.last().copied()
    }
}

impl Search {
    fn new(words: &[&str]) -> Option<Self> {
        let mut packed = packed::Config::new().match_kind(MatchKind::LeftmostFirst).builder();
        match packed.extend(words).build() {
            Some(packed) => Some(Self::Packed(packed)),
            None => AhoCorasick::new(words).ok().map(Self::Automaton),
        }
    }

    fn find(&self, window: &[u8], found: &mut Vec<usize>) {
        match self {
            Self::Packed(search) => found.extend(search.find_iter(window).map(|found| found.start())),
            Self::Automaton(search) => found.extend(search.find_iter(window).map(|found| found.start())),
        }
    }
}

/// Is a line with this keyword, in lower case or upper case, one with a word?
fn is_found_anyway(keyword: &str) -> bool {
    let has_word = |text: &str| signs::WORDS.iter().any(|word| text.contains(word));
    let keyword = keyword.to_lowercase();
    has_word(&keyword) && has_word(&keyword.to_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str, keywords: &[&str]) -> Vec<usize> {
        let keywords: Vec<String> = keywords.iter().map(ToString::to_string).collect();
        let mut finder = Finder::new(&keywords);
        finder.look(text.as_bytes());
        std::iter::successors(finder.next(0), |at| finder.next(at + 1)).collect()
    }

    #[test]
    fn words_are_found_as_they_are_commonly_written() {
        for line in [
            "an error",
            "Error!",
            "ERROR",
            "x: Failed",
            "✗ it",
            "a × b",
            "PanicException",
            "permission denied",
        ] {
            assert!(!places(line, &[]).is_empty(), "{line}");
        }
        assert_eq!(places("all is well\nnothing to see\n", &[]), Vec::<usize>::new());
    }

    #[test]
    fn a_keyword_of_the_users_is_found_however_it_is_written() {
        assert_eq!(places("a TimeOut b\n", &["timeout"]), [2]);
        assert!(is_found_anyway("Exception") && is_found_anyway("warn") && !is_found_anyway("err"));
    }
}
