//! The rule for any text: long base64, which nobody reads, is replaced by its length: `<base64 1476 chars>`.

use once_cell::sync::Lazy;
use regex::bytes::Regex;

use super::lines::Lines;
use super::pattern::ours;

/// Maximum length of a run of base64 that stays, in bytes.
pub const LONGEST_BASE64: usize = 199;

/// Replaces long base64 by its length.
pub fn fold(lines: &mut Lines<'_>) {
    for at in 0..lines.len() {
        if let Some((text, count)) = without_base64(lines.get(at)) {
            lines.set(at, text);
            lines.left_out += count;
        }
    }
}

/// The line with its long runs of base64 replaced, and their number; `None` where the line has none.
pub(super) fn without_base64(line: &[u8]) -> Option<(Vec<u8>, usize)> {
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

/// Whether a text of the base64 alphabet is long, and no human text or hash: a JSON Web Token has dots, a text blanks.
pub fn is_opaque(text: &[u8]) -> bool {
    let has = |is: fn(&u8) -> bool| text.iter().any(is);
    let mixed = || has(u8::is_ascii_digit) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    let letters = || text.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    let is_hash = || text.iter().all(u8::is_ascii_hexdigit);
    text.len() > LONGEST_BASE64 && mixed() && !is_hash() && letters() * 100 >= text.len() * 92
}
