//! `toto count`: exact token counts, in the manner of `wc`.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use clap::Args;

use super::out;
use crate::tokens::Counter;

/// Count the tokens of files, or of what comes in by a pipe
#[derive(Args)]
pub struct CountArgs {
    /// Files; `-` is standard input, and so is no file at all
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Prints the number of tokens: alone for standard input, followed by the name for each file, with a total for several
/// files. A file that cannot be read is reported and left out; the exit status is then 1. Fails when standard input
/// cannot be read or standard output cannot be written.
pub fn run(args: &CountArgs) -> anyhow::Result<i32> {
    if args.files.is_empty() {
        let tokens = count(&mut std::io::stdin().lock())?;
        return out::bytes(format!("{tokens}\n"));
    }
    let mut counts = Vec::new();
    for path in &args.files {
        let tokens = if path.as_os_str() == "-" {
            count(&mut std::io::stdin().lock())
        } else {
            File::open(path).and_then(|mut file| count(&mut file))
        };
        match tokens {
            Ok(tokens) => counts.push((tokens, path.as_os_str().as_encoded_bytes())),
            Err(error) => out::complain(&format!("cannot read {}: {error}", path.display())),
        }
    }
    let is_complete = counts.len() == args.files.len();
    if args.files.len() > 1 {
        counts.push((counts.iter().map(|(tokens, _)| tokens).sum(), b"total".as_slice()));
    }
    // Numbers are right-aligned; names are bytes, since they need not be UTF-8.
    let width = counts.iter().map(|(tokens, _)| tokens.to_string().len()).max().unwrap_or(0);
    let line =
        |(tokens, name): (usize, &[u8])| [format!("{tokens:width$} ").as_bytes(), name, b"\n"].concat();
    out::bytes(counts.into_iter().flat_map(line).collect::<Vec<_>>())?;
    Ok(i32::from(!is_complete))
}

/// The number of tokens in all of `input`, which is read in parts.
fn count(input: &mut impl Read) -> std::io::Result<usize> {
    let mut counter = Counter::default();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match input.read(&mut buffer) {
            Ok(0) => return Ok(counter.finish()),
            Ok(len) => counter.push(&buffer[..len]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
