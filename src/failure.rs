//! The words by which a line tells of a failure. Here they are known, and nowhere else: filters ask whether a line may
//! say why, previews how surely it does, searches of large texts for what they have to look.

use aho_corasick::AhoCorasick;
use once_cell::sync::Lazy;
use regex::Regex;

/// Marks in front of what failed.
const SIGNS: [&str; 5] = ["✗", "✖", "✘", "✕", "×"];

/// A line that contains one of these words may say why a command failed. Collected from what the tools of the corpus
/// print.
const WORDS: &str = "error|fail|fatal|panic|exception|traceback|warn|critical|severe|abort|killed|denied|refused|\
    reject|cannot|can't|can not|could not|couldn't|unable|unexpected|invalid|illegal|missing|not found|no such|\
    undefined|unresolved|unknown|unsupported|not allowed|forbidden|unauthorized|timeout|timed out|conflict|mismatch|\
    expected|segmentation|overflow|out of memory|oom|corrupt|broken|violat|must |unhealthy|crash|backoff|stopping|\
    deprecated|vulnerab";

/// The lines of a large text that are looked at have one of these words, in a common spelling. What differs between
/// spellings stands in front of `~`: the common part is looked for, of four bytes or more, in lower and in upper case.
const LOOKED_FOR: &str = "e~rror|fail|e~xception|panic|fatal|t~raceback|a~bort|a~ssert|n~ot ok|u~ndefined|u~nresolved|\
    c~annot |c~an't |u~nable to|d~enied|n~o such|n~ot found|r~efused|k~illed|s~egmentation|c~ore dumped|c~aused by|\
    t~imed out|c~onflict|m~issing|i~nvalid|e~xpected|warn";

/// Words beyond ASCII, to the same purpose: the signs, and the mark of jest.
pub fn marks() -> impl Iterator<Item = &'static str> {
    SIGNS.into_iter().chain(["●"])
}

/// Words whose lines the preview of a large output counts, unless the user names others.
pub const KEYWORDS: [&str; 4] = ["exception", "error", "fail", "warn"];

static REASON: Lazy<AhoCorasick> = Lazy::new(|| {
    let words = AhoCorasick::builder().ascii_case_insensitive(true).build(WORDS.split('|').chain(SIGNS));
    words.expect("few short words")
});

/// Lines with such a word only in a name: a test that begins or passed, the header of a hunk, a skipped task.
static NAMES_ONLY: Lazy<regex::bytes::Regex> = Lazy::new(|| {
    let pattern = any_of(include_str!("failure/names.txt"));
    regex::bytes::RegexBuilder::new(&pattern).unicode(false).build().expect("a pattern of our own")
});
/// Lines that state a failure.
static STRONG: Lazy<Regex> = Lazy::new(|| ascii(&any_of(include_str!("failure/strong.txt"))));
/// Lines that name a failure, less surely.
static WEAK: Lazy<Regex> = Lazy::new(|| ascii(&any_of(include_str!("failure/weak.txt"))));
/// Lines that count no failures.
static NONE: Lazy<Regex> = Lazy::new(|| ascii(&any_of(include_str!("failure/none.txt"))));
/// Lines that count some, whatever else there is none of: `Failures: 1, Errors: 0`.
static SOME: Lazy<Regex> = Lazy::new(|| ascii(&any_of(include_str!("failure/some.txt"))));
/// Lines that tell of a success or of progress, whatever words are in their names.
static PASSES: Lazy<Regex> = Lazy::new(|| ascii(&any_of(include_str!("failure/passes.txt"))));

/// The pattern of a table, which has an alternative a line.
fn any_of(table: &str) -> String {
    table.trim_end().replace('\n', "|")
}

/// Compiles with the word boundaries of ASCII, and `SIGN` as any of [`SIGNS`]: with Unicode's, a line with letters beyond ASCII is matched by the
/// slowest engine, which cost a document of 1.6 MB a seventh of its time.
///
/// # Panics
/// Where the expression does not parse.
pub fn ascii(pattern: &str) -> Regex {
    Regex::new(&pattern.replace(r"\b", r"(?-u:\b)").replace("SIGN", &SIGNS.join("|")))
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
    } else if WEAK.is_match(line) {
        Some(Rank::Weak)
    } else {
        None
    }
}

/// Whether a line may say why a command failed. After a failure such a line goes only by a `harmless` fold, or where an
/// equal line stays.
pub fn says_why(line: &[u8]) -> bool {
    REASON.is_match(line) && !NAMES_ONLY.is_match(line)
}

/// The spellings by which the lines are found that [`rank`] is asked about.
pub fn spellings() -> Vec<String> {
    let of = |word: &str| match word.split_once('~') {
        Some((_, common)) => vec![common.to_owned(), common.to_uppercase()],
        None => vec![word.to_owned(), word[..1].to_uppercase() + &word[1..], word.to_uppercase()],
    };
    LOOKED_FOR.split('|').flat_map(of).collect()
}
