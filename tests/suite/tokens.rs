//! Token counts are those of `tiktoken-rs`, an implementation by other means.
//!
//! Every test runs a short share of its cases, and all of them where `TOTO_TOKENS_CASES` gives a number of random
//! texts: CONTRIBUTING.md.

mod cases;

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use cases::Random;
use llm_toto::tokens::{Counter, count};
use tiktoken_rs::CoreBPE;

use crate::harness::{self, files_below};

/// The implementation that counts have to equal.
struct Oracle {
    reference: CoreBPE,
    /// The bytes of each token, by rank.
    tokens: Vec<Vec<u8>>,
}

/// Takes about 0.1 s to set up.
static ORACLE: LazyLock<Oracle> = LazyLock::new(|| Oracle::new(tiktoken_rs::cl100k_base().unwrap()));

impl Oracle {
    fn new(reference: CoreBPE) -> Self {
        let tokens = (0..).map_while(|id| reference.decode_bytes(&[id]).ok()).collect();
        Self { reference, tokens }
    }

    fn count(&self, text: &str) -> usize {
        self.reference.encode_ordinary(text).len()
    }

    #[track_caller]
    fn check(&self, text: &str) -> usize {
        let expected = self.count(text);
        let actual = count(text.as_bytes());
        assert_eq!(actual, expected, "{text:?}");
        expected
    }

    /// The tokens that are text by themselves.
    fn texts(&self) -> Vec<&str> {
        self.tokens.iter().filter_map(|token| std::str::from_utf8(token).ok()).collect()
    }
}

/// Counts in parts of up to `longest` bytes, cut anywhere, and in batches of about as many.
#[track_caller]
fn check_stream(text: &[u8], expected: usize, longest: usize, random: &mut Random) {
    let batch = 1 + random.below(2 * longest);
    let mut counter = Counter::with_batch(batch);
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (part, others) = rest.split_at(rest.len().min(1 + random.below(longest)));
        counter.push(part);
        parts.push(part.len());
        rest = others;
    }
    let text = String::from_utf8_lossy(text);
    assert_eq!(counter.finish(), expected, "batch {batch}, parts {parts:?}: {text:?}");
}

/// The number of random texts that a long run asks for.
fn long_run() -> Option<u64> {
    number("TOTO_TOKENS_CASES")
}

/// The seeds of some cases: always the same, unless a long run begins elsewhere.
fn seeds(cases: u64) -> std::ops::Range<u64> {
    let first = number("TOTO_TOKENS_SEED").unwrap_or(0);
    first..first + cases
}

fn number(variable: &str) -> Option<u64> {
    let value = std::env::var(variable).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{variable}={value} is no number")))
}

#[test]
fn random_texts() {
    let tokens = ORACLE.texts();
    for seed in seeds(long_run().unwrap_or(800)) {
        let mut random = Random(seed);
        let text = cases::text(&mut random, &tokens);
        let expected = ORACLE.check(&text);
        let longest = random.pick(&[1, 2, 5, 20, 100, 1000, 10_000]);
        check_stream(text.as_bytes(), expected, longest, &mut random);
    }
}

#[test]
fn every_scalar_in_two_contexts() {
    let step = if long_run().is_some() { 1 } else { 97 };
    for scalar in ('\0'..='\u{24f}').chain(('\0'..=char::MAX).step_by(step)) {
        ORACLE.check(&format!("a{scalar}b 1{scalar}2 {scalar}{scalar}Ab\n"));
        ORACLE.check(&format!("  {scalar}x'{scalar}s.{scalar}!{scalar} \n{scalar}  "));
    }
}

#[test]
fn invalid_utf8_counts_as_its_lossy_form() {
    for seed in seeds(long_run().unwrap_or(3000) / 10) {
        let mut random = Random(seed);
        let mut bytes = cases::text(&mut random, &["a", " é", "的", "\u{1f600}"]).into_bytes();
        for _ in 0..=random.below(8) {
            let at = random.below(bytes.len() + 1);
            let replaced = at..(at + random.below(3)).min(bytes.len());
            bytes.splice(replaced, (0..random.below(3)).map(|_| 0x80 | random.below(0x80) as u8));
        }
        let expected = ORACLE.count(&String::from_utf8_lossy(&bytes));
        assert_eq!(count(&bytes), expected, "{bytes:?}");
        let longest = random.pick(&[1, 2, 5, 20, 100]);
        check_stream(&bytes, expected, longest, &mut random);
    }
}

/// `tiktoken-rs` panics on a million spaces: what its pattern would match is merged here, one rank after another.
#[test]
fn one_piece_of_a_megabyte() {
    let len = if long_run().is_some() { 1 << 20 } else { 10_000 };
    let ranks: HashMap<&[u8], usize> = ORACLE.tokens.iter().map(Vec::as_slice).zip(0..).collect();
    let mut random = Random(7);
    for alphabet in
        [" ", "\n", "\n ", "a", "=", "abcdefghijklmnopqrstuvwxyz", "的一是在不了有和人这中大为", "=-_*#\"<>"]
    {
        let alphabet: Vec<char> = alphabet.chars().collect();
        let mut piece: String = std::iter::repeat_with(|| random.pick(&alphabet)).take(len).collect();
        piece.push(alphabet[0]);
        let expected = merged(&ranks, piece.as_bytes());
        assert_eq!(count(piece.as_bytes()), expected, "{alphabet:?}");
        check_stream(piece.as_bytes(), expected, 50_000, &mut random);
    }
}

/// The number of tokens of a piece, by the book.
fn merged(ranks: &HashMap<&[u8], usize>, piece: &[u8]) -> usize {
    let mut ends: Vec<usize> = (1..=piece.len()).collect();
    let mut starts_of_previous: Vec<usize> = (0..piece.len()).map(|start| start.saturating_sub(1)).collect();
    let rank = |ends: &[usize], start: usize| {
        let end = *ends.get(ends[start])?;
        Some((*ranks.get(&piece[start..end])?, start))
    };
    let mut merges: BTreeSet<(usize, usize)> =
        (0..piece.len()).filter_map(|start| rank(&ends, start)).collect();
    let mut tokens = piece.len();
    while let Some((_, start)) = merges.pop_first() {
        let previous = starts_of_previous[start];
        let gone = ends[start];
        for changed in [previous, gone] {
            if changed != start
                && let Some(merge) = rank(&ends, changed)
            {
                merges.remove(&merge);
            }
        }
        ends[start] = ends[gone];
        if ends[start] < piece.len() {
            starts_of_previous[ends[start]] = start;
        }
        merges.extend(rank(&ends, start));
        if previous != start {
            merges.extend(rank(&ends, previous));
        }
        tokens -= 1;
    }
    tokens
}

/// The corpus that development is measured on, where it is present: the start of each file, or the whole of it
/// in a long run.
#[test]
fn corpus() {
    for file in harness::corpus("dev").iter().flat_map(|corpus| files_below(corpus)) {
        let mut bytes = fs_err::read(file).unwrap();
        bytes.truncate(long_run().map_or(500, |_| usize::MAX));
        ORACLE.check(&String::from_utf8_lossy(&bytes));
    }
}
