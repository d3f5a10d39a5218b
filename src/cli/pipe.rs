//! `… | toto`: standard input through the pipeline to standard output.

use std::io::{self, Read as _};

use super::options::OptionArgs;

/// Reads all of standard input and writes it compressed.
///
/// # Errors
/// When standard input cannot be read, standard output cannot be written, or a setting cannot be used.
pub fn run(options: &OptionArgs) -> anyhow::Result<i32> {
    let settings = options.settings()?;
    options.delivery(&settings, "pipe", &[]).bytes(&input()?)?;
    Ok(0)
}

/// All of standard input.
pub fn input() -> io::Result<Vec<u8>> {
    let mut input = Vec::new();
    io::stdin().lock().read_to_end(&mut input)?;
    Ok(input)
}
