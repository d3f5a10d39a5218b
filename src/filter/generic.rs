//! The rules for any text: of a run of equal lines one stays with a count; long base64, which nobody reads, is replaced
//! by its length: `<base64 1476 chars>`.

use once_cell::sync::Lazy;
use regex::bytes::Regex;

use super::fold::runs;
use super::lines::{Cut, Lines};
use super::pattern::ours;

/// Minimum length of a run of equal lines that is folded.
const FEWEST_EQUAL: usize = 3;
/// Minimum length of the lines that a mark replaces, in bytes: a mark may cost more tokens per byte than the lines.
const MARK_COST: usize = 48;
/// Maximum length of a run of base64 that stays, in bytes.
const LONGEST_BASE64: usize = 199;

/// Replaces long base64 by its length, and all lines of a run of equal lines but the first by their count.
pub fn fold(lines: &mut Lines<'_>) {
    for at in 0..lines.len() {
        if let Some((text, count)) = without_base64(lines.get(at)) {
            lines.set(at, text);
            lines.left_out += count;
        }
    }
    let worth_it = runs(&lines.all).filter_map(|(start, end, line)| {
        let goes = end - start - 1;
        let is_worth = goes + 1 >= FEWEST_EQUAL && goes * (line.text.len() + 1) >= MARK_COST;
        (is_worth && !line.text.trim_ascii().is_empty())
            .then(|| Cut::counted(start + 1, end, goes, "more times"))
    });
    let cuts = worth_it.collect();
    lines.cut(cuts);
}

/// The line with its long runs of base64 replaced, and their number; `None` where the line has none.
fn without_base64(line: &[u8]) -> Option<(Vec<u8>, usize)> {
    // Shorter runs are no matches, of which each would cost more than its bytes.
    static RUN: Lazy<Regex> =
        Lazy::new(|| ours(&format!("[A-Za-z0-9+/_-]{{{},}}={{0,2}}", LONGEST_BASE64 - 1)));
    if line.len() <= LONGEST_BASE64 {
        return None;
    }
    let (mut out, mut count, mut copied) = (Vec::new(), 0, 0);
    for run in RUN.find_iter(line).filter(|run| is_opaque(run.as_bytes())) {
        // A JSON Web Token (RFC 7519) carries information and stays. Its parts are separated by dots.
        if line[..run.start()].ends_with(b".") || line[run.end()..].starts_with(b".") {
            continue;
        }
        out.extend_from_slice(&line[copied..run.start()]);
        out.extend_from_slice(format!("<base64 {} chars>", run.len()).as_bytes());
        copied = run.end();
        count += 1;
    }
    out.extend_from_slice(&line[copied..]);
    (count > 0).then_some((out, count))
}

fn is_opaque(run: &[u8]) -> bool {
    let has = |is: fn(&u8) -> bool| run.iter().any(is);
    let mixed = || has(u8::is_ascii_digit) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    let letters = || run.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    run.len() > LONGEST_BASE64 && mixed() && letters() * 100 >= run.len() * 92
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: impl AsRef<[u8]>) -> Vec<u8> {
        let mut lines = Lines::new(text.as_ref());
        fold(&mut lines);
        lines.finish(text.as_ref()).map_or(text.as_ref().to_vec(), |filtered| filtered.text)
    }

    #[test]
    fn equal_lines_are_counted() {
        let text = "waiting for the server to come up\n".repeat(9);
        let want = "waiting for the server to come up\n… 8 more times\n";
        assert_eq!(folded(text), want.as_bytes());
        assert_eq!(folded(want), want.as_bytes(), "twice is once");
        let no_text = folded(b"\xff\xfe one\n".repeat(20));
        assert_eq!(no_text, b"\xff\xfe one\n\xe2\x80\xa6 19 more times\n");
    }

    #[test]
    fn long_runs_are_named_and_short_ones_stay() {
        let base64 = "QUJDZGV0MTIz".repeat(20);
        let (text, count) = without_base64(format!("data: {base64}==").as_bytes()).unwrap();
        assert_eq!((String::from_utf8(text).unwrap().as_str(), count), ("data: <base64 242 chars>", 1));
        assert_eq!(without_base64("0123456789abcdef".repeat(20).as_bytes()), None, "a key in hexadecimal");
        assert_eq!(without_base64("/usr/share/some/long/path".repeat(20).as_bytes()), None);
        assert_eq!(without_base64(format!("eyJhbGci.{base64}.c2ln").as_bytes()), None, "a web token");
        assert_eq!(without_base64("=".repeat(300).as_bytes()), None, "a rule");
    }
}
