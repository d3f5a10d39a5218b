//! `toto expand`: turns compressed output back into JSON.

use std::path::PathBuf;

use clap::Args;

use super::out::{self, Refusal};
use crate::marks::PAGE;
use crate::marks::is_note;
use crate::mistake::Mistake;
use crate::render::expand::expand;
use crate::store::{find, session_of_caller};

/// Turn PVFN or Schema-YAML back into JSON
///
/// Reads a file or standard input. Known forms of text come back as the text that they stand for. A stream of documents
/// becomes one document a line. Every path and every scalar comes back as it was; the order of an object's keys does,
/// but not within rows of a table that differ from one another. What a level above `lossless` left out is not in the
/// text; `toto show` has the original.
#[derive(Args)]
pub struct ExpandArgs {
    /// File to read; `-` or nothing: standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

/// Fails when the file cannot be read, or is not in the notation: then the error has the line and column.
pub fn run(args: &ExpandArgs) -> anyhow::Result<i32> {
    let (name, bytes) = if let Some(path) = args.file.as_ref().filter(|path| path.as_os_str() != "-") {
        let read = fs_err::read(path).map_err(|error| {
            let saved = path.to_str().and_then(|id| find(&session_of_caller(), id));
            let is_original = "is a saved original, as its tool printed it: toto show";
            Refusal::bad(saved.map_or(error.to_string(), |saved| format!("{0} {is_original} {0}", saved.id)))
        })?;
        (path.display().to_string(), read)
    } else {
        ("standard input".to_string(), out::input()?)
    };
    let text = String::from_utf8(bytes).map_err(|error| {
        let text = String::from_utf8_lossy(error.as_bytes());
        let place = error.utf8_error().valid_up_to();
        let mistake = Mistake::at(&text, place, "not UTF-8, so neither PVFN nor Schema-YAML");
        Refusal::bad(format!("{name}:{mistake}"))
    })?;
    let json = expand(&text).map_err(|error| {
        if let Some(page) = text.lines().rev().take(3).find(|line| line.starts_with(PAGE)) {
            let said = "of a page alone the whole cannot be made; as it came it is toto show ID --raw";
            return Refusal::bad(format!("{name}: {}: {said}", page.trim_matches(['(', ')'])));
        }
        let (line, column) = (error.line, error.column(&text));
        Refusal::bad(format!("{name}:{line}:{column}: neither PVFN nor Schema-YAML: {}", error.what))
    })?;
    out::bytes(&json)?;
    if let Some(line) = text.lines().rev().take(2).find(|line| is_note(line) && line.contains(" left out")) {
        let original = line.split_once(": ").map_or("", |(_, rest)| rest.trim_end_matches(')'));
        super::complain(&format!("not lossless: something was left out; the original: {original}"));
    }
    Ok(0)
}
