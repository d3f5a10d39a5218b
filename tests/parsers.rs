//! What every reader of somebody else's text must hold, whatever the bytes: shared by the suite, which plays with seeds,
//! and by the fuzz targets. Each answers what was wrong.

use std::path::Path;

use llm_toto::config::{self, Level};
use llm_toto::filter::{schema, testing};
use llm_toto::foreign::{self, Change, Format, Record};
use llm_toto::hook::{self, lexer, rules::Rules};
use llm_toto::pipeline::{Options, compress};
use serde_json::json;

/// A property of any bytes.
pub type Property = fn(&[u8]) -> Option<String>;

/// By the names of the fuzz targets.
pub const PROPERTIES: [(&str, Property); 5] = [
    ("filters", filters),
    ("settings", settings),
    ("shell", shell),
    ("foreign", foreign_files),
    ("outputs", outputs),
];

/// A filter, then behind the first NUL an output: a mistake with its place in the text, or an output that ends.
pub fn filters(data: &[u8]) -> Option<String> {
    let at = data.iter().position(|byte| *byte == 0).unwrap_or(data.len());
    let text = std::str::from_utf8(&data[..at]).ok()?;
    let output = data.get(at + 1..).unwrap_or_default();
    let file = match schema::parse(text) {
        Ok(file) => file,
        Err(mistake) => {
            let is_placed =
                mistake.line >= 1 && mistake.line <= text.split('\n').count() && mistake.column >= 1;
            let is_line = !mistake.message.contains('\n');
            return (!is_placed || !is_line)
                .then(|| format!("{}:{}: {}", mistake.line, mistake.column, mistake.message));
        }
    };
    for exit_code in [0, 1] {
        let test = schema::Test { exit_code, ..schema::Test::default() };
        if let Ok(outcome) = testing::run_one(&file, text, Path::new(""), &test, output.to_vec())
            && exit_code == 0
            && outcome.output.len() > 64 * (output.len() + text.len() + 64)
        {
            return Some(format!("{} bytes of {}", outcome.output.len(), output.len()));
        }
    }
    None
}

/// Settings that are written out say the same again; a mistake is one line that names the file.
pub fn settings(data: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(data).ok()?;
    match config::parse(text, "c.toml") {
        Ok(settings) => {
            let written = settings.to_toml();
            match config::parse(&written, "c.toml") {
                Ok(again) if again.to_toml() == written => None,
                Ok(again) => Some(format!("{written}\nbecame\n{}", again.to_toml())),
                Err(error) => Some(format!("{error}\n{written}")),
            }
        }
        Err(error) => {
            let line = error.to_string();
            (!line.starts_with("c.toml:") || line.contains('\n')).then_some(line)
        }
    }
}

/// The tokens of a command line tile it; what is rewritten can be read, and is not rewritten again.
pub fn shell(data: &[u8]) -> Option<String> {
    let line = std::str::from_utf8(data).ok()?;
    for tokens in [lexer::tokens(line), lexer::likely_tokens(line)] {
        let mut end = 0;
        for token in &tokens {
            if token.at.start != end || token.at.end <= end || !line.is_char_boundary(token.at.end) {
                return Some(format!("{token:?} after {end}"));
            }
            end = token.at.end;
        }
        if end != line.len() {
            return Some(format!("{end} of {} bytes", line.len()));
        }
    }
    let rules = Rules::default();
    if let hook::Outcome::Rewritten { line: once, .. } = hook::rewrite(line, &rules, "toto shim --")
        && let hook::Outcome::Rewritten { line: twice, .. } = hook::rewrite(&once, &rules, "toto shim --")
    {
        return Some(format!("{once}\nand again\n{twice}"));
    }
    None
}

/// What is put into another program's file comes out again, byte for byte; put in twice, it is there once.
pub fn foreign_files(data: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(data).ok()?;
    let at = |keys: &[&str]| keys.iter().map(ToString::to_string).collect::<Vec<_>>();
    let hook = json!({ "hooks": [{ "type": "command", "command": "~/.toto/hook path" }] });
    let changes = [
        Change::Append { at: at(&["hooks", "SessionStart"]), element: hook, mark: ".toto/hook".into() },
        Change::Set { at: at(&["shell", "set", "BASH_ENV"]), value: json!("/home/u/.toto/env") },
    ];
    for format in [Format::Json, Format::Toml] {
        let with = |text: &str, record: Option<&Record>, there: bool| {
            foreign::with_changes(format, Some(text), record, "path", &changes, there)
        };
        let Ok((Some(new), Some(record))) = with(text, None, true) else { continue };
        match with(&new, Some(&record), true) {
            Ok((Some(again), _)) if again == new => {}
            other => return Some(format!("{format:?}: {new:?} again: {other:?}")),
        }
        match with(&new, Some(&record), false) {
            Ok((Some(back), None)) if back == text => {}
            other => return Some(format!("{format:?}: {text:?} became {new:?}, then {other:?}")),
        }
    }
    None
}

/// Any output (JSON, YAML, text around documents, terminal control, no text at all) costs no more tokens than it did.
pub fn outputs(data: &[u8]) -> Option<String> {
    for level in [Level::Lossless, Level::Standard, Level::Max] {
        for machine_reader in [false, true] {
            let options = Options { level, machine_reader, recall: "toto show k7q2x", ..Options::default() };
            let report = compress(data, &options);
            if report.output_tokens > report.original_tokens {
                return Some(format!(
                    "{level:?}: {} tokens of {}",
                    report.output_tokens, report.original_tokens
                ));
            }
        }
    }
    None
}
