//! Replaces long runs of base64, which nobody reads, by their length: `<base64 1476 chars>`.

/// Maximum length of a run of base64 that stays, in bytes.
const LONGEST_BASE64: usize = 199;

/// The line with its long runs replaced, and their number; `None` where the line has none.
pub fn shorten(line: &[u8]) -> Option<(Vec<u8>, usize)> {
    if line.len() <= LONGEST_BASE64 {
        return None;
    }
    let (mut out, mut count, mut copied, mut at) = (Vec::new(), 0, 0, 0);
    while at < line.len() {
        let mut run = line[at..].iter().take_while(|byte| in_alphabet(**byte)).count();
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

fn in_alphabet(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

fn is_opaque(run: &[u8]) -> bool {
    let has = |is: fn(&u8) -> bool| run.iter().any(is);
    let letters = run.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    let mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    run.len() > LONGEST_BASE64 && mixed && letters * 100 >= run.len() * 92
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_runs_are_named_and_short_ones_stay() {
        let base64 = "QUJDZGV0MTIz".repeat(20);
        let (text, count) = shorten(format!("data: {base64}==").as_bytes()).unwrap();
        assert_eq!((String::from_utf8(text).unwrap().as_str(), count), ("data: <base64 242 chars>", 1));
        assert_eq!(shorten("0123456789abcdef".repeat(20).as_bytes()), None, "a key in hexadecimal");
        assert_eq!(shorten("/usr/share/some/long/path".repeat(20).as_bytes()), None);
        assert_eq!(shorten(format!("eyJhbGci.{base64}.c2ln").as_bytes()), None, "a web token");
        assert_eq!(shorten("=".repeat(300).as_bytes()), None, "a rule");
    }
}
