//! The words by which a line tells of a failure: failure.toml.

use aho_corasick::AhoCorasick;
use once_cell::sync::Lazy;
use regex::Regex;

mod words {
    include!(concat!(env!("OUT_DIR"), "/failure.rs"));
}
pub(crate) use words::KEYWORDS;

/// Words beyond ASCII to look for in a large text: the signs, and the mark of jest.
pub fn marks() -> impl Iterator<Item = &'static str> {
    words::SIGNS.into_iter().chain(["●"])
}

static REASON: Lazy<AhoCorasick> = Lazy::new(|| {
    let words = words::WORDS.iter().chain(&words::SIGNS);
    let words = AhoCorasick::builder().ascii_case_insensitive(true).build(words);
    words.expect("few short words")
});
static NAMES_ONLY: Lazy<regex::bytes::Regex> = Lazy::new(|| {
    let pattern = words::NAMES_ONLY.join("|");
    regex::bytes::RegexBuilder::new(&pattern).unicode(false).build().expect("a pattern of our own")
});
static STRONG: Lazy<Regex> = Lazy::new(|| ascii(&words::STRONG.join("|")));
static WEAK: Lazy<Regex> = Lazy::new(|| ascii(&words::WEAK.join("|")));
static NONE: Lazy<Regex> = Lazy::new(|| ascii(&words::NONE.join("|")));
static SOME: Lazy<Regex> = Lazy::new(|| ascii(&words::SOME.join("|")));
static PASSES: Lazy<Regex> = Lazy::new(|| ascii(&words::PASSES.join("|")));

/// Compiles with the word boundaries of ASCII, and `SIGN` as any of the signs: with Unicode's, a line with letters
/// beyond ASCII is matched by the slowest engine, which cost a document of 1.6 MB a seventh of its time.
///
/// # Panics
/// Where the expression does not parse.
pub fn ascii(pattern: &str) -> Regex {
    Regex::new(&pattern.replace(r"\b", r"(?-u:\b)").replace("SIGN", &words::SIGNS.join("|")))
        .expect("a pattern of our own")
}

/// How surely a line states a failure; the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// It states a failure.
    Strong,
    /// It names a failure.
    Weak,
}

/// How surely a line states a failure; `None` where it does not.
pub fn rank(line: &str) -> Option<Rank> {
    if PASSES.is_match(line) || NONE.is_match(line) && !SOME.is_match(line) {
        None
    } else if STRONG.is_match(line) {
        Some(Rank::Strong)
    } else {
        WEAK.is_match(line).then_some(Rank::Weak)
    }
}

/// Whether a line states a failure, or counts some: `1 failed, 131 deselected`.
pub fn tells(line: &str) -> bool {
    rank(line) == Some(Rank::Strong) || SOME.is_match(line)
}

/// Whether a line may say why a command failed. After a failure such a line goes only by a `harmless` fold, or where an
/// equal line stays.
pub fn says_why(line: &[u8]) -> bool {
    REASON.is_match(line) && !NAMES_ONLY.is_match(line)
}

/// The spellings by which the lines are found that [`rank`] is asked about.
pub fn spellings() -> Vec<String> {
    let of = |word: &&str| match word.split_once('~') {
        Some((_, common)) => vec![common.to_owned(), common.to_uppercase()],
        None => vec![word.to_string(), word[..1].to_uppercase() + &word[1..], word.to_uppercase()],
    };
    words::LOOKED_FOR.iter().flat_map(of).collect()
}
