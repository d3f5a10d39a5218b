//! Recognises lines that may say why a command failed.

use aho_corasick::AhoCorasick;
use once_cell::sync::Lazy;
use regex::bytes::Regex;

use super::pattern::ours;

/// A line that contains one of these words may say why a command failed. Collected from what the tools of the corpus
/// print.
const WORDS: &str = "error|fail|fatal|panic|exception|traceback|warn|critical|severe|abort|killed|denied|refused|\
    reject|cannot|can't|can not|could not|couldn't|unable|unexpected|invalid|illegal|missing|not found|no such|\
    undefined|unresolved|unknown|unsupported|not allowed|forbidden|unauthorized|timeout|timed out|conflict|mismatch|\
    expected|segmentation|overflow|out of memory|oom|corrupt|broken|violat|must |unhealthy|crash|backoff|stopping|\
    deprecated|vulnerab|✗|✖|✘|×";

static REASON: Lazy<AhoCorasick> = Lazy::new(|| {
    let words = AhoCorasick::builder().ascii_case_insensitive(true).build(WORDS.split('|'));
    words.expect("few short words")
});

/// Lines with such a word only in a name: a test that begins or passed, the header of a hunk, a skipped task.
static NAMES_ONLY: Lazy<Regex> = Lazy::new(|| {
    ours(
        r"^\s*=== (?:RUN|PAUSE|CONT|NAME)\s|^\s*(?:--- PASS: |PASS \[)|^test \S+ \.\.\. ok\s*$|^@@ .* @@|^> Task \S+ SKIPPED\s*$",
    )
});

/// Whether a line may say why a command failed. After a failure such a line goes only by a `harmless` fold, or where an
/// equal line stays.
pub fn says_why(line: &[u8]) -> bool {
    REASON.is_match(line) && !NAMES_ONLY.is_match(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found() {
        for word in WORDS.split('|') {
            assert!(says_why(format!("12:00 {} x", word.to_uppercase()).as_bytes()), "{word}");
        }
        assert!(!says_why(b"Downloaded 12 crates in 1.2s"));
        assert!(!says_why(b"=== RUN   TestX/returns_error") && says_why(b"--- FAIL: TestX/returns_error"));
    }
}
