//! Finds the lines of a text that are worth a closer look: those that have one of the words. Most lines of a large text
//! have none, so this search is most of what a large text costs. It uses vector instructions, looks for the words in
//! their common spellings, and does 7 GB/s where no word occurs.

use aho_corasick::packed::{Config, MatchKind, Searcher};
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use memchr::memmem;

use crate::failure::{marks, spellings};

/// Most patterns of one search: more would slow it down by half (Teddy has eight buckets of three).
const AT_ONCE: usize = 24;
/// Bytes that are searched at once: they stay in a core's first-level cache.
pub(super) const WINDOW: usize = 32 << 10;

/// The searches of one text.
#[derive(Default)]
pub(super) struct Finder {
    words: Vec<Searcher>,
    /// Words beyond ASCII, looked for only in a window that has such a byte.
    marks: Vec<memmem::Finder<'static>>,
    /// The user's own keywords, as far as the words do not find their lines anyway.
    keywords: Option<AhoCorasick>,
    /// Offsets in the current window, from the last to the first; [`Finder::look`] fills it.
    found: Vec<usize>,
}

impl Finder {
    pub(super) fn new(keywords: &[String]) -> Self {
        let words = spellings();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let search =
            |some: &[&str]| Config::new().match_kind(MatchKind::LeftmostFirst).builder().extend(some).build();
        let searches: Option<Vec<Searcher>> = words.chunks(AT_ONCE).map(search).collect();
        let own = keywords.iter().map(String::as_str).filter(|keyword| !is_found_anyway(keyword, &words));
        // Where the processor has no vector instructions, the words are looked for as keywords are.
        let own: Vec<&str> = own.chain(words.iter().copied().filter(|_| searches.is_none())).collect();
        let keywords = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::DFA))
            .build(&own)
            .ok();
        Self {
            words: searches.unwrap_or_default(),
            marks: marks().map(memmem::Finder::new).collect(),
            keywords: keywords.filter(|_| !own.is_empty()),
            found: Vec::new(),
        }
    }

    pub(super) fn look(&mut self, window: &[u8]) {
        let found = &mut self.found;
        found.clear();
        for search in &self.words {
            found.extend(search.find_iter(window).map(|at| at.start()));
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

    /// The next offset in the window at or behind `at`.
    pub(super) fn next(&mut self, at: usize) -> Option<usize> {
        while self.found.last().is_some_and(|found| *found < at) {
            self.found.pop();
        }
        self.found.last().copied()
    }
}

/// Whether each line with this keyword, in lower or upper case, has one of the words anyway.
pub(super) fn is_found_anyway(keyword: &str, words: &[&str]) -> bool {
    let has_word = |text: &str| words.iter().any(|word| text.contains(word));
    let keyword = keyword.to_lowercase();
    has_word(&keyword) && has_word(&keyword.to_uppercase())
}
