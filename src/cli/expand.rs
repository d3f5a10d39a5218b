//! `toto expand`: what was compressed, back to JSON.

use std::io::{self, Read as _};
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use super::out;
use crate::render::expand::expand;

/// Turn PVFN or Schema-YAML back into JSON
///
/// Reads a file or standard input. A stream of documents becomes one document a line. What a level above
/// `lossless` left out is not in the text; `toto show` has the original.
#[derive(Args)]
pub struct ExpandArgs {
    /// File to read instead of standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

/// Runs `toto expand`.
///
/// # Errors
/// Where the file cannot be read, or the line that is not in the notation.
pub fn run(args: &ExpandArgs) -> anyhow::Result<i32> {
    let (name, text) = if let Some(path) = &args.file {
        (path.display().to_string(), fs_err::read(path)?)
    } else {
        let mut text = Vec::new();
        io::stdin().lock().read_to_end(&mut text)?;
        ("standard input".to_string(), text)
    };
    let text = String::from_utf8(text).with_context(|| format!("{name} is not UTF-8"))?;
    let json = expand(&text).with_context(|| format!("{name} is neither PVFN nor Schema-YAML"))?;
    out::bytes(&json)?;
    Ok(0)
}
