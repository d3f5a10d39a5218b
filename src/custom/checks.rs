//! Honesty checks of a filtered output, for tests and for authors of filters: no line is invented, and of a failure no
//! reason, place or code is lost.
//!
//! The checks and the engine use nothing of each other. The rules about marks are written here a second time, so that a
//! word missing from the engine's list is found.

use std::collections::{HashMap, HashSet};

use once_cell::sync::Lazy;
use regex::bytes::Regex;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Author {
    /// toto's library, whose marks must not judge.
    Library,
    /// A user, whose marks may judge beside the exit status.
    User,
}

/// The facts of a failing run: places, codes, tests, the way it ended.
static FACTS: Lazy<[Regex; 11]> = Lazy::new(|| {
    [
        // src/main.rs:12, main.c:3:9, a.ts(3,14), x.py", line 7
        r"[A-Za-z0-9_./\\-]*[A-Za-z_]\.[A-Za-z]{1,5}(?::\d+|\(\d+,\d+\))",
        r#"File "[^"]+", line \d+"#,
        // E0308, TS2345, CS0103, ENOENT, error[E0425]
        r"\b[A-Z]{1,4}\d{3,5}\b",
        r"\bE[A-Z]{4,12}\b",
        // exit status 2, exited with code 1, Error 2, signal: 9, SIGSEGV
        r"(?:exit|exited|status|code|signal|Error)\W{1,4}\d+",
        r"\bSIG[A-Z]{3,6}\b",
        // names of tests that failed
        r"\btest \S+ \.\.\. FAILED",
        r"--- FAIL: \S+",
        r"^(?:FAILED|FAIL|ERROR):? \S+",
        r"^not ok \d+.*",
        r"^\s*(?:✗|✖|✘|✕|×) .*",
    ]
    .map(regex)
});
/// Lines that say that something failed, or what failed.
static FAILURE: Lazy<Regex> = Lazy::new(|| {
    regex(
        r"(?i)(?:^|[\s\[('\x22:])(?:error|err!|fatal|failed|failure|panicked|(?:\w+\.)*\w*(?:error|exception):|denied|refused|undefined (?:reference|symbol)|no such file|cannot|not found|segmentation fault|timed out)(?:$|[\s:;!,.\])'\x22])",
    )
});
/// Lines that report a success or progress by their form, whatever words are in the names in them.
static SUCCESS: Lazy<Regex> = Lazy::new(|| {
    regex(
        r"(?-u)(?:\.\.\. (?:ok|ignored)$|\bPASSED\b|^\s*(?:✓|√|✔|ok |PASS |--- PASS|=== (?:RUN|PAUSE|CONT))|^(?:\S+\.py )?[.sx]+ *(?:\[ *\d+%\])?$|^ *(?:Compiling|Checking|Downloaded|Downloading|Fresh|Fetched|Adding|Locking|Running|Doc-tests) )",
    )
});
/// A mark inside a line.
static SHORTENED: Lazy<Regex> = Lazy::new(|| regex(r"<base64 \d+ chars>|… \d+ more chars"));
/// Long base64, which a mark inside a line may replace.
static OPAQUE: Lazy<Regex> = Lazy::new(|| regex(r"[A-Za-z0-9+/_-]{200,}"));
/// The mark above the rows of a table of samples: `… 12 rows of “code method”`.
static ROWS: Lazy<Regex> = Lazy::new(|| regex(r"(?-u)^\xe2\x80\xa6 (\d+) rows of "));
/// The statement that there was no failure: `0 failed`, `no errors`.
static NONE: Lazy<Regex> = Lazy::new(|| regex(r"(?i)\b(?:no|0) (?:error|fail)\w*"));
/// A tool's own words, which are quoted in a mark.
static QUOTED: Lazy<Regex> = Lazy::new(|| regex("“[^”]*”"));

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern of our own")
}

/// Everything that is wrong with `output`, which a filter of `author` made of `input`; `exit` is the tool's exit
/// status. Empty where the output is honest.
pub fn violations(input: &[u8], output: &[u8], exit: i32, author: Author) -> Vec<String> {
    let mut found = invented(input, output, exit, author);
    if exit != 0 {
        found.extend(lost(input, output));
    }
    found
}

/// The places, codes, tests and exit statuses in a line.
fn facts(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    FACTS.iter().flat_map(move |fact| fact.find_iter(line)).map(|fact| fact.as_bytes())
}

/// Lines that are neither the tool's nor a mark, and marks that judge.
fn invented(input: &[u8], output: &[u8], exit: i32, author: Author) -> Vec<String> {
    let known = Known::new(input);
    let goes_on =
        |first: &[u8], next: &[u8]| next.starts_with(b" ") && known.has_whole(&[first, &next[1..]].concat());
    let status = format!("… exit status {exit}");
    let told =
        author == Author::User && output.split(|byte| *byte == b'\n').any(|line| line == status.as_bytes());
    let mut found = Vec::new();
    let mut above: &[u8] = b"";
    let mut rows = 0_usize;
    let mut lines = output.split(|byte| *byte == b'\n').peekable();
    while let Some(whole) = lines.next() {
        let line = whole.trim_ascii();
        if let Some(count) = ROWS.captures(line).and_then(|mark| mark.get(1)) {
            rows = String::from_utf8_lossy(count.as_bytes()).parse().unwrap_or(0);
        } else if rows > 0 {
            rows -= 1;
            let words = words(line);
            let mut values = words.iter().flat_map(|word| word.split([',', '=']));
            let strange = values.find(|value| !holds(input, value.as_bytes()));
            found.extend(strange.map(|word| format!("no value of the input: {word}")));
        } else if lines.peek().is_some_and(|next| goes_on(whole, next)) {
            above = whole;
        } else if known.has_whole(line) || goes_on(above, whole) {
            // The tool's.
        } else if whole.trim_ascii_start().starts_with("… ".as_bytes()) {
            if !told && judges(line, exit, author) {
                found.push(format!("a mark that judges: {}", show(line)));
            }
        } else if !(known.has(line)
            || SHORTENED.is_match(line) && SHORTENED.split(line).all(|part| holds(input, part))
            || author == Author::User && (holds(input, line) || is_drawn(whole, input)))
        {
            found.push(format!("no line of the input: {}", show(line)));
        }
    }
    found
}

