//! What the notation of text must hold, shared by the suite, the fuzz targets and the totals: every text comes back
//! byte for byte, at `standard` but for blanks at ends of lines.

use llm_toto::config::{Format, Level};
use llm_toto::filter::says_why;
use llm_toto::pipeline::scrub::at_level;
use llm_toto::pipeline::{Options, Shape, compress, visible};
use llm_toto::render::expand::expand;
use llm_toto::render::lines;

/// Longest run of base64 that always stays, in bytes.
const LONGEST_BASE64: usize = 199;

/// A text without blanks at ends of lines.
pub fn trimmed(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').map(|line| line.trim_end_matches([' ', '\t', '\r'])).collect();
    lines.join("\n")
}

/// What is wrong with a rendering of `want`. With `opaque`, long base64 may be replaced by its length.
fn difference(rendered: &str, want: &str, opaque: bool) -> Option<String> {
    match expand(rendered) {
        Ok(back) if back == want.as_bytes() || opaque && is_shortened(&back, want.as_bytes()) => None,
        Ok(back) => Some(format!("{:?}\nbecame\n{:?}\nby\n{rendered}", want, String::from_utf8_lossy(&back))),
        Err(error) => Some(format!("{error}\n{rendered}")),
    }
}

/// Whether `back` is `want` with some runs of base64, each longer than any that must stay, replaced by
/// `<base64 N chars>`.
pub fn is_shortened(mut back: &[u8], mut want: &[u8]) -> bool {
    loop {
        let same = back.iter().zip(want).take_while(|(a, b)| a == b).count();
        (back, want) = (&back[same..], &want[same..]);
        let Some(count) =
            back.strip_prefix(b"<base64 ").and_then(|rest| rest.split(|byte| *byte == b' ').next())
        else {
            return back.is_empty() && want.is_empty();
        };
        let words = [b"<base64 ", count, b" chars>"].concat();
        let length: usize = std::str::from_utf8(count).ok().and_then(|count| count.parse().ok()).unwrap_or(0);
        let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/-_=".contains(byte);
        let run = want.get(..length).filter(|run| length > LONGEST_BASE64 && run.iter().all(is_base64));
        if run.is_none() || !back.starts_with(&words) {
            return false;
        }
        (back, want) = (&back[words.len()..], &want[length..]);
    }
}

/// Renders `text` at both levels that keep the facts, alone and through all stages, and reads it back; answers what
/// was wrong.
pub fn violation(text: &str) -> Option<String> {
    for (level, want) in [(Level::Lossless, text.to_owned()), (Level::Standard, trimmed(text))] {
        let keep_blanks = level == Level::Lossless;
        if let Some(rendered) = lines::render(text, keep_blanks, says_why)
            && let Some(wrong) = difference(&rendered, &want, false)
        {
            return Some(wrong);
        }
        let options = Options { level, format: Format::Auto, recall: "toto show last", ..Options::default() };
        let report = compress(text.as_bytes(), &options);
        if report.output_tokens > report.original_tokens && report.shape != Shape::Text {
            return Some(format!("{} tokens of {}", report.output_tokens, report.original_tokens));
        }
        if report.shape == Shape::Lines {
            let scrubbed =
                String::from_utf8(visible::own(at_level(text.as_bytes(), level).text).into_owned()).ok()?;
            let want = if keep_blanks { scrubbed } else { trimmed(&scrubbed) };
            if let Some(wrong) = difference(&String::from_utf8_lossy(&report.output), &want, !keep_blanks) {
                return Some(wrong);
            }
        }
    }
    None
}
