//! What the notation of text must hold, shared by the suite, the fuzz targets and the totals: every text comes back
//! byte for byte, at `standard` but for blanks at ends of lines.

use llm_toto::config::{Format, Level};
use llm_toto::filter::says_why;
use llm_toto::pipeline::scrub::at_level;
use llm_toto::pipeline::{Options, Shape, compress};
use llm_toto::render::expand::expand;
use llm_toto::render::lines;

/// A text without blanks at ends of lines.
pub fn trimmed(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').map(|line| line.trim_end_matches([' ', '\t', '\r'])).collect();
    lines.join("\n")
}

fn difference(rendered: &str, want: &str) -> Option<String> {
    match expand(rendered) {
        Ok(back) if back == want.as_bytes() => None,
        Ok(back) => Some(format!("{:?}\nbecame\n{:?}\nby\n{rendered}", want, String::from_utf8_lossy(&back))),
        Err(error) => Some(format!("{error}\n{rendered}")),
    }
}

/// Renders `text` at both levels that keep the facts, alone and through all stages, and reads it back; answers what
/// was wrong.
pub fn violation(text: &str) -> Option<String> {
    for (level, want) in [(Level::Lossless, text.to_owned()), (Level::Standard, trimmed(text))] {
        let keep_blanks = level == Level::Lossless;
        if let Some(rendered) = lines::render(text, keep_blanks, says_why)
            && let Some(wrong) = difference(&rendered, &want)
        {
            return Some(wrong);
        }
        let options = Options { level, format: Format::Auto, recall: "toto show last", ..Options::default() };
        let report = compress(text.as_bytes(), &options);
        if report.output_tokens > report.original_tokens {
            return Some(format!("{} tokens of {}", report.output_tokens, report.original_tokens));
        }
        // Opaque base64 is left out at `standard`, and said to be.
        if report.shape == Shape::Lines && report.omitted.is_empty() {
            let scrubbed = String::from_utf8(at_level(text.as_bytes(), level).text.into_owned()).ok()?;
            let want = if keep_blanks { scrubbed } else { trimmed(&scrubbed) };
            if let Some(wrong) = difference(&String::from_utf8_lossy(&report.output), &want) {
                return Some(wrong);
            }
        }
    }
    None
}