/// Whether a mark judges by the filter's own words: names of files and quoted text are the tool's.
fn judges(line: &[u8], exit: i32, author: Author) -> bool {
    let said = QUOTED.replace_all(line, &b""[..]);
    let own =
        said.split(u8::is_ascii_whitespace).filter(|word| !word.iter().any(|byte| b"./:".contains(byte)));
    let mut own = own.collect::<Vec<_>>().join(&b' ');
    if author == Author::User && exit == 0 {
        own = NONE.replace_all(&own, &b""[..]).into_owned(); // after a success, "0 failed" is no judgement
    }
    let says = |word: &[u8]| holds(&own, word);
    says(b"error") || says(b"fail") || says(b"success") && (author == Author::Library || exit != 0)
}

/// The lines of an input, in which lines of the output are looked up.
struct Known {
    /// Each line as its words, with one blank between.
    lines: HashSet<String>,
    by_first_word: HashMap<String, Vec<Vec<String>>>,
}

impl Known {
    fn new(input: &[u8]) -> Self {
        let mut known = Self { lines: HashSet::new(), by_first_word: HashMap::new() };
        for line in input.split(|byte| *byte == b'\n') {
            let words = words(line);
            let is_new = known.lines.insert(words.join(" "));
            if let Some(first) = words.first().filter(|_| is_new) {
                known.by_first_word.entry(first.clone()).or_default().push(words);
            }
        }
        known
    }

    /// Whether a line is one of the input's, but for blanks, quotes and drawn lines.
    fn has_whole(&self, line: &[u8]) -> bool {
        self.lines.contains(&words(line).join(" "))
    }

    /// Whether a line is one of the input's, or has the first and some of the other words of one, in their order.
    fn has(&self, line: &[u8]) -> bool {
        let words = words(line);
        let is_bar = |text: &str| text.bytes().all(|byte| matches!(byte, b'+' | b'-'));
        let is_part = |word: &str, whole: &str| word == whole || is_bar(word) && is_bar(whole);
        let is_of = |whole: &Vec<String>| {
            let mut rest = whole.iter();
            words.iter().all(|word| rest.by_ref().any(|whole| is_part(word, whole)))
        };
        let Some(first) = words.first() else { return true };
        self.has_whole(line) || self.by_first_word.get(first).is_some_and(|lines| lines.iter().any(is_of))
    }
}

/// A line's words without the quotes and the drawn lines around them.
fn words(line: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(line)
        .split_whitespace()
        .map(|word| word.trim_matches(['"', '│', '├', '└', '─', '┬']).to_owned())
        .filter(|word| !word.is_empty())
        .collect()
}

/// What is lost of a failed run: lines that say what failed, places, tests and codes.
fn lost(input: &[u8], output: &[u8]) -> Vec<String> {
    let of_marks = with_message_above(output);
    let kept = output.split(|byte| *byte == b'\n').chain(of_marks.iter().map(String::as_bytes));
    let kept: HashSet<String> = kept.map(|line| words(line).join(" ")).collect();
    // Facts that were looked up already, and whether the output has them. Every other fact is searched for, once.
    let mut told: HashMap<&[u8], bool> = HashMap::new();
    for line in output.split(|byte| *byte == b'\n') {
        told.extend(facts(line).map(|fact| (fact, true)));
    }
    let mut found = Vec::new();
    for line in input.split(|byte| *byte == b'\n') {
        if SUCCESS.is_match(line) || OPAQUE.is_match(line) || kept.contains(&words(line).join(" ")) {
            continue;
        }
        if FAILURE.is_match(line) {
            found.push(format!("says what failed: {}", show(line)));
        }
        for fact in facts(line) {
            if !*told.entry(fact).or_insert_with(|| holds(output, fact)) {
                found.push(format!("lost {} of: {}", show(fact), show(line)));
            }
        }
    }
    found
}

/// The lines that `… 2 more with this message: a.py:3, b.py:7` stands for: the places with the message above.
fn with_message_above(output: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(output);
    let mut found = Vec::new();
    let mut above = "";
    for line in text.lines() {
        if let Some((_, places)) =
            line.split_once(" more with this message: ").filter(|_| line.starts_with('…'))
        {
            let place = above.split(' ').next().unwrap_or_default().trim_end_matches(':');
            let places = places.split(", ").map(|place| place.split('×').next().unwrap_or_default());
            found.extend(places.map(|other| format!("{other}{}", &above[place.len()..])));
        }
        above = line;
    }
    found
}

/// Whether a line, with its indentation, is a branch of a drawn tree, and its words are the input's.
fn is_drawn(line: &[u8], input: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line.trim_ascii_end());
    let body = text.trim_start_matches(['├', '└', '│', '─', '|', '`', '-', ' ']);
    let mut words = body.trim_end_matches('/').split_whitespace().peekable();
    body.len() < text.len() && words.peek().is_some() && words.all(|word| holds(input, word.as_bytes()))
}

fn holds(text: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(text, part).is_some()
}

fn show(line: &[u8]) -> String {
    String::from_utf8_lossy(line).chars().take(160).collect()
}
