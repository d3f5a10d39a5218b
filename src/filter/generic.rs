//! The rules for any text: of a run of equal lines one stays with a count; long base64, which nobody reads, is replaced
//! by its length: `<base64 1476 chars>`.

use super::lines::{Cut, Lines};

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
            lines.leave_out(count);
        }
    }
    let (mut cuts, mut start) = (Vec::new(), 0);
    for at in 1..=lines.len() {
        let line = lines.get(start);
        if at == lines.len() || lines.get(at) != line {
            let goes = at - start - 1;
            let is_worth = goes + 1 >= FEWEST_EQUAL && goes * (line.len() + 1) >= MARK_COST;
            if is_worth && !line.trim_ascii().is_empty() {
                cuts.push(Cut::counted(start + 1, at, goes, "more times"));
            }
            start = at;
        }
    }
    lines.cut(cuts);
}

/// The line with its long runs of base64 replaced, and their number; `None` where the line has none.
fn without_base64(line: &[u8]) -> Option<(Vec<u8>, usize)> {
    if line.len() <= LONGEST_BASE64 {
        return None;
    }
    let (mut out, mut count, mut copied, mut at) = (Vec::new(), 0, 0, 0);
    while at < line.len() {
        let in_alphabet = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+/-_".contains(byte);
        let mut run = line[at..].iter().take_while(in_alphabet).count();
        if run > 0 {
            run += line[at + run..].iter().take(2).take_while(|byte| **byte == b'=').count();
        }
        // A JSON Web Token (RFC 7519) carries information and stays. Its parts are separated by dots.
        let is_part =
            [at.checked_sub(1), Some(at + run)].into_iter().flatten().any(|at| line.get(at) == Some(&b'.'));
        if !is_part && is_opaque(&line[at..at + run]) {
            out.extend_from_slice(&line[copied..at]);
            out.extend_from_slice(format!("<base64 {run} chars>").as_bytes());
            copied = at + run;
            count += 1;
        }
        at += run.max(1);
    }
    out.extend_from_slice(&line[copied..]);
    (count > 0).then_some((out, count))
}

fn is_opaque(run: &[u8]) -> bool {
    let has = |is: fn(&u8) -> bool| run.iter().any(is);
    let letters = run.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    let mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    run.len() > LONGEST_BASE64 && mixed && letters * 100 >= run.len() * 92
}

#[cfg(test)]
#[expect(clippy::format_collect, reason = "a test's text")]
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
    fn lines_that_differ_in_a_number_are_as_many_facts() {
        let log: String =
            (0..50).map(|n| format!("shard {n} finished with {} problems found\n", n % 7)).collect();
        assert_eq!(folded(&log), log.as_bytes());
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
