//! Token counts are those of `tiktoken-rs`, an implementation by other means.

mod cases;

use std::path::Path;

use cases::Random;
use llm_toto::tokens::{Counter, Encoding, count_with};
use tiktoken_rs::CoreBPE;

/// An encoding and the implementation it has to equal.
struct Oracle {
    encoding: Encoding,
    reference: CoreBPE,
}

fn oracles() -> Vec<Oracle> {
    vec![Oracle { encoding: Encoding::Cl100k, reference: tiktoken_rs::cl100k_base().unwrap() }]
}

impl Oracle {
    #[track_caller]
    fn check(&self, text: &str) -> usize {
        let expected = self.reference.encode_ordinary(text).len();
        let actual = count_with(self.encoding, text.as_bytes());
        assert_eq!(actual, expected, "{:?} of {text:?}", self.encoding);
        expected
    }

    /// Counts in parts of up to `longest` bytes, cut anywhere.
    #[track_caller]
    fn check_stream(&self, text: &[u8], expected: usize, longest: usize, random: &mut Random) {
        let mut counter = Counter::with_encoding(self.encoding);
        let mut rest = text;
        while !rest.is_empty() {
            let (part, others) = rest.split_at(rest.len().min(1 + random.below(longest)));
            counter.push(part);
            rest = others;
        }
        assert_eq!(counter.finish(), expected, "{:?}, streamed, of {text:?}", self.encoding);
    }

    /// The tokens that are text by themselves.
    fn tokens(&self) -> Vec<String> {
        let bytes = (0..).map_while(|id| self.reference.decode_bytes(&[id]).ok());
        bytes.filter_map(|token| String::from_utf8(token).ok()).collect()
    }
}

/// How many random texts to try; a long run sets the variable (docs/tokens.md).
fn cases(default: usize) -> usize {
    std::env::var("TOTO_TOKENS_CASES").map_or(default, |cases| cases.parse().expect("a number of cases"))
}

#[test]
fn random_texts() {
    for oracle in oracles() {
        let tokens = oracle.tokens();
        let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
        for seed in 0..cases(1500) {
            let mut random = Random(seed as u64);
            let text = cases::text(&mut random, &tokens);
            let expected = oracle.check(&text);
            oracle.check_stream(text.as_bytes(), expected, 1 + text.len(), &mut random);
        }
    }
}

/// The corpus that development is measured on, where it is present: the start of each file, or the whole of it
/// in a long run.
#[test]
fn corpus() {
    let long_run = std::env::var_os("TOTO_TOKENS_CASES").is_some();
    let corpus = std::env::var_os("TOTO_TOKENS_CORPUS").unwrap_or_else(|| "../shared/corpus/dev".into());
    let mut directories = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(corpus)];
    let oracles = oracles();
    while let Some(directory) = directories.pop() {
        let Ok(entries) = fs_err::read_dir(&directory) else { continue };
        for entry in entries.map(Result::unwrap) {
            if entry.file_type().unwrap().is_dir() {
                directories.push(entry.path());
                continue;
            }
            let bytes = fs_err::read(entry.path()).unwrap();
            let text =
                String::from_utf8_lossy(&bytes[..if long_run { bytes.len() } else { bytes.len().min(500) }]);
            for oracle in &oracles {
                oracle.check(&text);
            }
        }
    }
}
